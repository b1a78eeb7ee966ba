"""How each kind of criterion is judged, a file a kind; `judge` picks the one for a criterion."""

from collections.abc import Mapping
from typing import Any, Final

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import ContractCriterion, Criterion

from shared.verifiers import names_model

from .answer import AnswerJudge
from .base import Bench, Judge, not_run
from .command import CommandJudge
from .contract import ContractJudge
from .diff import DiffJudge
from .file_contains import FileContainsJudge
from .file_exists import FileExistsJudge
from .screenshot import ScreenshotJudge
from .tests import TestsJudge

__all__ = ["JUDGES", "Bench", "is_cheap", "judge", "not_run"]

JUDGES: Final[Mapping[str, Judge[Any]]] = {
    "answer": AnswerJudge(),
    "command": CommandJudge(),
    "contract": ContractJudge(),
    "diff": DiffJudge(),
    "file_contains": FileContainsJudge(),
    "file_exists": FileExistsJudge(),
    "screenshot": ScreenshotJudge(),
    "tests": TestsJudge(),
}


async def judge(criterion: Criterion, bench: Bench) -> CriterionResult:
    """Judge one criterion. Nothing of the workspace is changed, and what goes wrong is a verdict, not an exception."""
    try:
        return await JUDGES[criterion.kind].judge(criterion, bench)
    except OSError as error:
        return not_run(criterion, f"the workspace cannot be read: {error.strerror or error}", environment=True)


def is_cheap(criterion: Criterion) -> bool:
    """Whether judging it costs next to nothing, so that it can be probed after every effect."""
    if isinstance(criterion, ContractCriterion) and names_model(criterion.schema_path):
        return False
    return JUDGES[criterion.kind].cheap
