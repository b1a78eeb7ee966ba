"""The conformance suite of the call modes: what every one of them guarantees, on a server that answers by script."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from services.tool_loop.models.call_modes import Answer, Hints, ToolSpec, call_mode
from services.tool_loop.models.capability import ToolCallMode
from services.tool_loop.models.client import ModelClient, ModelRequest
from services.tool_loop.models.errors import ProviderError
from services.tool_loop.models.written_calls import written_calls
from shared.prompt import Message
from tests.support.scripted_server import Reply, ScriptedServer

MODES: tuple[ToolCallMode, ...] = ("native", "json_schema", "slots", "text")
every_mode = pytest.mark.parametrize("mode", MODES)


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


WRITE = ToolSpec(
    "write_file",
    "Create a file.",
    _object({"path": {"type": "string"}, "content": {"type": "string"}}, ["path", "content"]),
)
COUNT = ToolSpec("count", "Count.", _object({"times": {"type": "integer", "minimum": 1}}, ["times"]))
LOOK = ToolSpec("look", "Look.", _object({"where": {"type": "string"}}, []))
TOOLS = (WRITE, COUNT, LOOK)

SYSTEM: Message = {"role": "system", "content": "You are careful."}
GOAL: Message = {"role": "user", "content": "Put hello into a.txt or b.txt"}
SAID: Message = {"role": "user", "name": "harness", "content": "[harness] Every turn must call a tool."}
ACTED: list[Message] = [
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "call-1-1", "type": "function", "function": {"name": "look", "arguments": '{"where":"here"}'}}
        ],
    },
    {"role": "tool", "tool_call_id": "call-1-1", "content": "nothing is here"},
]
TRANSCRIPT = [SYSTEM, GOAL, SAID]


def script(mode: ToolCallMode, name: str, arguments: Mapping[str, Any]) -> list[Reply]:
    """The replies by which a model makes one call in a mode."""
    match mode:
        case "native":
            return [{"tool_calls": [{"name": name, "arguments": dict(arguments)}]}]
        case "json_schema":
            return [{"content": {"tool": name, "args": dict(arguments)}}]
        case "slots":
            return [{"content": {"tool": name}}, *({"content": {slot: value}} for slot, value in arguments.items())]
        case "text":
            call = json.dumps({"name": name, "arguments": arguments})
            return [{"content": f"<tool_call>\n{call}\n</tool_call>"}]


async def ask(mode: ToolCallMode, server: ScriptedServer, transcript: list[Message] | None = None) -> Answer:
    base = ModelRequest("openai/scripted", api_base=server.url, temperature=0.2, seed=7, max_tokens=64, timeout=20)
    return await call_mode(mode).ask(
        ModelClient(), base, transcript or TRANSCRIPT, TOOLS, Hints(str(GOAL["content"])), prefix="call-9"
    )


@every_mode
async def test_a_call_comes_back_whole_with_the_callers_id(mode: ToolCallMode) -> None:
    arguments = {"path": "a.txt", "content": "hello\n"}
    with ScriptedServer(script(mode, "write_file", arguments)) as server:
        answer = await ask(mode, server)
    (call,) = answer.calls
    assert (call.id, call.name, call.arguments) == ("call-9-1", "write_file", arguments)
    assert (call.problem, call.repaired) == (None, False)
    assert answer.content == ""


@every_mode
async def test_usage_is_the_sum_of_the_requests(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "write_file", {"path": "a.txt", "content": "x"})) as server:
        answer = await ask(mode, server)
        assert answer.requests == len(server.requests)
    assert answer.usage.prompt_tokens == 10 * answer.requests
    assert answer.usage.completion_tokens == 5 * answer.requests


@every_mode
async def test_the_request_says_what_the_base_says(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "count", {"times": 2})) as server:
        await ask(mode, server)
        for request in server.requests:
            assert (request["temperature"], request["seed"], request["max_tokens"]) == (0.2, 7, 64)
            assert request["model"] == "scripted"


@every_mode
async def test_arguments_are_coerced_to_the_schema(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "count", {"times": "3"})) as server:
        (call,) = (await ask(mode, server)).calls
    assert (call.arguments, call.problem, call.repaired) == ({"times": 3}, None, True)


@every_mode
async def test_arguments_that_do_not_fit_are_a_problem_of_the_call(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "count", {"times": 0})) as server:
        (call,) = (await ask(mode, server)).calls
    assert call.problem is not None and "times" in call.problem


@every_mode
async def test_a_tool_that_is_not_offered_is_passed_on_as_it_was_named(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "delete_all", {})) as server:
        (call,) = (await ask(mode, server)).calls
    assert (call.name, call.problem) == ("delete_all", None)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "slots"])
async def test_a_spelling_of_an_offered_name_is_that_tool(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "Write-File", {"path": "a.txt", "content": "x"})) as server:
        (call,) = (await ask(mode, server)).calls
    assert (call.name, call.problem, call.repaired) == ("write_file", None, True)


@every_mode
async def test_a_name_that_is_only_near_is_never_taken_for_an_offered_one(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "write_files", {})) as server:
        (call,) = (await ask(mode, server)).calls
    assert (call.name, call.problem) == ("write_files", None)


@every_mode
async def test_a_reply_in_prose_is_an_answer_without_calls(mode: ToolCallMode) -> None:
    with ScriptedServer(["I will write the file now."]) as server:
        answer = await ask(mode, server)
    assert (answer.calls, answer.content) == ((), "I will write the file now.")


@every_mode
async def test_an_empty_reply_is_an_answer_without_calls(mode: ToolCallMode) -> None:
    with ScriptedServer([{"content": ""}]) as server:
        answer = await ask(mode, server)
    assert (answer.calls, answer.content) == ((), "")


@every_mode
async def test_a_reply_that_was_cut_off_is_never_an_executable_call(mode: ToolCallMode) -> None:
    replies = script(mode, "write_file", {"path": "a.txt", "content": "half"})
    last = replies[-1]
    assert isinstance(last, Mapping)
    with ScriptedServer([*replies[:-1], {**last, "finish_reason": "length"}]) as server:
        answer = await ask(mode, server)
    assert answer.finish_reason == "length"
    assert all(call.problem == call.problem_code == "truncated" and call.arguments is None for call in answer.calls)


@every_mode
async def test_a_failure_of_the_provider_is_typed(mode: ToolCallMode) -> None:
    with ScriptedServer([{"status": 429, "error": "slow down", "headers": {"retry-after": "3"}}]) as server:
        with pytest.raises(ProviderError) as failed:
            await ask(mode, server)
        assert len(server.requests) == 1
    assert (failed.value.kind, failed.value.retry_after) == ("rate_limit", 3.0)


@every_mode
async def test_the_model_is_told_what_was_said_and_done(mode: ToolCallMode) -> None:
    with ScriptedServer(script(mode, "count", {"times": 2})) as server:
        await ask(mode, server, [*TRANSCRIPT, *ACTED])
        told = json.dumps(server.requests[0]["messages"])
    for text in (str(GOAL["content"]), "look", "here", "nothing is here"):
        assert text in told


@every_mode
async def test_the_transcript_is_left_as_it_was(mode: ToolCallMode) -> None:
    transcript = [*TRANSCRIPT, *ACTED]
    before = json.dumps(transcript)
    with ScriptedServer(script(mode, "count", {"times": 2})) as server:
        await ask(mode, server, transcript)
    assert json.dumps(transcript) == before


# --- native ---


async def test_native_sends_the_transcript_as_it_is_and_the_tools() -> None:
    with ScriptedServer(script("native", "look", {})) as server:
        await ask("native", server, [*TRANSCRIPT, *ACTED])
        request = server.requests[0]
    assert request["messages"] == [*TRANSCRIPT, *ACTED]
    assert [tool["function"]["name"] for tool in request["tools"]] == ["write_file", "count", "look"]
    assert request["parallel_tool_calls"] is False


async def test_native_takes_several_calls_and_only_the_last_can_be_cut_off() -> None:
    calls = [{"name": "look", "arguments": {}}, {"name": "count", "arguments": {"times": 1}}]
    with ScriptedServer([{"content": "Both.", "tool_calls": calls, "finish_reason": "length"}]) as server:
        answer = await ask("native", server)
    assert [(call.id, call.problem) for call in answer.calls] == [("call-9-1", None), ("call-9-2", "truncated")]
    assert answer.content == "Both."


async def test_native_repairs_arguments_and_says_so() -> None:
    broken = "{'path': 'a.txt', 'content': 'x',}"
    with ScriptedServer([{"tool_calls": [{"name": "write_file", "arguments": broken}]}]) as server:
        (call,) = (await ask("native", server)).calls
    assert (call.arguments, call.repaired) == ({"path": "a.txt", "content": "x"}, True)


async def test_native_tells_why_arguments_cannot_be_read() -> None:
    with ScriptedServer([{"tool_calls": [{"name": "write_file", "arguments": "{path: a.txt}"}]}]) as server:
        (call,) = (await ask("native", server)).calls
    assert (call.arguments, call.problem_code) == (None, "malformed")
    assert call.problem is not None and call.problem.startswith("the arguments are not JSON")


async def test_native_takes_arguments_without_an_end_for_truncated_whatever_the_provider_says() -> None:
    with ScriptedServer([{"tool_calls": [{"name": "write_file", "arguments": '{"path": "a'}]}]) as server:
        (call,) = (await ask("native", server)).calls
    assert (call.arguments, call.problem, call.problem_code) == (None, "truncated", "truncated")


async def test_native_takes_a_call_written_at_the_end_of_the_text() -> None:
    text = 'I count.\n<tool_call>{"name": "count", "arguments": {"times": 2}}</tool_call>'
    with ScriptedServer([text]) as server:
        answer = await ask("native", server)
    (call,) = answer.calls
    assert (answer.content, call.name, call.arguments, call.repaired) == ("I count.", "count", {"times": 2}, True)


# --- json_schema ---


async def test_json_schema_constrains_the_reply_to_one_of_the_offered_tools() -> None:
    with ScriptedServer(script("json_schema", "look", {})) as server:
        await ask("json_schema", server)
        request = server.requests[0]
    schema = request["response_format"]["json_schema"]["schema"]
    assert [choice["properties"]["tool"]["const"] for choice in schema["oneOf"]] == ["write_file", "count", "look"]
    assert "tools" not in request


async def test_json_schema_tells_the_transcript_in_turns_that_alternate() -> None:
    with ScriptedServer(script("json_schema", "look", {})) as server:
        await ask("json_schema", server, [*TRANSCRIPT, *ACTED, SAID])
        messages = server.requests[0]["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert json.loads(messages[2]["content"]) == {"tool": "look", "args": {"where": "here"}}
    assert messages[3]["content"].startswith("[result of look]\nnothing is here")


async def test_json_schema_args_that_are_no_object_are_a_problem() -> None:
    with ScriptedServer([{"content": {"tool": "look", "args": "here"}}]) as server:
        (call,) = (await ask("json_schema", server)).calls
    assert (call.arguments, call.problem_code) == (None, "malformed")


# --- slots ---


def _asked(request: Mapping[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = request["response_format"]["json_schema"]["schema"]["properties"]
    return properties


@pytest.mark.parametrize("arguments", [5, True, '{"times": ' + "[" * 100_000 + "}", "[1]"])
async def test_arguments_that_are_no_object_are_the_calls_problem_and_not_the_responses(arguments: Any) -> None:
    handed = {"id": "x", "type": "function", "function": {"name": "count", "arguments": arguments}}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "tool_calls": [handed]}}
    body = {"id": "r", "object": "chat.completion", "created": 1, "model": "scripted", "choices": [choice]}
    with ScriptedServer([{"body": json.dumps(body)}]) as server:
        (call,) = (await ask("native", server)).calls
    assert (call.name, call.problem_code) == ("count", "malformed")


async def test_slots_asks_for_the_tool_and_then_for_each_argument_with_its_choices() -> None:
    replies = script("slots", "write_file", {"path": "b.txt", "content": "hello"})
    with ScriptedServer(replies) as server:
        await ask("slots", server)
        asked = [_asked(request) for request in server.requests]
    assert asked == [
        {"tool": {"enum": ["write_file", "count", "look"]}},
        {"path": {"enum": ["a.txt", "b.txt"]}},
        {"content": {"type": "string"}},
    ]


async def test_slots_does_not_ask_where_there_is_one_choice_only() -> None:
    goal = "Write hello into notes/only.md"
    with ScriptedServer([{"content": {"content": "hello"}}]) as server:
        answer = await call_mode("slots").ask(
            ModelClient(),
            ModelRequest("openai/scripted", api_base=server.url, timeout=20),
            [{"role": "user", "content": goal}],
            [WRITE],
            Hints(),
            prefix="c",
        )
    assert answer.requests == 1
    assert answer.calls[0].arguments == {"path": "notes/only.md", "content": "hello"}


async def test_slots_does_not_offer_again_at_once_what_led_nowhere() -> None:
    with ScriptedServer(script("slots", "count", {"times": 2})) as server:
        await ask("slots", server, [*TRANSCRIPT, *ACTED])
        assert _asked(server.requests[0]) == {"tool": {"enum": ["write_file", "count"]}}


async def test_slots_asks_for_another_draft_more_warmly() -> None:
    wrote: list[Message] = [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "x", "type": "function", "function": {"name": "write_file", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "x", "content": "[harness] Not done."},
    ]
    with ScriptedServer(script("slots", "write_file", {"path": "a.txt", "content": "hello"})) as server:
        await ask("slots", server, [*TRANSCRIPT, *wrote])
        assert [request["temperature"] for request in server.requests] == pytest.approx([0.2, 0.3, 0.3])
        assert "Not done." in json.dumps(server.requests[0]["messages"])


@pytest.mark.parametrize("language", ["en", "pt"])
async def test_slots_questions_are_short(language: str) -> None:
    transcript = [SYSTEM, {"role": "user", "content": "word " * 5000}, *ACTED * 30]
    with ScriptedServer(script("slots", "write_file", {"path": "a.txt", "content": "hello"})) as server:
        await call_mode("slots").ask(
            ModelClient(),
            ModelRequest("openai/scripted", api_base=server.url, timeout=20),
            transcript,
            TOOLS,
            Hints(paths=["a.txt"], language=language),
            prefix="c",
        )
        for request in server.requests:
            assert sum(len(message["content"].encode()) for message in request["messages"]) < 3 * 1200


# --- text ---


async def test_text_explains_the_block_and_shows_the_models_own_calls_in_it() -> None:
    with ScriptedServer(script("text", "look", {})) as server:
        await ask("text", server, [*TRANSCRIPT, *ACTED])
        request = server.requests[0]
    assert "tools" not in request and "response_format" not in request
    messages = request["messages"]
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
    assert "<tool_call>" in messages[0]["content"] and "- count: Count." in messages[0]["content"]
    assert written_calls(messages[2]["content"], ["look"]).calls[0].arguments == {"where": "here"}


async def test_text_takes_what_stands_before_the_block_for_what_was_said() -> None:
    text = 'I count.\n<tool_call>\n{"name": "count", "arguments": {"times": 2}}\n</tool_call>'
    with ScriptedServer([text]) as server:
        answer = await ask("text", server)
    (call,) = answer.calls
    assert (answer.content, call.arguments, call.repaired) == ("I count.", {"times": 2}, False)


async def test_text_executes_no_block_whose_end_is_missing() -> None:
    with ScriptedServer(['<tool_call>\n{"name": "count", "arguments": {"times": 2}}']) as server:
        (call,) = (await ask("text", server)).calls
    assert (call.name, call.arguments, call.problem_code) == ("count", None, "truncated")


@pytest.mark.parametrize("mode", ["native", "text"])
async def test_a_huge_reply_is_read_beside_other_work(mode: ToolCallMode) -> None:
    arguments = {"path": "a.txt", "content": "line\n" * 200_000}
    with ScriptedServer(script(mode, "write_file", arguments)) as server:
        (call,) = (await ask(mode, server)).calls
    assert (call.arguments, call.problem) == (arguments, None)
