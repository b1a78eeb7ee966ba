"""Timing small things side by side: the candidates take turns, so that a busy moment hits all of them."""

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any


def milliseconds(
    candidates: Mapping[str, Callable[[], object]],
    *,
    rounds: int = 30,
    before: Mapping[str, Callable[[], Any]] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """The median of each candidate; `before` is done ahead of each of its runs and not counted.

    Where nothing waits, `time.process_time` as the clock leaves out what other programs take of the processor.
    """
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, run in candidates.items():
            if before and name in before:
                before[name]()
            began = clock()
            run()
            times[name].append(1000 * (clock() - began))
    return {name: statistics.median(found) for name, found in times.items()}
