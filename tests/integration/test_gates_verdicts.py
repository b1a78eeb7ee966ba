"""The table of verdicts, row by row, for every runner of tests that is installed here."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import TestsCriterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from shared.sandbox import Limits, sandbox_works
from tests.support.gate_workspaces import RUN_PYTEST

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))


@dataclass(frozen=True)
class Dialect:
    """How a runner is started, and how its tests are written; an empty text: it has no such thing."""

    program: str
    run: str
    file: str
    passing: str
    failing: str
    skipped: str
    endless: str
    crashing: str
    ending: str
    none: str
    beside: tuple[tuple[str, str], ...] = ()

    def files(self, text: str) -> dict[str, str]:
        return {self.file: text, **dict(self.beside)}


NODE = "const test = require('node:test'); const assert = require('node:assert');\n"
GO = 'package a\nimport ("os"; "testing"; "time")\nvar _, _ = os.Exit, time.Sleep\n'
UNIT = "import os, time, unittest\nclass TestA(unittest.TestCase):\n"
JS = {
    "passing": "test('a', () => {});\n",
    "failing": "test('a', () => { expect(1).toBe(2); });\n",
    "skipped": "test.skip('a', () => {});\n",
    "endless": "test('a', () => new Promise(() => {}), 600000);\n",
    "crashing": "test('a', () => { process.abort(); });\n",
    "ending": "test('a', () => { process.exit(0); });\n",
    "none": "// nothing yet\n",
}
VITEST = {row: f"import {{ expect, test }} from 'vitest';\n{text}" for row, text in JS.items()}
PACKAGE = (("package.json", "{}"),)
MODULES = os.environ.get("ARREIO_TEST_NODE_MODULES", "")
CARGO = (("Cargo.toml", '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n'),)

DIALECTS = {
    "pytest": Dialect(
        program="python3",
        run=RUN_PYTEST,
        file="test_a.py",
        passing="def test_a(): pass\n",
        failing="def test_a(): assert 1 == 2\n",
        skipped="import pytest\n@pytest.mark.skip\ndef test_a(): pass\n",
        endless="import time\ndef test_a(): time.sleep(600)\n",
        crashing="import os\ndef test_a(): os.abort()\n",
        ending="import os\ndef test_a(): os._exit(0)\n",
        none="x = 1\n",
    ),
    "unittest": Dialect(
        program="python3",
        run=f"{sys.executable} -m unittest",
        file="test_a.py",
        passing=f"{UNIT}    def test_a(self): pass\n",
        failing=f"{UNIT}    def test_a(self): self.assertEqual(1, 2)\n",
        skipped=f"{UNIT}    @unittest.skip('later')\n    def test_a(self): pass\n",
        endless=f"{UNIT}    def test_a(self): time.sleep(600)\n",
        crashing=f"{UNIT}    def test_a(self): os.abort()\n",
        ending=f"{UNIT}    def test_a(self): os._exit(0)\n",
        none="x = 1\n",
    ),
    "node": Dialect(
        program="node",
        run="node --test",
        file="a.test.js",
        passing=f"{NODE}test('a', () => {{}});\n",
        failing=f"{NODE}test('a', () => assert.equal(1, 2));\n",
        skipped=f"{NODE}test('a', {{ skip: true }}, () => {{}});\n",
        endless=f"{NODE}test('a', () => new Promise(() => setInterval(() => {{}}, 1000)));\n",
        crashing=f"{NODE}test('a', () => process.abort());\n",
        ending=f"{NODE}test('a', () => process.exit(0));\n",
        none="",
    ),
    "jest": Dialect(program="node", run="npx jest", file="a.test.js", beside=PACKAGE, **JS),
    "vitest": Dialect(program="node", run="npx vitest run", file="a.test.mjs", beside=PACKAGE, **VITEST),
    "go": Dialect(
        program="go",
        run="go test ./...",
        file="a_test.go",
        passing=f"{GO}func TestA(t *testing.T) {{}}\n",
        failing=f'{GO}func TestA(t *testing.T) {{ t.Fatal("1 is not 2") }}\n',
        skipped=f"{GO}func TestA(t *testing.T) {{ t.Skip() }}\n",
        endless=f"{GO}func TestA(t *testing.T) {{ time.Sleep(600 * time.Second) }}\n",
        crashing=f'{GO}func TestA(t *testing.T) {{ go func() {{ panic("broken") }}(); time.Sleep(time.Second) }}\n',
        ending=f"{GO}func TestA(t *testing.T) {{ os.Exit(0) }}\n",
        none="package a\n",
        beside=(("go.mod", "module a\n\ngo 1.19\n"), ("a.go", "package a\n")),
    ),
    "cargo": Dialect(
        program="cargo",
        run="cargo test --offline",
        file="src/lib.rs",
        passing="#[test]\nfn a() {}\n",
        failing="#[test]\nfn a() { assert_eq!(1, 2); }\n",
        skipped="#[test]\n#[ignore]\nfn a() {}\n",
        endless="#[test]\nfn a() { std::thread::sleep(std::time::Duration::from_secs(600)); }\n",
        crashing="#[test]\nfn a() { std::process::abort(); }\n",
        ending="#[test]\nfn a() { std::process::exit(0); }\n",
        none="pub fn a() {}\n",
        beside=CARGO,
    ),
}
ROWS = {
    "passing": "PASS",
    "failing": "FAIL",
    "skipped": "NOT_RUN",
    "endless": "FAIL",
    "crashing": "FAIL",
    "ending": "not PASS",
    "none": "NOT_RUN",
}


def written(place: Path, files: dict[str, str]) -> None:
    """Bring files to what is said, but for those that say so already: their times tell what must be compiled again."""
    for name, text in files.items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.is_file() or file.read_text() != text:
            file.write_text(text)


def judged(place: Path, run: str, files: dict[str, str], seconds: float = 120) -> CriterionResult:
    written(place, files)
    commands = SandboxedCommands(place, limits=Limits(seconds=seconds))
    return asyncio.run(judge(TestsCriterion(run=run), Bench(place, commands)))


def with_modules(place: Path) -> None:
    if not MODULES:
        pytest.skip("ARREIO_TEST_NODE_MODULES names no folder with jest and vitest")
    shutil.copytree(MODULES, place / "node_modules", symlinks=True)


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("name", DIALECTS)
def test_each_row_has_its_verdict_with_every_runner(tmp_path: Path, name: str, row: str) -> None:
    """sipyourdrink-ltd/bernstein#3169: nothing ran, all skipped and no summary had counted as passed."""
    dialect = DIALECTS[name]
    if shutil.which(dialect.program) is None:
        pytest.skip(f"{dialect.program} is not installed")
    if name in ("jest", "vitest"):
        with_modules(tmp_path)
    files = dialect.files(getattr(dialect, row))
    # What is compiled first is given the time for it; what sleeps is ended soon, and cargo's was compiled before.
    seconds = 120 if row != "endless" else 15 if name in ("jest", "vitest", "go") else 4
    if (name, row) == ("cargo", "endless"):
        written(tmp_path, files)
        subprocess.run(["cargo", "test", "--offline", "--no-run"], cwd=tmp_path, check=True, capture_output=True)
    result = judged(tmp_path, dialect.run, files, seconds)
    assert (result.verdict != "PASS") if ROWS[row] == "not PASS" else (result.verdict == ROWS[row]), result
    assert not result.environment
    if row == "endless":
        assert "its time limit" in result.seen


@pytest.mark.parametrize("name", ["jest", "vitest"])
def test_where_no_file_of_tests_is_no_test_was_found(tmp_path: Path, name: str) -> None:
    with_modules(tmp_path)
    result = judged(tmp_path, DIALECTS[name].run, {"package.json": "{}", "a.js": "// nothing to test\n"})
    assert (result.verdict, result.environment) == ("NOT_RUN", False), result


@pytest.mark.parametrize("run", ["nosuchrunner -q", "cd . && nosuchrunner", "pytest-of-nowhere tests/"])
def test_a_runner_that_is_not_installed_is_for_a_person_to_mend(tmp_path: Path, run: str) -> None:
    result = judged(tmp_path, run, {"a.txt": ""})
    assert (result.verdict, result.environment) == ("NOT_RUN", True)
    assert "is not installed" in result.seen


@pytest.mark.parametrize(("script", "verdict"), [("exit 0", "PASS"), ("exit 3", "FAIL")])
def test_an_unknown_runner_without_a_report_is_judged_by_its_exit_status(
    tmp_path: Path, script: str, verdict: str
) -> None:
    result = judged(tmp_path, "make test", {"Makefile": f"test:\n\t@{script}\n"})
    assert (result.verdict, result.uncounted) == (verdict, True)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (
            f"{NODE}test('b', () => {{}});\ntest('a', () => process.exit(0));\ntest('c', () => assert.equal(1, 2));\n",
            "FAIL",
        ),
        (f"{NODE}if (process.platform === 'none') test('a', () => {{}});\n", "NOT_RUN"),
        ("// nothing yet\n", "NOT_RUN"),
        ("const assert = require('assert');\nassert.equal(1, 1);\nprocess.exit(0);\n", "PASS"),
        (f"{NODE}test('a', () => {{}});\ntest.after(() => setImmediate(() => process.exit(0)));\n", "PASS"),
    ],
)
def test_a_file_of_nodes_counts_by_the_tests_that_were_heard_of(tmp_path: Path, text: str, verdict: str) -> None:
    result = judged(tmp_path, "node --test", {"a.test.js": text})
    assert result.verdict == verdict, result
