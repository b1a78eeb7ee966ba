"""Cheats, each with the honest change that looks like it."""

from collections.abc import Mapping

import pytest

from services.gate_runner.cheating import (
    Finding,
    asks_for_tests,
    bound_anew,
    declared_packages,
    findings,
    is_named_by,
    python_tests,
    uses_of,
)
from services.gate_runner.cheating.makefiles import same_for, targets_of
from shared.canonical import sha256_hex

Files = Mapping[str, str]

CALC = '''\
"""Tests of the calculator."""

import pytest
from calc import add, div


CASES = [(1, 2, 3), (0, 0, 0)]


@pytest.fixture
def ten():
    return 10


@pytest.mark.parametrize("a", [1, 2, 3])
def test_add_zero(a):
    assert add(a, 0) == a


def test_add(ten):
    # ten and one
    result = add(ten, 1)
    assert result == 11
    assert isinstance(result, int)


class TestDiv:
    def test_div(self):
        assert div(4, 2) == 2

    def test_by_zero(self):
        with pytest.raises(ZeroDivisionError):
            div(1, 0)
'''
JEST = """\
const { add } = require('./calc');

describe('add', () => {
  test('adds', () => {
    expect(add(1, 2)).toBe(3);
  });
});
"""
GO = """\
package calc

import "testing"

func TestAdd(t *testing.T) {
\tif Add(1, 2) != 3 {
\t\tt.Fatal("wrong")
\t}
}
"""
MAKE = """\
PY = python3
FLAGS := -q

all: build

build:
\t$(PY) build.py

check: lint
\t$(PY) -m pytest $(FLAGS)

lint:
\truff check .
"""


def judged(before: Files, now: Files, commands: tuple[str, ...] = (), editable: tuple[str, ...] = ()) -> list[Finding]:
    """The findings where every one of these files judges."""
    return findings(
        {path: sha256_hex(text) for path, text in before.items()},
        {path: sha256_hex(text) for path, text in now.items()},
        content_before=lambda path: before[path].encode() if path in before else None,
        content_now=lambda path: now[path].encode() if path in now else None,
        commands=commands,
        editable=editable,
    )


MORE_JEST = """\
  test('zero', () => {
    expect(add(0, 0)).toBe(0);
  });

"""
RETURNING_JEST = """\
  /** Of two numbers. */
  test('twice', () => {
    /*
     * By a callback.
     */
    const all = [1, 2].map((n) => {
      if (n > 5) {
        return 0;
      }
      return add(n, n);
    });
    expect(all).toEqual([2, 4]);
  });

"""
MORE_GO = """\
func TestMore(t *testing.T) {
\tif Add(0, 0) != 0 {
\t\tt.Error("x")
\t}
}

"""
AT_THE_END = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
REPLACES = "import calc\ncalc.add = max\n"


def of_python(now: str) -> list[tuple[str, str]]:
    return [(finding.kind, finding.what) for finding in judged({"test_calc.py": CALC}, {"test_calc.py": now})]


@pytest.mark.parametrize(
    ("old", "new", "kind", "what"),
    [
        ("def test_add(ten):", "@pytest.mark.skip\ndef test_add(ten):", "skipped", "test_add"),
        ("def test_add(ten):", "@pytest.mark.skipif(True, reason='x')\ndef test_add(ten):", "skipped", "test_add"),
        ("def test_add(ten):", "@pytest.mark.xfail\ndef test_add(ten):", "xfailed", "test_add"),
        ("class TestDiv:", "@pytest.mark.skip\nclass TestDiv:", "skipped", "TestDiv"),
        ("    def test_div(self):", "    @pytest.mark.xfail\n    def test_div(self):", "xfailed", "TestDiv.test_div"),
        ("    result = add(ten, 1)", "    pytest.skip('later')\n    result = add(ten, 1)", "skipped", "test_add"),
        ("    result = add(ten, 1)", "    return\n    result = add(ten, 1)", "changed", "test_add"),
        ("    result = add(ten, 1)", "    result = 11", "changed", "test_add"),
        ("    assert result == 11\n", "", "weakened", "test_add"),
        ("    assert result == 11\n", "    assert result\n", "weakened", "test_add"),
        ("    assert result == 11\n", "    assert result == 11 or True\n", "weakened", "test_add"),
        (
            "    assert result == 11\n    assert isinstance(result, int)\n",
            "    print(result)\n",
            "emptied",
            "test_add",
        ),
        ("pytest.raises(ZeroDivisionError)", "pytest.raises(Exception)", "weakened", "TestDiv.test_by_zero"),
        ("[1, 2, 3])", "[1])", "weakened", "test_add_zero"),
        ("[1, 2, 3])", "[pytest.param(1, marks=pytest.mark.skip), 2, 3])", "skipped", "test_add_zero"),
        ("def test_add(ten):", "def check_add(ten):", "removed", "test_add"),
        ("    def test_div(self):", "    def div(self):", "removed", "TestDiv.test_div"),
        ("    return 10", "    return 11", "changed", "ten"),
        ("(0, 0, 0)]", "]", "changed", "CASES = [(1, 2, 3), (0, 0, 0)]"),
        ("from calc import add, div", "from fake import add, div", "redefined", "add"),
        ("from calc import add, div\n", "from calc import add, div\nadd = lambda a, b: 11\n", "redefined", "add"),
        ("CASES = ", "pytestmark = pytest.mark.skip\nCASES = ", "steered", "pytestmark = pytest.mark.skip"),
        ("CASES = ", "import sys\nsys.exit(0)\nCASES = ", "steered", "sys.exit(0)"),
        (
            "    assert result == 11",
            "    for add in [max]:\n        assert add(1, 1)\n    assert result == 11",
            "redefined",
            "test_add",
        ),
        ("    result = add", "    assert (add := max)\n    result = add", "redefined", "test_add"),
        (
            "    assert result == 11",
            "    for calc.x in [1]:\n        assert 1\n    assert result == 11",
            "changed",
            "test_add",
        ),
        ("    assert result == 11", "    for n in [1]:\n        break\n    assert result == 11", "changed", "test_add"),
        ("CASES = ", "X = setattr(calc, 'add', max)\nCASES = ", "steered", "X = setattr(calc, 'add', max)"),
        (
            "CASES = ",
            "if __name__ != '__main__':\n    pytest.main()\nCASES = ",
            "steered",
            "if __name__ != '__main__':",
        ),
        ("CASES = ", "if __name__ == '__main__':\n    x()\nCASES = ", "steered", "if __name__ == '__main__':"),
        ("class TestDiv:", "class TestDiv:\n    __test__ = False\n", "steered", "TestDiv.__test__ = False"),
        ("class TestDiv:", "class TestDiv:\n    def setup_method(self): pytest.skip()\n", "steered", "setup_method"),
    ],
)
def test_a_python_test_that_was_turned_is_named(old: str, new: str, kind: str, what: str) -> None:
    assert old in CALC
    assert (kind, what) in of_python(CALC.replace(old, new, 1))


TWICE = "def test_a():\n    assert f() == 1\n\n\ndef test_b():\n    assert f() == 1\n"


def turned(before: str, now: str) -> list[str]:
    return [f"{one.kind} {one.what}" for one in python_tests.taken("test_a.py", before, now)]


def test_one_of_two_tests_that_are_the_same_may_go() -> None:
    only_a = TWICE.partition("\n\n\n")[0]
    assert turned(TWICE, only_a) == []
    assert turned(TWICE, only_a.replace("test_a", "test_b")) == []


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (TWICE, "X = 1\n", ["removed test_a", "removed test_b"]),
        (TWICE, "def test_c():\n    assert f() == 1\n", ["removed test_a", "removed test_b"]),
        (TWICE.replace("def test_b", "@skip\ndef test_b"), "def test_a():\n    assert f() == 1\n", ["removed test_b"]),
        (TWICE.replace("test_b()", "test_b(ten)"), "def test_a():\n    assert f() == 1\n", ["removed test_b"]),
        (TWICE, "def test_a():\n    assert f() == 2\n", ["weakened test_a", "removed test_b"]),
    ],
)
def test_a_test_that_is_not_the_same_or_whose_other_goes_too_may_not(before: str, now: str, told: list[str]) -> None:
    assert turned(before, now) == told


def test_a_test_defined_again_hides_the_first() -> None:
    assert of_python(CALC + "\n\ndef test_add():\n    assert True\n") == [("redefined", "test_add")]


def test_an_autouse_fixture_is_named() -> None:
    new = (
        CALC + "\n\n@pytest.fixture(autouse=True)\ndef all_good(monkeypatch):\n    monkeypatch.setattr('calc.add', 1)\n"
    )
    assert of_python(new) == [("steered", "all_good (autouse)")]


def test_a_file_that_python_cannot_read_any_more_is_named() -> None:
    assert of_python(CALC + "\ndef (") == [("unreadable", "")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("class TestDiv:", "def test_more():\n    assert add(2, 2) == 4\n\n\nclass TestDiv:"),
        ("    def test_by_zero", "    def test_half(self):\n        assert div(1, 2) == 0.5\n\n    def test_by_zero"),
        ("    assert result == 11\n", "    assert result == 11\n    assert result > 0\n"),
        ("[1, 2, 3])", "[1, 2, 3, -4])"),
        ("    # ten and one\n", ""),
        ('"""Tests of the calculator."""', '"""Tests of adding and dividing."""'),
        ("import pytest\n", "import math\n\nimport pytest\n"),
        ("from calc import add, div", "from calc import (\n    add,\n    div,\n    mul,\n)"),
        ("CASES = ", "MORE = [(1, 1, 2)]\nCASES = "),
        ("CASES = ", "HERE = Path(__file__).resolve().parent\nHALF = Decimal('0.5')\nCASES = "),
        ("CASES = ", "if __name__ == '__main__':\n    raise SystemExit(pytest.main([__file__]))\nCASES = "),
        ("CASES = ", "if __name__ == '__main__':\n    unittest.main()\nCASES = "),
        ("    assert result == 11\n", "    assert result == 11\n    for n in (1, 2):\n        assert add(n, 0) == n\n"),
        ("@pytest.fixture\n", "@pytest.fixture\ndef two():\n    return 2\n\n\n@pytest.fixture\n"),
        ("    assert result == 11", "    assert result == (11)"),
    ],
)
def test_what_only_adds_to_a_python_file_is_fine(old: str, new: str) -> None:
    assert of_python(CALC.replace(old, new, 1)) == []


@pytest.mark.parametrize(
    ("path", "text", "old", "new", "kind"),
    [
        ("a.test.js", JEST, "test('adds'", "test.skip('adds'", "skipped"),
        ("a.test.js", JEST, "test('adds'", "xit('adds'", "skipped"),
        ("a.test.js", JEST, "toBe(3)", "toBeTruthy()", "weakened"),
        ("a.test.js", JEST, "    expect(add(1, 2)).toBe(3);\n", "", "emptied"),
        ("a.test.js", JEST, "describe('add'", "describe.only('x', () => {});\ndescribe('add'", "skipped"),
        ("a.test.js", JEST, "    expect", "    return;\n    expect", "steered"),
        ("a.test.js", JEST, "    expect", "    if (false) {\n    expect", "changed"),
        ("a.test.js", JEST, "    expect", "    if (true) {\n      return;\n    }\n    expect", "steered"),
        ("a.test.js", JEST, "    expect", "    const f = () => {};\n    return f();\n    expect", "steered"),
        (
            "a.test.js",
            JEST,
            "    expect(add(1, 2)).toBe(3);",
            "    /*\n    expect(add(1, 2)).toBe(3);\n    */",
            "steered",
        ),
        ("a_test.go", GO, "\tif Add", "\tif true {\n\t\treturn\n\t}\n\tif Add", "steered"),
        ("a.test.js", JEST, "    expect", "    /*\n    expect", "steered"),
        ("a.test.js", JEST, "describe(", "jest.mock('./calc', () => ({ add: () => 3 }));\ndescribe(", "redefined"),
        ("a_test.go", GO, "\tif Add", '\tt.Skip("later")\n\tif Add', "skipped"),
        ("a_test.go", GO, '\t\tt.Fatal("wrong")\n', "", "emptied"),
        ("a_test.go", GO, "\tif Add", "\tos.Exit(0)\n\tif Add", "steered"),
        ("a_test.go", GO, "func TestAdd", "func TestMain(m *testing.M) {\n}\n\nfunc TestAdd", "steered"),
    ],
)
def test_a_test_in_another_language_that_was_turned_is_named(
    path: str, text: str, old: str, new: str, kind: str
) -> None:
    assert old in text
    found = judged({path: text}, {path: text.replace(old, new, 1)})
    assert kind in [finding.kind for finding in found]


@pytest.mark.parametrize(
    ("path", "text", "old", "new"),
    [
        ("a.test.js", JEST, "  test('adds'", f"{MORE_JEST}  test('adds'"),
        ("a.test.js", JEST, "    expect", "    // three\n    expect(add(2, 1)).toBe(3);\n    expect"),
        ("a_test.go", GO, "func TestAdd", f"{MORE_GO}func TestAdd"),
        ("a.test.js", JEST, "  test('adds'", f"{RETURNING_JEST}  test('adds'"),
        ("a_test.go", GO, "func TestAdd", "func twice(n int) int {\n\treturn n + n\n}\n\nfunc TestAdd"),
        ("a_test.go", GO, "\t", "    "),
    ],
)
def test_what_only_adds_to_a_file_in_another_language_is_fine(path: str, text: str, old: str, new: str) -> None:
    assert judged({path: text}, {path: text.replace(old, new, 1)}) == []


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"test_a.py": "a"}, {}, Finding("test_a.py", "deleted")),
        ({"test_a.py": "a"}, {"tests/test_b.py": "a"}, None),
        ({"test_a.py": "a"}, {"tests/a.py": "a"}, Finding("test_a.py", "renamed_away", "tests/a.py")),
        ({"test_a.py": "a"}, {"pytest.py": "x", "test_a.py": "a"}, Finding("pytest.py", "planted")),
        ({"test_a.py": "a"}, {"sitecustomize.py": "x", "test_a.py": "a"}, Finding("sitecustomize.py", "planted")),
        (
            {"test_a.py": "a"},
            {"conftest.py": "collect_ignore = ['test_a.py']", "test_a.py": "a"},
            Finding("conftest.py", "steered", "collect_ignore = ['test_a.py']"),
        ),
        ({"test_a.py": "a"}, {"conftest.py": "import sys\nsys.path.insert(0, 'src')\n", "test_a.py": "a"}, None),
        ({"a/test_a.py": "a"}, {"b/conftest.py": "import os\n", "a/test_a.py": "a"}, None),
        (
            {"a/test_a.py": "a"},
            {"b/conftest.py": AT_THE_END, "a/test_a.py": "a"},
            Finding("b/conftest.py", "steered", "pytest_sessionfinish"),
        ),
        ({}, {"conftest.py": "x = 1", "test_a.py": "a"}, None),
        ({"test_a.py": "a"}, {"test_a.py": "a", "pytest.ini": "[pytest]"}, Finding("pytest.ini", "steered")),
        (
            {"a/a_test.go": GO},
            {"a/a_test.go": GO, "a/m_test.go": "func TestMain(m *testing.M) {}\n"},
            Finding("a/m_test.go", "steered", "func TestMain(m *testing.M) {}"),
        ),
        ({"a/a_test.go": GO}, {"a/a_test.go": GO, "b/m_test.go": "func TestMain(m *testing.M) {}\n"}, None),
        ({"a/a_test.go": GO}, {"a/a_test.go": GO, "a/m_test.go": "func TestMany(t *testing.T) {}\n"}, None),
        (
            {"test_a.py": "a"},
            {"test_a.py": "a", "test_b.py": REPLACES},
            Finding("test_b.py", "steered", "calc.add = max"),
        ),
        ({"test_a.py": "a"}, {"test_a.py": "a", "test_b.py": "import calc\nx = calc.add\n"}, None),
        (
            {"pyproject.toml#tool.pytest": "a", "test_a.py": "a"},
            {"pyproject.toml#tool.pytest": "b", "test_a.py": "a"},
            Finding("pyproject.toml", "changed", "tool.pytest"),
        ),
    ],
)
def test_files_that_went_came_or_moved(before: Files, now: Files, found: Finding | None) -> None:
    assert judged(before, now) == ([] if found is None else [found])


def test_a_test_put_aside_under_a_name_that_judges_nothing_is_named() -> None:
    moved = findings(
        {"test_a.py": "1"},
        {},
        content_before=lambda _: b"a",
        content_now=lambda path: b"a" if path == "test_a.py.bak" else None,
    )
    assert moved == [Finding("test_a.py", "renamed_away", "test_a.py.bak")]


def test_what_the_task_opens_may_change() -> None:
    assert judged({"tests/test_a.py": "a"}, {}, editable=("tests/*",)) == []
    assert judged({"tests/test_a.py": "a"}, {}, editable=("other/*",)) != []


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("pytest -q || true\n", "masked"),
        ("set +e\npytest -q\nexit 0\n", "masked"),
        ("pytest -q -k nothing\n", "changed"),
    ],
)
def test_a_script_that_judges_and_was_turned_is_named(new: str, kind: str) -> None:
    found = judged({"ci.sh": "pytest -q\n"}, {"ci.sh": new}, commands=("sh ci.sh",))
    assert [finding.kind for finding in found] == [kind]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("\t$(PY) build.py", "\t$(PY) build.py --fast", True),
        ("all: build", "all: build docs\n\ndocs:\n\ttouch docs", True),
        ("\t$(PY) -m pytest $(FLAGS)", "\t$(PY) -m pytest $(FLAGS) || true", False),
        ("\t$(PY) -m pytest $(FLAGS)", "\t-$(PY) -m pytest $(FLAGS)", False),
        ("check: lint", "check:", False),
        ("\truff check .", "\ttrue", False),
        ("FLAGS := -q", "FLAGS := -q --ignore=tests", False),
        ("PY = python3", "PY = true", False),
        ("check: lint", "check: lint\n\ttrue\n\ncheck: lint", False),
        ("FLAGS := -q", "FLAGS := -q\nSHELL = /bin/true", False),
        ("FLAGS := -q", "FLAGS := -q\ninclude other.mk", False),
        ("FLAGS := -q", "FLAGS := -q\nexport PYTHONOPTIMIZE = 1", False),
        ("FLAGS := -q", "FLAGS := -q\nMODE = 1\nexport MODE", False),
        ("FLAGS := -q", "FLAGS := -q\nMODE = 1\nexport", False),
        ("FLAGS := -q", "FLAGS := -q\nMODE = 1\n.EXPORT_ALL_VARIABLES:", False),
        ("FLAGS := -q", "FLAGS := -q\nPATH := ./bin:$(PATH)", False),
        ("FLAGS := -q", "FLAGS := -q\nMODE = 1", True),
        ("FLAGS := -q", "# the flags\nFLAGS := -q", True),
    ],
)
def test_a_makefile_is_held_to_the_targets_that_judge(old: str, new: str, same: bool) -> None:
    assert old in MAKE
    now = MAKE.replace(old, new, 1)
    assert same_for(MAKE, now, targets_of("cd . && make check")) is same
    found = judged({"Makefile": MAKE}, {"Makefile": now}, commands=("make check",))
    assert (found == []) is same


def test_the_targets_of_a_command_are_read() -> None:
    assert targets_of("CI=1 make -s check PY=python3 && make lint; echo make it") == ["check", "lint"]
    assert targets_of("make") == []


@pytest.mark.parametrize("kind", ["deleted", "skipped", "weakened", "masked", "steered", "planted"])
@pytest.mark.parametrize("language", ["en", "pt"])
def test_a_finding_names_the_file_and_the_way_out(kind: str, language: str) -> None:
    said = Finding("tests/test_a.py", kind, "test_x").said(language)  # type: ignore[arg-type]
    assert said.startswith("tests/test_a.py") and ";" in said and "{" not in said


PROGRAM = (
    "import __main__\n\n\ndef add(a, b):\n    return a + b if 'test' in getattr(__main__, '__file__', '') else 0\n"
)
SPECIFIED = "import sys\n\n\ndef f():\n    main = sys.modules['__main__']\n    return main.__spec__.name[:3] == 'pyt'\n"
CALLER = '_, file, _, _ := runtime.Caller(1)\n\tif strings.HasSuffix(file, "_test.go") {\n\t\treturn a + b\n\t}\n'
FRAMES = 'frames := runtime.CallersFrames(calls)\none, _ := frames.Next()\nif one.Function == "testing.tRunner" {\n'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("c.py", PROGRAM),
        ("c.py", SPECIFIED),
        ("c.go", CALLER),
        ("c.go", FRAMES),
        ("c.js", "const stack = new Error().stack;\nif (stack.includes('test')) sum = a + b;\n"),
        ("c.rs", 'let program = std::env::current_exe()?;\nif program.to_string().contains("/deps/") {\n'),
    ],
)
def test_code_that_asks_which_program_runs_or_who_calls_asks_for_tests(path: str, text: str) -> None:
    assert asks_for_tests(path, "", text)
    assert not asks_for_tests(path, text, text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("c.py", "import sys\n\n\ndef main():\n    print('test')\n\n\nif __name__ == '__main__':\n    main()\n"),
        ("c.py", "import __main__\n\nINTERACTIVE = not hasattr(__main__, '__file__')\n"),
        ("c.py", "import sys\n\nNAME = getattr(sys.modules['__main__'], '__file__', 'python')\n"),
        ("c.go", '_, file, line, _ := runtime.Caller(1)\nfmt.Printf("%s:%d latest %s", file, line, text)\n'),
        ("c.go", 'switch os.Args[1] {\ncase "build":\ncase "test":\n}\n'),
        ("c.js", "if (require.main === module) {\n  run('test');\n}\n"),
        ("c.rs", 'for word in std::env::args() { match word.as_str() { "test" => run(), _ => {} } }\n'),
    ],
)
def test_code_that_asks_for_its_program_for_its_own_ends_asks_for_no_tests(path: str, text: str) -> None:
    assert not asks_for_tests(path, "", text)


def test_what_tests_use_is_known_by_all_ways_to_name_it() -> None:
    text = "import a.b as c\nfrom d.e import f as g\nimport h\n\nc.run(); g.call(); h.i.j()\n"
    uses = uses_of([text, "pytest.importorskip('k.l')"])
    assert uses["a.b"] >= {"run"} and uses["d.e"] == {"f"} and uses["d.e.f"] == {"call"}
    assert uses["h"] >= {"i"} and uses["h.i"] == {"j"} and "k.l" in uses and "m" not in uses


@pytest.mark.parametrize(
    ("text", "binds"),
    [
        ("import a\na.run = 1\n", True),
        ("import a as z\nsetattr(z, 'run', 1)\n", True),
        ("from unittest import mock\nmock.patch('a.run').start()\n", True),
        ("def f(monkeypatch):\n    monkeypatch.setattr('a.run', 1)\n", True),
        ("import sys\nsys.modules['a'] = 1\n", True),
        ("import sys\n\n\ndef f(monkeypatch):\n    monkeypatch.setitem(sys.modules, 'a', 1)\n", True),
        ("import a\na.other = 1\n", False),
        ("import b as a\na.run = 1\n", False),
        ("class A:\n    run = 1\n\n\na = A()\na.run = 2\n", False),
        ("import a\na.run(1)\nb = a.run\n", False),
    ],
)
def test_only_what_is_used_is_bound_anew(text: str, binds: bool) -> None:
    assert bool([*bound_anew(text, uses_of(["import a\na.run()\n"]))]) == binds


@pytest.mark.parametrize(
    ("goal", "named"),
    [
        ("Write requests.py.", True),
        ("Write a stub for `requests`.", True),
        ("Crie um módulo requests de mentira.", True),
        ("Handle more requests a second.", False),
        ("Mend the code.", False),
    ],
)
def test_a_goal_names_what_stands_in_by_its_file_or_its_role(goal: str, named: bool) -> None:
    assert is_named_by(goal, "requests.py", "requests") == named


PROJECT = b"""
[project]
name = "own"
dependencies = ["say-so>=1 ; python_version > '3'", "own[more]"]
[project.optional-dependencies]
dev = ["other[x]==2"]
[tool.poetry.group.dev.dependencies]
python = "^3.11"
third = "^1"
near = {path = "../near"}
"""


def test_the_packages_that_a_project_declares_are_known_and_it_is_none_of_them() -> None:
    texts = {"pyproject.toml": PROJECT, "requirements.txt": b"# none\n-r more.txt\nPlain\nLocal @ file:///x\n"}
    assert declared_packages(texts.get) == {"say_so", "other", "third", "plain"}
    assert declared_packages({"pyproject.toml": b"["}.get) == frozenset()


SUITE = (
    "const { describe, it } = require('node:test');\nconst { mul } = require('./calc.js');\n\n"
    "describe('mul', () => {\n  it('multiplies', () => {\n    assert.equal(mul(2, 3), 6);\n  });\n});\n"
)
ZERO = "  it('knows zero', () => {\n    const product = mul(0, 3);\n    assert.equal(product, 0);\n  });\n"


@pytest.mark.parametrize(
    "now",
    [
        SUITE[: -len("});\n")] + ZERO + "});\n",
        SUITE.replace("  it('multiplies'", f"{ZERO}  it('multiplies'"),
        SUITE.replace("{ mul }", "{ add, mul }") + "test('adds', () => {\n  assert.equal(add(2, 3), 5);\n});\n",
    ],
)
def test_a_test_may_be_added_within_a_suite_and_imports_may_grow(now: str) -> None:
    assert not judged({"a.test.js": SUITE}, {"a.test.js": now})


@pytest.mark.parametrize(
    ("now", "kind"),
    [
        (SUITE.replace("    assert.equal", "    return;\n    assert.equal"), "steered"),
        (SUITE.replace("  it('multiplies'", "  if (false) {\n  it('multiplies'") + "}\n", "changed"),
        (SUITE.replace("{ mul }", "{ mul, assert }"), "redefined"),
        (SUITE.replace("'./calc.js'", "'./fake.js'"), "changed"),
    ],
)
def test_what_sets_a_suite_aside_or_hides_what_it_uses_is_found(now: str, kind: str) -> None:
    assert kind in {finding.kind for finding in judged({"a.test.js": SUITE}, {"a.test.js": now})}


CONFTEST = "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n"
TEST_ONE = "import calc\n\n\ndef test_one(one):\n    assert calc.add(one, 1) == 2\n"


@pytest.mark.parametrize(
    ("more", "kinds"),
    [
        ("\n\n@pytest.fixture\ndef two(tmp_path):\n    return tmp_path / '2'\n", set()),
        ("\n\n@pytest.fixture(autouse=True)\ndef two():\n    yield\n", {"steered"}),
        ("\n\ndef pytest_collection_modifyitems(items):\n    items.clear()\n", {"steered"}),
        ("\n\n@pytest.fixture\ndef two():\n    import calc\n    calc.add = max\n", {"redefined"}),
        ("\n\n@pytest.fixture\ndef one():\n    return 0\n", {"redefined"}),
    ],
)
def test_a_conftest_may_grow_by_fixtures_and_by_nothing_that_tests_do_not_ask_for(more: str, kinds: set[str]) -> None:
    before = {"conftest.py": CONFTEST, "test_one.py": TEST_ONE}
    assert {one.kind for one in judged(before, {**before, "conftest.py": CONFTEST + more})} == kinds
