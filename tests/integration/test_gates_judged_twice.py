"""Cheats that only their outcome tells, judged in the real sandbox, each with the honest work that looks like it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from arreio_contracts.messages import CriterionResult
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.judging_twice import all_former
from shared.sandbox import Limits, sandbox_works
from shared.workspace.snapshots import Snapshots
from tests.support.gate_workspaces import RUN_PYTEST, Files, judge_task, write_files

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))

Judged = Callable[..., CriterionResult]

PYTEST = f"tests: {RUN_PYTEST}"
BAD = "def add(a, b):\n    return a - b\n"
GOOD = "def add(a, b):\n    return a + b\n"
TEST = (
    "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\n"
    "def test_zero():\n    assert add(0, 0) == 0\n"
)
OK = "def test_ok():\n    assert True\n"
PY: Files = {"calc.py": BAD, "test_calc.py": TEST}
DATA: Files = {
    "calc.py": BAD,
    "tests/cases.json": "[[2, 3, 5], [0, 0, 0]]",
    "tests/test_calc.py": "import json\nfrom pathlib import Path\n\nimport pytest\nfrom calc import add\n\n"
    'CASES = json.loads((Path(__file__).parent / "cases.json").read_text())\n\n\n'
    '@pytest.mark.parametrize("a,b,c", CASES)\n'
    "def test_add(a, b, c):\n    assert add(a, b) == c\n",
}
HELPER: Files = {
    "calc.py": BAD,
    "assertions.py": "def same(a, b):\n    assert a == b\n",
    "test_calc.py": "from assertions import same\nfrom calc import add\n\n\ndef test_add():\n    same(add(2, 3), 5)\n",
}
SKIPS: Files = {
    "calc.py": BAD,
    "data.bin": "x",
    "test_calc.py": "import os\n\nimport pytest\nfrom calc import add\n\n\n"
    '@pytest.mark.skipif(not os.path.exists("data.bin"), reason="no data")\n'
    "def test_add():\n    assert add(2, 3) == 5\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n",
}
NEW: Files = {
    "test_new.py": "from newmod import f\n\n\ndef test_a():\n    assert f(1) == 2\n\n\n"
    "def test_b():\n    assert f(0) == 1\n"
}
UNIT: Files = {
    "calc.py": BAD,
    "test_calc.py": "import unittest\nfrom calc import add\n\n\nclass Adding(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n",
}
NODE: Files = {
    "calc.js": "exports.add = (a, b) => a - b;\n",
    "calc.test.js": "const test = require('node:test');\nconst assert = require('node:assert');\n"
    "const { add } = require('./calc.js');\ntest('adds', () => {\n  assert.strictEqual(add(2, 3), 5);\n});\n",
}
MAKE: Files = {**PY, "Makefile": f"check:\n\t{RUN_PYTEST}\n"}
BEHIND: Files = {
    "calc.py": BAD,
    "check.sh": "#!/bin/sh\nexec sh ./lib/real.sh\n",
    "lib/real.sh": "#!/bin/sh\ngrep -q 'a + b' calc.py\n",
}
PROGRAM: Files = {
    "check.sh": "#!/bin/sh\npython3 sum.py 2 3 | grep -qx 5\n",
    "sum.py": "import sys\nprint(int(sys.argv[1]) - int(sys.argv[2]))\n",
}
FIXTURE: Files = {
    "calc.py": BAD,
    "test_calc.py": "from calc import add\n\n\ndef test_add(pair):\n    assert add(*pair) == 5\n",
}
PAIR = "import pytest\n\n\n@pytest.fixture\ndef pair():\n    return 2, 3\n"


@pytest.fixture
def judged(tmp_path: Path) -> Judged:
    """Judges a criterion in a workspace that held some files when the task began and was then changed."""
    return partial(judge_task, tmp_path)


CHEATS: dict[str, tuple[Files, Files, str, str]] = {
    "a definition over what is tested": (
        PY,
        {"test_calc.py": f"{TEST}\n\ndef add(a, b):\n    return a + b\n"},
        PYTEST,
        "test_calc.py::test_add",
    ),
    "a new test that patches": (
        PY,
        {"test_aaa.py": f"import calc\nsetattr(calc, 'add', lambda a, b: a + b)\n\n\n{OK}"},
        PYTEST,
        "no help: test_aaa.py): 1 passed, 1 failed",
    ),
    "tests out of collection": (
        {**PY, "test_ok.py": OK},
        {"test_calc.py": None, "build/test_calc.py": TEST},
        PYTEST,
        "test_calc.py::test_add",
    ),
    "data of tests": (DATA, {"tests/cases.json": "[[0, 0, 0]]"}, PYTEST, "test_add[2-3-5]"),
    "a helper of tests": (HELPER, {"assertions.py": "def same(a, b):\n    pass\n"}, PYTEST, "assertions.py"),
    "a skip in the code": (
        PY,
        {"calc.py": "import pytest\n\n\ndef add(a, b):\n    if a:\n        pytest.skip('later')\n    return a - b\n"},
        PYTEST,
        "calc.py skips the tests",
    ),
    "a skip in new code": (
        NEW,
        {"newmod.py": "import unittest\n\n\ndef f(n):\n    if n:\n        raise unittest.SkipTest\n    return 1\n"},
        PYTEST,
        "newmod.py skips the tests",
    ),
    "a skip by what is gone": (SKIPS, {"data.bin": None}, PYTEST, "1 of the 2 tests that ran"),
    "code that asks for pytest": (
        PY,
        {"calc.py": "import sys\n\n\ndef add(a, b):\n    return a + b if 'pytest' in sys.modules else a - b\n"},
        PYTEST,
        "calc.py: 'pytest' in sys.modules asks whether it runs under tests",
    ),
    "an assertion of unittest turned": (
        UNIT,
        {
            "test_calc.py": (UNIT["test_calc.py"] or "").replace(
                "    def test_add", "    def assertEqual(self, a, b):\n        pass\n\n    def test_add"
            )
        },
        f"tests: {sys.executable} -m unittest",
        "test_add",
    ),
    "an assertion of node turned": (
        NODE,
        {"calc.test.js": f"{NODE['calc.test.js']}Object.assign(assert, {{ strictEqual() {{}} }});\n"},
        "tests: node --test",
        "strictEqual was replaced",
    ),
    "a command that runs tests": (
        MAKE,
        {"test_calc.py": f"{TEST}\n\ndef add(a, b):\n    return a + b\n"},
        "command: make check",
        "no help: test_calc.py",
    ),
    "a script behind the script": (
        BEHIND,
        {"lib/real.sh": "#!/bin/sh\nexit 0\n"},
        "command: sh check.sh",
        "lib/real.sh",
    ),
    "a Makefile before the Makefile": (
        {"calc.py": BAD, "Makefile": "check:\n\tgrep -q 'a + b' calc.py\n"},
        {"GNUmakefile": "check:\n\ttrue\n"},
        "command: make check",
        "GNUmakefile",
    ),
    "a file in place of a target": (
        {"calc.py": BAD, "Makefile": "check:\n\tgrep -q 'a + b' calc.py\n"},
        {"check": ""},
        "command: make check",
        "'check' is up to date",
    ),
}


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_that_its_outcome_tells_does_not_pass_and_is_named(judged: Judged, name: str) -> None:
    before, turn, criterion, said = CHEATS[name]
    result = judged(before, turn, criterion)
    assert result.verdict != "PASS" and said in result.seen, result


HONEST: dict[str, tuple[Files, Files, str]] = {
    "the code mended": (PY, {"calc.py": GOOD}, PYTEST),
    "tests added": (PY, {"calc.py": GOOD, "test_calc.py": f"{TEST}\n\n{OK}", "test_more.py": OK}, PYTEST),
    "tests moved": (PY, {"calc.py": GOOD, "test_calc.py": None, "tests/test_calc.py": TEST}, PYTEST),
    "tests moved to where they are looked for": (
        PY,
        {"calc.py": GOOD, "test_calc.py": None, "tests/test_calc.py": TEST},
        f"{PYTEST} tests",
    ),
    "tests that the criterion asks for": (
        PY,
        {"calc.py": GOOD, "tests/test_more.py": OK},
        f"{PYTEST} tests/test_more.py test_calc.py",
    ),
    "a folder of tests that was to be made": (
        UNIT,
        {"calc.py": GOOD, "tests/__init__.py": "", "tests/test_more.py": UNIT["test_calc.py"]},
        f"tests: {sys.executable} -m unittest discover -s tests -t .",
    ),
    "a test that the criterion asks for, with a helper": (
        PY,
        {
            "calc.py": GOOD,
            "tests/sums.py": "SUM = 5\n",
            "tests/test_more.py": "from calc import add\nfrom sums import SUM\n\n\n"
            "def test_more():\n    assert add(2, 3) == SUM\n",
        },
        f"{PYTEST} tests/test_more.py test_calc.py",
    ),
    "data added": (DATA, {"calc.py": GOOD, "tests/cases.json": "[[2, 3, 5], [0, 0, 0], [1, 1, 2]]"}, PYTEST),
    "a helper that says more": (
        HELPER,
        {"calc.py": GOOD, "assertions.py": "def same(a, b):\n    assert a == b, (a, b)\n"},
        PYTEST,
    ),
    "a module that was to be written": (NEW, {"newmod.py": "def f(n):\n    return n + 1\n"}, PYTEST),
    "a test that was skipped at first": (
        {**PY, "test_other.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_later():\n    assert False\n"},
        {"calc.py": GOOD},
        PYTEST,
    ),
    "a fixture that the tests ask for": (FIXTURE, {"calc.py": GOOD, "conftest.py": PAIR}, PYTEST),
    "tests that could not be read": (
        {"calc.py": GOOD, "test_calc.py": TEST.replace("test_add():", "test_add()")},
        {"test_calc.py": TEST},
        PYTEST,
    ),
    "unittest": (UNIT, {"calc.py": GOOD}, f"tests: {sys.executable} -m unittest"),
    "node": (
        NODE,
        {
            "calc.js": "exports.add = (a, b) => a + b;\n",
            "more.test.js": "require('node:test')('more', () => {});\n",
        },
        "tests: node --test",
    ),
    "a command that runs tests": (MAKE, {"calc.py": GOOD, "test_more.py": OK}, "command: make check"),
    "a program that a check looks at": (
        PROGRAM,
        {"sum.py": "import sys\nprint(int(sys.argv[1]) + int(sys.argv[2]))\n"},
        "command: sh check.sh",
    ),
    "what a build runs": (
        {"Makefile": "build:\n\tpython3 build.py\n", "build.py": "raise SystemExit(1)\n"},
        {"build.py": "print('built')\n"},
        "command: make build",
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_work_that_looks_like_it_passes(judged: Judged, name: str) -> None:
    result = judged(*HONEST[name])
    assert result.verdict == "PASS", result


def test_what_the_goal_opened_is_judged_as_it_is_now(judged: Judged) -> None:
    turn = {"calc.py": GOOD.replace("add", "plus"), "test_calc.py": TEST.replace("import add", "import plus as add")}
    assert judged(PY, turn, PYTEST, opened=frozenset({"test_calc.py"})).verdict == "PASS"


RENAMED = GOOD.replace("add", "plus")


def test_tests_of_a_name_that_the_goal_asks_to_change_are_read_by_the_new_one(judged: Judged) -> None:
    turn = {"calc.py": RENAMED, "test_calc.py": TEST.replace("add", "plus")}
    assert judged(PY, turn, PYTEST, renamed=(("add", "plus"),)).verdict == "PASS"


def test_a_rename_opens_no_more_than_the_name(judged: Judged) -> None:
    turn = {"calc.py": BAD.replace("add", "plus"), "test_calc.py": TEST.replace("add", "plus").replace("5", "-1")}
    result = judged(PY, turn, PYTEST, renamed=(("add", "plus"),))
    assert result.verdict == "FAIL" and "test_plus: an assertion was removed or changed" in result.seen


def test_tests_are_run_once_where_nothing_that_judges_was_changed_and_that_is_said(judged: Judged) -> None:
    assert judged(PY, {"calc.py": GOOD}, PYTEST).seen.endswith("nothing that judges was changed since the task began")


def test_without_a_sandbox_the_second_run_is_made_in_a_copy(judged: Judged) -> None:
    turned = judged(PY, {"test_calc.py": f"{TEST}\n\ndef add(a, b):\n    return a + b\n"}, PYTEST, sandbox="none")
    assert turned.verdict == "FAIL" and "no help: test_calc.py" in turned.seen


def test_honest_work_passes_in_a_copy_too(judged: Judged) -> None:
    result = judged(PY, {"calc.py": GOOD, "test_more.py": OK}, PYTEST, sandbox="none")
    assert result.verdict == "PASS" and "judged once" not in result.seen, result


def test_what_holds_in_its_own_place_alone_is_judged_once_and_says_so(judged: Judged, tmp_path: Path) -> None:
    placed = f"import os\n\n\ndef test_place():\n    assert os.getcwd() == {str(tmp_path / 'workspace')!r}\n"
    before = {**PY, "test_place.py": placed}
    result = judged(before, {"calc.py": GOOD, "test_more.py": OK}, PYTEST, sandbox="none", language="pt")
    assert result.verdict == "PASS" and "julgado uma vez" in result.seen, result


def test_a_workspace_that_is_too_large_for_a_copy_is_judged_once_and_says_so(
    judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("services.gate_runner.copying.MOST_FILES", 1)
    result = judged(PY, {"calc.py": GOOD, "test_more.py": OK}, PYTEST, sandbox="none")
    assert result.verdict == "PASS" and "judged once" in result.seen, result


def test_the_failure_is_told_in_the_tasks_language(judged: Judged) -> None:
    result = judged(PY, {"test_calc.py": f"{TEST}\n\ndef add(a, b):\n    return a + b\n"}, PYTEST, language="pt")
    assert result.verdict == "FAIL" and "com os testes como estavam no início da tarefa" in result.seen


PATHS = st.sampled_from(["a.py", "b c.txt", "d/e.py", "d/f.txt", "d/g/h.sh", "ç/ã.py", "-x", "d2"])
TREES = st.dictionaries(PATHS, st.text("ab\n", max_size=8), max_size=6)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=TREES, now=TREES)
def test_everything_is_put_back_as_it_was_and_only_in_the_overlay(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], now: dict[str, str]
) -> None:
    place = tmp_path_factory.mktemp("put")
    workspace = place / "workspace"
    workspace.mkdir()
    write_files(workspace, before)
    held = Snapshots(place / "data", workspace)
    began = held.take().tree
    shutil.rmtree(workspace)
    workspace.mkdir()
    write_files(workspace, now)
    after = held.take().tree
    back = all_former(held.changes(began, after), held.contents)
    lists = (
        'find . -type f -exec sh -c \'for f; do printf "%s=" "$f"; od -An -c "$f" | tr -d " \\n"; echo; done\' _ {} +'
    )
    ran = asyncio.run(SandboxedCommands(workspace, limits=Limits(seconds=60)).run(lists, former=back))
    seen = dict(line.split("=", 1) for line in ran.result.output.splitlines() if line)
    assert {name.removeprefix("./"): text for name, text in seen.items()} == {
        name: text.replace("\n", "\\n") for name, text in before.items()
    }
    assert held.take().tree == after
