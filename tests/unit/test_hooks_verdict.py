"""What a hook's answer means: its exit status, and the decision it may have written; the more restrictive counts."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.hooks.matching import matches, means_none, unreadable
from services.tool_loop.hooks.verdict import Answer, Judgement, read


def answer(status: int | None, output: Any = "", errors: str = "", **more: Any) -> Judgement:
    text = output if isinstance(output, str) else json.dumps(output)
    return read(Answer(status, text, errors, **more))


@pytest.mark.parametrize(
    ("status", "output", "errors", "verdict"),
    [
        (0, "", "", "allow"),
        (0, "all is well", "", "allow"),
        (2, "", "no pushes", "deny"),
        (2, "", "", "deny"),
        (1, "", "oops", "no_verdict"),
        (127, "", "not found", "no_verdict"),
        (None, "", "", "no_verdict"),
        (0, {"decision": "block", "reason": "r"}, "", "deny"),
        (0, {"decision": "approve"}, "", "allow"),
        (1, {"decision": "approve"}, "", "allow"),
        (1, {"decision": "block"}, "", "deny"),
        (2, {"decision": "approve"}, "", "deny"),
        (None, {"decision": "approve"}, "", "no_verdict"),
        (None, {"decision": "block"}, "", "deny"),
        (0, {"hookSpecificOutput": {"permissionDecision": "deny"}}, "", "deny"),
        (0, {"hookSpecificOutput": {"permissionDecision": "ask"}}, "", "ask"),
        (2, {"hookSpecificOutput": {"permissionDecision": "ask"}}, "", "deny"),
        (0, {"decision": "approve", "hookSpecificOutput": {"permissionDecision": "deny"}}, "", "deny"),
        (0, {"decision": "block", "hookSpecificOutput": {"permissionDecision": "allow"}}, "", "deny"),
        (0, {"continue": False, "stopReason": "enough"}, "", "deny"),
        (0, {"continue": False, "decision": "approve"}, "", "deny"),
        (0, {"continue": True}, "", "allow"),
        (0, {"suppressOutput": True}, "", "allow"),
        (1, {"suppressOutput": True}, "", "no_verdict"),
        (0, "starting…\n" + json.dumps({"decision": "block"}), "", "deny"),
        (0, '{"decision": "blo', "", "no_verdict"),
        (2, '{"decision": "blo', "why", "deny"),
        (0, ["deny"], "", "no_verdict"),
        (0, {"decision": "maybe"}, "", "no_verdict"),
        (0, {"decision": 1}, "", "no_verdict"),
        (0, {"continue": "no"}, "", "no_verdict"),
        (0, '{"decision": "approve", "decision": "block"}', "", "no_verdict"),
        (0, {"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {}}}, "", "no_verdict"),
        (0, 'log\n{\n"decision": "block"\n}\n', "", "deny"),
        (0, 'log\n{\n"decision": "approve"\n}\nbye', "", "allow"),
        (0, 'verdict: {"decision":"block"}', "", "deny"),
        (0, '{"decision":"block"}\n{"systemMessage":"bye"}', "", "deny"),
        (0, '{"systemMessage":"hi"}\n{"decision":"block"}', "", "deny"),
        (0, '{"decision":"approve"}\n{"decision":"bl', "", "no_verdict"),
        (0, 'loaded {rules}\n{"decision":"block"}', "", "deny"),
        (0, "loaded {rules}", "", "no_verdict"),
        (0, '{"result": {"decision": "block"}}', "", "no_verdict"),
        (0, '{"results": [{"permissionDecision": "deny"}]}', "", "no_verdict"),
        (0, '{\n"x": oops,\n"y": {"decision": "approve"}\n}', "", "no_verdict"),
        (0, {"systemMessage": "hi", "stats": {"files": 3}}, "", "allow"),
        (0, "[info] all is well", "", "allow"),
        (0, "\x01\ufffd\ufffdzzz", "", "no_verdict"),
        (2, "\x01\ufffd\ufffd{", "", "deny"),
        (0, '{"decision": "block", "reason": "n\ufffdo"}', "", "deny"),
        (0, "\ufeff" + json.dumps({"decision": "block"}), "", "deny"),
    ],
)
def test_an_answer_is_read_as_its_users_know_it(status: int | None, output: Any, errors: str, verdict: str) -> None:
    assert answer(status, output, errors).verdict == verdict


def test_the_reason_is_the_decisions_own_or_what_was_written_on_standard_error() -> None:
    assert answer(2, "", "no pushes\n").reason == "no pushes"
    assert answer(0, {"decision": "block", "reason": "not today"}).reason == "not today"
    assert answer(0, {"continue": False, "stopReason": "enough"}) == Judgement("deny", "enough", ends_task=True)
    assert "status 3: bad" in answer(3, "", "bad").reason
    assert len(answer(2, "", "x" * 100_000).reason) <= 2000


def test_an_output_that_was_cut_is_no_decision() -> None:
    assert answer(0, '{"decision": "approve"}', cut=True).verdict == "no_verdict"
    assert answer(0, "x" * 1000, cut=True).verdict == "no_verdict"
    assert answer(0, '{"decision": "block"}\n' + "x" * 1000, cut=True).verdict == "deny"
    assert answer(2, "x" * 1000, cut=True).verdict == "deny"


ANSWERS = st.builds(
    Answer,
    st.none() | st.integers(0, 255),
    st.text(max_size=30)
    | st.dictionaries(
        st.sampled_from(["decision", "continue", "permissionDecision", "hookSpecificOutput", "reason"]),
        st.sampled_from(["allow", "approve", "ask", "deny", "block", True, False, None, {}]),
    ).map(json.dumps),
    st.text(max_size=10),
)


@given(ANSWERS)
def test_reading_never_raises_and_status_2_never_allows(given_answer: Answer) -> None:
    judged = read(given_answer)
    assert judged.verdict in ("allow", "ask", "deny", "no_verdict")
    if given_answer.status == 2:
        assert judged.verdict == "deny"
    if given_answer.status is None:
        assert judged.verdict != "allow"


@pytest.mark.parametrize(
    ("matcher", "tool", "expected"),
    [
        ("*", "run_command", True),
        ("", "run_command", True),
        ("run_command", "run_command", True),
        ("run", "run_command", False),
        ("write_*", "write_file", True),
        ("write_file|edit_file", "edit_file", True),
        ("mcp__.*", "mcp__git__log", True),
        ("mcp__git__*", "mcp__git__log", True),
        ("(edit|write)_file", "read_file", False),
        ("write_file, run_command", "run_command", True),
        ("write_file | run_command", "write_file", True),
        (" write_file ", "write_file", True),
        ("write_file,edit_*", "read_file", False),
        ("Write|Edit|MultiEdit", "edit_file", True),
        ("Write|Edit|MultiEdit", "write_file", True),
        ("Write|Edit|MultiEdit", "read_file", False),
        ("Bash", "run_command", True),
        ("Read", "read_file", True),
        ("Grep", "search", True),
        ("Glob", "list_files", True),
        ("^(Write|Edit)$", "edit_file", True),
        ("^(?!Read).*$", "read_file", False),
        ("^(?!Read).*$", "run_command", True),
        ("^(?!read).*$", "read_file", False),
        ("mcp__x__Read", "read_file", False),
        ("bash", "run_command", False),
        ("[", "[", True),
        ("[", "x", False),
    ],
)
def test_a_matcher_is_a_glob_or_a_regular_expression_of_the_whole_name(matcher: str, tool: str, expected: bool) -> None:
    assert matches(matcher, tool) is expected


@pytest.mark.parametrize("matcher", ["write_(", "write_file|(", "a{2,1}|b)", "(?P<x"])
def test_a_matcher_that_is_neither_glob_nor_expression_is_named(matcher: str) -> None:
    problem = unreadable(matcher)
    assert problem is not None and repr(matcher) in problem


@pytest.mark.parametrize(
    "matcher", ["", "*", "*_file", "write_*|edit_*", "[", "Write | Edit", "^(?!read).*$", "mcp__*"]
)
def test_a_matcher_that_can_be_read_is_no_mistake(matcher: str) -> None:
    assert unreadable(matcher) is None


@pytest.mark.parametrize(
    ("matcher", "none"),
    [
        ("WRITE_FILE", True),
        ("bash", True),
        ("write_fil", True),
        ("write_file", False),
        ("Bash", False),
        ("", False),
        ("mcp__git__.*", False),
        ("WebFetch|nothing", False),
    ],
)
def test_a_matcher_that_means_no_tool_is_told_from_one_for_another_task(matcher: str, none: bool) -> None:
    assert means_none(matcher, ["read_file", "write_file", "run_command"]) is none


@pytest.mark.parametrize(
    ("matcher", "none"),
    [("mcp__zzz__*", True), ("mcp__git__.*", False), ("mcp__*", False), ("mcp__zzz__*|mcp__git__log", False)],
)
def test_where_the_tools_of_servers_are_known_a_matcher_for_others_means_none(matcher: str, none: bool) -> None:
    assert means_none(matcher, ["read_file", "mcp__git__log"], servers_known=True) is none
    assert not means_none(matcher, ["read_file", "mcp__git__log"])
