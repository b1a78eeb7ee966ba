"""Arguments are fitted to a tool's schema where that loses nothing, and what does not fit is said in one line."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.models.schema_coercion import coerce, problem

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "line": {"type": "integer", "minimum": 1},
        "ratio": {"type": "number"},
        "all": {"type": "boolean"},
        "names": {"type": "array", "items": {"type": "string"}},
        "numbers": {"type": "array", "items": {"type": "integer"}},
        "options": {"type": "object", "properties": {"deep": {"type": "integer"}}},
        "either": {"type": ["string", "integer"]},
        "kind": {"enum": ["a", "b"]},
    },
    "required": ["path"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("given", "fitted"),
    [
        ({"line": "3"}, {"line": 3}),
        ({"ratio": "0.5"}, {"ratio": 0.5}),
        ({"all": "true"}, {"all": True}),
        ({"names": '["a", "b"]'}, {"names": ["a", "b"]}),
        ({"numbers": ["1", 2]}, {"numbers": [1, 2]}),
        ({"options": '{"deep": "2"}'}, {"options": {"deep": 2}}),
        ({"line": None}, {}),
    ],
)
def test_a_string_that_holds_what_is_due_becomes_it(given: dict[str, Any], fitted: dict[str, Any]) -> None:
    assert coerce({"path": "a", **given}, SCHEMA) == ({"path": "a", **fitted}, True)


def test_a_whole_number_written_with_a_point_becomes_an_integer() -> None:
    line = coerce({"path": "a", "line": 3.0}, SCHEMA)[0]["line"]
    assert isinstance(line, int)


@pytest.mark.parametrize(
    "given",
    [
        {"path": "3"},
        {"path": '["a"]'},
        {"path": "true"},
        {"path": None},
        {"path": "a", "either": "3"},
        {"path": "a", "line": "three"},
        {"path": "a", "line": "3.5"},
        {"path": "a", "line": "0x3"},
        {"path": "a", "names": ["1", "2"]},
        {"path": "a", "names": "a, b"},
        {"path": "a", "unknown": "1"},
    ],
)
def test_what_would_be_a_guess_stays_as_it_is(given: dict[str, Any]) -> None:
    assert coerce(given, SCHEMA) == (given, False)


@given(st.text())
def test_strings_always_stay_strings_where_a_string_is_due(text: str) -> None:
    assert coerce({"path": text}, SCHEMA) == ({"path": text}, False)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "missing 'path'"),
        ({"path": 3}, "path: must be of type string"),
        ({"path": "a", "line": 0}, "line: 0 is less than the minimum of 1"),
        ({"path": "a", "kind": "c"}, "kind: must be one of 'a', 'b'"),
        ({"path": "a", "file": "b"}, "unknown 'file'; known: all, either, kind, line"),
    ],
)
def test_a_violation_is_told_in_one_line(given: dict[str, Any], told: str) -> None:
    found = problem(given, SCHEMA)
    assert found is not None and found.startswith(told)
    assert "\n" not in found


def test_what_fits_is_no_problem() -> None:
    assert problem({"path": "a", "line": 1, "names": []}, SCHEMA) is None


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(.*a){20}", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_a_pattern_that_would_run_for_ever_is_refused_and_a_value_that_fits_is_not(pattern: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    names = {"type": "object", "patternProperties": {pattern: {"type": "integer"}}, "additionalProperties": False}
    hostile = "a" * 60 + "!"
    problem({"a": hostile}, schema)
    coerce({hostile: "5"}, names)
    problem({hostile: "5"}, {**names, "additionalProperties": True, "unevaluatedProperties": False})
    problem({f"{hostile}{number}": 5 for number in range(50)}, names)
    assert problem({"a": "aaAbab" + "a" * 20}, {**schema, "properties": {"a": {"pattern": "^[a-zA-Z]+$"}}}) is None


def test_names_that_fit_a_pattern_have_its_schema_and_others_are_additional() -> None:
    schema = {"type": "object", "patternProperties": {"^x_": {"type": "integer"}}, "additionalProperties": False}
    assert coerce({"x_a": "5"}, schema) == ({"x_a": 5}, True)
    assert problem({"x_a": 5}, schema) is None
    assert "unknown 'y'" in (problem({"y": 5}, schema) or "")
    assert "integer" in (problem({"y": "a"}, {**schema, "additionalProperties": {"type": "integer"}}) or "")


@pytest.mark.parametrize(("given", "fits"), [(9007199254740991.0, True), (9007199254740993.0, False), (1e300, False)])
def test_a_float_is_a_whole_number_only_where_none_was_lost(given: float, fits: bool) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    fitted, _ = coerce({"n": given}, schema)
    assert (problem(fitted, schema) is None) is fits
    assert isinstance(fitted["n"], int) is fits


@pytest.mark.parametrize(("text", "fits"), [("0.1", True), ("1e999", False), ("0.12345678901234567", False)])
def test_a_number_in_a_string_is_read_only_where_no_digit_is_lost(text: str, fits: bool) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "number"}}}
    assert (problem(coerce({"n": text}, schema)[0], schema) is None) is fits
