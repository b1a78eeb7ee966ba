"""All tasks of the suite, and how to pick some."""

from collections.abc import Sequence
from typing import Final

from . import tasks_en, tasks_pt
from .task import Task

TASKS: Final[tuple[Task, ...]] = (*tasks_en.TASKS, *tasks_pt.TASKS)


class UnknownTask(ValueError):
    """A name that the suite does not hold; the message names those that it holds."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no task {name!r}: the suite holds {', '.join(task.name for task in TASKS)}")


def picked(names: str) -> Sequence[Task]:
    """Tasks by name, separated by commas; `all`, `tuning` (those that are not held out) and `held-out` are groups.

    Raises:
        UnknownTask: the suite does not hold one.
    """
    groups = {
        "all": TASKS,
        "tuning": tuple(task for task in TASKS if not task.held_out),
        "held-out": tuple(task for task in TASKS if task.held_out),
    }
    if names in groups:
        return groups[names]
    by_name = {task.name: task for task in TASKS}
    found = []
    for name in names.split(","):
        if name not in by_name:
            raise UnknownTask(name)
        found.append(by_name[name])
    return found
