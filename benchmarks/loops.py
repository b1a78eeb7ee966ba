"""How well the rules against loops tell stuck runs from others, how early, and what a step costs them.

`--trajectories FILE` names recorded runs, one a line, as `arreio check loops` takes them (with `resolved`); which of
them are stuck is labelled in `tests/data/loops`. Runs made stuck and runs made busy are measured beside them.
"""

import random
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from arreio.trajectories import Thresholds
from services.tool_loop.rules.loops.anti_loop import AntiLoop
from services.tool_loop.rules.loops.observation import digested
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from tests.support import busy_runs, stuck_runs
from tests.support.trajectories import Run, recorded_runs
from tests.support.written_runs import WrittenRun, written_runs

LENGTHS = (10, 1_000, 100_000)
_EACH = 40
"""Runs that are made of each kind."""
Detector = Callable[[Sequence[RecordedStep]], Judgement]


def same_call_three_times(steps: Sequence[RecordedStep]) -> Judgement:
    """A naive detector: the same tool with the same arguments three times in a row."""
    return _in_a_row(steps, 3, lambda step: (step.tool, repr(sorted(step.arguments.items()))))


def same_tool_five_times(steps: Sequence[RecordedStep]) -> Judgement:
    """A naive detector: the same tool five times in a row."""
    return _in_a_row(steps, 5, lambda step: step.tool)


def _in_a_row(steps: Sequence[RecordedStep], length: int, key: Callable[[RecordedStep], object]) -> Judgement:
    last: deque[object] = deque(maxlen=length)
    for at, step in enumerate(steps):
        last.append(key(step))
        if len(last) == length and len(set(last)) == 1:
            return Judgement(at, at, "repeat")
    return Judgement()


def ours(steps: Sequence[RecordedStep], capability: str = "strong") -> Judgement:
    """The rules of this project."""
    thresholds = Thresholds.of(capability)
    return judge(steps, thresholds.limits, thresholds.caps())


DETECTORS: dict[str, Detector] = {
    "ours": ours,
    "same call 3 in a row": same_call_three_times,
    "same tool 5 in a row": same_tool_five_times,
}


def main(trajectories: str | None = None) -> None:
    """Print all tables."""
    path = Path(trajectories) if trajectories else None
    if path is None or not path.exists():
        sys.stdout.write(f"no recorded runs: {path or 'name a file by --trajectories'}\n")
        beginnings: list[list[RecordedStep]] = [made(random.Random(7)) for made in busy_runs.KINDS.values()]
    else:
        runs = recorded_runs(path)
        for half in ("tuning", "held out"):
            _recorded(half, [run for run in runs if run.half == half])
        beginnings = [run.steps for run in runs if run.half == "held out" and not run.stuck and len(run.steps) > 4]
    for half in ("tuning", "held out"):
        _written(half, [run for run in written_runs() if run.half == half])
    _made_stuck(beginnings)
    _made_busy()
    _cost()


def _recorded(half: str, runs: Sequence[Run]) -> None:
    stuck, good = [run for run in runs if run.stuck], [run for run in runs if not run.stuck]
    solved = [run for run in good if run.resolved is not False]
    sys.stdout.write(
        f"\n{half}: {len(runs)} recorded runs, {len(stuck)} stuck, {len(solved)} not, and not known to have failed\n"
        f"{'detector':<22} {'precision':>9} {'recall':>7} {'warned, solved':>15} {'halted, solved':>15}"
        f" {'steps saved':>12}\n"
    )
    for name, detect in DETECTORS.items():
        _progress(f"{name}: {half}, recorded")
        found = {run.id: detect(run.steps) for run in runs}
        caught = [run for run in stuck if found[run.id].step is not None]
        alarms = [run for run in good if found[run.id].step is not None]
        warned = sum(found[run.id].step is not None for run in solved)
        halted = sum(found[run.id].halt_step is not None for run in solved)
        saved = _share((len(run.steps) - 1 - (found[run.id].step or 0), len(run.steps)) for run in caught)
        sys.stdout.write(
            f"{name:<22} {_ratio(len(caught), len(caught) + len(alarms)):>9} {_ratio(len(caught), len(stuck)):>7} "
            f"{warned:>15} {halted:>15} {saved:>12}\n"
        )


def _written(half: str, runs: Sequence[WrittenRun]) -> None:
    stuck = [(run.steps, run.stuck_at) for run in runs if run.stuck_at is not None]
    good = [run.steps for run in runs if run.stuck_at is None]
    sys.stdout.write(
        f"\n{half}: {len(runs)} runs written in the styles of other harnesses, {len(stuck)} stuck\n{'detector':<22} "
        f"{'caught':>7} {'ended':>7} {'steps to warning':>17} {'to end':>7} {'warned, good':>13} {'halted, good':>13}\n"
    )
    for name, detect in DETECTORS.items():
        _progress(f"{name}: {half}, written")
        found = [(one, at) for one, at in ((detect(steps), at) for steps, at in stuck) if (one.step or 0) >= at]
        warned = [one.step - at + 1 for one, at in found if one.step is not None]
        ended = [one.halt_step - at + 1 for one, at in found if one.halt_step is not None]
        of_good = [detect(steps) for steps in good]
        sys.stdout.write(
            f"{name:<22} {_ratio(len(warned), len(stuck)):>7} {_ratio(len(ended), len(stuck)):>7} {_mean(warned):>17} "
            f"{_mean(ended):>7} {_ratio(sum(one.step is not None for one in of_good), len(good)):>13} "
            f"{_ratio(sum(one.halt_step is not None for one in of_good), len(good)):>13}\n"
        )


def _made_stuck(beginnings: Sequence[Sequence[RecordedStep]]) -> None:
    sys.stdout.write(
        f"\n{_EACH} runs made stuck of each kind: caught while stuck, steps from then to the warning, and to the end\n"
        f"{'kind':<32}" + "".join(f"{name:>22}" for name in DETECTORS) + "\n"
    )
    for number, kind in enumerate((*stuck_runs.KINDS, *stuck_runs.REPLAYED)):
        _progress(f"made stuck: {kind}")
        rng = random.Random(number)
        made = [stuck_runs.stuck(rng, rng.choice(list(beginnings)), kind) for _ in range(_EACH)]
        cells = []
        for detect in DETECTORS.values():
            found = [(one, at) for one, at in ((detect(steps), at) for steps, at in made) if (one.step or 0) >= at]
            warned = [one.step - at + 1 for one, at in found if one.step is not None]
            ended = [one.halt_step - at + 1 for one, at in found if one.halt_step is not None]
            cells.append(f"{len(warned)}/{len(made)} {_mean(warned)} {_mean(ended)}")
        sys.stdout.write(f"{kind:<32}" + "".join(f"{cell:>22}" for cell in cells) + "\n")


def _made_busy() -> None:
    sys.stdout.write(
        f"\n{_EACH} busy runs of each kind: warned\n{'kind':<32}" + "".join(f"{one:>22}" for one in DETECTORS) + "\n"
    )
    for number, (kind, make) in enumerate(busy_runs.KINDS.items()):
        _progress(f"busy: {kind}")
        rng = random.Random(number)
        made = [make(rng) for _ in range(_EACH)]
        cells = [f"{sum(detect(steps).step is not None for steps in made)}" for detect in DETECTORS.values()]
        sys.stdout.write(f"{kind:<32}" + "".join(f"{cell:>22}" for cell in cells) + "\n")


def _cost() -> None:
    """What one more step costs at a length of history: to digest it with a result of 2 KB, and to judge it."""
    sys.stdout.write(f"\n{'steps before':>12} {'digest, µs':>12} {'judge, µs':>12}\n")
    limits = Thresholds.of("strong").limits
    for length in LENGTHS:
        _progress(f"the cost of a step after {length:,}")
        rules = AntiLoop(limits)
        for number in range(length):
            rules.observe(_digest(number, "x"), str(number))
        count = 300
        begun = time.process_time()
        seen = [_digest(length + number, _RESULT) for number in range(count)]
        digested_at = time.process_time()
        for number, one in enumerate(seen):
            rules.observe(one, str(number))
        judged_at = time.process_time()
        digesting, judging = digested_at - begun, judged_at - digested_at
        sys.stdout.write(f"{length:>12,} {digesting / count * 1e6:>12.0f} {judging / count * 1e6:>12.1f}\n")


_RESULT = "".join(
    f"src/module_{number}.py:{number}: in function: 12 passed at 10:01:{number % 60:02}\n" for number in range(40)
)


def _digest(number: int, text: str):  # type: ignore[no-untyped-def]
    kinds = (
        ("read_file", {"path": f"f{number % 5000}.py", "offset": number, "limit": 50}, False),
        ("bash", {"command": f"pytest -q tests/test_{number % 5000}.py"}, True),
        ("edit_file", {"path": f"f{number % 5000}.py", "old": "a", "new": str(number)}, False),
    )
    tool, arguments, failed = kinds[number % 3]
    return digested(tool, arguments, f"{text}{number}", failed=failed)


def _progress(doing: str) -> None:
    """Say on the error stream what is being measured, for all of it takes minutes."""
    sys.stderr.write(f"{doing} ...\n")
    sys.stderr.flush()


def _ratio(part: int, whole: int) -> str:
    return f"{part}/{whole}"


def _share(parts: Iterable[tuple[int, int]]) -> str:
    found = list(parts)
    return f"{sum(part for part, _ in found) / sum(whole for _, whole in found):.0%}" if found else "-"


def _mean(values: Sequence[int]) -> str:
    return f"{sum(values) / len(values):.1f}" if values else "-"
