"""A reply that cannot be used is a fact with its cause, and no death of the worker."""

from typing import Any, cast

import pytest
from arreio_contracts.events import ModelFailed, ModelReplied, ModelRequested

from services.tool_loop.asking import Asker
from services.tool_loop.state import LoopState

REQUEST = ModelRequested(step=1, attempt=1, model="m", mode="native", offered=(), temperature=0.0, seed=1)


class Answering(Asker):
    """An asker that is asked nothing, and raises or returns what it was given."""

    def __init__(self, outcome: Exception | ModelReplied) -> None:
        super().__init__(cast(Any, None), cast(Any, None), cast(Any, None))
        self._outcome = outcome

    async def _ask(self, request: ModelRequested, state: LoopState) -> ModelReplied:
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


@pytest.mark.parametrize(
    "error",
    [
        ValueError("Out of range: \ud800"),
        UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed"),
        OverflowError("int too large"),
        RecursionError("too deep"),
        KeyError("content"),
    ],
)
async def test_what_a_form_of_reply_makes_go_wrong_is_a_failure_that_names_its_cause(error: Exception) -> None:
    failed = await Answering(error).ask(REQUEST, LoopState("task"))
    assert isinstance(failed, ModelFailed) and failed.kind == "unavailable"
    assert type(error).__name__ in failed.message
    failed.message.encode()


async def test_what_the_machine_makes_go_wrong_is_not_the_replys_fault() -> None:
    with pytest.raises(ConnectionError):
        await Answering(ConnectionError("the database is gone")).ask(REQUEST, LoopState("task"))


async def test_a_reply_that_can_be_used_is_the_fact() -> None:
    reply = ModelReplied(content="hello")
    assert await Answering(reply).ask(REQUEST, LoopState("task")) == reply
