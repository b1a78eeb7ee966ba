"""Which program is missing on this machine, where that ended a run and the model cannot mend it."""

import re

from shared.workspace.snapshots import SnapshotError

from ..absent import absent_program
from ..commands import Ran
from .base import Bench, content_of


def missing_program(ran: Ran, bench: Bench) -> str | None:
    """The program that is not installed; None where there is none, or where the task itself wrote its name."""
    name = absent_program(ran.result.exit_status, ran.result.output, str(bench.workspace))
    return None if name is None or _is_written_by_task(name, bench) else name


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
