"""Hooks as they run: one suite that a command and a function of this process both pass, and what is a command's own."""

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import HookJudged, TaskCreated, ToolFinished
from arreio_contracts.task import Hook, HookPhase, TaskContract

from services.tool_loop.hooks.command_hook import judge
from services.tool_loop.hooks.declared import HooksError, load_hooks
from services.tool_loop.hooks.running import HookRunner, InProcessHook
from services.tool_loop.hooks.state import HookState
from services.tool_loop.hooks.verdict import Judgement
from services.tool_loop.state import LoopState
from shared.settings import Settings
from tests.unit.simulated_task import call, profiled

Made = Callable[..., tuple[HookRunner, Hook]]
KEY = "sk-proj-" + "aB3" * 12


def script(place: Path, body: str) -> str:
    """A hook written in Python, as a command line."""
    number = len(list(place.glob("hook*.py")))
    file = place / f"hook{number}.py"
    file.write_text(f"import json, os, sys, time\nasked = json.load(sys.stdin)\n{body}\n")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(file))}"


@pytest.fixture(params=["command", "in_process"])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Made:
    """Makes a hook that answers so: as a command, and as a function."""

    def make(judgement: Judgement, phase: str = "pre_tool_use", **more: Any) -> tuple[HookRunner, Hook]:
        settings = Settings(home=tmp_path / "home")
        if request.param == "command":
            hook = Hook.model_validate({"phase": phase, "command": script(tmp_path, _body(judgement)), **more})
            return HookRunner(settings), hook
        hook = Hook.model_validate({"phase": phase, "command": "in-process", **more})

        async def answer(payload: Mapping[str, Any]) -> Judgement:
            if judgement.verdict == "no_verdict":
                raise RuntimeError(judgement.reason)
            return judgement

        return HookRunner(settings, [InProcessHook(hook, answer)]), hook

    return make


def _body(judgement: Judgement) -> str:
    if judgement.verdict == "no_verdict":
        return f"sys.exit({judgement.reason!r})"
    said: dict[str, Any] = {
        "decision": judgement.verdict,
        "reason": judgement.reason,
        "hookSpecificOutput": {"additionalContext": judgement.told},
    }
    if judgement.ends_task:
        said |= {"continue": False, "stopReason": judgement.reason}
    return f"print({json.dumps(said)!r})"


def state_of(*hooks: Hook, workspace: Path, **more: Any) -> LoopState:
    created = TaskCreated(goal="g", contract=TaskContract(), channel="cli", message_id="m", at_ms=1)
    return LoopState("t_1", created=created, profile=profiled(hooks=hooks, workspace=str(workspace)), **more)


async def ask(runner: HookRunner, *hooks: Hook, workspace: Path, phase: HookPhase = "pre_tool_use") -> list[HookJudged]:
    result = ToolFinished(call_id="call-1", tool="read_file", status="ok", text="the text")
    state = state_of(*hooks, workspace=workspace, hooks=HookState(post_due=result))
    return await runner.run(phase, "s_1", state, call(1, "read_file", path="a.txt"), {"path": "a.txt"})


@pytest.mark.parametrize("verdict", ["allow", "deny", "ask", "no_verdict"])
async def test_every_verdict_is_recorded_with_the_hook_and_the_call(made: Made, tmp_path: Path, verdict: Any) -> None:
    runner, hook = made(Judgement(verdict, "why"), name="mine", gate=True)
    (judged,) = await ask(runner, hook, workspace=tmp_path)
    assert (judged.verdict, judged.hook, judged.call_id, judged.gate) == (verdict, "mine", "call-1", True)
    assert judged.refuses is (verdict in ("deny", "no_verdict"))
    if verdict != "allow":
        assert "why" in judged.reason


async def test_a_hook_of_another_tool_or_phase_is_not_asked(made: Made, tmp_path: Path) -> None:
    runner, hook = made(Judgement("deny"), matcher="write_*")
    assert await ask(runner, hook, workspace=tmp_path) == []
    assert await ask(runner, hook.model_copy(update={"matcher": "*"}), workspace=tmp_path, phase="post_tool_use") == []


async def test_a_reason_never_holds_a_secret(made: Made, tmp_path: Path) -> None:
    runner, hook = made(Judgement("deny", f"the key {KEY}", told=KEY))
    (judged,) = await ask(runner, hook, workspace=tmp_path)
    assert KEY not in judged.model_dump_json() and "the key ***" in judged.reason


async def test_an_objection_to_a_result_is_told_to_the_model(made: Made, tmp_path: Path) -> None:
    runner, hook = made(Judgement("deny", "too long", told="use less"), phase="post_tool_use")
    (judged,) = await ask(runner, hook, workspace=tmp_path, phase="post_tool_use")
    assert "too long" in judged.told and "use less" in judged.told


async def test_a_hook_may_end_the_task(made: Made, tmp_path: Path) -> None:
    runner, hook = made(Judgement("deny", "enough", ends_task=True))
    (judged,) = await ask(runner, hook, workspace=tmp_path)
    assert judged.ends_task and judged.refuses and judged.reason == "enough"


async def test_the_first_refusal_ends_the_chain_and_the_order_is_that_of_declaration(tmp_path: Path) -> None:
    allow = Hook(phase="pre_tool_use", name="first", command="true")
    deny = Hook(phase="pre_tool_use", name="second", command="echo no >&2; exit 2")
    never = Hook(phase="pre_tool_use", name="third", command=f"touch {tmp_path}/third")
    judged = await ask(HookRunner(Settings(home=tmp_path)), allow, deny, never, workspace=tmp_path)
    assert [(one.hook, one.verdict, one.reason) for one in judged] == [
        ("first", "allow", ""),
        ("second", "deny", "no"),
    ]
    assert not (tmp_path / "third").exists()


async def test_a_command_reads_the_call_with_the_names_that_its_users_know(tmp_path: Path) -> None:
    hook = Hook(phase="pre_tool_use", command=script(tmp_path, "json.dump(asked, open('asked.json', 'w'))"))
    await ask(HookRunner(Settings(home=tmp_path)), hook, workspace=tmp_path)
    assert json.loads((tmp_path / "asked.json").read_text()) == {
        "session_id": "s_1",
        "task_id": "t_1",
        "cwd": str(tmp_path),
        "hook_event_name": "PreToolUse",
        "tool_name": "read_file",
        "tool_input": {"path": "a.txt"},
        "tool_use_id": "call-1",
    }


async def test_a_command_sees_the_result_that_was_recorded(tmp_path: Path) -> None:
    body = "assert asked['tool_response']['text'] == 'the text'; assert asked['hook_event_name'] == 'PostToolUse'"
    hook = Hook(phase="post_tool_use", command=script(tmp_path, body))
    (judged,) = await ask(HookRunner(Settings(home=tmp_path)), hook, workspace=tmp_path, phase="post_tool_use")
    assert judged.verdict == "allow", judged.reason


async def test_no_secret_of_the_environment_and_no_program_of_the_workspace_reaches_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_API_KEY", "very-secret-value")
    monkeypatch.setenv("ARREIO_DATABASE_URL", "postgresql://x")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:relative:{os.environ['PATH']}")
    seen = await judge(
        Hook(phase="pre_tool_use", command='env | grep -E "SECRET|KEY|ARREIO_D|^PATH" >&2; exit 2'), {}, tmp_path
    )
    assert "very-secret" not in seen.reason and "ARREIO_DATABASE_URL" not in seen.reason
    assert str(tmp_path) not in seen.reason and "relative" not in seen.reason
    (tmp_path / "json.py").write_text("raise SystemExit(2)")
    inline = Hook(phase="pre_tool_use", command=f"{sys.executable} -c 'import json, sys; json.load(sys.stdin)'")
    assert (await judge(inline, {}, tmp_path)).verdict == "allow"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("sleep 60", "longer than"),
        ("trap '' TERM; sleep 60", "longer than"),
        ("(setsid sleep 60 &) ; sleep 60", "longer than"),
        ("kill -KILL $$", "signal 9"),
        ("exit 3", "status 3"),
        ("exit 1", "status 1"),
        ('echo \'{"decision": "blo\'', "cannot be read"),
        ('printf \'{"decision": "\'; yes | head -c 3000000', "cannot be read"),
    ],
)
async def test_what_is_no_answer_is_no_verdict_and_ends_in_time(tmp_path: Path, command: str, why: str) -> None:
    said = await asyncio.wait_for(judge(Hook(phase="pre_tool_use", command=command, timeout=1), {}, tmp_path), 60)
    assert (said.verdict, said.unavailable) == ("no_verdict", False)
    assert why in said.reason


async def test_what_a_command_leaves_running_ends_with_it(tmp_path: Path) -> None:
    command = f"setsid sh -c 'echo $$ > {tmp_path}/pid; exec sleep 600' & while ! [ -s {tmp_path}/pid ]; do :; done"
    assert (await judge(Hook(phase="pre_tool_use", command=command), {}, tmp_path)).verdict == "allow"
    assert not Path("/proc", (tmp_path / "pid").read_text().strip()).exists()


async def test_a_command_need_not_read_what_it_is_told(tmp_path: Path) -> None:
    payload = {"tool_input": {"content": "x" * 1_000_000}}
    assert (await judge(Hook(phase="pre_tool_use", command="exit 0"), payload, tmp_path)).verdict == "allow"
    counted = script(tmp_path, "sys.exit(0 if len(asked['tool_input']['content']) == 1_000_000 else 1)")
    assert (await judge(Hook(phase="pre_tool_use", command=counted), payload, tmp_path)).verdict == "allow"


async def test_a_script_that_vanished_is_no_refusal(tmp_path: Path) -> None:
    hook = Hook(phase="pre_tool_use", command=script(tmp_path, ""))
    next(tmp_path.glob("hook*.py")).unlink()
    said = await judge(hook, {}, tmp_path)
    assert (said.verdict, said.unavailable) == ("no_verdict", True)


def test_a_hook_that_cannot_start_is_a_problem_of_the_task_before_it_begins(tmp_path: Path) -> None:
    missing = Hook(phase="pre_tool_use", command="python3 /missing/hook.py", gate=True)
    found = HookRunner(Settings(home=tmp_path)).declared(
        profiled(workspace=str(tmp_path)), TaskContract(hooks=(missing,))
    )
    assert found.problem is not None and found.problem.code == "hook_unavailable"
    assert "/missing/hook.py" in found.problem.text and found.problem.unblock


FILES = {
    "ours": "hooks:\n  - {phase: pre_tool_use, matcher: run_command, command: 'true', gate: true, timeout: 5}\n",
    "nested": "hooks:\n  PreToolUse:\n    - matcher: run_command\n      hooks:\n"
    "        - {type: command, command: 'true', gate: true, timeout: 5}\n",
}


@pytest.mark.parametrize("form", FILES)
def test_hooks_of_every_task_are_declared_in_a_file(tmp_path: Path, form: str) -> None:
    file = tmp_path / "hooks.yaml"
    file.write_text(FILES[form])
    wanted = Hook(phase="pre_tool_use", matcher="run_command", command="true", gate=True, timeout=5)
    assert load_hooks(file) == (wanted,)
    found = HookRunner(Settings(home=tmp_path, hooks=file)).declared(profiled(workspace=str(tmp_path)), TaskContract())
    assert found.hooks == (wanted,) and found.problem is None


@pytest.mark.parametrize(
    "text", ["", "hooks: 1", "hooks: [{phase: never, command: x}]", "hooks: [{phase: session_end}]", "a: [", "[]"]
)
def test_a_file_of_hooks_that_cannot_be_used_lets_no_task_run_without_them(tmp_path: Path, text: str) -> None:
    file = tmp_path / "hooks.yaml"
    file.write_text(text)
    with pytest.raises(HooksError):
        load_hooks(file)
    found = HookRunner(Settings(home=tmp_path, hooks=file)).declared(profiled(), TaskContract())
    assert found.problem is not None and found.problem.code == "hook_unavailable"
