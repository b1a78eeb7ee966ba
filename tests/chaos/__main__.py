"""`make chaos`: `python -m tests.chaos [--tasks N] [--seed N] [--only FAULT]…`. Exit status 1: a promise is broken."""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.chaos.faults import faults
from tests.chaos.replicas import FAKETIME
from tests.chaos.run import Fire


def main() -> int:
    """Run the suite once and print the counts."""
    parser = argparse.ArgumentParser(description="The fault suite: what is promised, held against what is broken.")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument(
        "--seed", type=int, default=None, help="what draws the faults; printed, and random if not given"
    )
    parser.add_argument("--only", action="append", default=[], choices=sorted(faults()), help="these faults alone")
    parser.add_argument("--keep", action="store_true", help="keep the data directory")
    given = parser.parse_args()
    seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
    place = Path(tempfile.mkdtemp(prefix="arreio-chaos-"))
    began = time.monotonic()

    def say(line: str) -> None:
        sys.stdout.write(f"[{time.monotonic() - began:6.1f}] {line}\n")
        sys.stdout.flush()

    say(f"seed {seed}, {given.tasks} tasks, in {place}")
    if not FAKETIME:
        say("no clock jumps: libfaketime is not installed (apt-get install faketime)")
    found = Fire(place, given.tasks, seed, say, given.only).run()
    sys.stdout.write("\n".join(found.lines()) + f"\n{'seconds':<34} {time.monotonic() - began:.0f}\n")
    if not given.keep and not found.broken:
        shutil.rmtree(place, ignore_errors=True)
    return 1 if found.broken else 0


if __name__ == "__main__":
    sys.exit(main())
