"""Modules of distributions that a project declares, in every form in which it may, are never MISSING."""

from pathlib import Path

import pytest

from services.tool_loop.rules.grounding.requirement_lines import requirements
from tests.unit.grounding.environments import standing, write

INVENTED = "quite_invented"


def found(workspace: Path, name: str, path: str = "app.py") -> list[str]:
    """How a module stands that a registry does not have, and one that nothing speaks of."""
    told = standing(workspace, f"import {name}\nimport {INVENTED}\n", path, registry={})
    return [told[name], told[INVENTED]]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("corp-kit>=1,<2", "corp_kit"),
        ("corp-kit[extra]==1.0 ; python_version > '3'", "corp_kit"),
        ("corp-kit==1.0 --hash=sha256:aa \\\n    --hash=sha256:bb", "corp_kit"),
        ("corp-kit @ https://files.example/kit.whl", "corp_kit"),
        ("-e git+https://git.example/y.git#egg=corp-kit", "corp_kit"),
        ("--editable=git+https://git.example/y.git@main#egg=corp_kit&subdirectory=z", "corp_kit"),
        ("./wheels/corp_kit-1.0-py3-none-any.whl", "corp_kit"),
        ("https://files.example/corp_kit-2.0.tar.gz", "corp_kit"),
        ("https://files.example/corp-kit-2.0.zip ; sys_platform == 'linux'", "corp_kit"),
    ],
)
def test_a_requirement_declares_its_module_and_no_other(tmp_path: Path, line: str, name: str) -> None:
    write(tmp_path, {"requirements.txt": f"six\n{line}\n"})
    assert found(tmp_path, name) == ["UNKNOWN", "MISSING"]


@pytest.mark.parametrize(
    "line",
    [
        "git+https://git.example/team/repo.git@main",
        "-e ../elsewhere",
        "./not-here",
        "https://files.example/latest",
        "${CORP_PACKAGE}",
        "-r not-there.txt",
    ],
)
def test_where_a_requirement_does_not_tell_its_name_nothing_is_missing(tmp_path: Path, line: str) -> None:
    write(tmp_path, {"requirements.txt": f"{line}\n"})
    assert found(tmp_path, "anything") == ["UNKNOWN", "UNKNOWN"]


def test_a_slip_in_a_popular_name_is_missing_whatever_a_manifest_leaves_open(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "git+https://git.example/team/repo.git\n"})
    assert standing(tmp_path, "import reqeusts\n", registry={}) == {"reqeusts": "MISSING"}


@pytest.mark.parametrize(
    "files",
    [
        {"requirements.txt": "-r more.txt\n", "more.txt": "-rdeps/last.txt\n", "deps/last.txt": "corp-kit\n"},
        {"requirements/base.txt": "--requirement=../other/x.txt\n", "other/x.txt": "corp-kit\n"},
        {"requirements.txt": "\ufeffcorp-kit\n"},
        {"requirements.txt": "./kit\n", "kit/pyproject.toml": '[project]\nname = "corp-kit"\n'},
        {"requirements.txt": "-e kit[all]\n", "kit/setup.py": "setup(name='k', install_requires=['corp-kit'])\n"},
        {"pyproject.toml": '[dependency-groups]\ntest = ["corp-kit>1", {include-group = "x"}]\nx = []\n'},
        {"pyproject.toml": '[tool.uv.sources]\ncorp-kit = { path = "../x" }\n'},
        {"pyproject.toml": '[tool.poetry.group.dev.dependencies]\ncorp-kit = {git = "https://x/y.git"}\n'},
        {"pyproject.toml": '[tool.pdm.dev-dependencies]\na = ["-e file:///${PROJECT_ROOT}/k#egg=corp-kit"]\n'},
        {"pyproject.toml": '[tool.hatch.envs.test]\nextra-dependencies = ["corp-kit"]\n'},
        {
            "pyproject.toml": '[project]\nname = "p"\ndynamic = ["dependencies"]\n'
            '[tool.setuptools.dynamic]\ndependencies = {file = ["deps.txt"]}\n',
            "deps.txt": "corp-kit\n",
        },
        {"Pipfile": '[docs]\ncorp-kit = {path = "x"}\n'},
        {"setup.cfg": "[options]\ninstall_requires = file: deps.txt\n", "deps.txt": "corp-kit\n"},
        {"setup.py": "R = ['corp-kit']\nS = [*R, 'six']\nsetup(install_requires=['attrs'] + S)\n"},
        {"tox.ini": "[testenv]\ndeps =\n    pytest\n    py3: corp-kit>=1\n"},
        {"Dockerfile": "FROM x\nRUN apt-get update && \\\n    pip install corp-kit\n"},
        {"environment.yml": "dependencies:\n  - corp-kit=1.0=py_0\n"},
    ],
)
def test_every_manifest_declares_its_modules_and_no_others(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert found(tmp_path, "corp_kit") == ["UNKNOWN", "MISSING"]


@pytest.mark.parametrize(
    "files",
    [
        {"setup.py": "setup(install_requires=open('unknown.lst').read().split())\n"},
        {"setup.py": "setup(**options)\n"},
        {"pyproject.toml": '[project]\nname = "p"\ndynamic = ["version", "dependencies"]\n'},
    ],
)
def test_a_manifest_that_code_makes_leaves_everything_open(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, files)
    assert found(tmp_path, "anything") == ["UNKNOWN", "UNKNOWN"]


def test_files_that_require_each_other_are_read_once(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "-r more.txt\n", "more.txt": "-r requirements.txt\ncorp-kit\n"})
    assert found(tmp_path, "corp_kit") == ["UNKNOWN", "MISSING"]


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("api/foo.proto", "foo_pb2"),
        ("foo.proto", "foo_pb2_grpc"),
        ("g/Sum.g4", "SumParser"),
        ("forms/main.ui", "ui_main"),
    ],
)
def test_a_module_that_is_generated_from_a_file_of_the_project_is_not_missing(
    tmp_path: Path, source: str, module: str
) -> None:
    write(tmp_path, {source: ""})
    assert found(tmp_path, module) == ["UNKNOWN", "MISSING"]


def test_an_extension_module_of_the_project_is_not_missing(tmp_path: Path) -> None:
    write(tmp_path, {"setup.py": "setup(ext_modules=[Extension('_quick', ['quick.c'])])\n"})
    assert found(tmp_path, "_quick") == ["UNKNOWN", "MISSING"]


@pytest.mark.parametrize(
    "change",
    [
        "sys.path.insert(0, '/opt/tools')",
        "sys.path.append(os.environ['TOOLS'])",
        "sys.path.extend(found)",
        "sys.path += [os.path.expanduser('~/x')]",
        "sys.path[:0] = places()",
        "sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', '..'))",
        "HERE = Path(__file__).parents[3]\nsys.path.insert(0, str(HERE / 'tools'))",
        "site.addsitedir('/opt/tools')",
    ],
)
def test_behind_a_place_outside_the_workspace_nothing_is_missing(tmp_path: Path, change: str) -> None:
    code = f"import os, site, sys\nfrom pathlib import Path\n{change}\nimport {INVENTED}\n"
    assert standing(tmp_path, code, "pkg/app.py", registry={})[INVENTED] == "UNKNOWN"
    write(tmp_path, {"pkg/conftest.py": code})
    assert standing(tmp_path, f"import {INVENTED}\n", "pkg/app.py", registry={})[INVENTED] == "UNKNOWN"


@pytest.mark.parametrize(
    "change",
    [
        "sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))",
        "sys.path.insert(0, str(Path(__file__).parent.parent / 'src'))",
        "ROOT = os.path.join(os.path.dirname(__file__), '..')\nsys.path.append(ROOT)",
        "sys.path.append('tools')",
        "print(sys.path)",
        "path = []\npath.append(sys.path)",
    ],
)
def test_behind_a_place_in_the_workspace_an_invented_module_is_missing(tmp_path: Path, change: str) -> None:
    code = f"import os, sys\nfrom pathlib import Path\n{change}\nimport {INVENTED}\n"
    assert standing(tmp_path, code, "pkg/app.py", registry={})[INVENTED] == "MISSING"


def test_what_a_registry_must_have_is_told_apart_from_what_lies_elsewhere() -> None:
    told = requirements(["six", "a-b[x]>=1 ; y", "c @ https://x/c.whl", "./d", "--index-url https://x", "-r e.txt"])
    assert (told.registry, told.files, told.folders) == (("six", "a-b"), ("e.txt",), ("./d",))


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": "[tool.setuptools.package-dir]\nown_one = 'code/x'\n"},
        {"pyproject.toml": "[tool.setuptools]\npy-modules = ['own_one']\n"},
        {"pyproject.toml": "[tool.flit.module]\nname = 'own_one'\n"},
        {"pyproject.toml": "[tool.hatch.build.targets.wheel.sources]\n'code/x' = 'own_one'\n"},
        {"pyproject.toml": "[tool.hatch.build.targets.wheel.force-include]\n'made/x' = 'own_one/inner'\n"},
        {"pyproject.toml": "[[tool.poetry.packages]]\ninclude = 'x'\nto = 'own_one'\n"},
        {"pyproject.toml": "[tool.maturin]\nmodule-name = 'own_one._core'\n"},
        {"pyproject.toml": "[tool.pdm.build]\nincludes = ['own_one/']\n"},
        {"pyproject.toml": "[tool.uv.build-backend]\nmodule-name = 'own_one'\n"},
        {"pyproject.toml": "[[tool.setuptools.ext-modules]]\nname = 'own_one._fast'\n"},
        {"pyproject.toml": "[[tool.setuptools-rust.ext-modules]]\ntarget = 'own_one.core'\n"},
        {"pyproject.toml": "[tool.scikit-build.wheel.packages]\nown_one = 'code/x'\n"},
        {"meson.build": "py.install_sources('x.py', subdir: 'own_one')\n"},
        {"setup.cfg": "[options]\npackage_dir =\n    own_one = code/x\n    = src\n"},
        {"setup.cfg": "[options]\npy_modules = other, own_one\n"},
        {"setup.py": "setup(package_dir={'own_one': 'code/x'})\n"},
        {"setup.py": "LAID = {'own_one': 'code/x'}\nsetup(package_dir=LAID)\n"},
        {"setup.py": "setup(py_modules=['own_one'])\n"},
        {"CMakeLists.txt": "pybind11_add_module(own_one MODULE x.cpp)\n"},
        {"CMakeLists.txt": "Python_add_library( own_one MODULE x.c)\n"},
        {"meson.build": "py.extension_module('own_one', 'x.c')\n"},
        {".gitmodules": '[submodule "one"]\n\tpath = vendor/own-one\n\turl = ../one\n'},
    ],
)
def test_what_a_build_or_git_brings_under_a_name_of_its_own_is_not_missing(
    tmp_path: Path, files: dict[str, str]
) -> None:
    write(tmp_path, files)
    assert found(tmp_path, "own_one") == ["UNKNOWN", "MISSING"]
