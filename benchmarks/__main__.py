"""Run the benchmarks that are named, or all of them."""

import os
import platform
import sys
from datetime import UTC, datetime

from benchmarks import assembly, discovery, first_request, idle, modes, promises, tokens, turns

BENCHMARKS = {
    "turns": turns.main,
    "first-request": first_request.main,
    "idle": idle.main,
    "promises": promises.main,
    "modes": modes.main,
    "tokens": tokens.main,
    "assembly": assembly.main,
    "discovery": discovery.main,
}
QUIET = 0.8
"""The load average above which other work is likely to show in the figures."""


def main() -> int:
    """Run and print; 1 when a name is unknown."""
    named = sys.argv[1:] or list(BENCHMARKS)
    unknown = [name for name in named if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}\n")
        return 1
    load = os.getloadavg()[0]
    busy = f" (busy: figures from a load above {QUIET} are not to be trusted)" if load > QUIET else ""
    now = datetime.now(UTC).strftime("%Y-%m-%d")
    say(f"{now}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}{busy}")
    for name in named:
        say(f"$ python -m benchmarks {name}")
        BENCHMARKS[name]()
    return 0


def say(line: str) -> None:
    """Print at once, for whoever waits."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
