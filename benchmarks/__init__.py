"""What Arreio costs, measured: `python -m benchmarks [NAME …]` prints figures beside what they are compared with."""
