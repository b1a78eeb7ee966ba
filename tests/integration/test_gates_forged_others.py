"""Code that ends the process of its tests under node, jest, vitest, Go and cargo; each with an honest twin."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import TestsCriterion

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from shared.sandbox import Limits, sandbox_works

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))
MODULES = os.environ.get("ARREIO_TEST_NODE_MODULES", "")

Ask = Callable[..., CriterionResult]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(run: str, files: dict[str, str]) -> CriterionResult:
        program = run.split()[0]
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        commands = SandboxedCommands(tmp_path, limits=Limits(seconds=240))
        return asyncio.run(judge(TestsCriterion(run=run), Bench(tmp_path, commands)))

    return asked


def counted(result: CriterionResult) -> tuple[int, int, int]:
    assert result.counts is not None, result.seen
    return result.counts.passed, result.counts.failed, result.counts.skipped


NODE = """\
const { test, describe, after } = require('node:test');
const assert = require('node:assert');
const { one } = require('./calc');
describe('calc', () => {
  test('one', () => assert.equal(one(), 1));
  test('two', async (t) => { await t.test('inner', () => assert.equal(one(), 1)); });
});
test('later', { skip: true }, () => {});
"""
CALC = "exports.one = () => 1;\n"


@pytest.mark.parametrize("run", ["node --test", "npm test", "NODE_OPTIONS='--no-warnings' node --test"])
def test_nodes_own_runner_counts_tests_and_not_what_holds_them(ask: Ask, run: str) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    files = {"calc.js": CALC, "a.test.js": NODE, "package.json": '{"scripts": {"test": "node --test"}}'}
    result = ask(run if run.startswith("n") else f"env {run}", files)
    assert (result.verdict, counted(result)) == ("PASS", (2, 0, 1))


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("exports.one = () => process.exit(0);", "calc.js ended the process of a.test.js"),
        ("process.exit(0);", "calc.js ended the process of a.test.js"),
        ("process.reallyExit(0);", "a.test.js was ended before its tests were done"),
        (
            "const a = require('assert');\nfor (const k of Object.keys(a)) a[k] = () => {};\nexports.one = () => 1;",
            "was replaced while the tests ran",
        ),
    ],
)
def test_code_that_ends_the_process_of_nodes_tests_or_empties_its_assertions_is_named(
    ask: Ask, code: str, said: str
) -> None:
    result = ask("node --test", {"calc.js": code, "a.test.js": NODE})
    assert result.verdict == "FAIL" and said in result.seen


@pytest.mark.parametrize(
    "more",
    [
        "after(() => process.exit(0));",
        "test('a child', () => { require('child_process').spawnSync(process.execPath, ['-e', 'process.exit(0)']); });",
        "test('mocked', (t) => { t.mock.method(process, 'exit', () => {}); process.exit(0); });",
    ],
)
def test_a_test_that_ends_what_is_its_own_passes(ask: Ask, more: str) -> None:
    assert ask("node --test", {"calc.js": CALC, "a.test.js": NODE + more}).verdict == "PASS"


JEST = """\
const { one } = require('./calc');
describe('calc', () => { test('one', () => expect(one()).toBe(1)); test('two', () => expect(one()).toBe(WANTED)); });
"""
VITEST = """\
import { describe, expect, test } from 'vitest';
import { one } from './calc.js';
describe('calc', () => { test('one', () => expect(one()).toBe(1)); test('two', () => expect(one()).toBe(WANTED)); });
"""


@pytest.mark.skipif(not MODULES, reason="ARREIO_TEST_NODE_MODULES names no folder with jest and vitest")
@pytest.mark.parametrize("run", ["npx jest", "npm test", "npx vitest run"])
def test_jest_and_vitest_pass_by_what_was_signed_alone(ask: Ask, tmp_path: Path, run: str) -> None:
    shutil.copytree(MODULES, tmp_path / "node_modules", symlinks=True)
    test = VITEST if "vitest" in run else JEST
    name = "a.test.mjs" if "vitest" in run else "a.test.js"
    files = {"calc.js": CALC, "package.json": '{"scripts": {"test": "jest"}}'}
    good = ask(run, {**files, name: test.replace("WANTED", "1")})
    assert (good.verdict, counted(good)) == ("PASS", (2, 0, 0))
    bad = ask(run, {**files, name: test.replace("WANTED", "2")})
    assert (bad.verdict, counted(bad)) == ("FAIL", (1, 1, 0)) and "calc > two" in bad.seen
    for code in ("exports.one = () => process.exit(0);", "process.reallyExit(0);"):
        assert ask(run, {**files, "calc.js": code, name: test.replace("WANTED", "2")}).verdict != "PASS"


GO = "package calc\n\nfunc One() int { return 1 }\n"
GO_EXITS = 'package calc\n\nimport "os"\n\nfunc init() { os.Exit(0) }\n\nfunc One() int { return 1 }\n'
GO_TEST = """\
package calc

import "testing"

func TestOne(t *testing.T) {
\tt.Run("sub", func(t *testing.T) {
\t\tif One() != 1 {
\t\t\tt.Error("one")
\t\t}
\t})
}
"""
GO_OTHER = {
    "go.mod": "module example\n\ngo 1.19\n",
    "other/o.go": "package other\n",
    "other/o_test.go": 'package other\n\nimport "testing"\n\nfunc TestO(t *testing.T) {}\n',
}


def test_gos_tests_are_counted_and_code_that_ends_their_process_is_named(ask: Ask) -> None:
    good = ask("go test ./...", {**GO_OTHER, "calc/calc.go": GO, "calc/calc_test.go": GO_TEST})
    assert (good.verdict, counted(good)) == ("PASS", (2, 0, 0))
    forged = ask("go test ./...", {"calc/calc.go": GO_EXITS})
    assert forged.verdict == "FAIL"
    assert "calc: the code ended the process before its tests were done" in forged.seen


RUST = "pub fn one() -> i32 { BODY }\n#[test] fn one_is_one() { assert_eq!(one(), 1); }\n"
CARGO = {"Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'}


def test_rust_code_that_ends_the_process_of_its_tests_is_named(ask: Ask) -> None:
    other = {**CARGO, "tests/i.rs": "#[test] fn i() {}\n"}
    assert ask("cargo test --offline", {**other, "src/lib.rs": RUST.replace("BODY", "1")}).verdict == "PASS"
    forged = ask("cargo test --offline", {"src/lib.rs": RUST.replace("BODY", "std::process::exit(0)")})
    assert forged.verdict == "FAIL" and "2 tests were begun and 1 came to an end" in forged.seen
