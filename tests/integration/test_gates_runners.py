"""Test runners run for real, told to leave their reports; and reports that are old, forged or missing."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import TestsCriterion, parse_criterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from shared.sandbox import Limits, sandbox_works
from tests.support.gate_workspaces import RUN_PYTEST

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))

Ask = Callable[..., CriterionResult]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(
        run: str, files: dict[str, str] | None = None, limits: Limits | None = None, **fields: object
    ) -> CriterionResult:
        for name, text in (files or {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        commands = SandboxedCommands(tmp_path, limits=limits or Limits(seconds=120))
        criterion = TestsCriterion.model_validate({"run": run, **fields})
        return asyncio.run(judge(criterion, Bench(tmp_path, commands)))

    return asked


def counted(result: CriterionResult) -> tuple[int, int, int]:
    assert result.counts is not None, result.seen
    return result.counts.passed, result.counts.failed, result.counts.skipped


GOOD, BAD = "def test_good(): pass\n", "def test_bad(): assert 1 == 2, 'sums are off'\n"


def test_a_second_run_of_pytest_does_not_hide_the_first_ones_failures(ask: Ask) -> None:
    files = {"test_a.py": BAD, "test_b.py": GOOD}
    result = ask(f"{RUN_PYTEST} test_a.py; {RUN_PYTEST} test_b.py", files)
    assert result.verdict == "FAIL" and counted(result) == (1, 1, 0)


def test_pytest_started_by_a_script_is_counted_too(ask: Ask) -> None:
    result = ask("sh ./check.sh", {"test_a.py": BAD, "check.sh": f"{RUN_PYTEST} || true\n"})
    assert result.verdict == "FAIL" and counted(result) == (0, 1, 0)


def test_unittest_is_counted_and_its_failures_are_named(ask: Ask) -> None:
    code = (
        "import unittest\n"
        "class A(unittest.TestCase):\n"
        "    def test_a(self): self.assertEqual(1, 2)\n"
        "    def test_b(self): pass\n"
    )
    result = ask("python3 -m unittest", {"test_a.py": code})
    assert result.verdict == "FAIL" and counted(result) == (1, 1, 0)
    assert "test_a (test_a.A" in result.seen and "AssertionError: 1 != 2" in result.seen


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("run", ["node --test", "npm test"])
def test_nodes_own_runner(ask: Ask, run: str) -> None:
    if shutil.which(run.split()[0]) is None:
        pytest.skip(f"{run.split()[0]} is not installed")
    head = "const {test} = require('node:test'); const assert = require('node:assert');\n"
    files = {
        "a.test.js": f"{head}test('adds', () => assert.equal(1 + 1, 2)); test('fails', () => assert.equal(1, 2));",
        "package.json": '{"scripts": {"test": "node --test"}}',
    }
    result = ask(run, files)
    assert result.verdict == "FAIL" and counted(result) == (1, 1, 0)
    assert "fails: 1 == 2" in result.seen


@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not installed")
def test_cargo(ask: Ask) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
        "src/lib.rs": '#[test] fn adds() {}\n#[test] fn wrong() { assert_eq!(1 + 1, 3, "sums are off"); }\n',
    }
    result = ask("cargo test --offline", files, Limits(seconds=240))
    assert result.verdict == "FAIL" and counted(result) == (1, 1, 0)
    assert "wrong: assertion `left == right` failed: sums are off" in result.seen


JUNIT = '<testsuite><testcase name="a"/></testsuite>'
FAILING = '<testsuite><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite>'


def leaving(place: str, content: str) -> str:
    return f"mkdir -p $(dirname {place}); printf '%s' '{content}' > {place}"


def test_the_reports_of_maven_are_found_in_its_modules(ask: Ask) -> None:
    mvn = "#!/bin/sh\n" + "\n".join(
        leaving(f"{module}/target/surefire-reports/TEST-{module}.xml", content)
        for module, content in (("a", JUNIT), ("b", FAILING))
    )
    result = ask("sh ./mvnw -q test", {"mvnw": mvn})
    assert result.verdict == "FAIL" and counted(result) == (2, 1, 0)


def test_a_report_that_was_there_before_is_older_than_the_run(ask: Ask) -> None:
    files = {"mvnw": "#!/bin/sh\ntrue\n", "target/surefire-reports/TEST-a.xml": JUNIT}
    assert ask("sh ./mvnw -q test", files).verdict == "NOT_RUN"
    named = ask("make -v", {"out/junit.xml": JUNIT}, report="out/junit.xml")
    assert named.verdict == "NOT_RUN" and "out/junit.xml is older than the run" in named.seen


def test_a_report_from_the_future_is_older_than_the_run_all_the_same(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "junit.xml").write_text(JUNIT)
    os.utime(tmp_path / "junit.xml", (4e9, 4e9))
    assert ask("true", report="junit.xml").verdict == "NOT_RUN"


def test_a_named_report_that_the_command_leaves_is_read(ask: Ask) -> None:
    passing = ask(leaving("out/junit.xml", JUNIT), report="out/junit.xml")
    assert passing.verdict == "PASS" and counted(passing) == (1, 0, 0)
    assert ask(leaving("out/junit.xml", FAILING), report="out/junit.xml").verdict == "FAIL"
    assert ask("true", report="out/other.xml").verdict == "NOT_RUN"


def test_any_junit_that_an_unknown_runner_leaves_is_read(ask: Ask) -> None:
    assert ask(leaving("reports/x.xml", FAILING)).verdict == "FAIL"
    assert ask(leaving("reports/coverage.xml", "<coverage/>")).uncounted


def test_without_a_sandbox_reports_are_brought_out_and_nothing_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(BAD)
    before = set(Path("/tmp").glob("arreio-*"))
    bench = Bench(tmp_path, SandboxedCommands(tmp_path, sandbox="none", limits=Limits(seconds=60)))
    result = asyncio.run(judge(TestsCriterion(run=f"{RUN_PYTEST} || true"), bench))
    assert result.verdict == "FAIL" and counted(result) == (0, 1, 0)
    left = {path for path in set(Path("/tmp").glob("arreio-*")) - before if len(path.name) == len("arreio-") + 24}
    assert not left


def test_a_crash_after_the_report_fails(ask: Ask) -> None:
    code = f"{GOOD}import atexit, os\natexit.register(lambda: os.kill(os.getpid(), 11))\n"
    result = ask(RUN_PYTEST, {"test_a.py": code})
    assert result.verdict == "FAIL" and counted(result) == (1, 0, 0)
    assert "1 passed, 0 failed, 0 skipped, but exit status 139 (ended by signal 11)" in result.seen


def test_a_crash_before_the_report_fails(ask: Ask) -> None:
    result = ask(RUN_PYTEST, {"test_a.py": "import os\ndef test_a(): os.kill(os.getpid(), 11)\n"})
    assert (result.verdict, result.environment) == ("FAIL", False) and "signal 11" in result.seen


def test_an_end_with_status_0_before_the_report_was_not_run(ask: Ask) -> None:
    forging = "import os\ndef test_a():\n os.write(1, b'3 passed in 0.1s\\n')\n os._exit(0)\n"
    result = ask(f"{RUN_PYTEST} -s", {"test_a.py": forging})
    assert (result.verdict, result.counts) == ("NOT_RUN", None)


def test_a_report_forged_by_a_test_does_not_count_for_the_real_one(ask: Ask) -> None:
    forging = (
        "import glob\n"
        "def test_a():\n"
        f" for place in [*glob.glob('/tmp/arreio-*/*'), '/tmp/arreio-report.xml', 'report.xml']:\n"
        f"  open(place, 'w').write('''{JUNIT}''')\n"
        " assert False\n"
    )
    result = ask(RUN_PYTEST, {"test_a.py": forging})
    assert result.verdict == "FAIL" and counted(result) == (0, 1, 0)


def test_limits_fail_and_are_named(ask: Ask) -> None:
    slow = ask("sleep 60", limits=Limits(seconds=1))
    loud = ask("yes", limits=Limits(seconds=60, output_bytes=1 << 20))
    big = ask(
        f"{sys.executable} -c 'x = b\"a\" * (500 << 20); import time; time.sleep(60)'",
        limits=Limits(seconds=60, memory_bytes=200 << 20),
    )
    for result, limit in ((slow, "time"), (loud, "output"), (big, "memory")):
        assert (result.verdict, result.environment) == ("FAIL", False) and f"its {limit} limit" in result.seen


def test_what_a_gate_started_ends_with_it(ask: Ask, tmp_path: Path) -> None:
    marker = f"arreio-survivor-{tmp_path.name}"
    result = ask(
        f"setsid sh -c 'sleep 300; : {marker}' & nohup sh -c 'sleep 300; : {marker}' & echo '1 passed in 0.1s'"
    )
    assert result.verdict == "PASS"
    running = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not any(marker.encode() in line for line in running)


def test_a_criterion_with_a_report_is_written_and_read_alike() -> None:
    criterion = parse_criterion("tests: make check :: out/junit.xml")
    assert criterion == TestsCriterion(run="make check", report="out/junit.xml")
    assert parse_criterion("tests: pytest tests/a.py::test_b") == TestsCriterion(run="pytest tests/a.py::test_b")
