"""Several samples of one reply, asked for at once, and what they cost together."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Final

from arreio_contracts.events import Usage

from .models.call_modes import Answer
from .models.errors import ProviderError

BETWEEN_SEEDS: Final = 7919
"""From one sample to the next, so that none has the seed of another turn's."""


async def gather_samples(asking: Iterable[Awaitable[Answer]]) -> list[Answer]:
    """The answers that came.

    Raises:
        ProviderError: not one came.
    """
    found = await asyncio.gather(*asking, return_exceptions=True)
    answers = [one for one in found if isinstance(one, Answer)]
    for one in found:
        if isinstance(one, BaseException) and not (answers and isinstance(one, ProviderError)):
            raise one
    return answers


def total_usage(answers: Iterable[Answer]) -> Usage:
    """The tokens of several exchanges together."""
    used = [answer.usage for answer in answers]
    return Usage(
        prompt_tokens=sum(one.prompt_tokens for one in used),
        completion_tokens=sum(one.completion_tokens for one in used),
        estimated=any(one.estimated for one in used),
    )
