"""A reply as long as no model writes one is cut where it comes in; what is long, a goal too, holds up no other task."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from arreio_contracts.events import TaskCreated
from arreio_contracts.task import TaskContract

from services.tool_loop import admission, judging_replies, nudges
from services.tool_loop.judging_replies import LONG, MOST_PROSE, judge, judged
from services.tool_loop.models.call_modes import Answer, ToolSpec
from services.tool_loop.models.call_modes.reading import answer_of
from services.tool_loop.models.replies import MOST_CHARACTERS, ModelReply, reply_of_choice
from services.tool_loop.rules import opened_by_goal
from shared.settings import Settings

TOOLS = (ToolSpec("write_file", "", {"type": "object", "properties": {"content": {"type": "string"}}}),)


def came(content: str | None = None, *arguments: str, finish: str = "stop") -> ModelReply:
    calls = [SimpleNamespace(function=SimpleNamespace(name="write_file", arguments=one)) for one in arguments]
    message = SimpleNamespace(content=content, tool_calls=calls)
    return reply_of_choice(SimpleNamespace(message=message, finish_reason=finish), None, None, (), ())


def test_a_flood_of_text_is_cut_and_said_to_be() -> None:
    reply = came("I will do it. " * 200_000, '{"content": "x"}')
    assert len(reply.content) == MOST_CHARACTERS and reply.finish_reason == "length" and not reply.calls


def test_a_call_that_is_too_long_is_cut_off_and_those_before_it_are_whole() -> None:
    reply = came("Now.", '{"content": "a"}', '{"content": "' + "x" * MOST_CHARACTERS + '"}', '{"content": "b"}')
    first, second = answer_of(reply, TOOLS, "c").calls
    assert first.arguments == {"content": "a"} and first.problem is None
    assert second.arguments is None and second.problem_code == "truncated"


def test_a_long_reply_that_may_be_so_long_is_whole() -> None:
    arguments = '{"content": "' + "x" * 200_000 + '"}'
    reply = came("Now.", arguments, finish="tool_calls")
    assert reply.calls[0].arguments == arguments and reply.finish_reason == "tool_calls"


@pytest.mark.parametrize(("length", "beside"), [(LONG // 2, False), (LONG + 1, True)])
@pytest.mark.parametrize("where", ["text", "argument"])
async def test_what_is_long_is_judged_beside_the_event_loop(
    length: int, beside: bool, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[Any] = []

    def noted(*given: Any) -> Any:
        threads.append(threading.current_thread())
        return judge(*given)

    monkeypatch.setattr(judging_replies, "judge", noted)
    text = "word " * (length // 5 + 1)
    reply = came(text) if where == "text" else came(None, '{"content": "' + text + '"}')
    await judged([answer_of(reply, TOOLS, "c")], 1, None)
    assert (threads != [threading.main_thread()]) is beside


def test_a_promise_is_found_in_what_was_cut_but_not_looked_for_in_a_flood() -> None:
    said = judge([Answer("I will write the file now.", finish_reason="length")], 1, None)
    assert said.promise is not None and said.promise.label == "PROMISE"
    assert judge([Answer("I will. " * (MOST_PROSE // 8 + 1))], 1, None).promise is None


@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_promise_without_an_end_is_quoted_in_part(language: str) -> None:
    assert len(nudges.promise("I will write " + "word " * 5_000, language)) < 600


def test_a_goal_that_names_a_file_many_times_is_looked_at_for_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def noted(path: str, goal: str) -> bool:
        looked.append(path)
        return False

    monkeypatch.setattr(opened_by_goal, "_is_opened_file", noted)
    opened_by_goal.opened_by_goal("Open the file a.txt and rename b.py. " * 50, (), (), lambda path: "")
    assert sorted(looked) == ["a.txt", "b.py"]


async def test_a_goal_is_read_beside_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[threading.Thread] = []

    def noted(*given: Any) -> tuple[str, ...]:
        threads.append(threading.current_thread())
        return ()

    monkeypatch.setattr(admission, "_opened", noted)
    monkeypatch.setattr(admission, "renames", noted)
    contract = TaskContract(workspace=str(tmp_path), model="openai/mystery")
    created = TaskCreated(goal="g", contract=contract, channel="cli", message_id="m", at_ms=0)
    await admission.admit(created, Settings(home=tmp_path / "home"), ())
    assert len(threads) == 2 and threading.main_thread() not in threads
