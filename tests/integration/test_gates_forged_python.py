"""Reports that tests, or the code they import, forge from inside pytest and unittest; each with its honest twin."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping
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
UNITTEST = f"{sys.executable} -m unittest -q"
TEST = "import calc\ndef test_a(): assert calc.one() == 1\ndef test_b(): assert calc.one() == 2\n"
CASE = "import unittest, calc\nclass A(unittest.TestCase):\n" + "".join(
    f" def test_{n}(self): self.assertEqual(calc.one(), {n})\n" for n in (1, 2)
)
ONE = "def one(): return 1\n"
UNIT = "import unittest\nclass A(unittest.TestCase):\n def test_u(self): pass\n"

Ask = Callable[..., CriterionResult]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def asked(run: str, files: Mapping[str, str], **fields: object) -> CriterionResult:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        criterion = TestsCriterion.model_validate({"run": run, **fields})
        return asyncio.run(judge(criterion, Bench(tmp_path, SandboxedCommands(tmp_path, limits=Limits(seconds=120)))))

    return asked


JUNIT = '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>'
FORGE = (
    "import glob, os, re, sys\n"
    f"JUNIT = {JUNIT!r}\n"
    "def forge():\n"
    "    told = ' '.join([*sys.argv, *os.environ.values()])\n"
    "    places = re.findall(r'/tmp/arreio-\\w+', told) + glob.glob('/tmp/arreio-*')\n"
    "    for place in [*places, '.']:\n"
    "        for name in ('pytest.xml', '1.xml', 'report.xml', '0.signed', '1.signed', 'own.xml'):\n"
    "            open(os.path.join(place, name), 'w').write(JUNIT)\n"
    "    os.write(1, b'2 passed in 0.01s\\n')\n"
    "    os.write(2, b'Ran 2 tests in 0.001s\\n\\nOK\\n')\n"
)
CUT_OFF = "never came to its end"


@pytest.mark.parametrize(
    ("command", "ending"),
    [
        (RUN_PYTEST, "os._exit(0)"),
        (f"{RUN_PYTEST} --junitxml=own.xml", "os._exit(0)"),
        (f"{RUN_PYTEST} || true", "os.execvp('true', ['true'])"),
        (RUN_PYTEST, "import atexit; atexit.register(os._exit, 0); raise SystemExit"),
        (UNITTEST, "os._exit(0)"),
        (UNITTEST, "raise SystemExit"),
    ],
)
def test_code_that_writes_the_reports_and_ends_the_process_at_its_import_does_not_pass(
    ask: Ask, command: str, ending: str
) -> None:
    files = {"calc.py": f"{FORGE}forge()\n{ending}\n", "test_a.py": CASE if "unittest" in command else TEST}
    result = ask(command, files)
    assert result.verdict != "PASS", result
    assert not result.environment


@pytest.mark.parametrize("command", [RUN_PYTEST, UNITTEST, "make check"])
def test_code_that_ends_the_process_when_it_is_called_is_named(ask: Ask, command: str) -> None:
    files = {
        "calc.py": f"{FORGE}\ndef one():\n    forge()\n    os._exit(0)\n",
        "test_a.py": CASE if "unittest" in command else TEST,
        "Makefile": f"check:\n\t{RUN_PYTEST}\n",
    }
    result = ask(command, files)
    assert (result.verdict, result.environment) == ("NOT_RUN", False) and CUT_OFF in result.seen


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import pytest\ndef one(): pytest.exit('done', returncode=0)\n", "2 of 2 collected tests were never run"),
        (
            "import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n" + ONE,
            "_pytest.python.Function.runtest was replaced",
        ),
        (
            "import unittest.mock, _pytest.python\n_pytest.python.Function.runtest = unittest.mock.Mock()\n" + ONE,
            "_pytest.python.Function.runtest was replaced",
        ),
        (
            "import _pytest.reports as r\nmake = r.TestReport.from_item_and_call.__func__\n"
            "def made(cls, item, call):\n    found = make(cls, item, call)\n    found.outcome = 'passed'\n"
            "    return found\n"
            "r.TestReport.from_item_and_call = classmethod(made)\n" + ONE,
            "raised AssertionError and was reported as passed",
        ),
        (
            "import gc, pytest\nfrom _pytest.config import PytestPluginManager\n"
            "class Kind:\n    def pytest_pyfunc_call(self, pyfuncitem): return True\n"
            "next(o for o in gc.get_objects() if isinstance(o, PytestPluginManager)).register(Kind())\n" + ONE,
            "calc.py made itself a plugin of pytest",
        ),
        (
            "import gc, pytest\nfrom _pytest.config import PytestPluginManager\n"
            "class Kind:\n    def pytest_runtest_logreport(self, report): report.outcome = 'passed'\n"
            "next(o for o in gc.get_objects() if isinstance(o, PytestPluginManager)).register(Kind())\n" + ONE,
            "1 passed, 1 failed",
        ),
    ],
)
def test_code_that_turns_pytest_itself_is_named(ask: Ask, code: str, said: str) -> None:
    result = ask(RUN_PYTEST, {"calc.py": code, "test_a.py": TEST})
    assert result.verdict == "FAIL" and said in result.seen


def test_a_hook_that_turns_the_exit_status_hides_nothing(ask: Ask) -> None:
    hook = "import os\ndef pytest_sessionfinish(session): session.exitstatus = 0\n"
    result = ask(RUN_PYTEST, {"calc.py": ONE, "test_a.py": TEST, "conftest.py": hook})
    assert result.verdict == "FAIL" and "1 passed, 1 failed" in result.seen


def test_a_hook_that_ends_the_process_before_the_reports_is_named(ask: Ask) -> None:
    hook = "import os\ndef pytest_sessionfinish(session): os._exit(0)\n"
    result = ask(RUN_PYTEST, {"calc.py": ONE, "test_a.py": TEST, "conftest.py": hook})
    assert result.verdict == "NOT_RUN" and CUT_OFF in result.seen


def test_a_program_of_pytests_name_that_is_none_does_not_pass(ask: Ask) -> None:
    fake = "#!/bin/sh\necho '2 passed in 0.1s'\nfor one in \"$@\"; do case $one in --junitxml=*) "
    fake += f"echo '{JUNIT}' > ${{one#--junitxml=}};; esac; done\n"
    result = ask("sh ./pytest --junitxml=own.xml", {"pytest": fake})
    assert result.verdict == "NOT_RUN" and "no report of the tests by pytest" in result.seen


HONEST = {
    "a child that ends by os._exit": "import os\ndef test_a():\n    if os.fork() == 0: os._exit(0)\n    os.wait()\n",
    "sys.exit where it is expected": (
        "import sys, pytest\ndef test_a():\n    with pytest.raises(SystemExit): sys.exit(0)\n"
    ),
    "a program that ends itself": (
        "import subprocess, sys\ndef test_a():\n"
        "    assert subprocess.run([sys.executable, '-c', 'import os; os._exit(3)']).returncode == 3\n"
    ),
    "pytest inside pytest": (
        "import subprocess, sys\ndef test_a(tmp_path):\n"
        "    (tmp_path / 'test_b.py').write_text('def test_b(): assert 0')\n"
        "    assert subprocess.run([sys.executable, '-m', 'pytest', str(tmp_path)]).returncode == 1\n"
    ),
    "pytest inside this process": (
        "pytest_plugins = 'pytester'\ndef test_a(pytester):\n"
        "    pytester.makepyfile('def test_b(): assert 0')\n"
        "    pytester.inline_run().assertoutcome(failed=1)\n"
        "    pytester.runpytest_subprocess().assert_outcomes(failed=1)\n"
    ),
    "a part of pytest that is put back": (
        "import _pytest.python\ndef test_a(monkeypatch):\n"
        "    monkeypatch.setattr(_pytest.python.Function, 'runtest', lambda self: None)\n"
    ),
    "a plugin that a test registers": (
        "class Seen:\n    def pytest_runtest_logreport(self, report): pass\n"
        "def test_a(pytestconfig): pytestconfig.pluginmanager.register(Seen())\n"
    ),
    "tests that are deselected, and expected to fail": (
        "import pytest\n@pytest.mark.xfail\ndef test_x(): assert 0\n"
        "def test_a(): pass\n@pytest.mark.slow\ndef test_slow(): assert 0\n"
    ),
    "an environment that is emptied": (
        "import os, subprocess, sys\ndef test_a(monkeypatch):\n"
        "    for name in list(os.environ): monkeypatch.delenv(name)\n"
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_tests_that_look_like_it_pass(ask: Ask, name: str) -> None:
    result = ask(f"{RUN_PYTEST} -m 'not slow'", {"test_a.py": HONEST[name]})
    assert result.verdict == "PASS", result.seen
    assert result.counts is not None and result.counts.passed == 1


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (f"{RUN_PYTEST} -p xdist -n 2", {}),
        (
            f"PYTHONPATH=src {RUN_PYTEST} a",
            {"src/calc.py": ONE, "a/test_c.py": "import calc\ndef test_c(): calc.one()\n"},
        ),
        (f"{RUN_PYTEST} --version && {RUN_PYTEST}", {}),
        (f"{RUN_PYTEST} test_a.py && {RUN_PYTEST} test_a.py", {}),
        ("make check", {"Makefile": f"check:\n\tPYTHONPATH=. {RUN_PYTEST}\n"}),
        (f"{sys.executable} -I -m pytest -q", {}),
        (f"{UNITTEST} test_u", {"test_u.py": UNIT}),
        (
            f"{sys.executable} manage.py test",
            {"manage.py": "import unittest, sys\nunittest.main('test_u', argv=sys.argv[:1])\n", "test_u.py": UNIT},
        ),
    ],
)
def test_every_way_to_start_them_is_counted(ask: Ask, command: str, files: dict[str, str]) -> None:
    result = ask(command, {"test_a.py": "def test_a(): pass\n", **files})
    assert result.verdict == "PASS", result.seen
    assert result.counts is not None and result.counts.passed >= 1


def test_only_collecting_runs_nothing(ask: Ask) -> None:
    result = ask(f"{RUN_PYTEST} --collect-only", {"test_a.py": "def test_a(): pass\n"})
    assert result.verdict == "NOT_RUN"


def test_unittest_that_is_stopped_before_its_end_is_named(ask: Ask) -> None:
    code = "import sys\ndef one():\n    found = sys._getframe()\n    while found and 'result' not in found.f_locals:\n"
    code += "        found = found.f_back\n    found.f_locals['result'].stop()\n    return 1\n"
    result = ask(UNITTEST, {"calc.py": code, "test_a.py": CASE})
    assert result.verdict == "FAIL" and "1 of 2 tests were never run" in result.seen


def test_a_part_of_unittest_that_code_reaches_without_its_name_is_named(ask: Ask) -> None:
    code = "for one in object.__subclasses__():\n    if one.__name__ == 'TestCase':\n        one.assertEqual = print\n"
    result = ask(UNITTEST, {"calc.py": code + ONE, "test_a.py": CASE})
    assert result.verdict == "FAIL" and "unittest.case.TestCase.assertEqual was replaced" in result.seen
