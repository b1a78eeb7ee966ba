"""The headline table, as Markdown."""

import statistics
from collections.abc import Sequence

from .results import ARMS, Result
from .suite import TASKS

_HEAD = (
    "| model | loop | runs | truly done | of those held out | false completions | within budget | steps (median) "
    "| seconds (median) |\n|---|---|---:|---:|---:|---:|---:|---:|---:|"
)
_HELD_OUT = frozenset(task.name for task in TASKS if task.held_out)


def table(results: Sequence[Result]) -> str:
    """One line a model and loop."""
    lines = [_HEAD]
    for model in dict.fromkeys(result.model for result in results):
        for arm in ARMS:
            rows = [result for result in results if (result.model, result.arm) == (model, arm)]
            if rows:
                lines.append(_line(model, arm, rows))
    return "\n".join(lines)


def by_task(results: Sequence[Result]) -> str:
    """One line a task: how many of its runs were truly done, by model and loop."""
    columns = [
        (model, arm)
        for model in dict.fromkeys(result.model for result in results)
        for arm in ARMS
        if any((result.model, result.arm) == (model, arm) for result in results)
    ]
    lines = [
        "| task | " + " | ".join(f"{model} {arm}" for model, arm in columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for task in TASKS:
        cells = [
            _part([one for one in results if (one.model, one.arm, one.task) == (*column, task.name)])
            for column in columns
        ]
        name = f"{task.name} ({task.language}{', held out' if task.held_out else ''})"
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def truly_done(result: Result) -> bool:
    """Whether the run did what was asked, and (where it can be done) says so."""
    possible = next(task.solution is not None for task in TASKS if task.name == result.task)
    return result.holds and (result.says_done or not possible)


def _line(model: str, arm: str, rows: Sequence[Result]) -> str:
    held_out = [row for row in rows if row.task in _HELD_OUT]
    cells = [
        model,
        arm,
        str(len(rows)),
        _part(rows, percent=True),
        _part(held_out),
        str(sum(row.false_completion for row in rows)),
        f"{sum(row.within for row in rows)}/{len(rows)}",
        f"{statistics.median(row.steps for row in rows):g}",
        f"{statistics.median(row.seconds for row in rows):.0f}",
    ]
    return "| " + " | ".join(cells) + " |"


def _part(rows: Sequence[Result], *, percent: bool = False) -> str:
    if not rows:
        return "not run"
    done = sum(map(truly_done, rows))
    return f"{done}/{len(rows)}" + (f" ({100 * done / len(rows):.0f} %)" if percent else "")
