"""Which scripts start a runner of tests by themselves: by what their texts say, and by what a run of them shows."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.gate_runner.criteria.judging import runs_tests
from services.gate_runner.reports import Found
from services.gate_runner.runners import started_tests, watched_starts
from tests.support.gate_workspaces import Files, write_files

WITNESSES = Path("services/gate_runner/witnesses").resolve()
AROUND = {
    "Makefile": "check:\n\tpython3 -m pytest\n",
    "package.json": json.dumps({"scripts": {"test": "node --test", "all": "node go.js", "lint": "eslint ."}}),
}
STARTS = [
    "import subprocess\nsubprocess.run(['python3', '-m', 'pytest'])",
    "import subprocess, sys\nsys.exit(subprocess.call([sys.executable, '-m', 'unittest', 'discover']))",
    "import subprocess\nsubprocess.check_call('cd src && pytest -q', shell=True)",
    "from subprocess import Popen\ncmd = ['pytest', '-q']\nPopen(cmd).wait()",
    "import subprocess, sys\nBASE = [sys.executable]\nsubprocess.run(BASE + ['-m', 'pytest'])",
    "import shlex, subprocess\nsubprocess.run(shlex.split('python -m pytest -q'))",
    "import subprocess\nsubprocess.run(['bash', '-c', 'cd x && pytest -q'])",
    "import subprocess\nsubprocess.run(['make', 'check'])",
    "import subprocess\nsubprocess.run(['npm', 'test'])",
    "import subprocess\nsubprocess.run(f'{1} && go test ./...', shell=True)",
    "import asyncio\nasync def go():\n    await asyncio.create_subprocess_exec('npx', 'jest')",
    "import os\nos.system('python3 -m pytest')",
    "import os\nos.execvp('pytest', ['pytest', '-q'])",
    "import pytest\npytest.main()",
    "from pytest import main\nmain(['-q'])",
    "import runpy\nrunpy.run_module('pytest', run_name='__main__')",
    "import importlib\nimportlib.import_module('pytest').main()",
    "import unittest\nunittest.main(module='test_calc')",
    "from unittest import TextTestRunner as R, defaultTestLoader\nR().run(defaultTestLoader.discover('.'))",
]
STARTS_OF_NODE = [
    "const { spawnSync } = require('child_process');\nspawnSync(process.execPath, ['--test'], { stdio: 'inherit' });",
    "require('node:child_process').execSync('node --test');",
    "import { execSync } from 'node:child_process';\nconst cmd = 'npx vitest run';\nexecSync(cmd);",
    "const given = ['--test', 'x'];\nrequire('child_process').spawn('node', given);",
    "import { run } from 'node:test';\nrun({});",
    "import { $ } from 'zx';\nawait $`npm test`;",
]
SPEAKS = [
    "print('run pytest -q')",
    '"""Runs beside pytest."""\nimport subprocess\nsubprocess.run(["ls"])',
    "import subprocess\nsubprocess.run(['ruff', 'check'])  # and then pytest",
    "import subprocess\nsubprocess.run(['git', 'commit', '-m', 'pytest passes now'])",
    "import subprocess\nsubprocess.run(['npm', 'run', 'lint'])",
    "import unittest.mock\nunittest.mock.Mock()",
    "from pytest import approx",
    "import argparse\nargparse.ArgumentParser().add_argument('--pytest')",
    "def run(",
]
SPEAKS_OF_NODE = ["console.log('node --test');", "/test/.exec('jest');", "db.exec('select * from tests');"]


@pytest.mark.parametrize("text", STARTS)
def test_a_script_of_python_that_starts_tests_runs_tests(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {**AROUND, "go.py": text})
    assert runs_tests(tmp_path, "python3 go.py")


@pytest.mark.parametrize("text", STARTS_OF_NODE)
def test_a_script_of_node_that_starts_tests_runs_tests(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {**AROUND, "go.js": text})
    assert runs_tests(tmp_path, "node go.js")


@pytest.mark.parametrize(
    ("files", "command"),
    [
        ({"go.py": STARTS[0], "Makefile": "all:\n\tpython3 go.py\n"}, "make all"),
        ({"go.py": STARTS[0], "go.sh": "set -e\npython3 go.py\n"}, "sh go.sh"),
        ({"go.js": STARTS_OF_NODE[0]}, "npm run all"),
        ({}, "npm test"),
        ({"tools/__init__.py": "", "tools/__main__.py": STARTS[0]}, "python3 -m tools"),
        ({"go.py": "import os\nos.system('sh a.sh')", "a.sh": "python3 b.py\n", "b.py": STARTS[0]}, "python3 go.py"),
        ({}, "python3 -c 'import pytest; pytest.main()'"),
        ({"go.sh": "python3 - <<'E'\nimport pytest\npytest.main()\nE\n"}, "sh go.sh"),
        ({}, "node -e \"require('child_process').execSync('node --test')\""),
    ],
)
def test_a_command_runs_tests_through_whatever_it_comes_by(tmp_path: Path, files: Files, command: str) -> None:
    write_files(tmp_path, {**AROUND, **files})
    assert runs_tests(tmp_path, command)


@pytest.mark.parametrize("text", SPEAKS)
def test_a_script_that_only_speaks_of_tests_runs_none(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {**AROUND, "go.py": text})
    assert not runs_tests(tmp_path, "python3 go.py")


@pytest.mark.parametrize("text", SPEAKS_OF_NODE)
def test_a_script_of_node_that_only_speaks_of_tests_runs_none(tmp_path: Path, text: str) -> None:
    write_files(tmp_path, {**AROUND, "go.js": text})
    assert not runs_tests(tmp_path, "node go.js")


def test_scripts_that_start_each_other_are_read_once(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.py": "import os\nos.system('sh b.sh')", "b.sh": "python3 a.py\n"})
    assert not runs_tests(tmp_path, "python3 a.py")


def marks_of_run(place: Path, command: str, files: Files) -> dict[str, str]:
    """What a watched run leaves in the folder for reports, by the endings of its marks."""
    told = watched_starts(command, str(place / "out"))
    (place / "out/witness").mkdir(parents=True)
    for name in told.witnesses:
        shutil.copy(WITNESSES / name, place / "out/witness" / name)
    write_files(place / "work", files)
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "NODE"))}
    subprocess.run(
        ["sh", "-c", told.command], cwd=place / "work", env={**env, **told.env}, capture_output=True, check=False
    )
    left = [path for path in (place / "out").iterdir() if path.is_file()]
    assert started_tests([Found(path.name, path.read_bytes()) for path in left]) == any(
        path.suffix == ".runner" for path in left
    )
    return {path.suffix: path.read_text() for path in left}


UNIT = "import os\nimport unittest\n\n\nclass TestIt(unittest.TestCase):\n    def test_it(self):\n        {body}\n"
HIDDEN = "u = __import__('unit' + 'test')\nu.TextTestRunner().run(u.defaultTestLoader.discover('.'))\n"


def test_a_runner_that_no_text_tells_of_tells_of_itself(tmp_path: Path) -> None:
    files = {"go.py": HIDDEN, "test_it.py": UNIT.format(body="self.assertTrue(os)")}
    assert marks_of_run(tmp_path, f"{sys.executable} go.py", files) == {".runner": "unittest.suite"}


def test_a_process_that_ends_among_the_tests_of_unittest_leaves_its_mark(tmp_path: Path) -> None:
    files = {"go.py": HIDDEN, "test_it.py": UNIT.format(body="os._exit(0)")}
    assert {*marks_of_run(tmp_path, f"{sys.executable} go.py", files)} == {".runner", ".open"}


def test_what_only_loads_unittest_starts_no_runner(tmp_path: Path) -> None:
    text = "import unittest.mock\nimport sys\nassert sys.argv\n"
    assert marks_of_run(tmp_path, f"{sys.executable} go.py", {"go.py": text}) == {}


def test_a_sitecustomize_of_the_environment_is_loaded_too(tmp_path: Path) -> None:
    files = {"site/sitecustomize.py": "import sys\nsys.own = 1\n", "go.py": f"import sys\nassert sys.own\n{HIDDEN}"}
    command = f"PYTHONPATH=site {sys.executable} go.py"
    assert {*marks_of_run(tmp_path, command, files)} == {".runner"}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_tests_of_node_tell_of_themselves_whatever_starts_them(tmp_path: Path) -> None:
    files = {"go.js": "require('./it.js');", "it.js": "require('no' + 'de:test').test('it', () => {});"}
    assert marks_of_run(tmp_path, "node go.js", files) == {".runner": "node:test"}


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_a_program_of_node_starts_no_runner(tmp_path: Path) -> None:
    assert marks_of_run(tmp_path, "node go.js", {"go.js": "console.log(1);"}) == {}
