"""The vote on samples of one reply."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from arreio_contracts.events import Usage
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.call_modes import Answer
from services.tool_loop.models.errors import ProviderError
from services.tool_loop.sampling import gather_samples, total_usage
from services.tool_loop.voting import vote
from tests.unit.simulated_task import call

READ_A = Answer("", (call(1, "read_file", path="a"),))
READ_B = Answer("", (call(1, "read_file", path="b"),))
PROSE = Answer("I will.")


def test_the_majority_is_done_and_its_first_sample_is_the_reply() -> None:
    again = Answer("so", (call(7, "read_file", path="./a"),))
    winner, agreed = vote([READ_B, again, READ_A], 3)
    assert winner is again
    assert (agreed.votes, agreed.majority) == (2, True)
    assert agreed.said == ("read_file b", "read_file ./a", "read_file a")


@pytest.mark.parametrize(
    ("samples", "asked", "majority"),
    [
        ([READ_A, READ_B], 2, False),
        ([READ_A], 3, False),
        ([READ_A, READ_A], 3, True),
        ([PROSE, PROSE, READ_A], 3, True),
    ],
)
def test_more_than_half_of_what_was_asked_for_must_agree(samples: list[Answer], asked: int, majority: bool) -> None:
    assert vote(samples, asked)[1].majority is majority


def test_claims_in_other_words_are_the_same_claim() -> None:
    claims = [Answer("", (call(1, "task_complete", reply=text),)) for text in ("Done.", "Finished!", "Pronto")]
    assert vote(claims, 3)[1].majority


@given(st.lists(st.sampled_from([READ_A, READ_B, PROSE]), min_size=1, max_size=9))
def test_the_winner_is_one_of_the_samples_and_no_other_has_more_votes(samples: list[Answer]) -> None:
    winner, agreed = vote(samples, len(samples))
    assert winner in samples
    assert agreed.votes == max(agreed.fingerprints.count(one) for one in agreed.fingerprints)
    assert agreed.majority == (2 * agreed.votes > len(samples))


async def test_the_samples_that_came_count_and_only_where_none_came_is_it_a_failure() -> None:
    async def answer(found: Answer | ProviderError) -> Answer:
        await asyncio.sleep(0)
        if isinstance(found, ProviderError):
            raise found
        return found

    async def gathered(found: Sequence[Answer | ProviderError]) -> list[Answer]:
        return await gather_samples(answer(one) for one in found)

    away = ProviderError("timeout", "away")
    assert await gathered([READ_A, away, READ_B]) == [READ_A, READ_B]
    with pytest.raises(ProviderError, match="away"):
        await gathered([away, away])


def test_what_all_samples_cost_is_counted() -> None:
    one = Answer("", usage=Usage(prompt_tokens=10, completion_tokens=2))
    two = Answer("", usage=Usage(prompt_tokens=1, completion_tokens=1, estimated=True))
    assert total_usage([one, two]) == Usage(prompt_tokens=11, completion_tokens=3, estimated=True)
