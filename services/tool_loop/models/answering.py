"""Puts one question of another service to a model: this process holds the keys and the models of this machine."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from arreio_contracts.messages import AskModel, ModelAnswer

from shared.prompt import Message

from .client import Client, ModelRequest
from .errors import ProviderError
from .local_models import LocalModels, is_local
from .replies import ModelReply


def answering(client: Client, local: LocalModels) -> Callable[[AskModel], Awaitable[ModelAnswer]]:
    """What answers `AskModel`: a provider's failure is an answer too, and nothing is asked a second time for it.

    Only a model that takes no response format is asked once more, without one.
    """

    async def answer(asked: AskModel) -> ModelAnswer:
        try:
            async with asyncio.timeout(asked.seconds):
                return await _answered(asked, client, local)
        except TimeoutError:
            return ModelAnswer(problem=f"timeout: no reply within {asked.seconds:g} s")
        except ProviderError as error:
            return ModelAnswer(problem=f"{error.kind}: {error.message}")

    return answer


async def _answered(asked: AskModel, client: Client, local: LocalModels) -> ModelAnswer:
    request = await _request(asked, local)
    try:
        return _answer(await client.complete(request), requests=1)
    except ProviderError as error:
        if error.lacks != "response_format":
            raise
    return _answer(await client.complete(replace(request, response_format=None)), requests=2)


async def _request(asked: AskModel, local: LocalModels) -> ModelRequest:
    model, api_base, api_key = asked.model, asked.api_base, None
    if is_local(model):
        served = await local.endpoint(model)
        model, api_base, api_key = served.model, served.api_base, served.api_key
    return ModelRequest(
        model=model,
        api_base=api_base,
        api_key=api_key,
        messages=tuple(Message(role=one["role"], content=one["content"]) for one in asked.messages),
        response_format=asked.response_format,
        temperature=0.0,
        max_tokens=asked.max_tokens,
        seed=asked.seed,
        timeout=asked.seconds,
    )


def _answer(reply: ModelReply, *, requests: int) -> ModelAnswer:
    return ModelAnswer(
        content=reply.content,
        prompt_tokens=reply.usage.prompt_tokens,
        completion_tokens=reply.usage.completion_tokens,
        estimated=reply.usage.estimated,
        cost_usd=reply.cost_usd,
        requests=requests,
    )
