"""Kinds of Python names that were once judged wrongly: stars, layouts, names of distributions, attributes."""

from pathlib import Path

import pytest

from tests.unit.grounding.environments import distribution, standing, venv, verdicts, write


def test_a_star_brings_only_what_the_module_lists(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pkg/__init__.py": "from .api import *\nfrom .open import *\n",
            "pkg/api.py": "__all__ = ['shown']\nshown = hidden = 1\n",
            "pkg/open.py": "free = _closed = 1\n",
        },
    )
    found = standing(tmp_path, "from pkg import shown, hidden, free, _closed\n")
    assert (found["pkg.shown"], found["pkg.free"]) == ("EXISTS", "EXISTS")
    assert "EXISTS" not in (found["pkg.hidden"], found["pkg._closed"])


@pytest.mark.parametrize(
    "source",
    [
        "__all__ = ['ghost']\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from json import loads as ghost\n",
        "ghost = 1\ndel ghost\n",
        "if __name__ == '__main__':\n    ghost = 1\n",
        "ghost: int\n",
        "def never():\n    global ghost\n    ghost = 1\n",
    ],
)
def test_a_name_that_a_module_only_speaks_of_is_unknown(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"mod.py": source})
    assert standing(tmp_path, "from mod import ghost\n")["mod.ghost"] == "UNKNOWN"


@pytest.mark.parametrize(
    "source",
    [
        "taken: int = 1\n",
        "def now():\n    global taken\n    taken = 1\nnow()\n",
        "rows = [taken := each for each in range(3)]\n",
        "for taken in range(3): ...\n",
        "match [1]:\n    case [*taken]: ...\n",
        "match {}:\n    case {**taken}: ...\n",
    ],
)
def test_a_name_that_a_module_binds_while_it_is_imported_exists(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"mod.py": source})
    assert standing(tmp_path, "from mod import taken\n")["mod.taken"] == "EXISTS"


@pytest.mark.parametrize("source", ["[ghost for ghost in range(3)]\n", "x = {ghost: 1 for ghost in 'ab' if ghost}\n"])
def test_a_variable_of_a_comprehension_is_no_name_of_its_module(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"mod.py": source})
    assert standing(tmp_path, "from mod import ghost\n")["mod.ghost"] == "MISSING"


def test_a_module_that_is_only_a_stub_is_unknown_with_all_its_names(tmp_path: Path) -> None:
    write(tmp_path, {"fast.pyi": "def go() -> int: ...\n", "pkg/__init__.py": "", "pkg/core.pyi": "x: int\n"})
    found = standing(tmp_path, "from fast import go\nfrom pkg.core import x\n")
    assert set(found.values()) == {"UNKNOWN"}


@pytest.mark.parametrize("name", ["time.clock", "typing.Overide", "itertools.batchd", "math.TAU", "sys.maxint"])
def test_a_name_that_no_system_has_is_missing_in_the_standard_library(tmp_path: Path, name: str) -> None:
    venv(tmp_path)
    module = name.partition(".")[0]
    assert standing(tmp_path, f"import {module}\n{name}\n")[name] == "MISSING"


@pytest.mark.parametrize(
    "name", ["os.startfile", "socket.AF_OTHER", "signal.SIGOTHER", "sys.getwindowsversion", "select.kqueue"]
)
def test_a_name_that_another_system_may_have_is_unknown(tmp_path: Path, name: str) -> None:
    venv(tmp_path)
    module = name.partition(".")[0]
    assert standing(tmp_path, f"import {module}\n{name}\n")[name] == "UNKNOWN"


@pytest.mark.parametrize("module", ["status_pb2", "api.rows_pb2_grpc", "_version", "pkg._version"])
def test_what_a_build_generates_is_not_missing(tmp_path: Path, module: str) -> None:
    write(tmp_path, {"pkg/__init__.py": "version = 1\n"})
    assert standing(tmp_path, f"import {module}\n", registry={})[module] == "UNKNOWN"
    assert standing(tmp_path, "from pkg import _version\n", registry={})["pkg._version"] == "UNKNOWN"


def test_what_is_installed_is_not_said_to_be_absent(tmp_path: Path) -> None:
    code = "from google.rpc import ghost\n"
    assert "is not installed" in verdicts(tmp_path, code, registry={})["google.rpc"].why
    distribution(venv(tmp_path), "googleapis-common-protos", {"google/rpc/status.py": ""})
    told = verdicts(tmp_path, code, registry={})["google.rpc.ghost"]
    assert (told.verdict, told.why.partition(" and ")[0]) == ("UNKNOWN", "googleapis-common-protos is installed")


@pytest.mark.parametrize("layout", ["src", "", "backend", "lib"])
@pytest.mark.parametrize("installed", ["", "pth", "finder"])
def test_an_invented_name_of_the_own_package_is_missing_from_inside_it(
    tmp_path: Path, layout: str, installed: str
) -> None:
    site = venv(tmp_path)
    root = tmp_path / layout
    write(root, {"app/__init__.py": "", "app/util.py": "def helper(): ...\n", "app/core.py": ""})
    if installed == "pth":
        (site / "__editable__.app.pth").write_text(f"{root}\n")
    if installed == "finder":
        (site / "__editable__.app.pth").write_text("import __editable___app_finder\n")
        (site / "__editable___app_finder.py").write_text(f"MAPPING = {{'app': '{root}/app'}}\n")
    path = str(Path(layout) / "app/core.py")
    found = standing(tmp_path, "from app.util import helper, helpr, Nothing\n", path, {})
    assert found == {
        "app.util": "EXISTS",
        "app.util.helper": "EXISTS",
        "app.util.helpr": "MISSING",
        "app.util.Nothing": "MISSING",
    }


def test_a_module_that_only_a_script_of_its_package_would_find_is_not_judged(tmp_path: Path) -> None:
    write(tmp_path, {"app/__init__.py": "", "app/json.py": "", "app/util.py": "one = 1\n", "app/core.py": ""})
    found = standing(tmp_path, "import json, util\njson.loads\njson.loadz\nutil.two\n", "app/core.py", {})
    assert "MISSING" not in found.values()


@pytest.mark.parametrize(
    ("name", "meant"), [("PyYAML", "yaml"), ("opencv_python", "cv2"), ("beautifulsoup4", "bs4"), ("Flask", "flask")]
)
@pytest.mark.parametrize("there", ["nowhere", "installed", "declared"])
def test_a_distributions_name_is_no_modules_where_its_modules_are_known(
    tmp_path: Path, name: str, meant: str, there: str
) -> None:
    site = venv(tmp_path)
    if there == "installed":
        distribution(site, name, {f"{meant}/__init__.py": ""})
    if there == "declared" and name != "Flask":
        write(tmp_path, {"requirements.txt": f"{name}\n"})
    found = verdicts(tmp_path, f"import {name}\n")[name]
    assert (found.verdict, found.candidates[0]) == ("MISSING", meant)
    assert standing(tmp_path, f"import {meant}\n")[meant] != "MISSING"


def test_what_an_installed_distribution_records_tells_its_import_names(tmp_path: Path) -> None:
    site = venv(tmp_path)
    distribution(site, "acme-wheel", {"roadrunner/__init__.py": ""})
    distribution(site, "acme-anvil", {"__editable___acme_anvil_finder.py": ""})
    distribution(site, "acme-rocket", {})
    found = verdicts(tmp_path, "import acme_wheel, acme_anvil, acme_rocket\n", registry={})
    assert {name: (each.verdict, each.candidates[:1]) for name, each in found.items()} == {
        "acme_wheel": ("MISSING", ("roadrunner",)),
        "acme_anvil": ("EXISTS", ()),
        "acme_rocket": ("EXISTS", ()),
    }


def test_a_feature_that_python_never_had_is_missing_and_the_rest_of_the_file_is_judged(tmp_path: Path) -> None:
    found = verdicts(tmp_path, "from __future__ import anotations\nimport json\njson.loadz('')\n")
    assert found["__future__.anotations"].candidates == ("annotations",)
    assert [name for name, each in found.items() if each.verdict == "MISSING"] == [
        "__future__.anotations",
        "json.loadz",
    ]
    assert "MISSING" not in standing(tmp_path, "from __future__ import annotations, division\n").values()


def test_what_is_in_a_module_and_no_module_cannot_be_imported_as_one(tmp_path: Path) -> None:
    venv(tmp_path)
    code = "import json.loads\nimport datetime.datetime\nimport os.path\nimport os.path.join\nimport collections.abc\n"
    assert standing(tmp_path, code) == {
        "json.loads": "MISSING",
        "datetime.datetime": "MISSING",
        "os.path": "EXISTS",
        "os.path.join": "MISSING",
        "collections.abc": "EXISTS",
    }


def test_a_module_that_nothing_imports_is_no_attribute_for_certain(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pkg/__init__.py": "from .near import one\n",
            "pkg/near.py": "one = 1\n",
            "pkg/far.py": "two = 2\n",
        },
    )
    found = standing(tmp_path, "import pkg\npkg.near.one\npkg.far.two\npkg.far.three\n")
    assert (found["pkg.near.one"], found["pkg.far.two"], found["pkg.far.three"]) == ("EXISTS", "UNKNOWN", "MISSING")
    assert standing(tmp_path, "import pkg.far\npkg.far.two\n")["pkg.far.two"] == "EXISTS"
    assert standing(tmp_path, "import pkg\nfrom pkg import far\npkg.far.two\n")["pkg.far.two"] == "EXISTS"


@pytest.mark.parametrize(
    "code",
    [
        "import importlib as il\nil.import_module('{}')\n",
        "from importlib import import_module as load\nload('{}')\n",
        "import importlib\nimportlib.import_module('{}')\n",
        "__import__('{}')\n",
    ],
)
def test_a_module_that_is_imported_by_a_literal_name_is_judged(tmp_path: Path, code: str) -> None:
    assert standing(tmp_path, code.format("invented_zz"), registry={})["invented_zz"] == "MISSING"
    assert standing(tmp_path, code.format("json.decoder"), registry={})["json.decoder"] == "EXISTS"


def test_a_module_that_is_imported_by_a_relative_name_is_found_from_its_package(tmp_path: Path) -> None:
    write(tmp_path, {"pkg/__init__.py": "", "pkg/near.py": ""})
    code = "import importlib\nimportlib.import_module('.near', package='pkg')\nimportlib.import_module('.far', 'pkg')\n"
    code += "importlib.import_module('.near', __package__)\nimportlib.import_module(made())\n"
    assert {"pkg.near": "EXISTS", "pkg.far": "UNKNOWN", ".near": "EXISTS"}.items() <= standing(
        tmp_path, code, "pkg/core.py", {}
    ).items()
