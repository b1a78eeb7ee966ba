"""What a model wrote as JSON is read with no repair but such as loses nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.repair import read_object

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


@given(json_objects, st.sampled_from(["{}", "```json\n{}\n```", "\ufeff{}", "{} <|im_end|>"]))
def test_repair_is_idempotent(value: dict[str, Any], form: str) -> None:
    once = read_object(form.replace("{}", json.dumps(value, ensure_ascii=False)))
    assert once.value == value
    again = read_object(json.dumps(once.value))
    assert (again.value, again.repaired) == (value, False)


@given(st.dictionaries(st.text(), json_values, max_size=3), st.booleans(), st.booleans())
def test_no_prefix_of_an_object_is_ever_read_as_one(value: dict[str, Any], twice: bool, as_python: bool) -> None:
    whole = repr(value) if as_python else json.dumps(value)
    if twice:
        whole = json.dumps(whole)
    for end in range(1, len(whole)):
        assert read_object(whole[:end]).value is None
        fenced = f"```json\n{whole}\n```"
        assert read_object(fenced[:end]).value is None


@given(st.text())
def test_no_text_makes_the_reader_fail(text: str) -> None:
    read = read_object(text)
    assert (read.value is None) == (read.problem is not None) == (read.code is not None)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'path': 'a.py'}", {"path": "a.py"}),
        ("{'text': 'it\\'s', 'n': 1}", {"text": "it's", "n": 1}),
        ('{"n": 0.1, "m": 1.50, "k": 1e22}', {"n": 0.1, "m": 1.5, "k": 1e22}),
        ("{'text': 'say \"hi\"'}", {"text": 'say "hi"'}),
        ('{"a": [1, 2, ], "b": {"c": 1,},}', {"a": [1, 2], "b": {"c": 1}}),
        ('{"text": "a, ]"}', {"text": "a, ]"}),
        ('{"text": "first\nsecond"}', {"text": "first\nsecond"}),
        ('```\n{"text": "```"}\n```', {"text": "```"}),
        ('"{\\"path\\": \\"a\\"}"', {"path": "a"}),
        ("  ", {}),
        ("null", {}),
        ("\ufeff{'a': 1}", {"a": 1}),
        ("{path: 'a.py', all: True, none: None}", {"path": "a.py", "all": True, "none": None}),
        ("{“path”: “a.py”}", {"path": "a.py"}),
        ('{"a": 1, // one\n "b": 2 /* two */}', {"a": 1, "b": 2}),
        ('{"url": "http://a // b # c"}', {"url": "http://a // b # c"}),
        (r'{"pattern": "\d+\.\w"}', {"pattern": r"\d+\.\w"}),
        (r"""{"text": "it\'s"}""", {"text": "it's"}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ('{"a": 1}<|im_end|>', {"a": 1}),
        ("~~~\n{'a': 1}\n~~~", {"a": 1}),
    ],
)
def test_repairs_lose_nothing(text: str, value: dict[str, Any]) -> None:
    assert read_object(text).value == value


@pytest.mark.parametrize("text", ["[1]", "3", '"text"', "NaN", '{"a": NaN}', "write a.py", "[" * 5000])
def test_what_is_no_object_is_a_problem(text: str) -> None:
    read = read_object(text)
    assert read.value is None
    assert read.problem


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"a": 1}{"b": 2}',
        '{"a": 1} and more',
        '{"a": "x" "b": "y"}',
        '{"path": a.py}',
        '{"a": .5}',
        '{"a": 1e999}',
        '{"a": ' + "9" * 5000 + "}",
        '{"a": 1,, "b": 2}',
        r'{"path": "C:\Users\new"}',
        "{'text': 'dogs' tails'}",
        "{'text': 'it's here', 'n': 1}",
        '{"n": 0.1000000000000000055511151231257827}',
        '{"n": 123456789.123456789123}',
        '{"n": 1e-999}',
        '{"a": {"b": 1}}}',
        '{"a": undefined}',
    ],
)
def test_what_could_be_read_in_two_ways_or_would_lose_something_is_malformed(text: str) -> None:
    read = read_object(text)
    assert (read.value, read.code) == (None, "malformed")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "' + "x" * 5_000_000,
        '{"a": [' + "1," * 500_000 + "]}",
        '{"a":' * 100_000,
        "[" * 100_000 + "]" * 100_000,
        "{'a': '" + "it's " * 500_000 + "'}",
        "`" * 1_000_000,
        "/*" * 500_000,
        " " * 2_000_000 + "|>",
    ],
    ids=["a long string", "a long list", "objects", "brackets", "apostrophes", "fences", "comments", "blanks"],
)
def test_huge_and_deep_texts_are_read_or_refused_without_harm(text: str) -> None:
    read = read_object(text)
    assert (read.value is None) == (read.code is not None)
