"""What judges of criteria share: their protocol, the bench they work on, and how results are made."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Protocol, TypeVar

from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import Criterion, criterion_text

from shared.environments import environments
from shared.run_files import programs_called
from shared.sandbox import SandboxKind
from shared.verifiers import MAX_BYTES
from shared.workspace import PathRefused, read_regular
from shared.workspace.changes import Change
from shared.workspace.inventory import Beyond
from shared.workspace.snapshots import SnapshotError

from ..cheating import Content, Finding, Language, findings, planted
from ..commands import Commands
from ..judging_twice import Contents, Moves, Renames, moved, moves_of, renamed
from ..reports import Report

EXCERPT: Final = 1_500
"""Characters of an output that a result shows; the whole is kept as a blob."""
METADATA: Final = (".egg-info/entry_points.txt", ".dist-info/entry_points.txt")
"""What an installed package says of its plugins."""
MOST_FINDINGS: Final = 12
"""Lines on what was done to the files that judge."""

Kind = TypeVar("Kind", contravariant=True)
KeepBlob = Callable[[str | bytes], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Bench:
    """What a criterion is judged on: the workspace, the claim's reply, and how commands are run.

    `ungrounded` is what the reply names and nobody observed.
    `verifiers` are the hashes of the files that judge as they were when the task began (None: not known), and `began`
    gives their content then, where it is kept; to turn one of them, where neither `editable` nor `allow_test_changes`
    opens it, fails the criteria that it judges. `opened` are the paths that the goal itself opens, `renamed`
    the names that it asks to be changed. `judging` are the
    commands of all the task's criteria, `artefacts` the paths that they want to be written. `changes` compares the
    workspace with what it was when the task began (None: that was not kept), `beyond` adds what its snapshots leave
    out (None: not known), and `contents` gives what its blobs held; `at_the_start` keeps what tests said when it
    began, by the command. `sandbox` is what a browser runs in.
    """

    workspace: Path
    commands: Commands
    reply: str = ""
    goal: str = ""
    ungrounded: tuple[str, ...] = ()
    verifiers: Mapping[str, str] | None = None
    began: Content = field(default=lambda _: None)
    judging: tuple[str, ...] = ()
    language: Language = "en"
    allow_test_changes: bool = False
    editable: tuple[str, ...] = ()
    opened: frozenset[str] = frozenset()
    renamed: Renames = ()
    artefacts: tuple[str, ...] = ()
    keep_blob: KeepBlob | None = field(default=None)
    changes: Callable[[], Sequence[Change]] | None = field(default=None)
    beyond: Callable[[Sequence[Change]], Beyond] | None = field(default=None)
    contents: Contents = field(default=lambda _: {})
    at_the_start: dict[str, Report | None] = field(default_factory=dict)
    sandbox: SandboxKind = "bubblewrap"


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


def cheats(bench: Bench, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What was done to the files that judge, and to what runs them, a line each; empty where nothing was."""
    found = _findings(bench, before, now, bench.began)
    moves = _moves(bench) if found else ()
    for parts in (False, True) if found and (bench.renamed or moves) else ():
        found = min(_findings(bench, before, now, _renamed(bench, parts, moves)), found, key=len)
    found += planted(bench.workspace, bench.verifiers or {}, _environments(bench), bench.editable)
    lines = [finding.said(bench.language) for finding in dict.fromkeys(found)]
    more = len(lines) - MOST_FINDINGS
    return "\n".join(lines if more <= 0 else [*lines[:MOST_FINDINGS], f"… +{more}"])


def _environments(bench: Bench) -> dict[str, str]:
    return environments(bench.workspace, programs_called(bench.workspace, bench.judging))


def _findings(bench: Bench, before: Mapping[str, str], now: Mapping[str, str], began: Content) -> list[Finding]:
    return findings(
        before,
        now,
        content_before=began,
        content_now=lambda path: content_of(bench.workspace, path),
        commands=bench.judging,
        editable=bench.editable,
        opened=bench.opened | _installed(bench, {*before, *now}),
    )


def is_plugin(bench: Bench) -> bool:
    """Whether the project said when the task began that it is a plugin of pytest, as its metadata says then too."""
    return any(b"pytest11" in (bench.began(name) or b"") for name in ("pyproject.toml", "setup.cfg", "setup.py"))


def _installed(bench: Bench, paths: Collection[str]) -> frozenset[str]:
    metadata = frozenset(path for path in paths if path.endswith(METADATA))
    return metadata if metadata and is_plugin(bench) else frozenset()


def _moves(bench: Bench) -> Moves:
    """The files of code that were moved because the goal asks for that; none where that is not known."""
    try:
        return () if bench.changes is None else moves_of(bench.changes(), bench.goal)
    except SnapshotError:
        return ()


def _renamed(bench: Bench, parts: bool, moves: Moves) -> Content:
    """What was there, with the names and places that the goal asks for."""

    def content(path: str) -> bytes | None:
        held = bench.began(path)
        return None if held is None else moved(renamed(held, bench.renamed, parts=parts), path, moves)

    return content


def content_of(workspace: Path, path: str) -> bytes | None:
    """The content of a file of the workspace; None where it is none, or too large to judge."""
    try:
        return read_regular(workspace / path, most_bytes=MAX_BYTES)
    except (OSError, PathRefused):
        return None


def excerpt(text: str, limit: int = EXCERPT) -> str:
    """The end of an output, where the reason mostly stands, with a word on what was left out."""
    text = text.strip()
    return text if len(text) <= limit else f"[… {len(text) - limit} characters before …]\n{text[-limit:]}"


async def with_output(result: CriterionResult, output: str, bench: Bench) -> CriterionResult:
    """The result with its whole output kept as a blob, where an excerpt does not show it all."""
    if bench.keep_blob is None or len(output.strip()) <= EXCERPT:
        return result
    return result.model_copy(update={"blob": await bench.keep_blob(output)})
