"""What a model wrote as JSON is read with no repair but such as loses nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.repair import read_object, tail_calls

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
json_objects = st.dictionaries(st.text(), json_values, max_size=4)


@given(json_objects)
def test_json_is_read_as_it_is_and_never_called_repaired(value: dict[str, Any]) -> None:
    read = read_object(json.dumps(value))
    assert (read.value, read.problem, read.repaired) == (value, None, False)


@given(json_objects)
def test_a_fence_is_taken_off_without_touching_the_object(value: dict[str, Any]) -> None:
    read = read_object(f"```json\n{json.dumps(value, ensure_ascii=False)}\n```")
    assert (read.value, read.repaired) == (value, True)


@given(st.dictionaries(st.text(), st.text(), min_size=1, max_size=3), st.data())
def test_a_text_that_was_cut_off_is_never_read_as_an_object(value: dict[str, str], data: st.DataObject) -> None:
    whole = json.dumps(value)
    cut = data.draw(st.integers(min_value=1, max_value=len(whole) - 1))
    assert read_object(whole[:cut]).value is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'path': 'a.py'}", {"path": "a.py"}),
        ("{'text': 'it\\'s', 'n': 1}", {"text": "it's", "n": 1}),
        ("{'text': 'it's here', 'n': 1}", {"text": "it's here", "n": 1}),
        ("{'text': 'say \"hi\"'}", {"text": 'say "hi"'}),
        ('{"a": [1, 2, ], "b": {"c": 1,},}', {"a": [1, 2], "b": {"c": 1}}),
        ('{"text": "a, ]"}', {"text": "a, ]"}),
        ('{"text": "first\nsecond"}', {"text": "first\nsecond"}),
        ('```\n{"text": "```"}\n```', {"text": "```"}),
        ('"{\\"path\\": \\"a\\"}"', {"path": "a"}),
        ("  ", {}),
    ],
)
def test_repairs_lose_nothing(text: str, value: dict[str, Any]) -> None:
    assert read_object(text).value == value


@pytest.mark.parametrize(
    "text", ["[1]", "3", '"text"', "null", "NaN", '{"a": NaN}', "{a: 1}", "write a.py", "[" * 5000]
)
def test_what_is_no_object_is_a_problem(text: str) -> None:
    read = read_object(text)
    assert read.value is None
    assert read.problem


def test_calls_at_the_end_of_a_text_are_found_and_cut_off() -> None:
    text = (
        "I look.\n<tool_call>\n{'name': 'read_file', 'arguments': {'path': 'a'}}\n</tool_call>\n"
        '<tool_call>{"name": "list_files", "arguments": "{}"}</tool_call>\n'
    )
    content, calls = tail_calls(text, ["read_file", "list_files"])
    assert content == "I look."
    assert [(call.name, call.arguments) for call in calls] == [("read_file", {"path": "a"}), ("list_files", {})]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "rm", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "read_file", "arguments": {}}</tool_call> is how one calls it.',
        '<tool_call>{"name": "read_file", "arguments": {}}',
        '<tool_call>{"name": "read_file", "arg</tool_call>',
        "no call",
    ],
)
def test_a_block_that_is_not_whole_not_last_or_not_offered_is_only_text(text: str) -> None:
    assert tail_calls(text, ["read_file"]) == (text, ())
