"""Examples that are run as tests: what takes one away, and honest changes that look like it."""

from collections.abc import Mapping
from pathlib import Path
from textwrap import indent
from typing import cast

import pytest

from services.gate_runner.cheating import Pair, lost_examples
from services.gate_runner.commands import Commands
from services.gate_runner.criteria.base import Bench
from services.gate_runner.criteria.doctests import doctests_tampered, opened_doctests
from services.tool_loop.rules import opened_doctests as by_goal
from shared.workspace.changes import Change
from tests.support.gate_workspaces import write_files

CALC = '''\
def add(a, b):
    """Adds.

    >>> add(2, 3)
    5
    """
    return a - b


def sub(a, b):
    """Subtracts.

    >>> sub(5, 3)
    2
    """
    return a - b
'''
PLUS = "def plus(f):\n    return lambda *given: f(*given)\n\n\n"
INNER = (
    "def plus(n):\n    def by(f):\n        def inner(*given):\n            return f(*given)\n        return inner\n"
    "    return by\n\n\n"
)
KNOWN = "def known(f):\n    ALL[f.__name__] = f\n    return f\n\n\n"
WRAPS = (
    "import functools\n\n\ndef plus(f):\n    @functools.wraps(f)\n    def inner(*given):\n        return f(*given)\n"
    "    return inner\n\n\n"
)
README = "# Calc\n\n>>> from calc import add\n>>> add(2, 3)\n5\n"


@pytest.mark.parametrize(
    ("now", "kind", "what"),
    [
        (CALC.replace("    >>> add(2, 3)\n    5\n", ""), "example", "add: >>> add(2, 3)"),
        (CALC.replace("    5\n", "    -1\n"), "example", "add: >>> add(2, 3)"),
        (CALC.replace("    5\n", ""), "example", "add: >>> add(2, 3)"),
        (CALC.replace("add(2, 3)", "add(2, 3)  # doctest: +SKIP"), "skipped", "add: >>> add(2, 3)"),
        (CALC.replace("add(2, 3)", "add(2, 3)  # doctest: +ELLIPSIS"), "example", "add: >>> add(2, 3)"),
        (CALC.replace("    5\n", "    ...\n"), "example", "add: >>> add(2, 3)"),
        (CALC.replace("add(2, 3)", "add(2, 0)"), "example", "add: >>> add(2, 3)"),
        (CALC.replace("    >>> add(2, 3)", "    >>> add = lambda a, b: 5\n    >>> add(2, 3)"), "redefined", "add: add"),
        (CALC.replace("    >>> add(2, 3)", "    >>> from sham import add\n    >>> add(2, 3)"), "redefined", "add: add"),
        (f"{CALC}\n\nadd.__doc__ = ''\n", "example", "add.__doc__ = ''"),
        (f"{CALC}\n\ndef add(a, b):\n    return a - b\n", "example", "add: >>> add(2, 3)"),
        (f"def f():\n{indent(CALC, '    ')}", "example", "add: >>> add(2, 3)"),
        ("x = 1\n", "example", "sub: >>> sub(5, 3)"),
        (f"{PLUS}{CALC.replace('def add', '@plus' + chr(10) + 'def add')}", "example", "@plus: add"),
        (f"{INNER}{CALC.replace('def add', '@plus(1)' + chr(10) + 'def add')}", "example", "@plus(1): add"),
        (f"{PLUS}{CALC}\n\nadd = plus(add)\n", "example", "add = plus(add)"),
        (f"{CALC}\n\nadd = lambda a, b: a - b\n", "example", "add = lambda a, b: a - b"),
        (f"{CALC}\n\ndel add\n", "example", "del add"),
    ],
)
def test_an_example_that_was_taken_away_or_turned_is_named(now: str, kind: str, what: str) -> None:
    found = lost_examples([Pair("calc.py", CALC, now)])
    assert (kind, what) in [(one.kind, one.what) for one in found]
    assert what in found[0].said("en") or len(found) > 1


@pytest.mark.parametrize(
    "now",
    [
        CALC.replace("a - b", "a + b", 1),
        CALC.replace("Adds.", "Adds two numbers, of any kind."),
        CALC.replace("    5\n", "    5\n    >>> add(0, 0)\n    0\n"),
        CALC.replace("    >>> add(2, 3)", "    >>> from calc import add\n    >>> add(0, 0)\n    0\n    >>> add(2, 3)"),
        CALC.replace("    >>> add(2, 3)", "    >>> n = 3\n    >>> add(2, 3)"),
        CALC.replace("    >>> add(2, 3)\n    5\n", "    Say::\n\n        >>> add(2, 3)\n        5\n"),
        f"class Calc:\n    pass\n\n\n{CALC}",
        f"import functools\n\n\n{CALC.replace('def add', '@functools.cache' + chr(10) + 'def add')}",
        f"{KNOWN}{CALC.replace('def add', '@known' + chr(10) + 'def add')}",
        f"{WRAPS}{CALC.replace('def add', '@plus' + chr(10) + 'def add')}",
        f"{PLUS}{CALC}\n\n@plus\ndef other(a):\n    return a\n",
    ],
)
def test_new_examples_other_prose_and_other_code_are_fine(now: str) -> None:
    assert lost_examples([Pair("calc.py", CALC, now)]) == []


def test_an_example_that_moved_with_its_function_is_there_still() -> None:
    add, sub = CALC.split("\n\n\n")
    assert (
        lost_examples([Pair("calc.py", CALC, f"from sums import add\n\n\n{sub}"), Pair("sums.py", "", f"{add}\n")])
        == []
    )
    assert lost_examples([Pair("calc.py", CALC, f"from sums import add\n\n\n{sub}")])


def test_a_program_that_runs_its_own_examples_must_run_them_still() -> None:
    own = f"{CALC}\n\nif __name__ == '__main__':\n    import doctest\n\n    doctest.testmod()\n"
    found = lost_examples([Pair("calc.py", own, own.replace("doctest.testmod()", "print('ok')"))])
    assert [(one.kind, one.what) for one in found] == [("removed", "testmod(...)")]
    assert lost_examples([Pair("calc.py", own, own.replace("a - b", "a + b"))]) == []


def bench(place: Path, before: Mapping[str, str], now: Mapping[str, str], goal: str = "", **more: object) -> Bench:
    write_files(place, {**before, **now})
    changes = [
        Change(path, "changed" if path in before else "added", path if path in before else None, path, 0, 0)
        for path in now
    ]
    return Bench(
        place,
        cast(Commands, None),
        goal=goal,
        verifiers={},
        began=lambda path: before[path].encode() if path in before else None,
        changes=lambda: changes,
        contents=lambda blobs: {blob: before[blob].encode() for blob in blobs},
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("command", "path", "more", "judged"),
    [
        ("python3 -m doctest calc.py", "calc.py", {}, True),
        ("python3 -m doctest -v ./calc.py", "calc.py", {}, True),
        ("python3 -m doctest other.py", "calc.py", {}, False),
        ("pytest --doctest-modules", "calc.py", {}, True),
        ("pytest -q", "calc.py", {}, False),
        ("pytest -q", "calc.py", {"setup.cfg": "[tool:pytest]\naddopts = --doctest-modules\n"}, True),
        (
            "pytest -q",
            "calc.py",
            {"pyproject.toml": "[tool.pytest]\naddopts = ['--doctest-modules']\n"},
            True,
        ),
        ("pytest -q", "README.md", {"pytest.ini": "[pytest]\naddopts = --doctest-glob='*.md'\n"}, True),
        ("pytest --doctest-modules", "README.md", {}, False),
        ("pytest --doctest-glob=*.md", "README.md", {}, True),
        ("python3 -m doctest README.md", "README.md", {}, True),
        ("make check", "calc.py", {"Makefile": "check:\n\tpython3 -m doctest calc.py\n"}, True),
        ("python3 checks.py", "README.md", {"checks.py": "import doctest\ndoctest.testfile('README.md')\n"}, True),
        ("python3 checks.py", "calc.py", {"checks.py": "import calc, doctest\ndoctest.testmod(calc)\n"}, True),
    ],
)
def test_examples_judge_where_the_command_runs_them(
    tmp_path: Path, command: str, path: str, more: Mapping[str, str], judged: bool
) -> None:
    text = CALC if path == "calc.py" else README
    found = doctests_tampered(bench(tmp_path, {**more, path: text}, {path: text.replace("5\n", "-1\n", 1)}), command)
    assert bool(found) is judged
    assert not judged or (path in found and ">>> add(2, 3)" in found)


@pytest.mark.parametrize(
    ("goal", "opened", "judged"),
    [
        ("Fix add.", (), True),
        ("Update the doctest of add.", ("::>>>add",), False),
        ("Update the doctest of sub.", ("::>>>sub",), True),
        ("Update the doctests.", ("::>>>",), False),
        ("Update the examples in README.md.", ("README.md::>>>",), True),
        ("Rename add to plus.", (), True),
        ("Remove add.", (), True),
    ],
)
def test_a_goal_opens_the_examples_it_names(tmp_path: Path, goal: str, opened: tuple[str, ...], judged: bool) -> None:
    before, now = {"calc.py": CALC}, {"calc.py": CALC.replace("5\n", "-1\n", 1)}
    judging = bench(tmp_path, before, now, goal, opened=frozenset(opened))
    assert bool(doctests_tampered(judging, "pytest --doctest-modules")) is judged
    assert judging.changes is not None
    asked = opened_doctests(judging, "pytest --doctest-modules", judging.changes())
    assert judged or asked == ["calc.py"]


def test_examples_go_with_what_a_goal_has_removed_or_renamed(tmp_path: Path) -> None:
    gone = {"calc.py": CALC.split("\n\n\n")[1]}
    assert not doctests_tampered(bench(tmp_path, {"calc.py": CALC}, gone, "Remove add."), "pytest --doctest-modules")
    assert doctests_tampered(bench(tmp_path, {"calc.py": CALC}, gone, "Tidy up."), "pytest --doctest-modules")
    plus = {"calc.py": CALC.replace("add", "plus")}
    renamed = bench(tmp_path, {"calc.py": CALC}, plus, "Rename add to plus.", renamed=(("add", "plus"),))
    assert not doctests_tampered(renamed, "python3 -m doctest calc.py")


@pytest.mark.parametrize(
    ("goal", "opened"),
    [
        ("Update the doctest of add to expect a string.", {"::>>>add"}),
        ("Update add's doctest.", {"::>>>add"}),
        ("Change the doctests.", {"::>>>"}),
        ("Make add return a string and update its docstring.", {"::>>>"}),
        ("Update the examples in the docstring.", {"::>>>"}),
        ("Update the README's examples.", {"README.md::>>>"}),
        ("Update the examples in README.md.", {"README.md::>>>"}),
        ("Atualize os exemplos do README.", {"README.md::>>>"}),
        ("Atualize o doctest de add.", {"::>>>add"}),
        ("Update the tests.", {"::>>>"}),
        ("Fix add so that its doctest passes.", set()),
        ("Fix add; README.md shows how it must be.", set()),
        ("Fix add. Do not change the doctests.", set()),
        ("Corrija add em calc.py.", set()),
        ("Add a doctest to add.", set()),
        ("Make the doctests pass.", set()),
        ("The example in add's docstring is wrong; fix it.", {"::>>>add"}),
        ("O exemplo na docstring de add está errado; corrija-o.", {"::>>>add"}),
        ("Corrija o exemplo errado na docstring de add.", {"::>>>add"}),
        ("The second doctest of add has a wrong result. Correct it.", {"::>>>add"}),
        ("The example in add's docstring fails; fix it.", set()),
        ("The second doctest of add fails. Correct it.", set()),
        ("Corrija add: o exemplo na docstring falha.", set()),
        ("Do not change the example in add's docstring.", set()),
        ("The example in add's docstring is right; fix add.", set()),
    ],
)
def test_which_examples_a_goal_opens(goal: str, opened: set[str]) -> None:
    assert by_goal.opened_doctests(goal) == opened


@pytest.mark.parametrize("part", ["a", "a.", "a/", "the ", "doctest of ", "examples in "])
def test_a_long_goal_is_read_once(part: str) -> None:
    assert isinstance(by_goal.opened_doctests(f"Update {part * (20_000 // len(part))}."), frozenset)
