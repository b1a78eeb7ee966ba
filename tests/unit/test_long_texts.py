"""What reads goals, commands, results and replies costs the length of them: each of these would take minutes."""

import json
from pathlib import Path

import pytest

from services.learning.merging import ratio
from services.learning.quoting import FILLED, own_words
from services.tool_loop.grounding.node_manifests import json_with_comments
from services.tool_loop.grounding.package_index import read_pip
from services.tool_loop.models.call_modes.goal_values import replacements
from services.tool_loop.models.call_modes.moves import values_in
from services.tool_loop.models.call_modes.part_edits import appended
from services.tool_loop.models.call_modes.small_changes import small_changes
from services.tool_loop.models.call_shapes import read_body
from services.tool_loop.models.written_calls import written_calls
from services.tool_loop.plan import parts
from services.tool_loop.rules.failure_lines import told
from services.tool_loop.rules.fingerprint import fingerprint
from services.tool_loop.rules.grounding.claimed_outcomes import outcomes
from services.tool_loop.rules.grounding.python_uses import python_uses
from services.tool_loop.rules.grounding.requirement_lines import requirements
from services.tool_loop.rules.grounding.shown_outcomes import unshown
from services.tool_loop.rules.opened_files import asks_to_change
from services.tool_loop.rules.shell_commands import changes, looked_at, segments, shows_content
from shared.quoted import SHELL, without_strings
from shared.run_files import named_tests, scripts_run
from shared.secrets import mask
from shared.telemetry import mask_passwords
from shared.ui_files import named_ui_file

_MUCH = 100_000


def much(part: str) -> str:
    return part * (_MUCH // len(part))


@pytest.mark.parametrize("part", [" ", '\\"', "node ", "python -c ", "\n", "a"])
def test_a_long_command_is_read_once(part: str) -> None:
    command = f"make 'a'{much(part)}x"
    assert segments(command)
    assert not changes(f"ls {much(part)}x")
    assert fingerprint("run_command", {"command": command})
    assert not shows_content(f"{command}; make")
    assert named_tests(f"{command}; pytest a_test.py") in (["a_test.py"], [])


@pytest.mark.parametrize(
    "part", [":1", "a:1:1 ", "a: Assertion 'b", "(1,1", "./a.go:1", "x\n", "Error(A::", " not found"]
)
def test_a_long_output_is_looked_through_once_for_the_lines_of_failures(part: str) -> None:
    assert told(much(part)) is None
    assert told(f"{much(part)}\nmake: *** [all] Error 2") == "make: *** [all] Error 2"


def test_a_look_at_all_changes_with_many_options_is_read_once() -> None:
    for part in ("-C ", "-C a ", "-c a ", "-x "):
        assert looked_at(f"git {much(part)[:3000]}x") != "."


def test_a_goal_of_one_word_or_of_lines_without_words_is_read_once() -> None:
    for part in ("a", "-", "\n", "a-"):
        assert replacements(f"change {much(part)} or x to y") == replacements("change x to y")
        assert parts(f"{much(part)}\n1. one") == ["one"]
        assert named_ui_file(f"{much(part)} a.css") == "a.css"
        assert ratio(much(part), much(part)) == 1.0 or part in "-\n"


@pytest.mark.parametrize("part", ["- ", "-", "_", "> a\n", "<a b>", "he wrote: a\n\n"])
def test_a_message_full_of_marks_of_quotations_is_read_once(part: str) -> None:
    said = own_words(f"do it\n{much(part)}")
    assert said.startswith("do it\n")
    assert (FILLED in said) == (part in ("> a\n", "he wrote: a\n\n"))


@pytest.mark.parametrize("part", ["\n", "-\n", "1."])
def test_a_final_text_of_blank_lines_is_read_once(part: str) -> None:
    assert list(outcomes(much(part))) == []


@pytest.mark.parametrize("part", ["all tests pass ", "I ran pytest ", "all tests but test_a pass "])
def test_what_each_statement_of_a_final_text_hangs_on_is_read_once(part: str) -> None:
    assert list(unshown(part * (20_000 // len(part)), [])) != []


def test_what_a_statement_hangs_on_stands_near_it() -> None:
    assert outcomes(f"when it is {'very ' * 20}late all tests pass") == ()
    assert outcomes(f"when it is {'very ' * 80}late all tests pass") != ()


def test_a_file_that_is_no_python_and_full_of_blank_lines_is_read_once() -> None:
    found = python_uses(f"import (\n{much(chr(10))}import json\n")
    assert [one.module for one in found.imports] == ["json"]


@pytest.mark.parametrize("part", ['\\"', "/* "])
def test_a_configuration_that_is_never_closed_is_read_once(part: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        json_with_comments('{"a": 1} ' + much(part))
    assert json_with_comments('{"a": "/* b", /* c */ "d": [1,],} // e') == {"a": "/* b", "d": [1]}


def test_an_answer_of_blank_lines_is_read_once() -> None:
    assert read_pip(much("\n")) == read_pip("")


@pytest.mark.parametrize("part", [" ", "\n", "a"])
def test_a_reply_that_only_begins_a_call_is_read_once(part: str) -> None:
    calls = written_calls(f"<tool_call>{much(part)}!", ["run_command"]).calls
    assert [call.code for call in calls] == (["truncated"] if part == "\n" else [])
    assert read_body(f"run_command{much(part)}!")[0].code == "malformed"


def test_what_a_long_line_could_become_is_not_listed() -> None:
    assert small_changes(much("1 + "), "one") == []
    assert [one for _, one in small_changes(f"{much('a')}\na = 1\n", "a")] == ["a = 2", "a = 0"]
    assert values_in({"a": much(" ")}, "a") == []


def test_an_edit_names_the_fewest_lines_that_stand_once() -> None:
    text = "b\n" * 20_000
    assert appended("a.txt", f"a\n{text}", "c\n")["old_text"] == text.rstrip("\n")
    assert appended("a.txt", "a\nx\nb\nb\n", "c\n")["old_text"] == "b\nb"
    assert appended("a.txt", "b\na\n", "c\n")["old_text"] == "a"


def test_strings_that_are_never_closed_stay() -> None:
    assert without_strings("a \"b\" 'c' `d` \"e 'f' g") == 'a    "e  g'
    assert without_strings('a "b\\" c" d', "''") == "a '' d"
    assert without_strings("a 'b\\' c'd'", "''", SHELL) == "a '' c''"
    assert without_strings('"a\\\nb" "c"', "''") == "\"a\\\nb''c\""


def test_a_makefile_of_blank_lines_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(f"{much(chr(10))}include a.mk b.mk  \ntest:\n\ttrue\n")
    assert {"a.mk", "b.mk"} <= {*scripts_run(tmp_path, "make test")}


def test_secrets_are_looked_for_once() -> None:
    assert mask(much("xoxe.")) == much("xoxe.")
    assert mask_passwords(f"{much('a.')} postgres://user:pass@host/x") == f"{much('a.')} postgres://user:***@host/x"


def test_lines_of_requirements_and_dashes_in_a_goal_are_read_once() -> None:
    assert len(requirements([f"{much('a')}.whl", much("1")]).registry) == 2
    assert asks_to_change(f"{much('-')} change the file check.sh", "check.sh")
