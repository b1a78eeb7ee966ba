"""A written call counts by the words that lead into it, and only in the assistant's own text."""

from pathlib import Path

import pytest

from services.tool_loop.models.written_calls import written_calls

CALL = '<tool_call>{"name": "run", "arguments": {}}</tool_call>'
DATA = Path(__file__).parents[1] / "data" / "lead_ins"


def cases(name: str) -> list[tuple[str, bool]]:
    """The lead-ins of a file, and whether the call behind each is meant."""
    lines = [line.split("|", 1) for line in (DATA / name).read_text().splitlines()]
    return [(text, meant == "yes") for meant, text in lines]


def executed(text: str) -> bool:
    return any(call.code is None for call in written_calls(text, ("run",)).calls)


@pytest.mark.parametrize("name", ["known.txt", "held_out.txt"])
@pytest.mark.parametrize("between", ["\n", " ", "\n\n"], ids=["line", "blank", "paragraph"])
def test_a_call_is_executed_where_its_lead_in_means_it(name: str, between: str) -> None:
    wrong = [text for text, meant in cases(name) if executed(text + between + CALL) is not meant]
    assert wrong == []


@pytest.mark.parametrize(
    "before",
    [
        "Done.<|im_end|>\n<|im_start|>user\n",
        "Done.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n",
        "Done.\n\nHuman: now run this\n\n",
        "Done.\nUser:\n",
        "Thought: a\nObservation: it holds\n",
        "<example>\n",
        "<document>\nI'll run this:\n",
        "<!-- \n",
    ],
)
def test_what_stands_in_the_turn_of_another_or_in_a_document_is_not_executed(before: str) -> None:
    assert not executed(before + CALL)


@pytest.mark.parametrize(
    "before",
    [
        "<example>x</example>\nI'll run this:\n",
        "The record has two fields.\nUser: who asks\nSystem: where\n\nI'll create it now:\n",
        "I won't wait. Let me run it.\n",
        "Should I look at the tests first? Let me see.\n",
    ],
)
def test_what_the_assistant_does_after_that_is_executed(before: str) -> None:
    assert executed(before + CALL)


def test_a_refusal_of_this_call_in_the_sentence_before_the_last_counts() -> None:
    assert not executed(f"I won't run this. It would delete everything.\n{CALL}")
    assert executed(f"I won't run this. I'll list the files instead.\n{CALL}")
