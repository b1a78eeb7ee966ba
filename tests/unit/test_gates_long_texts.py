"""What reads a workspace or an output for the gates costs the length of it: each of these would take minutes."""

import pytest

from services.gate_runner.cheating import detecting, line_tests, makefiles, python_tests
from services.gate_runner.criteria.starting import commands_started
from services.gate_runner.judging_twice import merging, read_by
from services.gate_runner.judging_twice.given import is_given
from services.gate_runner.judging_twice.products import products
from services.gate_runner.reports.summaries import read_summary
from services.gate_runner.runners import RUNNERS
from services.gate_runner.runners.base import named_reports

_MUCH = 100_000


@pytest.mark.parametrize("part", ['\\"', "{", "return {", "/*\n", " ", "it('a',()=>{"])
def test_a_long_line_of_a_test_file_is_read_once(part: str) -> None:
    assert isinstance(line_tests.taken("a.test.js", "a\n", "a\n" + part * (_MUCH // len(part))), list)


def test_loops_in_loops_are_put_in_no_further_than_so_many_statements() -> None:
    cases = ", ".join(map(str, range(20)))
    loops = "\n".join(f"{'    ' * (depth + 1)}for x{depth} in [{cases}]:" for depth in range(5))
    before = "def test_a():\n    assert f(1) == 2\n"
    assert python_tests.taken("test_a.py", before, f"def test_a():\n{loops}\n{'    ' * 6}assert f(x0) == x1\n")


@pytest.mark.parametrize("part", ["\n", " ", "a b "])
def test_a_makefile_of_blanks_is_read_once(part: str) -> None:
    long = f"all:\n\ttrue\na{part * (_MUCH // len(part))}"
    assert makefiles.same_for(long, f"{long}\nb:\n", ["all"])


def test_blank_lines_in_a_python_file_are_read_once() -> None:
    before = "def test_one(:\n" + "\n" * _MUCH
    assert [one.what for one in python_tests.taken("test_a.py", before, "x = 1\n")] == ["test_one"]


@pytest.mark.parametrize(
    ("path", "part"), [("a.php", "class_exists("), ("a.js", "process.argv "), ("a.js", '"test" ==')]
)
def test_code_that_nearly_asks_for_tests_all_along_a_line_is_read_once(path: str, part: str) -> None:
    assert detecting.asks_for_tests(path, "", part * (_MUCH // len(part))) == []


@pytest.mark.parametrize("part", ['\\"', "/* ", 'r#"', "#[cfg(test)]\n", "#[cfg(test)]\nmod a {}\n"])
def test_a_file_of_rust_is_read_once(part: str) -> None:
    text = f"#[cfg(test)]\nmod tests {{ }}\n{part * (_MUCH // len(part))}".encode()
    assert merging.with_tests_of(text, text) is None


@pytest.mark.parametrize("part", ["\n", "from ", "import", " ", "a"])
def test_imports_and_what_checkers_read_are_found_at_one_reading(part: str) -> None:
    text = f"import helpers\nfrom {part * (_MUCH // len(part))}"
    assert products(["helpers.py"], {"a.py": text}, {"test_a.py": text}) == {"helpers.py"}
    assert read_by.loaded_by_checkers([], read_by.Texts(checkers=text)) == frozenset()
    assert read_by.read_by_checkers([], read_by.Texts(checkers=text)) == frozenset()


@pytest.mark.parametrize(
    "part", ["python --a ", "python -c 'x ", "python <<E\n", "spawn(", "spawn(a", "child_process", "-", "a/b.sh "]
)
def test_what_scripts_start_and_give_is_found_at_one_reading(part: str) -> None:
    text = f"require('child_process'); {part * (_MUCH // len(part))}"
    assert not any("pytest" in one for path in ("a.sh", "a.py", "a.js") for one in commands_started(path, text))
    assert not is_given("in.txt", f"{text} in.txt", "Mend a.py.")


@pytest.mark.parametrize("part", ["\n", "1", "=", "Summary [] ", "Tests: 1", " "])
def test_an_output_without_a_summary_is_read_once(part: str) -> None:
    assert read_summary(part * (_MUCH // len(part))) is None


def test_thousands_of_failures_of_cargo_are_read_once() -> None:
    names = range(2_000)
    blocks = "".join(f"---- t{name} stdout ----\nthread panicked at a.rs:1:\nwhy {name}\n" for name in names)
    lines = "".join(f"test t{name} ... FAILED\n" for name in names)
    report = read_summary(f"{lines}{blocks}test result: FAILED. 0 passed; 2000 failed; 0 ignored\n")
    assert report is not None
    assert [one.why for one in report.failures[-2:]] == ["why 1998", "why 1999"]


@pytest.mark.parametrize("part", ["node ", "cargo ", "a@", "/a@b.xml"])
def test_a_long_command_is_looked_through_once(part: str) -> None:
    command = part * (_MUCH // len(part))
    assert not any(runner.starts.search(command) for runner in RUNNERS)
    assert len(named_reports(command)) == (part == "/a@b.xml")


def test_summary_lines_may_stand_behind_blank_lines_and_indented() -> None:
    for text, passed in (
        ("\n\n  ===\n3 passed in 0.1s\n", 3),
        ("\n\n4 passing\n1 failing\n", 4),
        ("     Summary [ 0.1s] x] 9 tests run: 5 passed\n", 5),
        ("\n  Tests:  2 failed, 12 passed, 14 total\n", 12),
    ):
        report = read_summary(text)
        assert report is not None
        assert report.counts.passed == passed
