"""What a call mode is told of the workspace beside the transcript."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from arreio_contracts.task import (
    AnswerCriterion,
    Criterion,
    FileContainsCriterion,
    FileExistsCriterion,
    TaskContract,
    TestsCriterion,
)

from services.tool_loop.hinting import LARGEST_FILE, hints
from services.tool_loop.state import LoopState
from services.tool_loop.steps import AskModel
from shared.workspace import sha256
from tests.unit.simulated_task import SimulatedTask, probed, profiled

SECRET = b"url=postgres://ana:corr3ct-horse@db/x\n"


def state_in(workspace: Path, *criteria: Criterion, seen: dict[str, bytes] | None = None, **contract: Any) -> LoopState:
    capability = {**profiled().capability, "complete_on_criteria": True}
    profile = profiled(capability=capability, workspace=str(workspace), criteria=criteria)
    task = SimulatedTask(lambda step, state: [], profile, TaskContract(**contract))
    while not isinstance(task.step(), AskModel):
        pass
    return replace(task.state, seen={path: sha256(content) for path, content in (seen or {}).items()})


async def test_only_texts_that_are_still_as_the_task_read_them_are_told(tmp_path: Path) -> None:
    big = b"x" * (LARGEST_FILE + 1)
    contents = {
        "same.txt": b"a\n",
        "changed.txt": b"b\n",
        "binary.bin": b"\xff\xfe",
        "big.txt": big,
        "secret.env": SECRET,
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "unread.txt").write_text("c\n")
    (tmp_path / "changed.txt").write_text("other\n")
    told = await hints(state_in(tmp_path, FileExistsCriterion(path="z"), seen={**contents, "gone.txt": b"d"}))
    assert told.files == {"same.txt": "a\n"}
    assert set(told.paths) == {*contents, "unread.txt"}


async def test_tests_that_judge_are_protected_unless_the_contract_opens_them(tmp_path: Path) -> None:
    for name in ("calc.py", "test_calc.py", "tests/other.py", "web.spec.ts"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    judged, exists = TestsCriterion(run="pytest"), FileExistsCriterion(path="calc.py")
    tests = {"test_calc.py", "tests/other.py", "web.spec.ts"}
    assert set((await hints(state_in(tmp_path, judged))).protected) == tests
    assert (await hints(state_in(tmp_path, exists))).protected == ()
    assert (await hints(state_in(tmp_path, judged, allow_test_changes=True))).protected == ()
    opened = await hints(state_in(tmp_path, judged, editable=("tests/",)))
    assert set(opened.protected) == tests - {"tests/other.py"}


async def test_the_harness_claims_but_where_an_answer_is_asked_for(tmp_path: Path) -> None:
    exists = FileExistsCriterion(path="a.txt")
    assert (await hints(state_in(tmp_path, exists))).claims
    assert not (await hints(state_in(tmp_path, exists, AnswerCriterion()))).claims


async def test_criteria_that_were_seen_to_fail_are_told(tmp_path: Path) -> None:
    contains = FileContainsCriterion(path="a.txt", regex="x")
    state = state_in(tmp_path, contains, FileExistsCriterion(path="a.txt"))
    probe = probed("FAIL", "PASS").verdicts
    assert (await hints(replace(state, probe=probe))).unmet == ("file_contains: a.txt :: x",)
