"""What judges of criteria share: their protocol, the bench they work on, and how results are made."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Protocol, TypeVar

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import Criterion, criterion_text

from ..commands import Commands

EXCERPT: Final = 1_500
"""Characters of an output that a result shows; the whole is kept as a blob."""

Kind = TypeVar("Kind", contravariant=True)
KeepBlob = Callable[[str], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Bench:
    """What a criterion is judged on: the workspace, the claim's reply, and how commands are run.

    `ungrounded` is what the reply names and nobody observed.
    `verifiers` are the hashes of the files that judge as they were when the task began (None: not known); a change of
    one that neither `editable` nor `allow_test_changes` opens fails a `tests` criterion.
    """

    workspace: Path
    commands: Commands
    reply: str = ""
    ungrounded: tuple[str, ...] = ()
    verifiers: Mapping[str, str] | None = None
    allow_test_changes: bool = False
    editable: tuple[str, ...] = ()
    keep_blob: KeepBlob | None = field(default=None)


class Judge(Protocol[Kind]):
    """Judges one kind of criterion.

    `judge` changes nothing in the workspace, ends within the limits of its commands, and says what was expected and
    what was seen instead. `cheap` judges run no command.
    """

    cheap: ClassVar[bool]

    async def judge(self, criterion: Kind, bench: Bench) -> CriterionResult:
        """The verdict on `criterion` as the workspace stands now."""
        ...


def passed(criterion: Criterion, seen: str = "") -> CriterionResult:
    """The criterion holds."""
    return CriterionResult(criterion=criterion_text(criterion), verdict="PASS", seen=seen)


def failed(criterion: Criterion, expected: str, seen: str) -> CriterionResult:
    """The criterion does not hold."""
    return CriterionResult(criterion=criterion_text(criterion), verdict="FAIL", expected=expected, seen=seen)


def not_run(criterion: Criterion, seen: str, *, expected: str = "", environment: bool = False) -> CriterionResult:
    """The criterion could not be judged; `environment`: for a cause that the model cannot mend."""
    return CriterionResult(
        criterion=criterion_text(criterion), verdict="NOT_RUN", expected=expected, seen=seen, environment=environment
    )


def excerpt(text: str, limit: int = EXCERPT) -> str:
    """The end of an output, where the reason mostly stands, with a word on what was left out."""
    text = text.strip()
    return text if len(text) <= limit else f"[… {len(text) - limit} characters before …]\n{text[-limit:]}"


async def with_output(result: CriterionResult, output: str, bench: Bench) -> CriterionResult:
    """The result with its whole output kept as a blob, where an excerpt does not show it all."""
    if bench.keep_blob is None or len(output.strip()) <= EXCERPT:
        return result
    return result.model_copy(update={"blob": await bench.keep_blob(output)})
