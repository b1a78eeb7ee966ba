"""The short form of `make chaos`: a few tasks of every kind under a few faults."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.chaos.run import Fire

TASKS = 12
BETWEEN = 20
"""Events between two faults: fewer than in the long form, so that as few tasks meet about as many kinds."""


@pytest.mark.timeout(600)
def test_every_task_ends_and_nothing_is_lost_or_done_twice_whatever_is_killed_stopped_or_cut(tmp_path: Path) -> None:
    # The same each time, so that a change is judged and not the draw; `make chaos` draws anew and runs long.
    seed = int(os.environ.get("CHAOS_SEED") or 700_031)
    print(f"CHAOS_SEED={seed} draws the same faults again")  # noqa: T201
    fire = Fire(tmp_path, TASKS, seed, print, between=BETWEEN)
    found = fire.run()
    print("\n".join(found.lines()))  # noqa: T201 - what pytest shows of a failure
    assert fire.inflicted.total() >= 3
    assert found.broken == []
