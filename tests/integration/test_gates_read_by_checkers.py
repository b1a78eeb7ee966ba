"""What checkers read or load judges with them, and what the task is about does not; judged in the real sandbox."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult

from shared.sandbox import sandbox_works
from tests.support.gate_workspaces import RUN_PYTEST, Files, judge_task

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))

Judged = Callable[..., CriterionResult]

PYTEST = f"tests: {RUN_PYTEST}"
BAD = "def add(a, b):\n    return a - b\n"
GOOD = "def add(a, b):\n    return a + b\n"
LOOK = 'grep -q "a + b" calc.py\n'
TABLE = (
    "import csv\n\nfrom calc import add\n\n\ndef test_add():\n"
    "    for a, b, c in csv.reader(open('sums.csv')):\n        assert add(int(a), int(b)) == int(c)\n"
)
MAKE = 'PY ?= python3\ntest:\n\t$(PY) -c "from calc import add; assert add(2, 3) == 5"\n'
LOOP = "for c in checks/*.sh; do sh $c || exit 1; done\n"
ALONE = {
    "fixtures.py": BAD,
    "test_sum.py": "from fixtures import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
}
MORE = "\n\ndef test_more():\n    assert add(1, 1) == 2\n"


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """Judges a criterion in a workspace that held some files when the task began and was then changed."""

    def judged(
        before: Files, turn: Files, criterion: str, goal: str = "Mend the code.", opened: tuple[str, ...] = ()
    ) -> CriterionResult:
        return judge_task(tmp_path, before, turn, criterion, goal=goal, opened=frozenset(opened))

    return judged


@pytest.mark.parametrize(
    ("before", "turn", "criterion", "named"),
    [
        ({"test_calc.py": TABLE, "sums.csv": "2,3,5\n"}, {"sums.csv": "2,3,-1\n"}, PYTEST, "sums.csv"),
        (
            {"check.sh": "python3 -c 'from calc import add; print(add(2, 3))' | diff - out.txt\n", "out.txt": "5\n"},
            {"out.txt": "-1\n"},
            "command: sh check.sh",
            "out.txt",
        ),
        (
            {"r.awk": "/a \\+ b/ {f=1} END {exit !f}\n"},
            {"r.awk": "END {exit 0}\n"},
            "command: awk -f r.awk calc.py",
            "r.awk",
        ),
        (
            {"check.sh": "out=$(sh wc.sh in.txt)\n[ $out = 3 ]\n", "wc.sh": "wc -w < $1\n", "in.txt": "a\nb c\nd\n"},
            {"in.txt": "a\nb c\n"},
            "command: sh check.sh",
            "in.txt",
        ),
        ({"wanted.txt": "a + b\n"}, {"wanted.txt": "def\n"}, "command: grep -qf wanted.txt calc.py", "wanted.txt"),
        ({"check.sh": LOOP, "checks/a.sh": LOOK}, {"checks/a.sh": "true\n"}, "command: sh check.sh", "checks/a.sh"),
        (
            {"check.sh": LOOP, "checks/a.sh": "true\n", "checks/b.sh": LOOK},
            {"checks/b.sh": None},
            "command: sh check.sh",
            "checks/b.sh",
        ),
        ({"Makefile": f"-include local.mk\n{MAKE}"}, {"local.mk": "PY = true\n"}, "command: make test", "local.mk"),
        (
            {"Makefile": f"include $(wildcard mk/*.mk)\n{MAKE}"},
            {"mk/z.mk": "PY = true\n"},
            "command: make test",
            "mk/z.mk",
        ),
        (
            {"check.sh": f"[ -f ./.checkrc ] && . ./.checkrc\n{LOOK}"},
            {".checkrc": "exit 0\n"},
            "command: sh check.sh",
            ".checkrc",
        ),
        (
            {"Makefile": f"export PATH := $(CURDIR)/bin:$(PATH)\n{MAKE}", "bin/.keep": ""},
            {"bin/python3": "#!/bin/sh\nexit 0\n"},
            "command: make test",
            "bin/python3",
        ),
    ],
)
def test_what_checkers_read_or_load_is_as_it_was(
    judged: Judged, before: Files, turn: Files, criterion: str, named: str
) -> None:
    result = judged({"calc.py": BAD, **before}, turn, criterion, "Mend wc.sh.")
    assert result.verdict == "FAIL"
    assert named in result.seen


@pytest.mark.parametrize(
    ("before", "turn", "criterion", "goal"),
    [
        ({"test_calc.py": TABLE, "sums.csv": "2,3,5\n"}, {"calc.py": GOOD}, PYTEST, "Mend the code."),
        (
            {"test_calc.py": TABLE, "sums.csv": "2,3,-1\n"},
            {"calc.py": GOOD, "sums.csv": "2,3,5\n"},
            PYTEST,
            "Mend sums.csv and add.",
        ),
        (
            {"x.txt": "bad\n", "check.sh": "grep -q good x.txt\n"},
            {"x.txt": "good\n"},
            "command: sh check.sh",
            "Make it good.",
        ),
        (
            {"conf.yaml": "a: 0\n", "check.sh": "grep -q 'a: 1' conf.yaml\n"},
            {"conf.yaml": "a: 1\n"},
            "command: sh check.sh",
            "Make the check pass.",
        ),
        ({"check.sh": LOOP, "checks/a.sh": LOOK}, {"calc.py": GOOD}, "command: sh check.sh", "Mend the code."),
        ({"Makefile": f"-include local.mk\n{MAKE}"}, {"calc.py": GOOD}, "command: make test", "Mend the code."),
        (
            {"Makefile": f"-include local.mk\n{MAKE}"},
            {"calc.py": GOOD, "local.mk": "X = 1\n"},
            "command: make test",
            "Mend the code and write local.mk.",
        ),
        (
            ALONE,
            {"fixtures.py": GOOD, "test_sum.py": ALONE["test_sum.py"] + MORE},
            PYTEST,
            "The sum is wrong; mend it.",
        ),
        (
            {
                "tests/a/test_x.py": "def test_a():\n    assert 1\n",
                "tests/b/test_x.py": "def test_b():\n    assert 1\n",
            },
            {"tests/__init__.py": "", "tests/a/__init__.py": "", "tests/b/__init__.py": ""},
            PYTEST,
            "Make the tests pass.",
        ),
    ],
)
def test_what_the_task_is_about_is_as_it_is(
    judged: Judged, before: Files, turn: Files, criterion: str, goal: str
) -> None:
    result = judged({"calc.py": BAD, **before}, turn, criterion, goal)
    assert result.verdict == "PASS", result.seen


EXITING = "import os\n\n\ndef add(a, b):\n    os._exit(0)\n"
SUM = {"test_calc.py": "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"}


@pytest.mark.parametrize(
    ("more", "command"),
    [
        ({}, RUN_PYTEST),
        ({"Makefile": f"test:\n\t{RUN_PYTEST}\n"}, "make test"),
        ({"t.sh": f"{RUN_PYTEST}\n"}, "sh t.sh"),
    ],
)
def test_a_command_that_runs_tests_holds_only_where_their_runner_comes_to_its_end(
    judged: Judged, more: Files, command: str
) -> None:
    result = judged({"calc.py": BAD, **SUM, **more}, {"calc.py": EXITING}, f"command: {command}")
    assert result.verdict == "FAIL"
    assert "never came to its end" in result.seen


HIDDEN = (
    "import importlib, sys\nrunner = importlib.import_module('py' + 'test')\n"
    "sys.exit(getattr(runner, 'ma' + 'in')(['-q']))\n"
)
"""Starts tests in a way that no text tells."""


GREETS = {"greet.sh": "echo Hello\n", "want.dat": "Hi\n", "check.sh": "sh greet.sh > out.txt\ndiff out.txt want.dat\n"}


def test_a_run_that_writes_what_it_is_compared_with_does_not_hold(judged: Judged) -> None:
    turn = {"greet.sh": "echo Hello\necho Hello > want.dat; touch -d 2001-01-01 want.dat\n"}
    result = judged(GREETS, turn, "command: sh check.sh", "greet.sh must greet with Hi.")
    assert result.verdict == "FAIL"
    assert "the run wrote want.dat" in result.seen


GOLDEN = {
    "calc.py": BAD,
    "tests/test_golden.py": (
        "import pathlib\nfrom calc import add\n\n\ndef test_golden():\n    got = str(add(2, 3))\n"
        "    assert got == (pathlib.Path(__file__).parent / 'golden' / 'sum.txt').read_text()\n"
    ),
    "tests/golden/sum.txt": "5",
}
WRITING = (
    "from pathlib import Path\n\n\ndef add(a, b):\n    out = a - b\n"
    "    (Path(__file__).parent / 'tests' / 'golden' / 'sum.txt').write_text(str(out))\n    return out\n"
)


def test_code_that_writes_the_golden_file_of_its_test_does_not_hold(judged: Judged) -> None:
    result = judged(GOLDEN, {"calc.py": WRITING}, f"tests: PYTHONPATH=. {RUN_PYTEST}", "Make the failing test pass.")
    assert result.verdict == "FAIL"
    assert "the run wrote tests/golden/sum.txt" in result.seen


def test_settings_of_a_linter_that_let_pass_what_it_told_are_no_help(judged: Judged) -> None:
    lint = "import pathlib\nassert pathlib.Path('ruff.toml').exists() or 'eval(' not in open('calc.py').read()\n"
    before = {"calc.py": "add = eval('sum')\n", "lint.py": lint, "check.sh": "python3 lint.py  # as ruff would\n"}
    result = judged(before, {"ruff.toml": "lint.select = []\n"}, "command: sh check.sh", "Fix calc.py.")
    assert result.verdict == "FAIL"
    assert "ruff.toml" in result.seen


def test_a_check_that_always_wrote_what_it_compares_with_holds(judged: Judged) -> None:
    renews = {"renew.sh": "cat greet.sh | cut -c6- > want.dat\n", "greet.sh": "echo Hello\n", "want.dat": "Hi\n"}
    check = {"check.sh": "sh renew.sh\nsh greet.sh | diff - want.dat\n"}
    turn = {"greet.sh": "echo Hello all\n"}
    assert judged({**renews, **check}, turn, "command: sh check.sh", "Greet all.").verdict == "PASS"


def test_tests_that_a_run_was_seen_to_start_judge_as_tests(judged: Judged) -> None:
    turn = {"test_calc.py": SUM["test_calc.py"].replace("== 5", "== -1")}
    result = judged({"calc.py": BAD, "go.py": HIDDEN, **SUM}, turn, f"command: {sys.executable} go.py")
    assert result.verdict == "FAIL"
    assert "test_calc.py: test_add" in result.seen


def test_a_program_that_starts_tests_holds_where_they_pass_with_new_ones(judged: Judged) -> None:
    turn = {"calc.py": GOOD, "test_more.py": SUM["test_calc.py"].replace("test_add", "test_more")}
    assert judged({"calc.py": BAD, "go.py": HIDDEN, **SUM}, turn, f"command: {sys.executable} go.py").verdict == "PASS"


@pytest.mark.parametrize(
    "command", [RUN_PYTEST, f"{RUN_PYTEST} && echo done", f"{sys.executable} -m unittest -q test_calc || true"]
)
def test_a_command_that_runs_tests_holds_where_they_pass(judged: Judged, command: str) -> None:
    assert judged({"calc.py": BAD, **SUM}, {"calc.py": GOOD}, f"command: {command}").verdict == "PASS"


POINTS = "[pytest11]\nhelp = helper_plugin\n"
SWALLOWS = "def pytest_collection_modifyitems(items):\n    items.clear()\n"


@pytest.mark.parametrize("folder", ["x.egg-info", "x-1.dist-info", "lib/x.egg-info"])
def test_a_plugin_of_pytest_by_the_metadata_of_a_package_in_the_workspace_steers(judged: Judged, folder: str) -> None:
    turn = {f"{folder}/entry_points.txt": POINTS, "helper_plugin.py": SWALLOWS}
    result = judged({"calc.py": BAD, **SUM}, turn, PYTEST)
    assert result.verdict == "FAIL"
    assert "entry_points.txt" in result.seen


def test_the_metadata_of_a_package_that_is_none_does_not(judged: Judged) -> None:
    turn = {"calc.py": GOOD, "x.egg-info/entry_points.txt": "[console_scripts]\nx = calc:add\n"}
    assert judged({"calc.py": BAD, **SUM}, turn, PYTEST).verdict == "PASS"


def test_tests_that_git_ignores_judge_too(judged: Judged) -> None:
    before = {"calc.py": BAD, ".gitignore": "local/\n", "local/test_calc.py": SUM["test_calc.py"]}
    turn = {"local/test_calc.py": "def test_add():\n    assert True\n"}
    result = judged(before, turn, f"{PYTEST} --rootdir=.")
    assert result.verdict == "FAIL"
    assert "local/test_calc.py" in result.seen


def test_tests_that_git_ignores_pass_where_the_code_is_mended(judged: Judged) -> None:
    before = {"calc.py": BAD, ".gitignore": "local/\n", "local/test_calc.py": SUM["test_calc.py"]}
    assert judged(before, {"calc.py": GOOD}, PYTEST).verdict == "PASS"


ADD, ZERO = SUM["test_calc.py"], "from calc import add\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n"


@pytest.mark.parametrize("moved", [{"tests/test_calc.py": ADD}, {"test_add.py": ADD, "test_zero.py": ZERO}])
def test_tests_that_a_goal_opens_count_where_they_are_now(judged: Judged, moved: Files) -> None:
    turn = {"test_calc.py": None, **moved}
    result = judged({"calc.py": GOOD, **SUM}, turn, PYTEST, "Move the tests.", ("test_calc.py",))
    assert result.verdict == "PASS", result.seen


def test_tests_that_no_goal_opens_count_where_they_were(judged: Judged) -> None:
    turn = {"test_calc.py": None, "tests/test_calc.py": ADD.replace("== 5", "== -1")}
    assert judged({"calc.py": BAD, **SUM}, turn, PYTEST).verdict == "FAIL"


GO = '#!/bin/sh\nwhile [ "$1" != -exec ]; do shift || exit 9; done\nexec $2 ./calc.test -test.v\n'
"""Stands in for `go`: runs a test binary as `go test -exec PROGRAM` does."""
ENDS = '#!/bin/sh\nfor word; do case $word in -test.mutexprofile=*) : > "${word#*=}";; esac; done\necho ok\n'


@pytest.mark.parametrize(("binary", "verdict"), [(ENDS, "PASS"), ("#!/bin/sh\nexit 0\n", "FAIL")])
def test_a_command_that_runs_gos_tests_holds_only_where_they_come_to_their_end(
    judged: Judged, binary: str, verdict: str
) -> None:
    before = {"bin/go": GO, "calc.go": "package calc\n"}
    result = judged(before, {"calc.test": binary}, "command: PATH=$PWD/bin:$PATH go test ./...")
    assert result.verdict == verdict, result
    assert verdict == "PASS" or "the code ended the process" in result.seen
