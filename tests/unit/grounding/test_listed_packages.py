"""The packages that files of a workspace list for a command that would install them."""

import json
from pathlib import Path

import pytest
from arreio_contracts.grounding import SOME_INDEX

from services.tool_loop.grounding.listed_packages import installed, worth_asking
from services.tool_loop.rules.grounding.install_commands import installs
from tests.unit.grounding.environments import write


def names(workspace: Path, command: str) -> list[str]:
    found = installs(command)
    assert found is not None
    return [each.name for each in installed(workspace, found)]


def test_the_names_of_a_file_and_of_those_that_it_leads_to_are_each_installed(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/reqs.txt": "\ufeffsix>=1\n# attrs\n-r more/x.txt\n./here\nkit @ https://x/kit.whl\n",
            "a/more/x.txt": "Left.Pad[x]==1 ; y\n-r ../reqs.txt\n",
        },
    )
    assert names(tmp_path, "pip install -r a/reqs.txt click") == ["click", "six", "left-pad"]


def test_a_file_is_read_as_it_is_when_it_is_asked_for(tmp_path: Path) -> None:
    assert names(tmp_path, "pip install -r reqs.txt") == []
    write(tmp_path, {"reqs.txt": "six\n"})
    assert names(tmp_path, "pip install -r reqs.txt") == ["six"]


def test_a_file_outside_the_workspace_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"out.txt": "six\n", "inside/reqs.txt": "-r ../out.txt\n"})
    (tmp_path / "inside" / "link.txt").symlink_to(tmp_path / "out.txt")
    for path in ("../out.txt", str(tmp_path / "out.txt"), "link.txt", "reqs.txt"):
        assert names(tmp_path / "inside", f"pip install -r {path}") == []


def test_words_of_a_file_are_packages_of_the_tool_that_is_fed_them(tmp_path: Path) -> None:
    write(tmp_path, {"names.txt": "left-pad @types/node@20 ./local\n"})
    assert names(tmp_path, "xargs npm install < names.txt") == ["left-pad", "@types/node"]


def test_what_a_package_json_asks_a_registry_for_is_installed_with_it(tmp_path: Path) -> None:
    manifest = {
        "dependencies": {"left-pad": "^1", "alias": "npm:right@2", "kept": "1", "here": "file:./here"},
        "devDependencies": {"mine": "*", "fork": "me/fork", "web": "https://x.example/a.tgz"},
        "workspaces": ["packages/*"],
    }
    lock = json.dumps({"packages": {"node_modules/kept": {}}})
    write(
        tmp_path,
        {
            "package.json": json.dumps(manifest),
            "package-lock.json": lock,
            "packages/mine/package.json": '{"name": "mine"}',
        },
    )
    assert names(tmp_path, "npm install") == ["left-pad", "right"]


@pytest.mark.parametrize(
    "manifest",
    [
        "[project]\ndependencies = ['six>=1', 'kit @ https://x/kit.whl']\n[dependency-groups]\ndev = ['kept']\n",
        "[tool.poetry.dependencies]\npython = '^3'\nsix = '*'\nnear = {path = '../near'}\nkept = '1'\n",
        "[project]\ndependencies = ['six', 'near']\n[tool.uv.sources]\nnear = {path = '../near'}\n",
    ],
)
def test_what_a_pyproject_asks_a_registry_for_is_installed_with_it(tmp_path: Path, manifest: str) -> None:
    write(tmp_path, {"pyproject.toml": manifest, "uv.lock": '[[package]]\nname = "kept"\n'})
    assert names(tmp_path, "uv sync") == names(tmp_path, "pip install -e .") == ["six"]


def test_a_project_that_has_registries_of_its_own_is_not_asked_about_elsewhere(tmp_path: Path) -> None:
    write(
        tmp_path, {"package.json": '{"dependencies": {"@corp/x": "1"}}', ".npmrc": "@corp:registry=https://n.example\n"}
    )
    found = installs("npm install")
    assert found is not None
    assert [each.index for each in installed(tmp_path, found)] == [SOME_INDEX]


def test_a_script_installs_what_its_commands_install(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"setup.sh": "set -e\npip install six\nnpm i -g left-pad\npip install -r reqs.txt\n", "reqs.txt": "attrs"},
    )
    assert names(tmp_path, "bash setup.sh") == names(tmp_path, "./setup.sh") == ["six", "left-pad", "attrs"]


@pytest.mark.parametrize("text", ["{", "[]", "x = ", '{"dependencies": [1]}', "project = 3", "[tool]\npoetry = 3\n"])
def test_a_manifest_that_cannot_be_read_asks_for_nothing(tmp_path: Path, text: str) -> None:
    write(tmp_path, {"package.json": text, "pyproject.toml": text})
    assert names(tmp_path, "npm install; uv sync") == []


def test_what_a_script_says_that_it_needs_is_installed_when_uv_runs_it(tmp_path: Path) -> None:
    block = "# /// script\n# requires-python = '>=3.11'\n# dependencies = [\n#   'six<2',\n# ]\n# ///\nimport six\n"
    write(tmp_path, {"tool.py": block, "pyproject.toml": "[project]\ndependencies = ['attrs']\n"})
    assert names(tmp_path, "uv run tool.py") == ["six", "attrs"]
    assert names(tmp_path, "uv run --no-project tool.py x") == ["six"]
    assert names(tmp_path, "uv run pytest -q") == ["attrs"]


def test_what_a_project_was_installed_with_before_is_not_asked_for_again(tmp_path: Path) -> None:
    site = ".venv/lib/python3.11/site-packages"
    write(
        tmp_path,
        {
            "pyproject.toml": "[project]\ndependencies = ['My.Kit', 'six']\n",
            f"{site}/my_kit-1.0.dist-info/METADATA": "",
            "package.json": json.dumps({"dependencies": {"@corp/x": "1", "kept": "1", "left-pad": "1"}}),
            "node_modules/@corp/x/package.json": "{}",
            "node_modules/kept/package.json": "{}",
        },
    )
    assert names(tmp_path, "uv run pytest && npm install") == ["six", "left-pad"]


INSTALLING = "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pip', 'install', 'six'])\n"


@pytest.mark.parametrize(
    "command", ["python inst.py", "python3 -u ./inst.py now", "sudo ./inst.py", "cd . && python inst.py"]
)
def test_what_a_program_of_the_workspace_installs_is_looked_up(tmp_path: Path, command: str) -> None:
    write(tmp_path, {"inst.py": INSTALLING})
    assert names(tmp_path, command) == ["six"]
    asked = installs(command)
    assert worth_asking(tmp_path, asked, ()) == asked


def test_a_program_that_the_same_line_writes_is_read_from_it(tmp_path: Path) -> None:
    asked = installs(f"cat > inst.py <<'EOF'\n{INSTALLING}EOF\npython inst.py")
    assert asked is not None and [each.name for each in asked.packages] == ["six"]


def test_a_script_of_node_that_installs_is_read_too(tmp_path: Path) -> None:
    write(tmp_path, {"inst.mjs": "import { execSync } from 'child_process'\nexecSync('npm install left-pad')\n"})
    assert names(tmp_path, "node inst.mjs") == ["left-pad"]


def test_a_program_that_installs_nothing_is_not_looked_up_unless_it_is_about_to_change(tmp_path: Path) -> None:
    write(tmp_path, {"run.py": "print(1)\n"})
    asked = installs("python run.py")
    assert worth_asking(tmp_path, asked, ()) is None
    assert worth_asking(tmp_path, asked, ("run.py",)) == asked
    assert worth_asking(tmp_path, installs("python later.py"), ()) is None
    assert worth_asking(tmp_path, installs("python later.py"), None) is not None
    assert installs("python -m pytest") is None and installs("python -c 'print(1)' a.py") is None
