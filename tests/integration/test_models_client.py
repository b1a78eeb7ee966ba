"""The client over litellm: what a provider's failures come to, and that no secret leaves by them."""

import asyncio
import json
from typing import Any

import pytest

from services.tool_loop.models import client as client_module
from services.tool_loop.models.client import PLACEHOLDER_KEY, ModelClient, ModelRequest
from services.tool_loop.models.errors import ProviderError
from shared.prompt import Message
from tests.support.scripted_server import Reply, ScriptedServer

HI: list[Message] = [{"role": "user", "content": "hi"}]
KEY = "a-key-of-the-test"
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {"name": "noop", "description": "Nothing.", "parameters": {"type": "object", "properties": {}}},
}
PROVIDER_KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PROVIDER_KEYS:
        monkeypatch.delenv(name, raising=False)
    client_module._missing_keys.cache_clear()


@pytest.fixture
def client() -> ModelClient:
    return ModelClient()


def request(server: ScriptedServer, **more: Any) -> ModelRequest:
    return ModelRequest(**{"model": "openai/scripted", "messages": HI, "api_base": server.url, "timeout": 20, **more})


async def refused(client: ModelClient, asked: ModelRequest) -> ProviderError:
    with pytest.raises(ProviderError) as failed:
        await client.complete(asked)
    return failed.value


def error(status: int, message: str, **more: Any) -> Reply:
    return {"status": status, "error": {"message": message, **more}}


@pytest.mark.parametrize(
    ("reply", "kind", "retry_after"),
    [
        ({"status": 429, "error": "slow down", "headers": {"retry-after": "7"}}, "rate_limit", 7.0),
        ({"status": 429, "error": "slow down", "headers": {"retry-after": "soon"}}, "rate_limit", None),
        (error(429, "You exceeded your current quota", code="insufficient_quota"), "bad_request", None),
        (error(401, "Incorrect API key provided"), "auth", None),
        (error(403, "not for you"), "auth", None),
        (error(404, "The model `x` does not exist", code="model_not_found"), "unknown_model", None),
        (error(400, "Invalid value: 'foo'"), "bad_request", None),
        (error(422, "unprocessable"), "bad_request", None),
        (error(400, "This model's maximum context length is 8 tokens", code="context_length_exceeded"),
         "context_overflow", None),
        (error(400, "request (9 tokens) exceeds the available context size (4 tokens)",
               type="exceed_context_size_error"), "context_overflow", None),
        (error(500, "oops"), "unavailable", None),
        (error(502, "bad gateway"), "unavailable", None),
        ({"status": 503, "error": "overloaded", "headers": {"retry-after": "3"}}, "unavailable", 3.0),
        (error(529, "overloaded"), "unavailable", None),
        ({"body": "<html>"}, "unavailable", None),
        ({"body": '{"id": "x", "choices": []}'}, "unavailable", None),
        ({"body": '{"error": {"message": "upstream failed", "code": 502}}'}, "unavailable", None),
        ({"hang_up": True}, "unavailable", None),
    ],
)  # fmt: skip
async def test_each_failure_has_its_kind_and_is_asked_once(
    client: ModelClient, reply: Reply, kind: str, retry_after: float | None
) -> None:
    with ScriptedServer([reply]) as server:
        failed = await refused(client, request(server, api_key=KEY))
        assert len(server.requests) == 1
    assert (failed.kind, failed.retry_after) == (kind, retry_after)
    assert failed.message
    assert "litellm" not in failed.message and "Traceback" not in failed.message


def answer(message: dict[str, Any], usage: Any) -> Reply:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return {"body": json.dumps(body)}


GOOD_USAGE = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}


async def test_content_as_parts_is_read_without_what_was_thought(client: ModelClient) -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "Hello."},
        {"type": "tool_use", "id": "t", "name": "noop", "input": {"a": 1}},
    ]
    with ScriptedServer([answer({"content": parts}, GOOD_USAGE)]) as server:
        reply = await client.complete(request(server))
    assert (reply.content, [(call.name, call.arguments) for call in reply.calls]) == ("Hello.", [("noop", '{"a": 1}')])
    assert (reply.usage.prompt_tokens, reply.usage.estimated) == (7, False)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": 10**30, "total_tokens": "x"},
        {"prompt_tokens": 1.5, "completion_tokens": 1, "total_tokens": 2},
        {**GOOD_USAGE, "prompt_tokens_details": "none"},
        [],
        "many",
        None,
    ],
)
async def test_a_usage_that_can_be_none_costs_no_reply(client: ModelClient, usage: Any) -> None:
    with ScriptedServer([answer({"content": "Hello."}, usage)]) as server:
        reply = await client.complete(request(server))
    assert reply.content == "Hello." and reply.usage.estimated and reply.usage.prompt_tokens > 0


async def test_the_whole_exchange_has_one_time_out(client: ModelClient) -> None:
    with ScriptedServer([{"delay": 20, "content": "late"}]) as server:
        failed = await refused(client, request(server, timeout=0.3))
        assert failed.kind == "timeout"
        assert await asyncio.to_thread(server.wait_for, lambda: server.hung_up == 1)


async def test_a_server_that_is_not_there_is_unavailable(client: ModelClient) -> None:
    with ScriptedServer([]) as server:
        asked = request(server)
    failed = await refused(client, asked)
    assert failed.kind == "unavailable"


async def test_cancelling_ends_the_exchange_and_lets_the_loop_run(client: ModelClient) -> None:
    with ScriptedServer([{"delay": 20, "content": "late"}]) as server:
        asking = asyncio.create_task(client.complete(request(server)))
        assert await asyncio.to_thread(server.wait_for_requests, 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert await asyncio.to_thread(server.wait_for, lambda: server.hung_up == 1)


async def test_no_secret_is_told(client: ModelClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_SERVICE_TOKEN", "token-of-another-service")
    told = (
        f"wrong key {KEY}, sk-proj-abcdefghijklmnop, token-of-another-service, "
        "Bearer abc.def.ghi, https://user:hunter2@host/x?api_key=hunter3"
    )
    with ScriptedServer([error(401, told)]) as server:
        failed = await refused(client, request(server, api_key=KEY))
    for secret in (KEY, "sk-proj", "token-of-another", "abc.def", "hunter2", "hunter3"):
        assert secret not in failed.line()


async def test_a_message_is_one_line_of_bounded_length(client: ModelClient) -> None:
    with ScriptedServer([error(400, "line\n" * 10_000)]) as server:
        failed = await refused(client, request(server))
    assert "\n" not in failed.line() and len(failed.message) <= 600


async def test_the_key_that_is_given_is_sent_and_else_a_placeholder(client: ModelClient) -> None:
    with ScriptedServer(["a", "b"]) as server:
        await client.complete(request(server, api_key=KEY))
        await client.complete(request(server))
        sent = [headers["authorization"] for headers in server.headers]
    assert sent == [f"Bearer {KEY}", f"Bearer {PLACEHOLDER_KEY}"]


async def test_with_an_address_a_bare_name_speaks_openais_protocol(client: ModelClient) -> None:
    with ScriptedServer(["hello"]) as server:
        reply = await client.complete(request(server, model="some-model"))
        assert server.requests[0]["model"] == "some-model"
    assert reply.content == "hello"


@pytest.mark.parametrize("model", ["some-model", "nowhere/some-model"])
async def test_without_an_address_the_provider_must_be_known(client: ModelClient, model: str) -> None:
    failed = await refused(client, ModelRequest(model, HI))
    assert failed.kind == "unknown_model"
    assert model in failed.message and "PROVIDER/MODEL" in failed.hint


@pytest.mark.parametrize(
    ("model", "variable"), [("gpt-4o", "OPENAI_API_KEY"), ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY")]
)
async def test_a_missing_key_is_told_by_its_variable(client: ModelClient, model: str, variable: str) -> None:
    failed = await refused(client, ModelRequest(model, HI))
    assert failed.kind == "missing_key"
    assert variable in failed.hint


async def test_a_model_that_refuses_sampling_is_asked_without_from_then_on() -> None:
    unsupported = error(400, "Unsupported value: 'temperature' does not support 0.2 with this model.")
    client = ModelClient()
    with ScriptedServer([unsupported, "first", "second"]) as server:
        asked = request(server, temperature=0.2, seed=3)
        assert (await client.complete(asked)).content == "first"
        assert (await client.complete(asked)).content == "second"
        assert ["temperature" in sent for sent in server.requests] == [True, False, False]
        assert ["seed" in sent for sent in server.requests] == [True, False, False]


async def test_tools_are_never_left_out(client: ModelClient) -> None:
    with ScriptedServer([error(400, "Unsupported parameter: 'tools' is not supported")]) as server:
        failed = await refused(client, request(server, tools=[TOOL], temperature=0.2))
        assert failed.kind == "bad_request"
        assert len(server.requests) == 1


async def test_a_reply_is_handed_over_as_it_came(client: ModelClient) -> None:
    reply = {
        "content": "So.",
        "tool_calls": [{"name": "noop", "arguments": "{broken"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7},
    }
    with ScriptedServer([reply]) as server:
        got = await client.complete(request(server, tools=[TOOL]))
    assert (got.content, got.finish_reason) == ("So.", "tool_calls")
    assert [(call.name, call.arguments) for call in got.calls] == [("noop", "{broken")]
    assert (got.usage.prompt_tokens, got.usage.completion_tokens, got.cost_usd) == (3, 4, 0.0)


async def test_a_known_price_becomes_a_cost(client: ModelClient) -> None:
    with ScriptedServer([{"content": "x", "usage": {"prompt_tokens": 1000, "completion_tokens": 1000}}]) as server:
        got = await client.complete(request(server, model="openai/gpt-4o"))
    assert got.cost_usd > 0


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice, and tools are not enabled'),
        (404, "No endpoints found that support tool use. Try disabling the tool"),
        (500, "tools param requires --jinja flag"),
        (400, "Unsupported parameter: 'tools' is not supported with this model."),
    ],
)
async def test_a_refusal_of_tools_is_told_apart_and_is_no_outage(
    client: ModelClient, status: int, message: str
) -> None:
    with ScriptedServer([error(status, message)]) as server:
        failure = await refused(client, request(server, tools=[TOOL]))
    assert (failure.kind, failure.lacks) == ("bad_request", "tools")
    assert "--capability" in failure.hint


async def test_a_refusal_of_a_constrained_reply_is_told_apart(client: ModelClient) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "object"}}}
    with ScriptedServer([error(400, "'response_format' of type 'json_schema' is not supported")]) as server:
        assert (await refused(client, request(server, response_format=form))).lacks == "response_format"


async def test_a_refusal_without_tools_in_the_request_is_none_of_tools(client: ModelClient) -> None:
    with ScriptedServer([error(400, "this model does not support tools")]) as server:
        assert (await refused(client, request(server))).lacks is None


async def test_retry_after_may_be_a_date(client: ModelClient) -> None:
    past = {"status": 429, "error": "slow down", "headers": {"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}}
    with ScriptedServer([past]) as server:
        assert (await refused(client, request(server))).retry_after == 0.0


async def test_tokens_that_the_provider_does_not_tell_are_estimated_and_marked(client: ModelClient) -> None:
    with ScriptedServer([{"content": "x" * 300, "usage": None}, {"content": "x"}]) as server:
        silent = await client.complete(request(server))
        telling = await client.complete(request(server))
    assert silent.usage.estimated and silent.usage.completion_tokens == 100 and silent.usage.prompt_tokens > 0
    assert (telling.usage.estimated, telling.usage.prompt_tokens) == (False, 10)


async def test_the_old_form_of_a_call_is_read(client: ModelClient) -> None:
    message = {"role": "assistant", "content": None, "function_call": {"name": "noop", "arguments": '{"a": 1}'}}
    body = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": "function_call"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    with ScriptedServer([{"body": json.dumps(body), "headers": {"content-type": "application/json"}}]) as server:
        reply = await client.complete(request(server, tools=[TOOL]))
    assert [(call.name, call.arguments) for call in reply.calls] == [("noop", '{"a": 1}')]
