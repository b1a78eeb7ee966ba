"""Files and programs that a task adds and a runner would find before what was there."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from services.gate_runner.cheating import planted
from services.gate_runner.commands import Commands
from services.gate_runner.criteria import judging
from services.gate_runner.criteria.base import Bench
from shared.environments import environments
from shared.precedence import displacing
from shared.run_files import named_tests, programs_called, scripts_run
from shared.verifiers import snapshot
from tests.support.gate_workspaces import write_files

CHECK = "check:\n\tpython3 -m pytest -q\n"
FORGED = "check:\n\t@echo '2 passed in 0.01s'\n"
TEST = "def test_a():\n    assert True\n"
SCRIPTED = '{"scripts": {"test": "node --test", "build": "node build.js"}}'
NODE = "#!/bin/sh\nprintf '# tests 2\\n# pass 2\\n# fail 0\\n'\n"


def told(place: Path, before: Mapping[str, str], new: Mapping[str, str], command: str, *opened: str) -> str:
    write_files(place, before)
    verifiers = snapshot(place, [*scripts_run(place, command), *named_tests(command)])
    verifiers |= environments(place, programs_called(place, [command]))
    write_files(place, new)

    def began(path: str) -> bytes | None:
        return before[path].encode() if path in before else None

    bench = Bench(
        place,
        cast(Commands, None),
        verifiers=verifiers,
        began=began,
        judging=(command,),
        opened=frozenset(opened),
    )
    return judging.tests_tampered(bench, command) + judging.scripts_tampered(bench, command)


@pytest.mark.parametrize(
    ("before", "new", "command"),
    [
        ({"Makefile": CHECK, "test_a.py": TEST}, {"GNUmakefile": FORGED}, "make check"),
        ({"Makefile": CHECK, "test_a.py": TEST}, {"makefile": FORGED}, "make -s check"),
        ({"makefile": CHECK, "test_a.py": TEST}, {"GNUmakefile": FORGED}, "make"),
        ({"Makefile": CHECK, "check.sh": "#!/bin/sh\nmake check\n"}, {"GNUmakefile": FORGED}, "./check.sh"),
        (
            {"Makefile": CHECK, "go.sh": "#!/bin/sh\nsh in/ner.sh\n", "in/ner.sh": "set -e\nmake check\n"},
            {"GNUmakefile": FORGED},
            "./go.sh",
        ),
        (
            {
                "package.json": '{"scripts": {"all": "sh go.sh"}}',
                "go.sh": "cd sub && make check\n",
                "sub/Makefile": CHECK,
            },
            {"sub/GNUmakefile": FORGED},
            "npm run all",
        ),
        (
            {"package.json": '{"scripts": {"test": "wizard check && node --test"}}', "a.test.js": "test('a')\n"},
            {"node_modules/.bin/wizard": NODE},
            "npm test",
        ),
        (
            {"package.json": "{}", "go.sh": "npx --no-install wizard\n"},
            {"node_modules/.bin/wizard": NODE},
            "sh go.sh",
        ),
        ({"package.json": SCRIPTED}, {".npmrc": "script-shell=/bin/true\n"}, "npm run build"),
        ({"package.json": SCRIPTED}, {".npmrc": 'script-shell = "./sh.sh"\n'}, "npm test"),
        ({"package.json": SCRIPTED, ".npmrc": "fund=false\n"}, {".npmrc": "fund=false\nusage=true\n"}, "npm test"),
        ({"package.json": SCRIPTED, ".npmrc": "shell=/bin/sh\n"}, {".npmrc": "shell=/bin/true\n"}, "npm test"),
        ({"package.json": SCRIPTED, "Makefile": "go:\n\t@npm test\n"}, {".npmrc": "shell=/bin/true\n"}, "make go"),
        ({"package.json": SCRIPTED, "go.sh": "set -e\nnpm test\n"}, {".npmrc": "shell=/bin/true\n"}, "sh go.sh"),
        ({"package.json": SCRIPTED}, {".yarnrc": 'script-shell "/bin/true"\n'}, "yarn test"),
        ({"calc.py": "x = 1\n"}, {"mypy.py": "print('ok')\n"}, "python3 -m mypy calc.py"),
        ({"calc.py": "x = 1\n"}, {"doctest.py": "print('ok')\n"}, "python3 -m doctest calc.py"),
        ({"calc.py": "x = 1\n", "Makefile": "lint:\n\tpython3 -m ruff check\n"}, {"ruff/__main__.py": ""}, "make lint"),
        ({"sub/Makefile": CHECK}, {"sub/GNUmakefile": FORGED}, "make -C sub check"),
        ({"Justfile": "check:\n  pytest\n"}, {"justfile": "check:\n  true\n"}, "just check"),
        ({"test_a.py": TEST, "pyproject.toml": ""}, {"pytest.ini": "[pytest]\naddopts = -k b\n"}, "pytest"),
        ({"a.test.js": "test('a')\n", "package.json": "{}"}, {"jest.config.js": "module.exports = {}\n"}, "jest"),
        ({"a.test.js": "test('a')\n", "package.json": "{}"}, {".mocharc.json": "{}\n"}, "mocha"),
    ],
)
def test_a_new_file_that_takes_the_place_of_another_is_told(
    tmp_path: Path, before: Mapping[str, str], new: Mapping[str, str], command: str
) -> None:
    assert next(iter(new)) in told(tmp_path, before, new, command)


@pytest.mark.parametrize(
    ("before", "new", "command", "opened"),
    [
        ({"Makefile": CHECK}, {"GNUmakefile": "include Makefile\n\nclean:\n\trm -f x\n"}, "make check", "GNUmakefile"),
        ({"GNUmakefile": CHECK}, {"Makefile": "all:\n\ttrue\n"}, "make check", "Makefile"),
        ({"src/a.py": "x = 1\n"}, {"Makefile": CHECK}, "make check", ""),
        ({"src/a.py": "x = 1\n"}, {"app.py": "print('ok')\n"}, "python3 -m app", ""),
        ({"build.py": "x = 1\n"}, {"a.py": "print('ok')\n"}, "python3 -m build", ""),
        ({"a.txt": "x = 1\n"}, {"build.py": "print('ok')\n"}, "python3 -m build", "build.py"),
        (
            {"package.json": '{"scripts": {"test": "wizard check"}}', "node_modules/.bin/wizard": NODE},
            {"a.js": "x\n"},
            "npm test",
            "",
        ),
        ({"package.json": "{}"}, {"node_modules/.bin/wizard": NODE}, "npm test", ""),
        ({"package.json": SCRIPTED}, {".npmrc": "save-exact=true\nregistry=https://r.example/\n"}, "npm test", ""),
        ({"package.json": SCRIPTED}, {".npmrc": "script-shell=/bin/bash\n"}, "npm test", ".npmrc"),
        ({"Makefile": CHECK}, {"docs/GNUmakefile": "html:\n\ttrue\n"}, "make check", ""),
    ],
)
def test_a_new_file_that_was_asked_for_or_takes_no_place_is_not(
    tmp_path: Path, before: Mapping[str, str], new: Mapping[str, str], command: str, opened: str
) -> None:
    assert told(tmp_path, before, new, command, opened) == ""


def test_what_a_runner_reads_later_takes_no_place() -> None:
    assert displacing("make", {""}, {"GNUmakefile"}.__contains__, {"Makefile", "GNUmakefile"}.__contains__) == []


@pytest.mark.parametrize("name", ["node", "sh", "grep", "jest", "env"])
def test_a_new_program_of_node_modules_that_no_package_brought_is_planted(tmp_path: Path, name: str) -> None:
    before = environments(tmp_path)
    write_files(tmp_path, {f"node_modules/.bin/{name}": NODE})
    assert [one.path for one in planted(tmp_path, before, environments(tmp_path))] == [f"node_modules/.bin/{name}"]


def test_a_new_link_to_a_program_that_nothing_installed_is_planted(tmp_path: Path) -> None:
    before = environments(tmp_path)
    write_files(tmp_path, {"tools/node": NODE, "node_modules/.bin/x": NODE, "node_modules/fake/node": NODE})
    for name, target in (("node", "../../tools/node"), ("sh", "../fake/node")):
        (tmp_path / "node_modules/.bin" / name).symlink_to(target)
    found = {one.path for one in planted(tmp_path, before, environments(tmp_path))}
    assert found == {"node_modules/.bin/node", "node_modules/.bin/sh"}


@pytest.mark.parametrize(
    ("note", "package"),
    [
        (".package-lock.json", "mocha"),
        (".yarn-integrity", "mocha"),
        (".pnpm/lock.yaml", ".pnpm/mocha@1/node_modules/mocha"),
    ],
)
def test_a_program_that_came_with_an_installed_package_is_not(tmp_path: Path, note: str, package: str) -> None:
    before = environments(tmp_path)
    modules = tmp_path / "node_modules"
    write_files(modules, {f"{package}/bin/mocha.js": "x\n", note: '{"node_modules/mocha": 1, "mocha@1": 1}\n'})
    (modules / ".bin").mkdir()
    (modules / ".bin/mocha").symlink_to(f"../{package}/bin/mocha.js")
    assert planted(tmp_path, before, environments(tmp_path)) == []


def test_scripts_by_which_pnpm_starts_programs_are_not(tmp_path: Path) -> None:
    before = environments(tmp_path)
    shim = '#!/bin/sh\nbasedir=$(dirname "$0")\nexec node  "$basedir/../mocha/bin/mocha.js" "$@"\n'
    files = {"mocha/bin/mocha.js": "x\n", ".modules.yaml": '{"hoisted": "mocha: 1"}\n', ".bin/mocha": shim}
    write_files(tmp_path / "node_modules", files)
    assert planted(tmp_path, before, environments(tmp_path)) == []
