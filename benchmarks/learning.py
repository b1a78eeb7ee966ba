"""How often a version is promoted or demoted, and how soon, by how much it truly helps or harms: simulated tasks.

Run: `python -m benchmarks learning`. A version's standing is looked at after each task, as learning does it.
"""

import random
import sys
from statistics import median
from typing import Final, Literal, NamedTuple

from arreio_contracts.events import Score

from services.learning.standing import RULE, verdict

RUNS: Final = 2000
USES: Final = 30
"""Tasks that have the version, in one run; before it came as many as `WITHOUT` had it not."""
WITHOUT: Final = (0, 10, 50)
RATES: Final = ((0.7, 0.0), (0.7, 0.2), (0.7, 0.4), (0.7, 0.7), (0.7, 0.9), (0.3, 0.3), (0.9, 0.9))
"""How often tasks succeed without it, and with it."""


class Seen(NamedTuple):
    """What became of one version: after how many uses it was established, and demoted; None: never."""

    established: int | None
    demoted: int | None


def main() -> None:
    """Print a line for each pair of rates and each number of tasks without."""
    write = sys.stdout.write
    write(f"learning: {RULE}, {RUNS} runs of {USES} tasks each (seed 1)\n")
    dice = random.Random(1)
    for without, rate in RATES:
        for before in WITHOUT:
            runs = [_run(dice, without, rate, before) for _ in range(RUNS)]
            write(
                f"  succeeds {without:>4.0%} without, {rate:>4.0%} with, {before:>2} tasks before: "
                f"demoted {_told(runs, 'demoted')}, established {_told(runs, 'established')}\n"
            )


def _told(runs: list[Seen], what: Literal["established", "demoted"]) -> str:
    when = [found for found in (getattr(one, what) for one in runs) if found is not None]
    return f"{len(when) / len(runs):>6.1%}" + (f" (half of them within {median(when):.0f} uses)" if when else "")


def _run(dice: random.Random, without: float, rate: float, before: int) -> Seen:
    good = sum(dice.random() < without for _ in range(before))
    score = Score(successes=0, failures=0, successes_without=good, failures_without=before - good)
    established = None
    for use in range(1, USES + 1):
        kind = "successes" if dice.random() < rate else "failures"
        score = score.model_copy(update={kind: getattr(score, kind) + 1})
        match verdict(score):
            case "demote":
                return Seen(established, use)
            case "promote" if established is None:
                established = use
    return Seen(established, None)
