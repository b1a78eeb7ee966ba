"""Which program is missing on this machine, where that ended a run and the model cannot mend it."""

import re
from itertools import islice
from typing import Final

from shared.walk import Walker
from shared.workspace.snapshots import SnapshotError

from ..absent import absent_module, absent_program
from ..commands import Ran
from .base import Bench, content_of

_MOST_FOLDERS: Final = 2_000
_MAKES: Final = re.compile(
    r"\b(?:write|creat|implement|develop|generat|scaffold|(?:build|add|make|set up|provide) (?:an?|some|new|another)\b"
    r"|escrev|cri[ae]r?\b|desenvolv|ger[ae]r?\b|adicion|acrescent|(?:faça|monte) uma?\b)",
    re.IGNORECASE,
)
"""A goal that has something written, whatever it is to be called."""


def missing_program(ran: Ran, bench: Bench) -> str | None:
    """The program that is not installed; None where there is none, or where the task itself wrote its name."""
    name = absent_program(ran.result.exit_status, ran.result.output, str(bench.workspace))
    if name is None:
        name = absent_module(ran.result.exit_status, ran.result.output)
        name = None if name is None or _may_be_the_tasks_own(name, bench) else name
    return None if name is None or _is_written_by_task(name, bench) else name


def _may_be_the_tasks_own(module: str, bench: Bench) -> bool:
    """Whether a module lies in the workspace somewhere, or the goal may be about to have it written."""
    if _MAKES.search(bench.goal) or re.search(rf"(?<![\w.-]){re.escape(module)}(?![\w-])", bench.goal):
        return True
    folders = islice(Walker(bench.workspace, "").walk(), _MOST_FOLDERS)
    return any(module in one.path.split("/") or f"{module}.py" in one.files for one in folders)


def _is_written_by_task(name: str, bench: Bench) -> bool:
    """Whether the name stands in a file that the task changed, and did not stand there when it began."""
    named = re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w-])".encode())
    try:
        changes = [] if bench.changes is None else [one for one in bench.changes() if one.kind != "deleted"]
    except SnapshotError:
        return False
    held = bench.contents({one.before for one in changes if one.before is not None})
    return any(
        named.search(content_of(bench.workspace, one.path) or b"") and not named.search(held.get(one.before or "", b""))
        for one in changes
    )
