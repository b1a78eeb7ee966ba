"""Run the benchmarks that are named, or all of them."""

import sys

from benchmarks import first_request, idle, promises, turns

BENCHMARKS = {"turns": turns.main, "first-request": first_request.main, "idle": idle.main, "promises": promises.main}


def main() -> int:
    """Run and print; 1 when a name is unknown."""
    named = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in named if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}\n")
        return 1
    for name in named:
        sys.stdout.write(f"== {name}\n")
        sys.stdout.flush()
        BENCHMARKS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
