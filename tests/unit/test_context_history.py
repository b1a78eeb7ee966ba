"""A task's history as the prompt tells it: folded from events, cut to its budget, rebuilt from its manifest."""

from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.messages import PendingEvent

from services.context_builder.handlers import ContextBuilder
from tests.support.context_memory import Recorded, ask, begun, turn


def test_the_prompt_is_identity_goal_criteria_and_the_turns() -> None:
    memory = begun()
    turn(memory, 1, "the text")
    _, messages = ask(memory)
    assert [message["role"] for message in messages] == ["system", "user", "user", "assistant", "tool"]
    assert messages[1] == {"role": "user", "content": "Mend it."}
    assert messages[2]["name"] == "harness" and "- file_exists: a.txt" in messages[2]["content"]
    assert messages[3]["tool_calls"][0]["function"] == {"name": "read_file", "arguments": '{"path":"1.txt"}'}
    assert messages[4] == {"role": "tool", "tool_call_id": "c1", "content": "the text"}


def test_a_harness_nudge_is_never_shown_as_the_persons_words() -> None:
    memory = begun()
    memory.add("model.replied", content="I will do it.", calls=[])
    memory.add("turn.rejected", code="promise", nudge="Act now.", in_a_row=1)
    _, messages = ask(memory)
    assert messages[-2] == {"role": "assistant", "content": "I will do it."}
    assert messages[-1] == {"role": "user", "name": "harness", "content": "[harness] Act now."}


def test_the_refusal_of_a_claim_is_the_result_of_the_call_that_claimed() -> None:
    memory = begun()
    memory.add("model.replied", content="", calls=[{"id": "c1", "name": "task_complete", "arguments": {}}])
    memory.add("completion.claimed", claim_id="k", by="model", reply="Done.", call_id="c1")
    memory.add("completion.refused", claim_id="k", verdict="FAIL", nudge="a.txt is missing")
    _, messages = ask(memory)
    assert messages[-1] == {"role": "tool", "tool_call_id": "c1", "content": "[harness] a.txt is missing"}
    memory.add("completion.claimed", claim_id="h", by="harness", reply="")
    memory.add("completion.refused", claim_id="h", verdict="FAIL", nudge="still missing")
    _, messages = ask(memory)
    assert messages[-1] == {"role": "user", "name": "harness", "content": "[harness] still missing"}


def test_every_call_has_exactly_one_result() -> None:
    memory = begun()
    calls = [{"id": f"c{number}", "name": "x y!", "arguments": None} for number in range(4)]
    memory.add("model.replied", content="", calls=calls)
    memory.add("tool.refused", call_id="c0", tool="x", code="unknown_tool", text="no such tool")
    memory.add("tool.finished", call_id="c1", tool="x", status="ok", text="fine")
    memory.add("turn.rejected", code="claim_after_failure", nudge="Not done.", in_a_row=1)
    memory.add("model.replied", content="again", calls=[{"id": "d", "name": "y", "arguments": {}}])
    _, messages = ask(memory)
    results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
    assert results == {
        "c0": "no such tool",
        "c1": "fine",
        "c2": "[harness] Not done.",
        "c3": "[harness] Not executed.",
        "d": "[harness] No result of this call was recorded.",
    }
    assert messages[3]["tool_calls"][0]["function"]["name"] == "x_y_"


def test_the_persons_answer_is_theirs() -> None:
    memory = begun()
    memory.add(
        "model.replied", content="", calls=[{"id": "c1", "name": "need_input", "arguments": {"question": "Which?"}}]
    )
    memory.add("task.needs_input", question="Which?", call_id="c1", expires_ms=1)
    memory.add("input.received", text="The second.", message_id="m")
    _, messages = ask(memory)
    assert messages[-1] == {"role": "user", "content": "The second."}
    assert messages[-2]["role"] == "tool"


def test_pending_events_are_told_but_not_kept() -> None:
    memory = begun()
    builder = ContextBuilder(memory, memory)
    memory.add("model.replied", content="", calls=[{"id": "c1", "name": "read_file", "arguments": {}}])
    data = {"call_id": "c1", "tool": "read_file", "status": "ok", "text": "pending text"}
    pending = (PendingEvent(event_id="e9", type="tool.finished", data=data),)
    _, told = ask(memory, builder, pending=pending)
    assert told[-1]["content"] == "pending text"
    memory.events.append(Recorded(4, "e9", "tool.finished", "t_1", data))
    _, recorded = ask(memory, builder)
    assert recorded == told


@pytest.mark.parametrize("recent", [3, 4, 5])
def test_recent_events_that_the_request_tells_are_not_read(recent: int) -> None:
    memory = begun()
    builder = ContextBuilder(memory, memory)
    turn(memory, 1, "first")
    ask(memory, builder)
    turn(memory, 2, "second")
    turn(memory, 3, "third")
    told = tuple(PendingEvent(event_id=one.event_id, type=one.type, data=one.data) for one in memory.events[-recent:])
    before = memory.read_events
    warm = ask(memory, builder, recent=told)
    # Those that do not reach back to what is known are of no use: then the log is read.
    assert memory.read_events - before == (0 if recent >= 4 else 4)
    assert warm == ask(memory) == ask(memory, builder)


def test_only_what_is_new_is_read_and_a_cold_start_gives_the_same_prompt() -> None:
    memory = begun()
    builder = ContextBuilder(memory, memory)
    for number in range(30):
        turn(memory, number, "x" * 900)
        before = memory.read_events
        manifest, messages = ask(memory, builder, budgets={"task_state": 2_000})
        assert memory.read_events - before <= 5
        memory.add("context.built", manifest=manifest.model_dump(mode="json"))
        turn_again = ask(memory, ContextBuilder(memory, memory), budgets={"task_state": 2_000})
        assert turn_again[1] == ask(memory, builder, budgets={"task_state": 2_000})[1]
        state = manifest.layers[-1]
        assert state.tokens <= 2_000 and len(state.units) < 40 and len(state.dropped) < 20
        assert messages[-1]["content"] == "x" * 900


def test_older_outputs_shrink_before_whole_turns_go() -> None:
    memory = begun()
    for number in range(6):
        turn(memory, number, f"{number}" * 3_000)
    manifest, messages = ask(memory, budgets={"task_state": 3_000})
    state = manifest.layers[-1]
    assert not state.dropped and state.tokens <= 3_000
    assert any(unit.id.endswith(":short") for unit in state.units)
    contents = [message["content"] for message in messages if message["role"] == "tool"]
    assert "[harness]" in contents[0] and len(contents[0]) < 600
    assert contents[-1] == "5" * 3_000
    manifest, messages = ask(memory, budgets={"task_state": 1_100})
    assert manifest.layers[-1].dropped
    assert messages[1]["content"] == "Mend it."
    assert messages[3]["content"].startswith("[harness] Older turns")


def test_a_goal_over_the_budget_is_unfittable() -> None:
    manifest, messages = ask(begun("x" * 5_000), budgets={"task_state": 100})
    assert manifest.unfittable and "task_state" in manifest.unfittable and not messages


def test_an_unknown_agent_is_unfittable_and_names_the_roster() -> None:
    manifest, _ = ask(begun(), agent="nobody")
    assert manifest.unfittable and "developer" in manifest.unfittable


def test_earlier_tasks_of_the_session_are_told_in_short() -> None:
    memory = begun("First.")
    memory.add("task.completed", claim_id="k", reply="First is done.", totals={})
    memory.add("task.created", task="t_2", goal="Second.")
    memory.add("task.blocked", task="t_2", reason={"code": "loop", "text": "went round"}, totals={})
    memory.add("task.created", task="t_3", goal="Third.")
    _, messages = ask(memory, task_id="t_3")
    assert [message["content"] for message in messages[1:]] == [
        "First.",
        "First is done.",
        "Second.",
        "[harness] That task ended BLOCKED: went round",
        "Third.",
    ]


def test_the_project_stays_as_the_first_prompt_told_it_and_instructions_are_read_anew(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("print()")
    (tmp_path / "AGENTS.md").write_text("Be brief.")
    memory = begun()
    manifest, messages = ask(memory, workspace=str(tmp_path))
    assert "main.py" in messages[0]["content"] and "Be brief." in messages[0]["content"]
    memory.add("context.built", manifest=manifest.model_dump(mode="json"))
    (tmp_path / "later.py").write_text("")
    (tmp_path / "AGENTS.md").write_text("Be thorough.")
    _, messages = ask(memory, workspace=str(tmp_path))
    assert "later.py" not in messages[0]["content"] and "Be thorough." in messages[0]["content"]


@pytest.mark.parametrize("files", [0, 60])
@pytest.mark.parametrize("budget", [0, 4, 60, 150, 4_000])
def test_a_restart_changes_nothing_of_what_is_told_of_the_project(tmp_path: Path, files: int, budget: int) -> None:
    for number in range(files):
        (tmp_path / f"part_{number}_olá.py").write_text("")
    memory = begun()
    warm = ContextBuilder(memory, memory)
    request: dict[str, Any] = {"workspace": str(tmp_path), "budgets": {"project_context": budget}}
    first, _ = ask(memory, warm, **request)
    assert first.layers[2].truncated == (bool(files) and 10 < budget < 1_000)
    memory.add("context.built", manifest=first.model_dump(mode="json"))
    (tmp_path / "later.py").write_text("")
    for again in (budget, 100, 8_000):
        request["budgets"] = {"project_context": again}
        kept, cold = (ask(memory, builder, **request)[0] for builder in (warm, ContextBuilder(memory, memory)))
        assert kept.layers[2] == cold.layers[2]
    assert not any("later.py" in memory.blobs[unit.sha256].decode() for unit in cold.layers[2].units)


def test_text_that_no_json_parser_takes_is_made_harmless() -> None:
    memory = begun("a\x00b\ud800c")
    turn(memory, 1, "\x00\udfff␛0000")
    _, messages = ask(memory)
    assert messages[1]["content"] == "a\ufffdb\ufffdc"
    assert messages[-1]["content"] == "\ufffd\ufffd␛0000"


def test_portuguese_tasks_are_told_in_portuguese() -> None:
    _, messages = ask(begun("Conserte.", language="pt"))
    assert messages[2]["content"].startswith("[harness] A tarefa")
