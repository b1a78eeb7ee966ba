"""A model asked for another service: what it says, and why it says nothing, are both answers."""

from __future__ import annotations

import asyncio

import pytest
from arreio_contracts.events import Usage
from arreio_contracts.messages import AskModel, ModelAnswer

from services.tool_loop.models.answering import answering
from services.tool_loop.models.client import ModelRequest
from services.tool_loop.models.errors import ProviderError
from services.tool_loop.models.local_models import LocalModels
from services.tool_loop.models.replies import ModelReply

ASKED = AskModel(
    model="openai/reader",
    messages=({"role": "user", "content": "?"},),
    response_format={"type": "json_object"},
    max_tokens=9,
    seconds=30,
)
REPLY = ModelReply(content="[]", usage=Usage(prompt_tokens=3, completion_tokens=1), cost_usd=0.5)


class Provider:
    """A client that answers what it is told to, one after the other; None never comes."""

    def __init__(self, *answers: ModelReply | ProviderError | None) -> None:
        self.requests: list[ModelRequest] = []
        self._answers = iter(answers)

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        answer = next(self._answers)
        if answer is None:
            await asyncio.Event().wait()
        if isinstance(answer, ProviderError):
            raise answer
        assert answer is not None
        return answer


async def answered(provider: Provider, asked: AskModel = ASKED) -> ModelAnswer:
    return await answering(provider, LocalModels())(asked)


async def test_a_reply_is_handed_on_with_what_it_cost() -> None:
    provider = Provider(REPLY)
    answer = await answered(provider)
    assert (answer.content, answer.prompt_tokens, answer.cost_usd, answer.problem) == ("[]", 3, 0.5, "")
    (request,) = provider.requests
    assert (request.temperature, request.max_tokens, request.response_format) == (0.0, 9, {"type": "json_object"})


async def test_a_model_that_takes_no_format_is_asked_once_more_without_one() -> None:
    refusal = ProviderError("bad_request", "no response_format", lacks="response_format")
    provider = Provider(refusal, REPLY)
    answer = await answered(provider)
    assert (answer.content, answer.requests) == ("[]", 2)
    assert [one.response_format for one in provider.requests] == [ASKED.response_format, None]
    assert (await answered(Provider(refusal, refusal))).problem.startswith("bad_request")


@pytest.mark.parametrize("kind", ["rate_limit", "unavailable", "auth", "unknown_model"])
async def test_a_failure_is_an_answer_and_nothing_is_asked_again(kind: str) -> None:
    provider = Provider(ProviderError(kind, "gone"))  # type: ignore[arg-type]
    answer = await answered(provider)
    assert answer.problem == f"{kind}: gone" and len(provider.requests) == 1


async def test_a_reply_that_does_not_come_is_not_waited_for() -> None:
    answer = await answered(Provider(None), ASKED.model_copy(update={"seconds": 0.01}))
    assert answer.problem.startswith("timeout")


async def test_a_local_model_that_is_not_there_is_said_to_be_so() -> None:
    answer = await answered(Provider(), ASKED.model_copy(update={"model": "local/nothing"}))
    assert "there is no local model" in answer.problem
