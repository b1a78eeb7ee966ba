"""What every kind of criterion has in common: one suite for all judges, on real workspaces in the real sandbox."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import CRITERION_KINDS, AnswerCriterion, parse_criterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import JUDGES, judge
from services.gate_runner.criteria.base import Bench
from shared.sandbox import Limits, sandbox_works
from shared.workspace.inventory import Beyond
from shared.workspace.snapshots import Snapshots
from tests.support.browsers import needs_browser

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))


@dataclass(frozen=True)
class Kind:
    """A criterion, the files with which it holds, and those with which it does not."""

    criterion: str
    holds: dict[str, str]
    fails: dict[str, str]
    reply: str = "Done."
    bad_reply: str = "Done."


SCHEMA = '{"type": "object", "required": ["name"]}'
KINDS = {
    "command": Kind("command: test -f made.txt", {"made.txt": ""}, {}),
    "tests": Kind(
        "tests: python3 -m unittest -q test_a",
        {"test_a.py": "import unittest\nclass A(unittest.TestCase):\n def test_a(self): pass\n"},
        {"test_a.py": "import unittest\nclass A(unittest.TestCase):\n def test_a(self): self.fail('no')\n"},
    ),
    "file_exists": Kind("file_exists: made.txt", {"made.txt": ""}, {}),
    "file_contains": Kind("file_contains: made.txt :: ^a+$", {"made.txt": "aaa\n"}, {"made.txt": "bbb\n"}),
    "contract": Kind("contract: a.json :: s.json", {"s.json": SCHEMA, "a.json": '{"name": 1}'}, {"s.json": SCHEMA}),
    "diff": Kind("diff: src/", {"src/a.py": "x = 2"}, {"src/a.py": "x = 2", "other.py": ""}),
    "screenshot": Kind("screenshot: a.html", {"a.html": "<h1>Fees</h1>"}, {"a.html": "<script>fees()</script>"}),
    "answer": Kind("answer:", {}, {}, bad_reply="  \n"),
}

EACH = [pytest.param(kind, marks=needs_browser) if kind == "screenshot" else kind for kind in KINDS]

Judged = Callable[..., CriterionResult]


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """Judges a criterion in a workspace that held `src/a.py` at first and then got files."""
    workspace = tmp_path / "workspace"

    def judged(criterion: str, files: dict[str, str], reply: str) -> CriterionResult:
        shutil.rmtree(workspace, ignore_errors=True)
        (workspace / "src").mkdir(parents=True)
        (workspace / "src" / "a.py").write_text("x = 1")
        held = Snapshots(tmp_path / "data", workspace)
        began = held.take().tree
        for name, text in files.items():
            (workspace / name).write_text(text)
        bench = Bench(
            workspace,
            SandboxedCommands(workspace, limits=Limits(seconds=60)),
            reply=reply,
            changes=lambda: held.changes(began, held.take().tree),
            beyond=lambda changes: Beyond(tuple(changes)),
        )
        before = content(workspace)
        result = asyncio.run(judge(parse_criterion(criterion), bench))
        assert content(workspace) == before and result.changed == ()
        return result

    return judged


def content(place: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file byte for byte, with its mode and the time of its last change."""
    return {
        str(path.relative_to(place)): (
            path.read_bytes() if path.is_file() else b"",
            path.stat().st_mode,
            path.stat().st_mtime_ns,
        )
        for path in sorted(place.rglob("*"))
    }


def test_the_suite_knows_every_kind() -> None:
    assert set(KINDS) == set(JUDGES) == set(CRITERION_KINDS)


@pytest.mark.parametrize("kind", EACH)
def test_a_criterion_that_holds_passes_and_changes_nothing(kind: str, judged: Judged) -> None:
    case = KINDS[kind]
    result = judged(case.criterion, case.holds, case.reply)
    assert (result.verdict, result.criterion) == ("PASS", case.criterion), result.seen


@pytest.mark.parametrize("kind", EACH)
def test_one_that_does_not_hold_says_what_was_expected_and_what_was_seen(kind: str, judged: Judged) -> None:
    case = KINDS[kind]
    result = judged(case.criterion, case.fails, case.bad_reply)
    assert (result.verdict, result.criterion, result.environment) == ("FAIL", case.criterion, False)
    assert result.expected and (result.seen or case.criterion == "command: test -f made.txt")


@pytest.mark.parametrize("kind", EACH)
def test_a_verdict_is_given_whatever_lies_in_the_workspace(kind: str, judged: Judged, tmp_path: Path) -> None:
    for odd in (
        {"made.txt": "\x00\ufffd", "a.json": "[" * 50_000, "s.json": "{}", "a.html": "\x00<"},
        {"s.json": "not JSON", "a.json": "1"},
    ):
        result = judged(KINDS[kind].criterion, odd, "Done.")
        assert result.verdict in ("PASS", "FAIL", "NOT_RUN")


@pytest.mark.parametrize("kind", sorted({"command", "tests"}))
def test_where_no_command_can_be_run_nothing_was_judged(kind: str, tmp_path: Path) -> None:
    commands = SandboxedCommands(tmp_path / "gone")
    result = asyncio.run(judge(parse_criterion(KINDS[kind].criterion), Bench(tmp_path, commands)))
    assert (result.verdict, result.environment) == ("NOT_RUN", True) and result.seen


def test_without_snapshots_changes_cannot_be_told(tmp_path: Path) -> None:
    result = asyncio.run(judge(parse_criterion("diff: a"), Bench(tmp_path, SandboxedCommands(tmp_path))))
    assert (result.verdict, result.environment) == ("NOT_RUN", True)


def test_only_what_runs_nothing_is_always_cheap() -> None:
    cheap = {kind for kind, one in JUDGES.items() if one.cheap}
    assert cheap == {"file_exists", "file_contains", "contract"}
    assert AnswerCriterion().kind not in cheap
