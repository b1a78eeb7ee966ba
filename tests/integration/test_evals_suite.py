"""The evaluation's own soundness: its tasks, its hidden checks, the loop that it compares with, and what it keeps."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from arreio_contracts.task import parse_criterion

from evals import bare, results
from evals.results import Result, append, read
from evals.suite import TASKS, UnknownTask, picked
from evals.table import table
from evals.task import MAX_STEPS, Found, Task, put
from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import Bench, judge
from services.tool_loop.models.client import ModelClient, ModelRequest
from tests.support.scripted_server import Reply, ScriptedServer

POSSIBLE = tuple(task for task in TASKS if task.solution is not None)
every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
every_possible_task = pytest.mark.parametrize("task", POSSIBLE, ids=lambda task: task.name)


async def holds(task: Task, workspace: Path, *, says_done: bool) -> bool:
    return await asyncio.to_thread(task.check, Found(workspace, says_done))


async def criteria_hold(task: Task, workspace: Path) -> bool:
    bench = Bench(workspace, SandboxedCommands(workspace), reply="done")
    results = [await judge(parse_criterion(text), bench) for text in task.criteria]
    return all(result.verdict == "PASS" for result in results)


@every_task
async def test_a_task_that_nobody_touched_is_not_done(task: Task, tmp_path: Path) -> None:
    task.prepare(tmp_path)
    assert not await holds(task, tmp_path, says_done=True)
    assert not await criteria_hold(task, tmp_path)


@every_possible_task
async def test_a_reference_solution_satisfies_the_hidden_check_and_the_criteria(task: Task, tmp_path: Path) -> None:
    task.prepare(tmp_path)
    assert task.solution is not None
    put(tmp_path, task.solution)
    assert await holds(task, tmp_path, says_done=True)
    assert await criteria_hold(task, tmp_path)


@pytest.mark.parametrize("task", [task for task in TASKS if task.solution is None], ids=lambda task: task.name)
async def test_a_task_that_cannot_be_done_is_right_only_when_it_does_not_say_done(task: Task, tmp_path: Path) -> None:
    task.prepare(tmp_path)
    assert await holds(task, tmp_path, says_done=False)


def test_the_suite_is_large_enough_and_half_of_it_is_portuguese() -> None:
    assert len(TASKS) >= 15
    assert sum(task.language == "pt" for task in TASKS) == len(TASKS) / 2
    assert len({task.name for task in TASKS}) == len(TASKS)
    assert len(picked("held-out")) == 5
    assert [*picked("held-out"), *picked("tuning")] == sorted(TASKS, key=lambda task: not task.held_out)
    with pytest.raises(UnknownTask, match="nothing"):
        picked("create-file,nothing")


async def run_bare(replies: list[Reply], workspace: Path, task: str = "create-file") -> tuple[bare.Ended, list[str]]:
    (chosen,) = picked(task)
    chosen.prepare(workspace)
    with ScriptedServer(replies) as server:
        base = ModelRequest("openai/scripted", api_base=server.url, temperature=0.2, max_tokens=64, timeout=20)
        ended = await bare.run(chosen, workspace, 2, ModelClient(), base)
        return ended, [str(request["messages"]) for request in server.requests]


def call(tool: str, **args: str) -> Reply:
    return {"content": {"tool": tool, "args": args}}


async def test_the_bare_loop_believes_the_model(tmp_path: Path) -> None:
    ended, _ = await run_bare([call("task_complete", reply="Done.")], tmp_path)
    assert (ended.how, ended.steps, ended.reply) == ("COMPLETE", 1, "Done.")


async def test_the_bare_loop_runs_the_tools_and_appends_their_results(tmp_path: Path) -> None:
    edit = call("edit_file", path="server.ini", old_text="8080", new_text="9090")
    replies = [edit, call("read_file", path="server.ini"), edit, call("task_complete", reply="ok")]
    ended, asked = await run_bare(replies, tmp_path, "config-value")
    assert (ended.how, ended.steps) == ("COMPLETE", 4)
    assert "was not read yet" in asked[1]
    assert "port = 9090" in (tmp_path / "server.ini").read_text()


async def test_the_bare_loop_ends_at_its_budget_of_steps(tmp_path: Path) -> None:
    ended, asked = await run_bare([call("list_files")] * (MAX_STEPS + 5), tmp_path)
    assert (ended.how, ended.steps, len(asked)) == ("max_steps", MAX_STEPS, MAX_STEPS)


async def test_the_bare_loop_is_told_the_goal_and_the_criteria(tmp_path: Path) -> None:
    _, asked = await run_bare([call("task_blocked", reason="no")], tmp_path)
    (task,) = picked("create-file")
    assert task.goal in asked[0]
    assert "file_contains: greeting.txt" in asked[0]


def result(task: str, *, says_done: bool, holds: bool, arm: str = "harness") -> Result:
    how = "COMPLETE" if says_done else "FAILED max_steps"
    return Result("m", "bare" if arm == "bare" else "harness", task, 1, "v", how, says_done, holds, True, 3, 10, 1.5)


def test_results_survive_an_interruption_in_the_middle_of_a_line(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    first = result("lista", says_done=True, holds=True)
    append(file, first)
    with file.open("a") as out:
        out.write('{"model": "m", "ar')
    assert read(file) == [first]


def test_comments_throw_no_result_away_and_code_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_ROOT", tmp_path)
    loop = tmp_path / "evals" / "bare.py"
    loop.parent.mkdir()
    loop.write_text('"""Why."""\n\n\ndef most() -> int:\n    """How many."""\n    return 12  # replies\n')
    before = results.code_version("bare")
    loop.write_text("def most() -> int:\n    return 12\n")
    assert results.code_version("bare") == before
    loop.write_text("def most() -> int:\n    return 13\n")
    assert results.code_version("bare") != before


def test_what_is_told_to_the_model_belongs_to_the_bare_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "_ROOT", tmp_path)
    tool = tmp_path / "services" / "tool_loop" / "tools" / "search.py"
    tool.parent.mkdir(parents=True)
    tool.write_text('DESCRIPTION = "Search the files."\n')
    before = results.code_version("bare")
    (tmp_path / "services" / "tool_loop" / "turn.py").write_text("STEPS = 1\n")
    assert results.code_version("bare") == before
    tool.write_text('DESCRIPTION = "Look through the files."\n')
    assert results.code_version("bare") != before


def test_the_table_counts_what_is_truly_done_and_what_is_falsely_claimed() -> None:
    rows = [
        result("lista", says_done=True, holds=True),
        result("lista", says_done=False, holds=True),
        result("create-file", says_done=True, holds=False),
        result("restore-lost", says_done=False, holds=True),
        result("responder", says_done=True, holds=True, arm="bare"),
    ]
    harness, alone = table(rows).splitlines()[2:]
    assert harness == "| m | harness | 4 | 2/4 (50 %) | not run | 1 | 4/4 | 3 | 2 |"
    assert alone == "| m | bare | 1 | 1/1 (100 %) | 1/1 | 0 | 1/1 | 3 | 2 |"
