"""The table of the lines by which tools say that they failed, and what only looks like one."""

import re

import pytest

from arreio.trajectories import Thresholds
from services.tool_loop.rules.error_class import failing_tests, symptom
from services.tool_loop.rules.failure_lines import FORMS, WITHIN, Form, told
from services.tool_loop.rules.grounding.shown_outcomes import Ran, unshown
from services.tool_loop.rules.loops.trajectory import Judgement, RecordedStep, judge
from services.tool_loop.rules.normalising import normalise
from tests.support.stuck_runs import step


@pytest.mark.parametrize("form", [*FORMS, *WITHIN], ids=lambda form: f"{form.tools}: {form.line[:12]}")
def test_a_row_of_the_table_finds_its_own_example(form: Form) -> None:
    line = normalise(form.example)
    assert re.match(form.line, line) if form in FORMS else re.search(form.line, line)
    assert told(f"# begun\n{line}\n# ended") == line


@pytest.mark.parametrize(
    "fine",
    [
        "0 errors, 0 warnings",
        "no errors found",
        "webpack 5.1 compiled successfully in 312 ms",
        "webpack 5.1 compiled with 2 warnings",
        "✔ No problems found",
        "✖ 3 problems (0 errors, 3 warnings)",
        "not ok 3 slow # TODO later",
        "ok 1 fails on bad input",
        "Executed 12 tests, with 0 failures (0 unexpected)",
        "PLAY RECAP web01 : ok=3 changed=1 unreachable=0 failed=0",
        "error_handler.py loaded",
        "10:00:01 INFO retry 3 after error: refused",
        "make: Nothing to be done for 'all'.",
        "src/main.go:12: listening",
        "src/a.c:4:7: warning: unused variable",
        "a.py:4:7: note: see above",
        "2 files would be left unchanged.",
        "100% tests passed, 0 tests failed out of 9",
        "[error] GenServer terminating\n** (RuntimeError) boom\n.....\n30 tests, 0 failures",
        "FAIL is printed by a test\n31 passed in 0.41s",
        "nginx: the configuration file /etc/nginx/nginx.conf syntax is ok",
        "Everything up-to-date",
    ],
)
def test_what_ends_well_or_only_speaks_of_errors_is_no_failure(fine: str) -> None:
    assert told(normalise(fine)) is None


def test_a_line_that_fails_after_a_good_summary_counts() -> None:
    assert told("31 passed in <span>\na.py:4: error: Missing return statement") is not None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1 runs, 1 assertions, 1 failures, 0 errors, 0 skips", 1),
        ("Tests run: 9, Failures: 2, Errors: 1, Skipped: 0", 3),
        ("0% tests passed, 1 tests failed out of 1", 1),
        ("3 failures\nlater\n0 failures, 0 errors", 0),
        ("all is well", None),
    ],
)
def test_failures_and_errors_of_one_line_are_counted_together(text: str, count: int | None) -> None:
    assert failing_tests(text) == count


def _rounds(command: str, printed: str) -> Judgement:
    edited = [
        RecordedStep("edit", {"raw": f"{n}:{n}\nline{n}\nend_of_edit"}, f"{n}:line{n}\nFile updated.", False)
        for n in range(26)
    ]
    thresholds = Thresholds.of("strong")
    steps = [one for edit in edited for one in (edit, step("bash", printed, command=command))]
    return judge(steps, thresholds.limits, thresholds.caps())


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("go build ./...", "# app\n./a.go:4:7: undefined: foo"),
        ("npx tsc --noEmit", "src/a.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'."),
        ("black --check .", "would reformat a.py\nOh no! 💥 💔 💥\n1 file would be reformatted."),
        ("./app", "Segmentation fault (core dumped)"),
        ("ctest", "0% tests passed, 1 tests failed out of 1"),
    ],
)
def test_a_check_that_fails_alike_after_every_edit_is_found_where_the_log_holds_no_status(
    command: str, printed: str
) -> None:
    assert symptom(normalise(printed)) is not None
    found = _rounds(command, printed)
    assert found.kind == "churn" and found.halt_step is not None


@pytest.mark.parametrize(
    ("command", "printed", "claim", "fails"),
    [
        ("bats t.bats tests", "not ok 1 total", "All tests pass.", True),
        ("make check", "app: a.c:4: main: Assertion `x' failed.", "All tests pass.", True),
        ("mix test", "[error] expected\n30 tests, 0 failures", "All tests pass.", False),
        ("npx tsc --noEmit", "src/a.ts(4,7): error TS2322: Type", "tsc is clean.", True),
        ("npx tsc --noEmit", "", "tsc is clean.", False),
    ],
)
def test_what_is_claimed_of_a_check_whose_status_is_not_known_is_held_to_its_lines(
    command: str, printed: str, claim: str, fails: bool
) -> None:
    assert bool(list(unshown(claim, [Ran(command, printed, None)]))) == fails
    assert not list(unshown(claim, [Ran(command, printed, 0)]))


def test_a_compiler_shows_no_passing_test() -> None:
    assert list(unshown("All tests pass.", [Ran("npx tsc --noEmit", "", 0)]))


def test_a_check_that_ends_well_after_every_edit_is_fine() -> None:
    assert _rounds("mix test", "[error] GenServer terminating\n.....\n30 tests, 0 failures") == Judgement()
