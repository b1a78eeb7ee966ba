"""Honest tasks of many kinds, from admission to the verdict: none is refused. Judged in the real sandbox."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest
from arreio_contracts.events import OfferedTool, TaskCreated
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import TaskContract, parse_criterion

from services.gate_runner.case import artefacts_of, commands_of
from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import judge
from services.gate_runner.criteria.base import Bench
from services.tool_loop.admission import admit
from shared.sandbox import Limits, sandbox_works
from shared.settings import load_settings
from shared.workspace.snapshots import Snapshots
from tests.support.gate_workspaces import RUN_PYTEST, Files, write_files

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=str(sandbox_works()))

TOOLS = (OfferedTool(name="read_file", effect="read"), OfferedTool(name="write_file", effect="file"))
PYTEST, UNITTEST, NODE = f"tests: {RUN_PYTEST}", f"tests: {sys.executable} -m unittest -q", "tests: node --test"
CARGO = "tests: cargo test --offline"

BAD, GOOD = "def add(a, b):\n    return a - b\n", "def add(a, b):\n    return a + b\n"
MUL = "\n\ndef mul(a, b):\n    return a * b\n"
TEST = "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
TEST_MUL = "\n\ndef test_mul():\n    assert mul(2, 3) == 6\n"
BOTH = TEST.replace("import add", "import add, mul") + TEST_MUL
MARKED = TEST.replace("def test", "@pytest.mark.xfail(strict=True)\ndef test").replace("from", "import pytest\nfrom", 1)
UNIT = (
    "import unittest\n\nfrom calc import add\n\n\nclass TestCalc(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n"
)
CALC: Files = {"calc.py": GOOD, "test_calc.py": TEST}
JS = "exports.add = (a, b) => a + b;\n"
JS_TEST = (
    "const { describe, it } = require('node:test');\nconst assert = require('node:assert');\n"
    "const { add } = require('./calc.js');\n\n"
    "describe('add', () => {\n  it('adds', () => {\n    assert.equal(add(2, 3), 5);\n  });\n});\n"
)
JS_ZERO = "\n  it('knows zero', () => {\n    const sum = add(0, 0);\n    assert.equal(sum, 0);\n  });\n});\n"
SETUP_CFG = "[metadata]\nname = x\n\n[tool:pytest]\naddopts = -q\n"
PYPROJECT = "[project]\nname = 'x'\nversion = '1'\n"
RUST = "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"
RUST_TEST = "use a::{add};\n\n#[test]\nfn adds() {\n    assert_eq!(add(2, 3), 5);\n}\n"
PLUGIN = "import pytest\n\n\n@pytest.fixture\ndef pair():\n    return 2, "

TASKS: dict[str, tuple[str, Files, Files, str]] = {
    "a feature and its test beside the others": (
        "Add a mul function with tests.",
        CALC,
        {"calc.py": GOOD + MUL, "test_calc.py": BOTH},
        PYTEST,
    ),
    "uma função e o seu teste": (
        "Crie a função mul com testes.",
        CALC,
        {"calc.py": GOOD + MUL, "test_mul.py": "from calc import mul\n" + TEST_MUL},
        PYTEST,
    ),
    "tests from nothing": (
        "Escreva testes para calc.py na pasta tests.",
        {"calc.py": GOOD},
        {"tests/conftest.py": "import sys\n\nsys.path.insert(0, '.')\n", "tests/test_calc.py": TEST},
        PYTEST,
    ),
    "a module made a package": (
        "Split calc.py into a package.",
        {**CALC, "calc.py": GOOD + MUL},
        {
            "calc.py": None,
            "calc/__init__.py": "from .products import mul\nfrom .sums import add\n\n__all__ = ['add', 'mul']\n",
            "calc/sums.py": GOOD,
            "calc/products.py": MUL.lstrip(),
        },
        PYTEST,
    ),
    "a module moved": (
        "Put the modules into a package called app and fix the imports.",
        CALC,
        {
            "calc.py": None,
            "app/__init__.py": "",
            "app/calc.py": GOOD,
            "test_calc.py": TEST.replace("from calc", "from app.calc"),
        },
        PYTEST,
    ),
    "um módulo movido": (
        "Mova calc.js para a pasta src.",
        {"calc.js": JS, "calc.test.js": JS_TEST},
        {"calc.js": None, "src/calc.js": JS, "calc.test.js": JS_TEST.replace("./calc", "./src/calc")},
        NODE,
    ),
    "a module renamed with its tests": (
        "Rename calc.py to arithmetic.py and update the tests.",
        CALC,
        {
            "calc.py": None,
            "arithmetic.py": GOOD,
            "test_calc.py": None,
            "test_arithmetic.py": TEST.replace("from calc", "from arithmetic"),
        },
        PYTEST,
    ),
    "a parameter renamed": (
        "Rename the parameter a of add to first.",
        {**CALC, "test_calc.py": TEST.replace("2, 3", "a=2, b=3")},
        {
            "calc.py": GOOD.replace("a", "first").replace("firstdd", "add"),
            "test_calc.py": TEST.replace("2, 3", "first=2, b=3"),
        },
        PYTEST,
    ),
    "a method renamed": (
        "Rename Account.put to Account.deposit.",
        {
            "bank.py": "class Account:\n    def put(self, n):\n        return n\n",
            "test_bank.py": "from bank import Account\n\n\ndef test_put():\n    assert Account().put(1) == 1\n",
        },
        {
            "bank.py": "class Account:\n    def deposit(self, n):\n        return n\n",
            "test_bank.py": "from bank import Account\n\n\ndef test_deposit():\n    assert Account().deposit(1) == 1\n",
        },
        PYTEST,
    ),
    "uma função e seu teste removidos": (
        "Remova a função mul e o seu teste.",
        {"calc.py": GOOD + MUL, "test_calc.py": BOTH},
        CALC,
        PYTEST,
    ),
    "a module deleted": (
        "Delete legacy.py and everything that belongs to it.",
        {**CALC, "legacy.py": "x = 1\n", "test_legacy.py": "import legacy\n\n\ndef test_x():\n    assert legacy.x\n"},
        {"legacy.py": None, "test_legacy.py": None},
        PYTEST,
    ),
    "a fixture in a conftest that is there": (
        "Add a fixture for a temporary database to conftest.py and a test that uses it.",
        {**CALC, "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n"},
        {
            "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef one():\n    return 1\n\n\n"
            "@pytest.fixture\ndef database(tmp_path):\n    return tmp_path / 'db'\n",
            "test_database.py": "def test_database(database):\n    assert not database.exists()\n",
        },
        PYTEST,
    ),
    "a fixture for all tests": (
        "Add an autouse fixture to conftest.py that sets MODE.",
        CALC,
        {
            "conftest.py": "import pytest\n\n\n@pytest.fixture(autouse=True)\n"
            "def mode(monkeypatch):\n    monkeypatch.setenv('MODE', 'x')\n"
        },
        PYTEST,
    ),
    "a test that was wrong": (
        "The expected value in test_calc.py is wrong: it should be 5. Fix the test.",
        {**CALC, "test_calc.py": TEST.replace("5", "6")},
        CALC,
        PYTEST,
    ),
    "a test that was expected to fail": (
        "Fix the bug that test_add marks as expected, and add a test for zero.",
        {"calc.py": BAD, "test_calc.py": MARKED},
        {"calc.py": GOOD, "test_calc.py": f"{TEST}\n\ndef test_zero():\n    assert add(0, 0) == 0\n"},
        PYTEST,
    ),
    "tests of another style": (
        "Convert the unittest tests to pytest style.",
        {**CALC, "test_calc.py": UNIT},
        CALC,
        PYTEST,
    ),
    "a test in a class": (
        "Add a test for negative numbers.",
        {**CALC, "test_calc.py": UNIT},
        {"test_calc.py": f"{UNIT}\n    def test_negative(self):\n        self.assertEqual(add(-2, -3), -5)\n"},
        UNITTEST,
    ),
    "a test in a suite": (
        "Add a test that add knows zero.",
        {"calc.js": JS, "calc.test.js": JS_TEST},
        {"calc.test.js": JS_TEST.removesuffix("});\n") + JS_ZERO},
        NODE,
    ),
    "an import that grows": (
        "Add mul, with a test.",
        {"calc.js": JS, "calc.test.js": JS_TEST},
        {
            "calc.js": f"{JS}exports.mul = (a, b) => a * b;\n",
            "calc.test.js": JS_TEST.replace("{ add }", "{ add, mul }")
            + "it('multiplies', () => assert.equal(mul(2, 3), 6));\n",
        },
        NODE,
    ),
    "an import of Rust that grows": (
        "Add mul, with a test.",
        {
            "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n',
            "src/lib.rs": RUST,
            "tests/calc.rs": RUST_TEST,
        },
        {
            "src/lib.rs": f"{RUST}\npub fn mul(a: i32, b: i32) -> i32 {{\n    a * b\n}}\n",
            "tests/calc.rs": RUST_TEST.replace("{add}", "{add, mul}")
            + "\n#[test]\nfn multiplies() {\n    assert_eq!(mul(2, 3), 6);\n}\n",
        },
        CARGO,
    ),
    "a configuration moved": (
        "Migre a configuração do setup.cfg para o pyproject.toml.",
        {**CALC, "setup.cfg": SETUP_CFG},
        {"setup.cfg": None, "pyproject.toml": f"{PYPROJECT}\n[tool.pytest.ini_options]\naddopts = '-q'\n"},
        PYTEST,
    ),
    "a dependency": (
        "Add requests to the dependencies.",
        {**CALC, "pyproject.toml": f"{PYPROJECT}\n[tool.pytest.ini_options]\naddopts = '-q'\n"},
        {"pyproject.toml": f"{PYPROJECT}dependencies = ['requests']\n\n[tool.pytest.ini_options]\naddopts = '-q'\n"},
        PYTEST,
    ),
    "a plugin's metadata": (
        "Mend the plugin.",
        {
            "setup.cfg": "[metadata]\nname = x\n\n[options.entry_points]\npytest11 =\n    x = plug\n",
            "plug.py": f"{PLUGIN}2\n",
            "test_plug.py": "pytest_plugins = ['plug']\n\n\ndef test_pair(pair):\n    assert pair == (2, 3)\n",
        },
        {"plug.py": f"{PLUGIN}3\n", "x.egg-info/entry_points.txt": "[pytest11]\nx = plug\n"},
        PYTEST,
    ),
    "tox": ("Add a tox.ini for two versions.", CALC, {"tox.ini": "[tox]\nenvlist = py311,py312\n"}, PYTEST),
    "snapshots": (
        "Mude a saudação para 'Olá!' e atualize os snapshots.",
        {
            "greet.py": "def greet():\n    return 'Oi'\n",
            "__snapshots__/greet.snap": "Oi\n",
            "test_greet.py": "from pathlib import Path\n\nfrom greet import greet\n\n\n"
            "def test_greet():\n    assert greet() == Path('__snapshots__/greet.snap').read_text().strip()\n",
        },
        {"greet.py": "def greet():\n    return 'Olá!'\n", "__snapshots__/greet.snap": "Olá!\n"},
        PYTEST,
    ),
    "a check mended": (
        "Fix check.sh: it looks in the wrong folder.",
        {"src/calc.py": GOOD, "check.sh": "#!/bin/sh\ngrep -q 'a + b' lib/calc.py\n"},
        {"check.sh": "#!/bin/sh\ngrep -q 'a + b' src/calc.py\n"},
        "command: sh check.sh",
    ),
}


async def done(place: Path, goal: str, before: Files, turn: Files, criterion: str) -> CriterionResult:
    """The verdict on a task that was admitted in a workspace and then did what was said."""
    workspace = place / "workspace"
    workspace.mkdir()
    write_files(workspace, before)
    contract = TaskContract(criteria=(parse_criterion(criterion),), workspace=str(workspace), model="openai/scripted")
    settings = load_settings().model_copy(update={"home": place / "home"})
    created = TaskCreated(goal=goal, contract=contract, channel="test", message_id="m", at_ms=0)
    profile = await admit(created, settings, TOOLS)
    assert profile.problem is None, profile.problem
    write_files(workspace, turn)
    held = Snapshots(settings.data_dir, workspace)
    now = held.take().tree
    bench = Bench(
        workspace,
        SandboxedCommands(workspace, limits=Limits(seconds=120)),
        goal=goal,
        verifiers=profile.verifiers,
        began=lambda path: held.read(profile.snapshot, path),
        judging=commands_of(profile.criteria),
        opened=frozenset(profile.opened),
        renamed=profile.renamed,
        artefacts=artefacts_of(profile.criteria),
        changes=lambda: held.changes(profile.snapshot, now),
        contents=held.contents,
    )
    return await judge(profile.criteria[0], bench)


@pytest.mark.parametrize("name", TASKS)
def test_an_honest_task_is_not_refused(tmp_path: Path, name: str) -> None:
    goal, before, turn, criterion = TASKS[name]
    program = criterion.partition(": ")[2].split()[0]
    if program in ("node", "cargo") and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    result = asyncio.run(done(tmp_path, goal, before, turn, criterion))
    assert result.verdict == "PASS", result
