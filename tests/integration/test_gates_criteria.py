"""Criteria judged on real workspaces, in the real sandbox: the verdict, and that judging changes nothing."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import parse_criterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from shared.sandbox import Limits, sandbox_works
from shared.verifiers import snapshot
from tests.support.gate_workspaces import RUN_PYTEST

needs_sandbox = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))

Ask = Callable[..., CriterionResult]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(text: str, **bench: object) -> CriterionResult:
        limits = Limits(seconds=float(str(bench.pop("seconds", 60))))
        sandbox = bench.pop("sandbox", "bubblewrap")
        commands = SandboxedCommands(tmp_path, limits=limits, sandbox=sandbox)  # type: ignore[arg-type]
        return asyncio.run(judge(parse_criterion(text), Bench(tmp_path, commands, **bench)))  # type: ignore[arg-type]

    return asked


def content(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


@needs_sandbox
def test_tests_are_counted_from_the_runners_report_and_judging_changes_nothing(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pathlib\n"
        "def test_ok(): pathlib.Path('left.txt').write_text('behind')\n"
        "def test_bad(): assert 1 + 1 == 3, 'sums are off'\n"
    )
    before = content(tmp_path)
    result = ask(f"tests: {RUN_PYTEST}")
    assert result.verdict == "FAIL"
    assert result.counts is not None and (result.counts.passed, result.counts.failed) == (1, 1)
    assert "test_a.py::test_bad: AssertionError: sums are off" in result.seen
    assert content(tmp_path) == before and result.changed == ()
    (tmp_path / "test_a.py").write_text("def test_ok(): pass\n")
    assert ask(f"tests: {RUN_PYTEST}").verdict == "PASS"


@needs_sandbox
def test_a_masked_exit_status_or_a_report_of_its_own_does_not_hide_failures(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "test_a.py").write_text("def test_bad(): assert False\n")
    assert ask(f"tests: {RUN_PYTEST} || true").verdict == "FAIL"
    own = ask(f"tests: {RUN_PYTEST} --junitxml=own.xml || true")
    assert own.verdict == "FAIL" and own.counts is not None
    assert not (tmp_path / "own.xml").exists()


@needs_sandbox
def test_an_old_report_is_none(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "own.xml").write_text('<testsuites><testsuite><testcase name="a"/></testsuite></testsuites>')
    result = ask("tests: true pytest --junitxml=own.xml")
    assert (result.verdict, result.counts) == ("NOT_RUN", None)


@needs_sandbox
def test_nothing_collected_is_not_run_and_a_broken_test_file_fails(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "a.py").write_text("")
    empty = ask(f"tests: {RUN_PYTEST}")
    assert (empty.verdict, empty.environment, empty.seen) == ("NOT_RUN", False, "no test was found")
    (tmp_path / "test_a.py").write_text("import nothing_of_that_name\n")
    broken = ask(f"tests: {RUN_PYTEST}")
    assert broken.verdict == "FAIL" and "nothing_of_that_name" in broken.seen


@needs_sandbox
def test_commands_by_their_exit_status(tmp_path: Path, ask: Ask) -> None:
    assert ask("command: true").verdict == "PASS"
    failing = ask("command: echo the reason >&2; exit 3")
    assert (failing.verdict, failing.seen) == ("FAIL", "exit status 3\nthe reason")
    absent = ask("command: no-such-program --build")
    assert (absent.verdict, absent.environment) == ("NOT_RUN", True) and "no-such-program" in absent.seen
    script = ask("command: ./build.sh")
    assert (script.verdict, script.environment) == ("FAIL", False)
    slow = ask("command: sleep 60", seconds=1)
    assert slow.verdict == "FAIL" and "time limit" in slow.seen


@needs_sandbox
def test_a_commands_writes_are_gone_with_the_overlay(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "kept.txt").write_text("as it was")
    result = ask("command: echo new > kept.txt; rm -rf sub; touch other; grep -q new kept.txt")
    assert (result.verdict, result.changed) == ("PASS", ())
    assert content(tmp_path) == {"kept.txt": b"as it was"}


def test_without_an_overlay_what_changed_is_reported(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "kept.txt").write_text("as it was")
    result = ask("command: echo new > kept.txt; touch other", sandbox="none")
    assert (result.verdict, result.changed) == ("PASS", ("kept.txt", "other"))


def test_file_exists(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "sub").mkdir()
    (tmp_path / "out").symlink_to("/etc/hostname")
    (tmp_path / "dangling").symlink_to("nowhere")
    verdicts = {
        name: ask(f"file_exists: {name}").verdict for name in ("a.txt", "sub", "sub/", "b.txt", "out", "dangling")
    }
    assert [name for name, verdict in verdicts.items() if verdict == "PASS"] == ["a.txt", "sub/"]
    assert "lies outside" in ask("file_exists: out").seen


def test_file_contains(tmp_path: Path, ask: Ask) -> None:
    (tmp_path / "a.txt").write_bytes("primeira\nolá mundo\n\xff".encode("latin-1"))
    (tmp_path / "b.txt").write_text("first\nolá mundo\n")
    (tmp_path / "long.txt").write_text("a" * 30 + "\n" + "x" * 9_000 + "\nend\n")
    assert ask("file_contains: b.txt :: ^olá\\s").verdict == "PASS"
    assert ask("file_contains: a.txt :: ^primeira$").verdict == "PASS"
    assert ask("file_contains: long.txt :: ^end$").verdict == "PASS"
    assert ask("file_contains: long.txt :: ^(?:e|n)*d$").verdict == "PASS"
    wrong = ask("file_contains: b.txt :: second")
    assert (wrong.verdict, wrong.seen) == ("FAIL", "first\nolá mundo")
    assert ask("file_contains: none.txt :: x").seen == "the file does not exist"


def test_a_regular_expression_that_never_ends_is_ended(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.gate_runner.searching.TIME_LIMIT", 0.5)
    (tmp_path / "a.txt").write_text("a" * 40 + "!")
    result = ask("file_contains: a.txt :: ^(a|aa)+$")
    assert result.verdict == "FAIL" and "backtracks" in result.seen


def test_an_answer_must_say_something(ask: Ask) -> None:
    assert ask("answer:", reply="Olá!").verdict == "PASS"
    assert ask("answer:", reply=" \n").verdict == "FAIL"


def test_an_answer_that_names_what_nobody_saw_fails_with_the_list(ask: Ask) -> None:
    result = ask("answer:", reply="It is in ghost.py.", ungrounded=("ghost.py",))
    assert (result.verdict, result.seen) == ("FAIL", "never seen: ghost.py")


@needs_sandbox
def test_a_changed_or_deleted_test_fails_and_a_new_one_does_not(tmp_path: Path, ask: Ask) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_a.py").write_text("def test_a(): assert False\n")
    (tests / "helper.py").write_text("")
    (tmp_path / "pyproject.toml").write_text("[project]\nname='x'\n[tool.pytest.ini_options]\naddopts='-q'\n")
    (tmp_path / "main.py").write_text("")
    start = snapshot(tmp_path)
    assert sorted(start) == ["pyproject.toml#tool.pytest", "tests/helper.py", "tests/test_a.py"]
    (tests / "test_a.py").write_text("def test_a(): pass\n")
    (tests / "test_new.py").write_text("def test_new(): pass\n")
    (tmp_path / "main.py").write_text("x = 1")
    (tmp_path / "pyproject.toml").write_text("[project]\nname='y'\n[tool.pytest.ini_options]\naddopts='-q'\n")
    weakened = ask(f"tests: {RUN_PYTEST}", verifiers=start)
    assert (weakened.verdict, weakened.seen) == (
        "FAIL",
        "tests/test_a.py was changed; put it back as it was (whole new tests may be added beside it)",
    )
    assert ask(f"tests: {RUN_PYTEST}", verifiers=start, allow_test_changes=True).verdict == "PASS"
    assert ask(f"tests: {RUN_PYTEST}", verifiers=start, editable=("tests/test_a.py",)).verdict == "PASS"
    (tests / "helper.py").unlink()
    gone = ask(f"tests: {RUN_PYTEST}", verifiers=start)
    assert gone.seen.startswith("tests/helper.py was deleted; put it back as it was\n")


@pytest.mark.parametrize(
    ("criterion", "verdict", "said"),
    [
        ("file_exists: a b/é ç.txt", "PASS", ""),
        ("file_exists: ./a b/../a b/é ç.txt", "refused", ""),
        ("file_exists: a b/", "PASS", ""),
        ("file_exists: a b", "FAIL", "a directory of that name"),
        ("file_exists: within", "PASS", ""),
        ("file_exists: out", "FAIL", "lies outside the workspace"),
        ("file_exists: out-folder/passwd", "FAIL", "lies outside the workspace"),
        ("file_exists: broken", "FAIL", "it does not exist"),
        ("file_exists: loop", "FAIL", "it does not exist"),
        ("file_exists: pipe", "FAIL", "it is not a regular file"),
        ("file_exists: a b/é ç.txt/x", "FAIL", "it does not exist"),
        ("file_contains: pipe :: x", "FAIL", "it is not a regular file"),
        ("file_contains: a b :: x", "FAIL", "it is not a regular file"),
        ("file_contains: huge :: x", "NOT_RUN", "larger than"),
        ("file_contains: marked.txt :: ^olá$", "PASS", ""),
        ("file_contains: windows.txt :: ^olá$", "PASS", ""),
        ("file_contains: binary :: ola", "PASS", ""),
        ("file_contains: runs :: ^(a|a)*$", "FAIL", "backtracks too much"),
        ("file_contains: a :: (", "refused", ""),
        ("file_contains: a :: \\d{99999999999}", "refused", ""),
        ("file_contains: ../a :: x", "refused", ""),
    ],
)
def test_odd_paths_and_expressions_have_a_verdict(
    tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch, criterion: str, verdict: str, said: str
) -> None:
    monkeypatch.setattr("services.gate_runner.searching.TIME_LIMIT", 0.5)
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b/é ç.txt").write_text("x")
    links = {"within": "a b/é ç.txt", "out": "/etc/passwd", "out-folder": "/etc", "broken": "none", "loop": "loop"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(20 << 20)
    (tmp_path / "marked.txt").write_text("olá\n", "utf-8-sig")
    (tmp_path / "windows.txt").write_text("olá\n", "utf-16")
    (tmp_path / "binary").write_bytes(b"\x00\xff ola \xfe")
    (tmp_path / "runs").write_text("a" * 60 + "!")
    if verdict == "refused":
        with pytest.raises(ValueError, match=r"written as|workspace|regular expression"):
            ask(criterion)
        return
    result = ask(criterion)
    assert (result.verdict, result.environment) == (verdict, False) and said in result.seen, result
