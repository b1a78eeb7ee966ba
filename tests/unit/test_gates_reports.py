"""What test runners leave, read back: recorded reports give counts, the names of failures and the first line of why."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gate_runner.absent import absent_program
from services.gate_runner.reports import Found, Report, read_go, read_jest, read_junit, read_summary
from services.gate_runner.runners import RUNNERS, named_reports, runner_of

RECORDED = Path(__file__).parents[1] / "data" / "reports"


def recorded(name: str) -> bytes:
    return (RECORDED / name).read_bytes()


def read(name: str) -> Report:
    content = recorded(name)
    readers = {
        ".xml": lambda: read_junit(content),
        ".json": lambda: read_jest(content),
        ".jsonl": lambda: read_go(content),
        ".txt": lambda: read_summary(content.decode()),
    }
    found = readers[Path(name).suffix]()
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "counts", "failures"),
    [
        ("node.xml", (1, 1, 2), {"test::fails here": "1 == 2"}),
        (
            "jest.json",
            (1, 1, 1),
            {"a.test.js::group > fails here": "Error: expect(received).toBe(expected) // Object.is equality"},
        ),
        (
            "vitest.json",
            (1, 1, 1),
            {"a.test.js::group > fails here": "AssertionError: expected 1 to be 2 // Object.is equality"},
        ),
        (
            "surefire.xml",
            (1, 2, 1),
            {
                "com/example/SumTest::wrong": "sums are off ==> expected: <3> but was: <2>",
                "com/example/SumTest::breaks": "java.lang.IllegalStateException",
            },
        ),
        (
            "go.jsonl",
            (2, 2, 1),
            {
                "example.com/sum::TestTable/two": "sum_test.go:17: got 3, want 4",
                "example.com/broken": "broken/broken.go:5:9: undefined: nothing",
            },
        ),
        ("cargo.txt", (2, 1, 1), {"tests::wrong": "assertion `left == right` failed: sums are off"}),
        (
            "unittest.txt",
            (1, 2, 1),
            {"test_err (test_u.A.test_err)": "KeyError: 'x'", "test_bad (test_u.A.test_bad)": "AssertionError: 1 != 2"},
        ),
    ],
)
def test_a_recorded_report_gives_counts_names_and_why(
    name: str, counts: tuple[int, int, int], failures: dict[str, str]
) -> None:
    report = read(name)
    assert (report.counts.passed, report.counts.failed, report.counts.skipped) == counts
    assert {failure.name for failure in report.failures} == set(failures)
    for failure in report.failures:
        assert failure.why.startswith(failures[failure.name])


def test_jest_says_what_was_expected_and_received() -> None:
    assert read("jest.json").failures[0].why.endswith("Expected: 2; Received: 1")


def test_what_a_go_test_prints_is_no_result() -> None:
    report = read("go.jsonl")
    assert "--- FAIL: TestForged" in report.output
    assert not any("TestForged" in failure.name for failure in report.failures)


def test_a_suite_that_cannot_run_is_a_failure_of_jest() -> None:
    suite = {"name": "/p/a.test.js", "status": "failed", "message": "SyntaxError: oh", "assertionResults": []}
    report = read_jest(json.dumps({"testResults": [suite]}).encode())
    assert report is not None
    assert [(one.name, one.why) for one in report.failures] == [("a.test.js", "SyntaxError: oh")]


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_are_no_report(content: bytes) -> None:
    for reader in (read_junit, read_jest, read_go):
        reader(content)


@pytest.mark.parametrize("name", ["surefire.xml", "node.xml", "jest.json", "vitest.json"])
def test_a_report_that_was_cut_off_is_none(name: str) -> None:
    content = recorded(name).rstrip()
    reader = read_jest if name.endswith("json") else read_junit
    assert all(reader(content[:size]) is None for size in range(0, len(content), 7))


@pytest.mark.parametrize(
    ("command", "runner"),
    [
        ("pytest -q", "pytest"),
        (".venv/bin/python -m pytest tests", "pytest"),
        ("cd sub && python3 -m pytest", "pytest"),
        ("python -m unittest discover -s tests", "unittest"),
        ("python manage.py test", "unittest"),
        ("npx jest --ci", "jest"),
        ("node_modules/.bin/vitest run", "vitest"),
        ("node --test", "node --test"),
        ("node --import tsx --test src", "node --test"),
        ("go test ./...", "go test"),
        ("CGO_ENABLED=0 go test ./...", "go test"),
        ("cargo test --workspace", "cargo test"),
        ("cargo nextest run", "cargo test"),
        ("./mvnw -q verify", "Maven or Gradle"),
        ("gradle test", "Maven or Gradle"),
        ("make test", ""),
        ("cat pytest.ini", ""),
        ("node server.js", ""),
        ("cargo build", ""),
        ("go vet ./...", ""),
    ],
)
def test_a_runner_is_known_by_the_command_that_starts_it(command: str, runner: str) -> None:
    assert runner_of(command, Path("/nonexistent")).name == runner


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("npx jest src", "npx jest --reporters=default --reporters=/place/witness/arreio_jest.cjs src"),
        (
            "vitest run && echo ok",
            "vitest run --reporter=default --reporter=/place/witness/arreio_vitest.mjs && echo ok",
        ),
        (
            "go test ./... && go vet ./...",
            "go test -json -exec 'sh /place/witness/arreio_go.sh' ./... && go vet ./...",
        ),
        ("go test -json ./...", "go test -json ./..."),
        ("go test ./... > log", "go test ./... > log"),
        ("pytest -q", "pytest -q"),
        ("pytest a; pytest b", "pytest a; pytest b"),
        ("PYTHONPATH=src pytest", "PYTHONPATH=/place/witness:src pytest"),
        ("python3 -m unittest -v", "python3 -m arreio_unittest unittest -v"),
        ("python3 manage.py test a", "python3 -m arreio_unittest manage.py test a"),
        ("./manage.py test a", "./manage.py test a"),
        ("cargo test", "cargo test"),
    ],
)
def test_a_command_is_told_to_leave_a_report(command: str, told: str) -> None:
    assert runner_of(command, Path("/nonexistent")).tell(command, "/place").command == told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("go test ./... > log", "go test -exec 'sh /place/witness/arreio_go.sh' ./... > log"),
        ("go test -exec x ./...", "go test -exec x ./..."),
    ],
)
def test_a_command_that_is_only_watched_prints_what_it_printed(command: str, told: str) -> None:
    watch = runner_of(command, Path("/nonexistent")).watch
    assert watch is not None
    assert watch(command, "/place").command == told and not watch(command, "/place").stdout_is_report


def test_where_no_witness_can_be_loaded_each_pytest_is_told_to_leave_a_report() -> None:
    plain = runner_of("pytest", Path("/nonexistent")).plain
    assert plain is not None
    told = plain.tell("pytest a; pytest b", "/place").command
    assert told == "pytest --junitxml=/place/1.xml a; pytest --junitxml=/place/2.xml b"


@pytest.mark.parametrize(
    ("script", "command", "told"),
    [
        ("jest", "npm test", "npm test -- --reporters=default --reporters=/place/witness/arreio_jest.cjs"),
        (
            "tsc && jest",
            "npm run test -- a",
            "npm run test -- --reporters=default --reporters=/place/witness/arreio_jest.cjs a",
        ),
        ("jest", "yarn test", "yarn test --reporters=default --reporters=/place/witness/arreio_jest.cjs"),
        # What follows the runner would be handed the options: then the lines for people are read.
        ("jest && tsc", "npm test", "npm test"),
    ],
)
def test_options_are_handed_on_through_a_script(tmp_path: Path, script: str, command: str, told: str) -> None:
    (tmp_path / "package.json").write_text(f'{{"scripts": {{"test": "{script}"}}}}')
    assert runner_of(command, tmp_path).tell(command, "/place").command == told


def test_a_named_report_is_read_whatever_the_runner() -> None:
    runner = runner_of("pytest", Path("/nonexistent"), "out/junit.xml")
    assert runner.tell("pytest", "/place").leaves == ("out/junit.xml",)
    report = runner.read((Found("out/junit.xml", recorded("surefire.xml")),), "7 passed in 0.1s")
    assert report is not None and report.counts.failed == 2
    assert runner.read((), "7 passed in 0.1s") is None


def test_reports_outside_the_workspace_are_not_looked_for() -> None:
    assert named_reports("pytest --junitxml=./out/a.xml --x ../b.xml /tmp/c.xml") == ("out/a.xml",)


def test_only_the_unknown_runner_may_end_well_without_a_report() -> None:
    assert all(runner.due for runner in RUNNERS)
    assert not runner_of("make test", Path("/nonexistent")).due


@pytest.mark.parametrize(
    ("status", "output", "program"),
    [
        (127, "sh: 1: ruff: not found", "ruff"),
        (127, "bash: line 1: ruff: command not found", "ruff"),
        (127, "/usr/bin/env: ‘node’: No such file or directory", "node"),
        (127, "sh: 1: ./build.sh: not found", None),
        (126, "sh: 1: /usr/bin/secret: Permission denied", "/usr/bin/secret"),
        (126, "sh: 1: ./build.sh: Permission denied", None),
        (2, "make: ruff: No such file or directory\nmake: *** [Makefile:3: lint] Error 127", "ruff"),
        (2, "make: *** [Makefile:3: lint] Error 1", None),
        (1, "/usr/bin/python3: No module named mypy", "mypy"),
        (1, "/usr/bin/python3: No module named app", None),
        (
            101,
            "error: no such command: `nextest`\n\n\tView all installed commands with `cargo --list`",
            "cargo nextest",
        ),
        (1, "sh: 1: ruff: not found", None),
        (0, "sh: 1: ruff: not found", None),
    ],
)
def test_what_is_not_installed_is_told_from_what_the_task_lacks(status: int, output: str, program: str | None) -> None:
    assert absent_program(status, output) == program


@pytest.mark.parametrize(
    ("name", "missing"), [("/usr/bin/nosuchtool", True), ("/work/a/run.sh", False), ("/work/ab/run.sh", True)]
)
def test_a_program_by_a_path_that_leads_out_of_the_workspace_is_missing_on_the_machine(
    name: str, missing: bool
) -> None:
    assert (absent_program(127, f"sh: 1: {name}: not found", "/work/a") == name) is missing


@pytest.mark.parametrize(
    "text",
    [
        '<testsuites errors="1"><testsuite tests="1" errors="1"><testcase name="a"/></testsuite></testsuites>',
        '<testsuite tests="2" failures="1"><testcase name="a"/><testcase name="b"/></testsuite>',
    ],
)
def test_failures_that_a_suite_counts_and_names_nowhere_are_failures(text: str) -> None:
    report = read_junit(text.encode())
    assert report is not None and report.counts.failed == 1
    assert report.failures[0].why == "1 failures and errors are counted, and 0 named"


def test_a_test_that_fails_and_breaks_in_its_teardown_is_one_failure() -> None:
    case = '<testcase name="a"><failure message="no"/><error message="teardown"/></testcase>'
    report = read_junit(f'<testsuite tests="1" failures="1" errors="1">{case}</testsuite>'.encode())
    assert report is not None and (report.counts.failed, report.failures[0].why) == (1, "no")


def test_a_report_in_utf_16_is_read_and_skipped_tests_are_named() -> None:
    text = '<?xml version="1.0" encoding="utf-16"?><testsuite><testcase name="ã"><skipped/></testcase></testsuite>'
    report = read_junit(text.encode("utf-16"))
    assert report is not None and report.skipped == ("ã",)
