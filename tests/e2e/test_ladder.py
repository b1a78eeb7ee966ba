"""Tasks that do not get on: the rungs of the ladder, plans, votes, and the ends that they come to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import Event, House
from tests.support.scripted_server import Reply, ScriptedServer
from tests.support.scripts import Script, call, steps, turns

CAPABILITIES = """
profiles:
  alone: {extends: strong}
  escalating: {extends: strong, escalates_to: openai/stronger}
  lost: {extends: strong, escalates_to: local/not-there.gguf}
  planning: {extends: middle, steps_per_subtask: 2}
  voting: {extends: strong, self_consistency: 3, temperature: 0}
"""
NOTE = call("write_file", path="note.txt", content="Hello\n")
HAS_NOTE = "file_contains: note.txt :: Hello"
CLAIM = call("task_complete", reply="It is done.")


@pytest.fixture(scope="module")
def ladder_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose operator wrote capability profiles."""
    place = tmp_path_factory.mktemp("house")
    profiles = place / "capabilities.yaml"
    profiles.write_text(CAPABILITIES)
    with House(place / "home", ARREIO_CAPABILITIES=str(profiles)) as running:
        yield running


def ended(
    house: House, workspace: Path, script: Script, criteria: list[str], **fields: Any
) -> tuple[Event, list[Event]]:
    """Run a task to its end: the last event and all of them."""
    with ScriptedServer(script) as server:
        task = house.submit(f"Do it, {fields['capability']}.", workspace, server.url, criteria, **fields)
        last = house.wait_for_end(task.session_id)
    house.assert_sound(task.session_id)
    return last, house.events(task.session_id)


def of(events: list[Event], kind: str) -> list[dict[str, Any]]:
    return [event.data for event in events if event.type == kind]


def planned(*subtasks: tuple[str, str]) -> dict[str, Any]:
    return call("make_plan", subtasks=[{"title": title, "check": check} for title, check in subtasks])


def is_planning(request: dict[str, Any]) -> bool:
    return [tool["function"]["name"] for tool in request.get("tools", ())] == ["make_plan"]


def test_a_model_that_only_promises_climbs_to_blocked_with_a_diagnosis(ladder_house: House, workspace: Path) -> None:
    last, events = ended(ladder_house, workspace, steps("I will write the note now."), [HAS_NOTE], capability="alone")
    (climbed,) = of(events, "ladder.climbed")
    (plan,) = of(events, "plan.made")
    assert (climbed["rung"], climbed["cause"]) == ("redecompose", "rejected_turns")
    assert plan["by"] == "harness"
    reason = last.data["reason"]
    assert (last.type, reason["code"]) == ("task.blocked", "no_action")
    assert "3 × a promise without an action" in reason["text"]
    assert "tried before: the plan was made anew" in reason["text"]
    assert reason["unblock"]
    assert len(reason["evidence"]) == 4
    assert len(of(events, "model.replied")) == 6


def test_a_stronger_model_takes_over_and_solves_it(ladder_house: House, workspace: Path) -> None:
    def script(request: dict[str, Any]) -> Reply:
        if request["model"] == "scripted":
            return "Vou escrever a nota agora."
        return CLAIM if any(one["role"] == "tool" for one in request["messages"]) else NOTE

    last, events = ended(ladder_house, workspace, script, [HAS_NOTE], capability="escalating")
    assert last.type == "task.completed", last.data
    assert [one["rung"] for one in of(events, "ladder.climbed")] == ["redecompose", "escalate"]
    (escalated,) = of(events, "model.escalated")
    assert (escalated["model"], escalated["problem"]) == ("openai/stronger", None)
    assert [one["model"] for one in of(events, "model.requested")] == ["openai/scripted"] * 6 + ["openai/stronger"] * 2
    assert last.data["totals"]["steps"] == 8


def test_a_stronger_model_that_cannot_be_asked_ends_the_task_by_its_trouble(
    ladder_house: House, workspace: Path
) -> None:
    last, events = ended(ladder_house, workspace, steps("I will do it now."), [HAS_NOTE], capability="lost")
    reason = last.data["reason"]
    assert (last.type, reason["code"]) == ("task.blocked", "no_action")
    assert "the stronger model could not be asked" in reason["text"]
    assert len(of(events, "model.replied")) == 6


def test_a_task_of_three_criteria_is_taken_apart_and_each_part_is_closed(ladder_house: House, workspace: Path) -> None:
    criteria = ["file_exists: a.txt", "file_exists: b.txt", "file_exists: c.txt"]

    def script(request: dict[str, Any]) -> Reply:
        if is_planning(request):
            return planned(*((f"Write {name}.txt", f"file_exists: {name}.txt") for name in "abc"))
        work = (
            call("write_file", path="a.txt", content="1"),
            call("list_files", path="."),
            call("read_file", path="a.txt"),
            call("write_file", path="b.txt", content="2"),
            call("write_file", path="c.txt", content="3"),
        )
        return (*work, CLAIM)[min(turns(request), len(work))]

    with ScriptedServer(script) as server:
        task = ladder_house.submit("Three files.", workspace, server.url, criteria, capability="planning")
        last = ladder_house.wait_for_end(task.session_id)
    events = ladder_house.events(task.session_id)
    ladder_house.assert_sound(task.session_id)
    assert last.type == "task.completed", last.data
    (plan,) = of(events, "plan.made")
    assert (plan["by"], [one["steps"] for one in plan["subtasks"]]) == ("model", [2, 2, 2])
    closed = of(events, "subtask.closed")
    assert [(one["number"], one["outcome"]) for one in closed] == [(0, "done"), (1, "unfinished"), (2, "done")]
    told = [str(request["messages"]) for request in server.requests]
    assert is_planning(server.requests[0])
    assert "Now, and only this (1 of 3): Write a.txt" in told[1]
    assert "Now, and only this (2 of 3): Write b.txt" in told[2]


def test_a_split_vote_is_no_action_and_a_majority_is_done(ladder_house: House, workspace: Path) -> None:
    def script(request: dict[str, Any]) -> Reply:
        if turns(request) >= 1:
            return CLAIM
        if any("You are not sure" in str(one["content"]) for one in request["messages"]):
            return NOTE if request["seed"] < 10_000 else call("write_file", path="other.txt", content="x")
        return call("list_files", path=f"{request['seed']}")

    last, events = ended(ladder_house, workspace, script, [HAS_NOTE], capability="voting")
    assert last.type == "task.completed", last.data
    replies = of(events, "model.replied")
    assert [one["vote"]["majority"] for one in replies] == [False, True, True]
    assert [one["vote"]["votes"] for one in replies] == [1, 2, 3]
    assert [one["usage"]["prompt_tokens"] for one in replies] == [30] * 3
    assert [one["code"] for one in of(events, "turn.rejected")] == ["no_majority"]
    assert {one["temperature"] for one in of(events, "model.requested")[:1]} == {0.5}
    assert not (workspace / "other.txt").exists()
    assert not of(events, "ladder.climbed")


def test_a_model_that_does_not_know_asks_a_person_with_what_it_does_not_know(
    ladder_house: House, workspace: Path
) -> None:
    unsure = [call("abstain", what=f"which port {name}", how_to_check="ask Ana") for name in "abc"]
    with ScriptedServer(steps(*unsure, NOTE, CLAIM)) as server:
        task = ladder_house.submit("Which?", workspace, server.url, [HAS_NOTE], capability="alone")
        asked = ladder_house.wait_for(task.session_id, "task.needs_input")
        assert all(f"which port {name}" in asked.data["question"] for name in "abc")
        assert ladder_house.arreio("answer", str(task.task_id), "8080").returncode == 0
        assert ladder_house.wait_for_end(task.session_id).type == "task.completed"
    events = ladder_house.events(task.session_id)
    assert not of(events, "ladder.climbed") and not of(events, "turn.rejected")
    ladder_house.assert_sound(task.session_id)
