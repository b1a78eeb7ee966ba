"""The gate-runner's pure rules: reports, the aggregate, the list of what is missing, admission."""

from pathlib import Path
from typing import get_args

import pytest
from arreio_contracts.messages import CriterionResult, TestCounts, Verdict
from arreio_contracts.task import CRITERION_KINDS, TestsCriterion, parse_criterion
from hypothesis import given
from hypothesis import strategies as st

from services.gate_runner.absent import absent_program
from services.gate_runner.aggregate import aggregate
from services.gate_runner.commands import Ran
from services.gate_runner.criteria import JUDGES
from services.gate_runner.criteria.tests import judge_run
from services.gate_runner.missing import missing
from services.gate_runner.reports import Found, read_junit, read_summary
from services.gate_runner.runners import runner_of
from shared.admission import Means, unsatisfiable
from shared.sandbox import CommandResult

VERDICTS = st.lists(st.sampled_from(get_args(Verdict)), max_size=6)


def results(verdicts: list[Verdict]) -> list[CriterionResult]:
    return [CriterionResult(criterion="command: make", verdict=verdict) for verdict in verdicts]


@given(VERDICTS, st.integers(0, 7))
def test_a_claim_passes_only_when_every_declared_criterion_passed(verdicts: list[Verdict], declared: int) -> None:
    verdict = aggregate(results(verdicts), declared)
    if verdict == "PASS":
        assert verdicts and len(verdicts) >= declared > 0 and set(verdicts) == {"PASS"}
    assert (verdict == "FAIL") == ("FAIL" in verdicts)


@given(VERDICTS, st.sampled_from(["en", "pt"]))
def test_the_list_names_exactly_what_does_not_hold(verdicts: list[Verdict], language: str) -> None:
    text = missing(results(verdicts), language)  # type: ignore[arg-type]
    assert text.count("- command: make") == sum(verdict != "PASS" for verdict in verdicts)


def test_the_list_is_in_the_tasks_language() -> None:
    one = [CriterionResult(criterion="file_exists: a", verdict="FAIL", expected="a file a", seen="it does not exist")]
    assert missing(one, "en").splitlines() == [
        "Not complete yet. What is missing:",
        "- file_exists: a — does not hold",
        "  expected: a file a",
        "  seen: it does not exist",
    ]
    assert missing(one, "pt").splitlines()[:2] == [
        "Ainda não está completo. O que falta:",
        "- file_exists: a — não vale",
    ]


JUNIT = b"""<?xml version="1.0"?><testsuites><testsuite name="pytest" tests="5">
<testcase classname="tests.test_a" name="test_ok"/>
<testcase classname="tests.test_a" name="test_bad">
<failure message="assert 1 == 2&#10; more">E   assert 1 == 2</failure></testcase>
<testcase classname="" name="tests.test_b"><error message="collection failure">x
E   ImportError: no module</error></testcase>
<testcase classname="tests.test_a" name="test_later"><skipped message="later"/></testcase>
</testsuite></testsuites>"""


def test_a_junit_report_gives_counts_names_and_the_first_line_of_why() -> None:
    report = read_junit(JUNIT)
    assert report is not None
    assert report.counts == TestCounts(passed=1, failed=2, skipped=1)
    assert [(failure.name, failure.why) for failure in report.failures] == [
        ("tests/test_a::test_bad", "assert 1 == 2"),
        ("tests.test_b", "ImportError: no module"),
    ]


@given(st.binary(max_size=60))
def test_any_bytes_are_a_report_or_none(content: bytes) -> None:
    read_junit(content)


@pytest.mark.parametrize(
    "before", [b"", b"\xef\xbb\xbf", b'<?xml version="1.0"?>\n', b"<!-- " + b"x" * 9_000 + b" -->"]
)
def test_a_report_with_entities_is_none(before: bytes) -> None:
    assert read_junit(before + b'<!DOCTYPE x [<!ENTITY a "b">]><testsuites/>') is None


def test_a_test_may_print_a_document_type() -> None:
    printed = "<testsuite><system-out><![CDATA[<!DOCTYPE html>]]></system-out><testcase name='a'/></testsuite>"
    report = read_junit(printed.encode())
    assert report is not None and report.counts.passed == 1


@pytest.mark.parametrize(
    ("output", "counts"),
    [
        ("..\n2 passed in 0.01s\n", (2, 0, 0)),
        ("=== 1 failed, 3 passed, 2 skipped, 1 error in 1.20s ===\n", (3, 2, 2)),
        ("no tests ran in 0.01s", None),
        ("Ran 4 tests in 0.001s\n\nFAILED (failures=1, skipped=1)\n", (2, 1, 1)),
        ("Ran 2 tests in 0.001s\n\nOK\n", (2, 0, 0)),
        ("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", (0, 0, 0)),
        (
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n"
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured\n",
            (4, 2, 1),
        ),
        ("Tests:       1 failed, 2 passed, 3 total\n", (2, 1, 0)),
        ("      Tests  2 passed (2)\n", (2, 0, 0)),
        ("# tests 3\n# pass 2\n# fail 1\n# skipped 0\n", (2, 1, 0)),
        ("  3 passing (12ms)\n  1 failing\n", (3, 1, 0)),
        ("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n", (1, 1, 0)),
        ("everything is fine, 3 passed the exam in June\n", None),
        ("", None),
    ],
)
def test_summary_lines_of_known_runners(output: str, counts: tuple[int, int, int] | None) -> None:
    report = read_summary(output)
    found = None if report is None else (report.counts.passed, report.counts.failed, report.counts.skipped)
    assert found == counts


def ran(status: int | None, output: str = "", killed: str | None = None) -> Ran:
    result = CommandResult(status, output, False, killed == "time", killed, 3.0)  # type: ignore[arg-type]
    return Ran(result)


def judged(run: str, outcome: Ran, junit_xml: bytes | None = None, **options: int) -> CriterionResult:
    runner = runner_of(run, Path("/nonexistent"))
    runner = runner.plain or runner
    found = () if junit_xml is None else (Found("pytest.xml", junit_xml),)
    missing = absent_program(outcome.result.exit_status, outcome.result.output)
    report = runner.read(found, outcome.result.output)
    return judge_run(TestsCriterion(run=run, **options), outcome, runner, report, missing=missing)


def junit(*cases: str) -> bytes:
    return f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>".encode()


OK, BAD, SKIPPED = (
    '<testcase name="a"/>',
    '<testcase name="b"><failure message="no"/></testcase>',
    '<testcase name="c"><skipped/></testcase>',
)


@pytest.mark.parametrize(
    ("run", "outcome", "report", "verdict", "flags"),
    [
        ("pytest", ran(0), junit(OK), "PASS", set()),
        ("pytest", ran(1), junit(OK, BAD), "FAIL", set()),
        ("pytest || true", ran(0), junit(OK, BAD), "FAIL", set()),
        # The report says that all is well, the exit status does not: it crashed after its report, or it was forged.
        ("pytest", ran(1), junit(OK), "FAIL", set()),
        ("pytest", ran(139, "Segmentation fault"), junit(OK), "FAIL", set()),
        ("pytest", ran(139, "Segmentation fault"), None, "FAIL", set()),
        # Nothing collected, all skipped.
        ("pytest", ran(5), junit(), "NOT_RUN", set()),
        ("pytest -k nosuch", ran(5, "no tests ran in 0.01s"), None, "NOT_RUN", set()),
        ("pytest", ran(0), junit(SKIPPED), "NOT_RUN", set()),
        ("python -m unittest", ran(5, "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"), None, "NOT_RUN", set()),
        ("npm test", ran(1, 'npm error Missing script: "test"'), None, "NOT_RUN", set()),
        # A report is due and there is none.
        ("pytest", ran(0, "fine"), None, "NOT_RUN", set()),
        ("pytest", ran(0, "2 passed in 0.1s"), None, "NOT_RUN", set()),
        ("python -m unittest", ran(0, "fine"), None, "NOT_RUN", set()),
        ("mvn -q test", ran(0, "Tests are skipped."), None, "NOT_RUN", set()),
        ("cargo test", ran(0, ""), None, "NOT_RUN", set()),
        ("cargo nextest run", ran(101, "error: no such command: `nextest`"), None, "NOT_RUN", {"environment"}),
        ("go test ./...", ran(0, "? example [no test files]"), None, "NOT_RUN", set()),
        # Not installed, or may not be run.
        ("pytest", ran(127, "sh: 1: pytest: not found"), None, "NOT_RUN", {"environment"}),
        ("pytest", ran(127, "/bin/sh: line 1: pytest: command not found"), None, "NOT_RUN", {"environment"}),
        ("pytest", ran(126, "sh: 1: pytest: Permission denied"), None, "NOT_RUN", {"environment"}),
        ("python3 -m pytest", ran(1, "python3: No module named pytest"), None, "NOT_RUN", {"environment"}),
        ("npx jest", ran(127, "env: 'node': No such file or directory"), None, "NOT_RUN", {"environment"}),
        ("npx jest", ran(1, "npm error could not determine executable to run"), None, "NOT_RUN", {"environment"}),
        (
            "make test",
            ran(2, "make: pytest: No such file or directory\nmake: *** [Makefile:2: test] Error 127"),
            None,
            "NOT_RUN",
            {"environment"},
        ),
        # A script of the workspace's is the task's own matter.
        ("./run_tests.sh", ran(127, "sh: 1: ./run_tests.sh: not found"), None, "FAIL", {"uncounted"}),
        ("./run_tests.sh", ran(126, "sh: 1: ./run_tests.sh: Permission denied"), None, "FAIL", {"uncounted"}),
        # Limits.
        ("pytest", ran(None, killed="time"), None, "FAIL", set()),
        ("pytest", ran(None, killed="memory"), junit(OK), "FAIL", set()),
        ("pytest", ran(None, killed="output"), junit(OK), "FAIL", set()),
        # The runner is not known.
        ("make test", ran(0, "all good"), None, "PASS", {"uncounted"}),
        ("make test", ran(2, "bad"), None, "FAIL", {"uncounted"}),
        ("make test", ran(0, "2 passed in 0.1s"), None, "PASS", set()),
        ("make test", ran(0, "no tests ran in 0.1s"), None, "NOT_RUN", set()),
        ("make test", ran(0, "13 skipped in 0.1s"), None, "NOT_RUN", set()),
    ],
)
def test_the_verdict_on_a_test_run(run: str, outcome: Ran, report: bytes | None, verdict: str, flags: set[str]) -> None:
    result = judged(run, outcome, report)
    assert result.verdict == verdict
    assert {name for name in ("environment", "uncounted") if getattr(result, name)} == flags
    assert verdict == "PASS" or (result.expected and result.seen)


def test_tests_that_failed_under_an_exit_status_of_zero_are_told_to_be_hidden() -> None:
    assert "something hides how they ended" in judged("pytest", ran(0), junit(OK, BAD)).seen
    assert "something hides" not in judged("pytest", ran(1), junit(OK, BAD)).seen


def test_a_file_that_grew_past_its_limit_is_told_as_that() -> None:
    result = judged("pytest", ran(153))
    assert result.verdict == "FAIL"
    assert "its limit of bytes in one file" in result.seen


def test_fewer_tests_than_the_contract_wants_fail() -> None:
    assert judged("pytest", ran(0), junit(OK), min_tests=2).verdict == "FAIL"


def test_what_was_not_counted_is_not_enough_where_many_are_wanted() -> None:
    assert judged("make test", ran(0, "fine"), min_tests=5).verdict == "NOT_RUN"


def test_no_tests_are_enough_only_where_the_contract_wants_none() -> None:
    for report in (junit(), junit(SKIPPED)):
        assert judged("pytest", ran(5), report).verdict == "NOT_RUN"
        assert judged("pytest", ran(5), report, min_tests=0).verdict == "PASS"
    assert judged("pytest", ran(0), None, min_tests=0).verdict == "NOT_RUN"
    assert judged("pytest", ran(1), junit(BAD), min_tests=0).verdict == "FAIL"


@pytest.mark.parametrize(
    ("criterion", "given", "satisfiable"),
    [
        ("file_exists: a", {"tools": ["read_file"], "workspace": True}, False),
        ("file_exists: a", {"tools": ["write_file"], "workspace": True}, True),
        ("tests: pytest", {"tools": [], "workspace": False}, False),
        ("tests: pytest", {"tools": [], "workspace": True, "commands": False}, False),
        ("tests: pytest", {"tools": ["read_file"], "workspace": True, "empty": True}, False),
        ("tests: pytest", {"tools": ["read_file"], "workspace": True}, True),
        ("file_exists: a", {"tools": ["read_file"], "workspace": True, "there": ["a"]}, True),
        ("answer:", {"tools": [], "workspace": False}, True),
        ("diff: a/*", {"tools": [], "workspace": True}, True),
        ("diff: a/*", {"tools": [], "workspace": True, "snapshots": False}, False),
        ("contract: a.json :: s.json", {"tools": ["read_file"], "workspace": True}, False),
        ("contract: a.json :: s.json", {"tools": ["write_file"], "workspace": True}, True),
        ("contract: a.json :: /s.json", {"tools": ["write_file"], "workspace": True}, False),
        ("contract: a.json :: /s.json#/a", {"tools": ["write_file"], "workspace": True, "there": ["/s.json"]}, True),
        ("contract: a.json :: m:Model", {"tools": ["write_file"], "workspace": True, "commands": False}, False),
        ("diff: [", {"tools": [], "workspace": True}, False),
        ("diff: src/[ab, x", {"tools": [], "workspace": True}, False),
        ("diff: src/{a, b}.py", {"tools": [], "workspace": True}, False),
        ("diff: src/a\\", {"tools": [], "workspace": True}, False),
        ("diff: [z-a].py", {"tools": [], "workspace": True}, False),
        ("diff: [ab].py, !b.py, {{x}}/*, ./c, \\[d", {"tools": [], "workspace": True}, True),
        ("command: echo 'a", {"tools": [], "workspace": True}, False),
        ("command: test -f a &&", {"tools": [], "workspace": True}, False),
        ("tests: (pytest -q", {"tools": [], "workspace": True}, False),
        ('command: for f in *.py; do echo "$f"; done | grep -c "it\'s" # (', {"tools": [], "workspace": True}, True),
        ("command: nosuchprogram --x", {"tools": [], "workspace": True}, True),
    ],
)
def test_admission_names_what_can_never_hold(criterion: str, given: dict[str, object], satisfiable: bool) -> None:
    found = unsatisfiable([parse_criterion(criterion)], Means(**given))  # type: ignore[arg-type]
    assert (found == []) == satisfiable
    assert all(criterion in line for line in found)


def test_every_kind_of_criterion_has_a_judge() -> None:
    assert set(JUDGES) == set(CRITERION_KINDS)
