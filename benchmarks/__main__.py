"""Run the benchmarks that are named, or all of them."""

import argparse
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime

from benchmarks import (
    appends,
    assembly,
    discovery,
    first_request,
    gate,
    grounding,
    idle,
    learning,
    lengths,
    loops,
    modes,
    observing,
    patterns,
    promises,
    relaying,
    replays,
    scale,
    search,
    skills,
    snapshots,
    steps,
    tokens,
    turns,
)

BENCHMARKS: dict[str, Callable[[], None]] = {
    "turns": turns.main,
    "first-request": first_request.main,
    "idle": idle.main,
    "promises": promises.main,
    "modes": modes.main,
    "tokens": tokens.main,
    "assembly": assembly.main,
    "discovery": discovery.main,
    "snapshots": snapshots.main,
    "gate": gate.main,
    "loops": loops.main,
    "grounding": grounding.main,
    "search": search.main,
    "skills": skills.main,
    "learning": learning.main,
    "replay": replays.main,
    "observing": observing.main,
    "lengths": lengths.main,
    "patterns": patterns.main,
    "scale": scale.main,
    # These need programs of others, which are fetched on first use.
    "appends": appends.main,
    "relay": relaying.main,
    "steps": steps.main,
}
QUIET = 0.8
"""The load average above which other work is likely to show in the figures."""


def main() -> int:
    """Run and print; 1 when a name is unknown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"Of {', '.join(BENCHMARKS)}; all, if none is named.")
    parser.add_argument("--trajectories", metavar="FILE", help="Recorded runs for the benchmark `loops`, one a line.")
    asked = parser.parse_args()
    benchmarks = BENCHMARKS | {"loops": lambda: loops.main(asked.trajectories)}
    named = asked.names or list(BENCHMARKS)
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
        benchmarks[name]()
    return 0


def say(line: str) -> None:
    """Print at once, for whoever waits."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
