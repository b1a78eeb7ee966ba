"""Single tests of other languages than Python's, opened by their names; and all tests of one thing."""

import pytest

from services.gate_runner.cheating import Finding, findings
from services.gate_runner.judging_twice import Which, former
from services.tool_loop.rules.opened_by_goal import opened_by_goal
from shared.canonical import sha256_hex
from shared.named_blocks import names_of, with_blocks
from shared.workspace.changes import Change

NODE = """\
import test from 'node:test';
import assert from 'node:assert/strict';
import { add, sub } from '../src/calc.mjs';

test('adds two numbers', () => {
  assert.equal(add(2, 3), 5);
});

test('subtracts', () => {
  assert.equal(sub(5, 3), 1);
});
"""
JEST = """\
const { add, sub } = require('./calc');

describe('add', () => {
  it('sums', () => {
    expect(add(2, 3)).toBe(5);
  });
});

describe('sub', () => {
  it("takes (away)", () => expect(sub(5, 3)).toBe(1));
});
"""
GO = """\
package calc

import "testing"

func TestAdd(t *testing.T) {
	if Add(2, 3) != 5 {
		t.Fatal("add")
	}
}

func TestSub(t *testing.T) {
	if Sub(5, 3) != 1 {
		t.Fatal("sub")
	}
}
"""
RUST = """\
use calc::{add, sub};

#[test]
fn adds() {
    assert_eq!(add(2, 3), 5);
}

#[test]
#[should_panic]
fn test_sub() {
    assert_eq!(sub(5, 3), 1);
}
"""
FILES = {"calc.test.mjs": NODE, "add.test.js": JEST, "calc_test.go": GO, "tests/calc.rs": RUST}
OPENED = {
    "calc.test.mjs": "calc.test.mjs::subtracts",
    "add.test.js": "add.test.js::sub",
    "calc_test.go": "calc_test.go::TestSub",
    "tests/calc.rs": "tests/calc.rs::test_sub",
}


def found(path: str, now: str, opened: str) -> list[Finding]:
    before = FILES[path]
    return findings(
        {path: sha256_hex(before.encode())},
        {path: sha256_hex(now.encode())},
        content_before=lambda _: before.encode(),
        content_now=lambda _: now.encode(),
        opened=(opened,),
    )


def test_tests_are_found_by_their_names() -> None:
    assert names_of("calc.test.mjs", NODE) == ["adds two numbers", "subtracts"]
    assert names_of("add.test.js", JEST) == ["add", "sums", "sub", "takes (away)"]
    assert names_of("calc_test.go", GO) == ["TestAdd", "TestSub"]
    assert names_of("tests/calc.rs", RUST) == ["adds", "test_sub"]


@pytest.mark.parametrize("path", FILES)
def test_a_test_that_is_opened_may_change_or_go_and_the_others_may_not(path: str) -> None:
    text, opened = FILES[path], OPENED[path]
    mended = text.replace("), 1)", "), 2)").replace("toBe(1)", "toBe(2)").replace("!= 1", "!= 2")
    assert mended != text
    assert found(path, mended, opened) == []
    weakened = mended.replace("), 5)", "), -1)").replace("toBe(5)", "toBe(-1)").replace("!= 5", "!= -1")
    assert found(path, weakened, opened)
    gone = with_blocks(path, text, "", [opened.partition("::")[2]])
    assert gone is not None and "sub(5" not in gone.lower()
    assert found(path, gone, opened) == []


def test_a_test_that_is_opened_may_be_skipped_and_may_not_set_others_aside() -> None:
    assert found("calc.test.mjs", NODE.replace("test('sub", "test.skip('sub"), OPENED["calc.test.mjs"]) == []
    assert found("calc.test.mjs", NODE.replace("test('sub", "test.only('sub"), OPENED["calc.test.mjs"])
    assert found("calc.test.mjs", NODE.replace("test('adds", "test.skip('adds"), OPENED["calc.test.mjs"])
    assert found("add.test.js", JEST.replace("it('sums", "it.skip('sums"), OPENED["add.test.js"])


def test_the_second_run_has_the_others_as_they_were() -> None:
    now = NODE.replace("3), 1)", "3), 2)").replace("3), 5)", "3), -1)")
    change = Change("calc.test.mjs", "changed", "old", "new", 0o100644, 0o100644)
    held = former(
        [change],
        Which(),
        lambda _: {"old": NODE.encode()},
        lambda _: now.encode(),
        opened=("calc.test.mjs::subtracts",),
    )
    assert [one.content.decode() for one in held.put] == [NODE.replace("3), 1)", "3), 2)")]


PYTHON = (
    "class TestSub:\n    def test_it(self): ...\n\ndef test_add(): ...\n\ndef test_add_zero(): ...\n\n"
    "def test_mul(): ...\n"
)
HELD = {**FILES, "test_calc.py": PYTHON, "test_div.py": "def test_a(): ...\n"}


@pytest.mark.parametrize(
    ("goal", "opened"),
    [
        ("Update the test 'adds two numbers' to expect 6.", ("calc.test.mjs::adds two numbers",)),
        ("Skip test('subtracts') and fix add.", ("calc.test.mjs::subtracts",)),
        ("Delete the subtracts test.", ("calc.test.mjs::subtracts",)),
        ('Pule o teste "subtracts".', ("calc.test.mjs::subtracts",)),
        ("Update TestSub in calc_test.go to expect 2.", ("calc_test.go::TestSub",)),
        ("Update TestSub to expect 2.", ("calc_test.go::TestSub", "test_calc.py::TestSub")),
        ("Update test_mul in test_calc.py to expect 2.", ("test_calc.py::test_mul",)),
        ("Update test_mul and rewrite test_calc.py.", ("test_calc.py",)),
        ("Update TestAdd to expect 6.", ("calc_test.go::TestAdd",)),
        ("Update test_sub to expect 2.", ("tests/calc.rs::test_sub",)),
        ("Fix add so that the test 'adds two numbers' passes.", ()),
        ("Update the tests of mul.", ("test_calc.py::test_mul",)),
        ("Update the tests for div.", ("test_div.py",)),
        ("Atualize os testes de mul.", ("test_calc.py::test_mul",)),
        ("Fix the bug so that the tests of mul pass.", ()),
    ],
)
def test_which_tests_a_goal_opens(goal: str, opened: tuple[str, ...]) -> None:
    assert opened_by_goal(goal, HELD, [], lambda path: HELD.get(path, "")) == opened


def test_a_file_in_which_two_tests_have_the_name_is_opened_whole() -> None:
    text = f"{JEST}\ndescribe('mul', () => {{\n  it('sums', () => {{}});\n}});\n"
    opened = opened_by_goal(
        "Skip the test 'sums'.", ["add.test.js", "b.test.js"], [], lambda path: text if path == "add.test.js" else ""
    )
    assert opened == ("add.test.js",)


def test_the_tests_of_what_no_test_is_named_after_are_all_of_them() -> None:
    assert opened_by_goal("Update the tests of the parser.", HELD, [], lambda path: HELD.get(path, "")) == tuple(
        sorted(HELD)
    )
