"""Whatever a provider sends in OpenAI's form, what comes of it can be recorded, or is refused with its kind."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest
from arreio_contracts.events import ModelReplied, Usage
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.call_modes import Answer, ToolSpec
from services.tool_loop.models.call_modes.reading import MOST_CALLS, answer_of
from services.tool_loop.models.checking import check
from services.tool_loop.models.client import ModelClient, ModelRequest
from services.tool_loop.models.errors import ProviderError
from services.tool_loop.models.openai_message import reply_of
from shared.canonical import canonical_json, parse_json

TOOLS = (ToolSpec("run", "", {"type": "object", "properties": {"n": {"type": "number"}, "s": {"type": "string"}}}),)

texts = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(
    [
        "\ud83d hello",
        "run",
        '{"n": 1e999}',
        '{"s": "\\ud800"}',
        '{"\\ud800": 1}',
        '{"n": ' + "9" * 400 + "}",
        '<tool_call>{"name": "run", "arguments": {"s": "\\ud83d"}}</tool_call>',
        "[run(n=1e999)]",
    ]
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts | st.just(10**19),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)
functions = st.fixed_dictionaries({}, optional={"name": texts | anything, "arguments": texts | anything})
handed = st.fixed_dictionaries({}, optional={"id": anything, "type": anything, "function": functions | anything})
messages = st.fixed_dictionaries(
    {}, optional={"content": texts | anything, "tool_calls": st.lists(handed, max_size=3) | anything}
)
usages = st.fixed_dictionaries({}, optional={"prompt_tokens": anything, "completion_tokens": anything})


def recorded(answer: Answer) -> str:
    """The answer as the event's body is written; the store's columns of tokens hold 64 bits."""
    event = ModelReplied(
        content=answer.content, calls=answer.calls, finish_reason=answer.finish_reason, usage=answer.usage
    )
    body = canonical_json(event.model_dump(mode="json"))
    assert ModelReplied.model_validate(parse_json(body)) == event
    body.encode()
    assert all(0 <= one < 2**62 for one in (answer.usage.prompt_tokens, answer.usage.completion_tokens))
    return body


def as_object(value: Any) -> Any:
    """A value of JSON as a client's library hands it over: objects with attributes."""
    if isinstance(value, dict):
        return SimpleNamespace(**{key: as_object(item) for key, item in value.items() if isinstance(key, str)})
    return [as_object(item) for item in value] if isinstance(value, list) else value


async def asked(message: Any, usage: Any, finish: Any) -> Answer:
    async def completion(**_: Any) -> Any:
        fields = {"content": None, "tool_calls": None, **message}
        choice = SimpleNamespace(message=as_object(fields), finish_reason=finish)
        return SimpleNamespace(choices=[choice], usage=as_object(usage))

    request = ModelRequest("openai/gpt-4o", [{"role": "user", "content": "hi"}], api_key="none")
    return answer_of(await ModelClient(completion).complete(request), TOOLS, "call")


@given(message=messages, usage=usages | anything, finish=texts | anything)
def test_any_reply_of_a_provider_is_recordable_or_a_typed_failure(message: Any, usage: Any, finish: Any) -> None:
    try:
        answer = asyncio.run(asked(message, usage, finish))
    except ProviderError as error:
        error.message.encode()
        return
    recorded(answer)


@given(message=messages | texts)
def test_any_message_that_is_checked_gives_an_answer_that_can_be_printed(message: Any) -> None:
    recorded(answer_of(reply_of(message), TOOLS, "call"))
    json.dumps(check(message, TOOLS), ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize("told", [10**19, -5, "12", 1.5, None, [1]])
async def test_a_count_of_tokens_that_can_be_none_is_estimated(told: Any) -> None:
    answer = await asked({"content": "hello"}, {"prompt_tokens": told, "completion_tokens": 1}, "stop")
    assert answer.usage.estimated and answer.usage.prompt_tokens > 0


async def test_a_count_of_tokens_and_a_text_that_are_whole_stay_as_they_are() -> None:
    answer = await asked({"content": "olá 😀"}, {"prompt_tokens": 12, "completion_tokens": 3}, "stop")
    assert (answer.content, answer.usage) == ("olá 😀", Usage(prompt_tokens=12, completion_tokens=3))


@pytest.mark.parametrize(
    "arguments", ['{"s": "\\ud800"}', '{"\\udfff": 1}', '{"n": 1e999}', '{"n": ' + "9" * 400 + "}"]
)
def test_arguments_that_no_file_could_hold_are_malformed(arguments: str) -> None:
    message = {"tool_calls": [{"function": {"name": "run", "arguments": arguments}}]}
    assert check(message, TOOLS)["error"]["code"] == "malformed"
    whole = {"tool_calls": [{"function": {"name": "run", "arguments": '{"s": "\\ud83d\\ude00"}'}}]}
    assert check(whole, TOOLS)["calls"][0]["arguments"] == {"s": "😀"}


@pytest.mark.parametrize("count", [MOST_CALLS, MOST_CALLS + 1, 2000])
def test_more_calls_than_a_reply_may_have_are_one_refusal_that_counts_them(count: int) -> None:
    message = {"tool_calls": [{"function": {"name": "run", "arguments": "{}"}} for _ in range(count)]}
    calls = answer_of(reply_of(message), TOOLS, "call").calls
    assert [call.problem_code for call in calls[:MOST_CALLS]] == [None] * MOST_CALLS
    over = calls[MOST_CALLS:]
    assert len(over) == (count > MOST_CALLS)
    assert all(call.problem is not None and str(count - MOST_CALLS) in call.problem for call in over)
