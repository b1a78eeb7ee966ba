"""What the harness makes of a message with calls: every form is read, every mistake has its code."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arreio.__main__ import main
from services.tool_loop.models.call_modes import ToolSpec
from services.tool_loop.models.checking import check
from services.tool_loop.models.schema_coercion import problem

FILES: dict[str, Any] = {
    "type": "object",
    "properties": {"files": {"type": "array"}, "note": {"type": "string"}},
    "required": ["files"],
}
TOOLS = (
    ToolSpec("run", "", {"type": "object", "properties": {"cmd": {"type": "string"}}}),
    ToolSpec("edit_files", "", FILES),
    ToolSpec("read_file", "", {}),
    ToolSpec("readme", "", {}),
    ToolSpec("list_files", "", {}),
    ToolSpec("write_file", "", {}),
    ToolSpec("delete_file", "", {}),
)


def called(name: Any, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": function}]}


def code(raw: str | dict[str, Any]) -> str | None:
    found: str | None = check(raw, TOOLS).get("error", {}).get("code")
    return found


def arguments_of(raw: str | dict[str, Any]) -> Any:
    (call,) = check(raw, TOOLS)["calls"]
    return call["arguments"]


def test_a_call_without_a_name_is_one_error_with_at_most_five_candidates() -> None:
    error = check(called(None, '{"cmd":"ls"}'), TOOLS)["error"]
    assert error["code"] == "unknown_tool"
    assert len(error["message"].split("candidates: ")[1].split(", ")) == 5


def test_a_call_in_a_dialect_at_the_tail_of_the_text_is_a_normal_call() -> None:
    text = "<tool_call>\n<function=run>\n<parameter=cmd>\nls\n</parameter>\n</function>\n</tool_call>"
    message = {"content": text, "tool_calls": [], "finish_reason": "stop"}
    assert check(message, TOOLS) == {"calls": [{"name": "run", "arguments": {"cmd": "ls"}, "repaired": True}]}


def test_a_list_that_was_encoded_twice_is_read_and_a_text_that_looks_like_one_stays() -> None:
    given = {"files": '[{"path": "a.py", "old": "x"}]', "note": '["keep as text"]'}
    assert arguments_of(called("edit_files", json.dumps(given))) == {
        "files": [{"path": "a.py", "old": "x"}],
        "note": '["keep as text"]',
    }


@pytest.mark.parametrize(
    "name", ["ReadFile", "read-file", "READ_FILE", "readFile", "functions.read_file", " read_file "]
)
def test_a_spelling_of_a_name_resolves(name: str) -> None:
    assert check(called(name, "{}"), TOOLS) == {"calls": [{"name": "read_file", "arguments": {}, "repaired": True}]}


@pytest.mark.parametrize("name", ["read_files", "read", "raed_file", "", "read_file; rm", "x" * 100_000])
def test_a_name_that_is_only_near_is_suggested_and_never_executed(name: str) -> None:
    error = check(called(name, "{}"), TOOLS)["error"]
    assert error["code"] == "unknown_tool"
    assert len(error["message"]) < 400


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        (called("run", {"cmd": "ls"}), {"cmd": "ls"}),
        (called("run", '{"cmd": "42"}'), {"cmd": "42"}),
        (called("run", None), {}),
        (called("run", ""), {}),
        (called("run", '"{\\"cmd\\": \\"ls\\"}"'), {"cmd": "ls"}),
        ({"content": "", "function_call": {"name": "run", "arguments": '{"cmd":"ls"}'}}, {"cmd": "ls"}),
        ({"content": [{"type": "tool_use", "id": "x", "name": "run", "input": {"cmd": "ls"}}]}, {"cmd": "ls"}),
        ({"content": [{"type": "text", "text": '<tool_call>{"name":"run"}</tool_call>'}]}, {}),
        ({"choices": [{"message": called("run", "{'cmd': 'ls',}"), "finish_reason": "tool_calls"}]}, {"cmd": "ls"}),
        ({"tool_calls": [{"name": "run", "arguments": {"cmd": "ls"}}]}, {"cmd": "ls"}),
    ],
)
def test_every_form_of_a_message_is_read(message: dict[str, Any], arguments: dict[str, Any]) -> None:
    assert arguments_of(message) == arguments


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (called("edit_files", ""), "bad_arguments"),
        (called("edit_files", '{"files": "a, b"}'), "bad_arguments"),
        (called("run", '{"cmd": 42}'), "bad_arguments"),
        (called("run", '{"cmd": "ls"'), "truncated"),
        (called("run", '{"cmd": "l'), "truncated"),
        (called("run", "ls -la"), "malformed"),
        (called("run", "[1]"), "malformed"),
        (called("run", '{"cmd": NaN}'), "malformed"),
        (called("run", "[" * 100_000), "malformed"),
        (called("run", '{"cmd": "a", "cmd": "b"}'), "malformed"),
        (called("rm", "{}"), "unknown_tool"),
        ({**called("run", "{}"), "finish_reason": "length"}, "truncated"),
        ({"content": "I will now", "finish_reason": "length"}, "truncated"),
        ('<tool_call>{"name": "run", "arguments": {}}', "truncated"),
        ('<tool_call>{"name": "rm", "arguments": {}}</tool_call>', "unknown_tool"),
        ("I list the files.", None),
        ({"content": None}, None),
        ({"tool_calls": [3]}, "unknown_tool"),
        ({"tool_calls": "run"}, "malformed"),
        ({}, None),
    ],
)
def test_every_mistake_has_its_code(raw: str | dict[str, Any], expected: str | None) -> None:
    assert code(raw) == expected
    assert expected or check(raw, TOOLS) == {"calls": []}


def test_one_call_that_cannot_be_executed_is_the_error_of_the_whole_message() -> None:
    both = {"tool_calls": [*called("run", "{}")["tool_calls"], *called("rm", "{}")["tool_calls"]]}
    assert check(both, TOOLS)["error"]["message"].startswith("call 2 of 2: ")


def test_fifty_calls_with_one_id_are_fifty_calls() -> None:
    message = {"tool_calls": called("run", "{}")["tool_calls"] * 50}
    assert len(check(message, TOOLS)["calls"]) == 50


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), json_values, max_size=4), st.booleans())
def test_valid_arguments_pass_unchanged(arguments: dict[str, Any], as_text: bool) -> None:
    message = called("read_file", json.dumps(arguments) if as_text else arguments)
    assert check(message, TOOLS) == {"calls": [{"name": "read_file", "arguments": arguments, "repaired": False}]}


@settings(max_examples=30)
@given(st.dictionaries(st.text(), json_values, min_size=1, max_size=3))
def test_no_prefix_of_the_arguments_of_a_call_is_ever_executed(arguments: dict[str, Any]) -> None:
    whole = json.dumps(arguments)
    for end in range(1, len(whole)):
        assert code(called("read_file", whole[:end])) == "truncated"


schemas = st.recursive(
    st.sampled_from(
        [
            {"type": "string"},
            {"type": "integer"},
            {"type": "number"},
            {"type": "boolean"},
            {"type": "array"},
            {"type": ["string", "null"]},
            {"type": ["integer", "array"]},
            {"enum": ["1", 2, None]},
            {"const": "true"},
            {"type": "integer", "nullable": True},
            {},
            True,
        ]
    ),
    lambda inner: (
        st.builds(lambda one: {"type": "array", "items": one}, inner)
        | st.builds(lambda one: {"type": "object", "additionalProperties": one}, inner)
        | st.builds(lambda some: {"anyOf": some}, st.lists(inner, min_size=1, max_size=3))
        | st.builds(lambda some: {"oneOf": some}, st.lists(inner, min_size=1, max_size=2))
    ),
    max_leaves=4,
)
loose = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(-5, 5)
    | st.sampled_from(["1", "true", "null", "[1]", '{"a": 1}', "x", "2.5"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b"]), inner, max_size=2),
    max_leaves=6,
)


@settings(max_examples=300)
@given(schemas, loose)
def test_coercion_never_changes_a_value_that_fits(of: Any, value: Any) -> None:
    schema = {"type": "object", "properties": {"it": of}, "required": ["it"]}
    arguments = {"it": value}
    result = check(called("tool", arguments), [ToolSpec("tool", "", schema)])
    if problem(arguments, schema) is None:
        assert result == {"calls": [{"name": "tool", "arguments": arguments, "repaired": False}]}
    elif "calls" in result:
        assert problem(result["calls"][0]["arguments"], schema) is None


@given(st.text() | json_values)
def test_no_message_makes_the_reader_fail(raw: Any) -> None:
    if isinstance(raw, str | dict):
        check(raw, TOOLS)
    check({"content": raw, "tool_calls": raw, "function_call": raw, "choices": raw, "finish_reason": raw}, TOOLS)
    check({"tool_calls": [{"function": raw}, {"function": {"name": raw, "arguments": raw}}]}, TOOLS)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://localhost:1/x.json"},
        {"type": "objekt"},
        {"$ref": "#/nowhere"},
        {"properties": 3},
        {"items": "x"},
    ],
)
def test_a_schema_that_cannot_be_used_is_told_and_asks_nobody(schema: dict[str, Any]) -> None:
    found = check(called("tool", {"a": [1]}), [ToolSpec("tool", "", schema)])
    assert found["error"]["code"] == "bad_arguments" if "error" in found else found["calls"]


def test_check_calls_answers_line_by_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        {"raw": called("Run", {"cmd": "ls"}), "tools": [{"name": "run", "parameters": {"type": "object"}}]},
        {"raw": "I look.", "tools": []},
        {"raw": '<tool_call>{"name": "run"', "tools": [{"name": "run"}]},
        {"raw": 3, "tools": []},
        {"raw": "", "tools": [3]},
    ]
    file = tmp_path / "messages.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    assert main(["check", "calls", str(file)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert found[:2] == [{"calls": [{"name": "run", "arguments": {"cmd": "ls"}, "repaired": True}]}, {"calls": []}]
    assert found[2]["error"]["code"] == "truncated"
    assert [line["error"].split(":")[0] for line in found[3:]] == ["line 4", "line 5"]
