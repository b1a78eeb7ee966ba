"""What Arreio costs, measured: `python -m benchmarks [NAME …]` prints the figures, each beside what it is compared with."""
