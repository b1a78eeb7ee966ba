"""Verdicts on the names of Python sources, in environments and workspaces of their own."""

import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.grounding.interpreter import find_interpreter
from services.tool_loop.rules.grounding.python_uses import python_uses
from tests.unit.grounding.environments import distribution, standing, venv, verdicts, write

RENAMED = {
    "python-dotenv": ("dotenv", {"dotenv/__init__.py": "def load_dotenv(): ...\n"}),
    "pillow": ("PIL", {"PIL/__init__.py": "", "PIL/Image.py": "def open(path): ...\n"}),
    "PyYAML": ("yaml", {"yaml/__init__.py": "from .loader import *\n", "yaml/loader.py": "def safe_load(s): ...\n"}),
    "opencv-python": ("cv2", {"cv2/__init__.py": "", "cv2/cv2.abi3.so": ""}),
    "google-genai": ("google.genai", {"google/genai/__init__.py": "class Client: ...\n"}),
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace whose environment has distributions of other names than what they install."""
    workspace = tmp_path_factory.mktemp("installed")
    site = venv(workspace)
    for name, (_, files) in RENAMED.items():
        distribution(site, name, files)
    distribution(site, "google-cloud-storage", {"google/cloud/storage/__init__.py": "class Bucket: ...\n"})
    distribution(site, "types-requests", {"requests-stubs/__init__.pyi": "def get(url: str) -> None: ...\n"})
    distribution(site, "told", {"told_of/__init__.py": "", "told_of/deep.py": ""}, on_disk=False)
    distribution(site, "oldstyle", {}, top_level="old_style\n")
    return workspace


@pytest.mark.parametrize("name", [name for name, _ in RENAMED.values()])
def test_what_is_installed_under_another_name_exists(installed: Path, name: str) -> None:
    assert standing(installed, f"import {name}\n", registry={}) == {name: "EXISTS"}


def test_a_name_below_a_module_exists_where_the_module_has_it(installed: Path) -> None:
    code = (
        "from PIL import Image\nimport yaml\nyaml.safe_load('')\nyaml.safe_laod('')\nfrom google.genai import Client\n"
    )
    found = verdicts(installed, code)
    assert {name: each.verdict for name, each in found.items()} == {
        "PIL": "EXISTS",
        "PIL.Image": "EXISTS",
        "yaml": "EXISTS",
        "yaml.safe_load": "EXISTS",
        "yaml.safe_laod": "MISSING",
        "google.genai": "EXISTS",
        "google.genai.Client": "EXISTS",
    }
    assert found["yaml.safe_laod"].candidates == ("safe_load",)


def test_a_namespace_is_judged_by_the_full_name(installed: Path) -> None:
    code = "import google.cloud.storage\nimport google.invented\nfrom google import genai\n"
    code += "from google.cloud import vapour\n"
    assert standing(installed, code, registry={}) == {
        "google.cloud.storage": "EXISTS",
        "google.invented": "MISSING",
        "google": "EXISTS",
        "google.genai": "EXISTS",
        "google.cloud": "EXISTS",
        "google.cloud.vapour": "MISSING",
    }
    assert standing(installed, "import google.invented\n") == {"google.invented": "UNKNOWN"}


def test_only_stubs_or_only_metadata_are_never_missing(installed: Path) -> None:
    code = "import requests\nrequests.get('')\nimport told_of.deep\nimport old_style\nold_style.anything\n"
    found = standing(installed, code, registry={})
    assert found == {
        "requests": "UNKNOWN",
        "requests.get": "UNKNOWN",
        "told_of.deep": "EXISTS",
        "old_style": "EXISTS",
        "old_style.anything": "UNKNOWN",
    }


def test_an_invented_package_is_missing_and_unknown_while_no_registry_can_be_reached(installed: Path) -> None:
    code = "import flask_restx_auth_helper\nimport yamll\n"
    assert standing(installed, code, registry={}) == {"flask_restx_auth_helper": "MISSING", "yamll": "MISSING"}
    assert verdicts(installed, code, registry={})["yamll"].candidates == ("yaml",)
    assert set(standing(installed, code).values()) == {"UNKNOWN"}
    away = {"flask-restx-auth-helper": "UNKNOWN", "yamll": "UNKNOWN"}
    assert set(standing(installed, code, registry=away).values()) == {"UNKNOWN"}


def test_what_a_registry_has_and_nobody_installed_is_unknown(installed: Path) -> None:
    assert standing(installed, "import oddity\n", registry={"oddity": "EXISTS"}) == {"oddity": "UNKNOWN"}


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        (
            "requirements.txt",
            "PyYAML>=6\npython-dotenv\nopencv-python-headless\ngoogle-genai\nodd-name[x]==1 ; extra\n",
        ),
        ("requirements/base.txt", "pyyaml\npython_dotenv\nopencv-python\ngoogle.genai\nodd.name\n"),
        (
            "pyproject.toml",
            '[project]\nname = "mine"\ndependencies = ["PyYAML", "odd_name"]\n[project.optional-dependencies]\n'
            'x = ["python-dotenv"]\n[dependency-groups]\ndev = ["opencv-python", "google-genai"]\n',
        ),
        (
            "pyproject.toml",
            '[tool.poetry]\nname = "mine"\n[tool.poetry.dependencies]\npython = "^3.11"\nPyYAML = "*"\nodd-name = "*"\n'
            '[tool.poetry.group.dev.dependencies]\npython-dotenv = "*"\nopencv-python = "*"\ngoogle-genai = "*"\n',
        ),
        (
            "setup.cfg",
            "[metadata]\nname = mine\n[options]\ninstall_requires =\n  PyYAML\n  odd-name\n  google-genai\n"
            "[options.extras_require]\nx =\n  python-dotenv\n  opencv-python\n",
        ),
        (
            "setup.py",
            "from setuptools import setup\nsetup(name='mine', "
            "install_requires=['PyYAML', 'odd-name', 'google-genai'],\n"
            "      extras_require={'x': ['python-dotenv', 'opencv-python']})\n",
        ),
        (
            "Pipfile",
            '[packages]\nPyYAML = "*"\nodd-name = "*"\n[dev-packages]\npython-dotenv = "*"\n'
            'opencv-python = "*"\ngoogle-genai = "*"\n',
        ),
    ],
)
def test_what_a_manifest_declares_and_nobody_installed_is_unknown(tmp_path: Path, manifest: str, text: str) -> None:
    venv(tmp_path)
    write(tmp_path, {manifest: text})
    code = "import yaml, dotenv, cv2, google.genai, odd_name, invented_thing\n"
    assert standing(tmp_path, code, registry={}) == {
        "yaml": "UNKNOWN",
        "dotenv": "UNKNOWN",
        "cv2": "UNKNOWN",
        "google.genai": "UNKNOWN",
        "odd_name": "UNKNOWN",
        "invented_thing": "MISSING",
    }


def test_editable_installs_exist_whether_a_pth_names_a_folder_or_a_finder(tmp_path: Path) -> None:
    site = venv(tmp_path)
    write(tmp_path / "elsewhere", {"plain_pkg/__init__.py": "x = 1\n", "src/mapped_pkg/__init__.py": "y = 1\n"})
    (site / "__editable__.plain.pth").write_text(f"{tmp_path}/elsewhere\n")
    (site / "__editable__.mapped.pth").write_text(
        "import __editable___mapped_finder; __editable___mapped_finder.install()\n"
    )
    (site / "__editable___mapped_finder.py").write_text(
        f"MAPPING: dict[str, str] = {{'mapped_pkg': '{tmp_path}/elsewhere/src/mapped_pkg'}}\n"
        "raise SystemExit('imported')\n"
    )
    code = "import plain_pkg, mapped_pkg\nplain_pkg.x\nmapped_pkg.y\nmapped_pkg.z\n"
    assert standing(tmp_path, code) == {
        "plain_pkg": "EXISTS",
        "mapped_pkg": "EXISTS",
        "plain_pkg.x": "EXISTS",
        "mapped_pkg.y": "EXISTS",
        "mapped_pkg.z": "MISSING",
    }


def test_nothing_of_the_environment_is_imported_or_run(tmp_path: Path) -> None:
    site = venv(tmp_path)
    mark = tmp_path / "was-run"
    harm = f"open({str(mark)!r}, 'w')\n"
    distribution(site, "harmful", {"harmful/__init__.py": f"x = 1\n{harm}"})
    (site / "harm.pth").write_text(f"import os; {harm}")
    (site / "sitecustomize.py").write_text(harm)
    assert standing(tmp_path, "from harmful import x, y\n")["harmful.y"] == "MISSING"
    assert not mark.exists()


def test_local_modules_of_every_kind_exist(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "src/app/__init__.py": "",
            "src/app/core.py": "class Engine: ...\n",
            "src/app/sub/__init__.py": "from ..core import Engine\n",
            "bare/inner/thing.py": "VALUE = 1\n",
            "scripts/run.py": "",
            "scripts/helper.py": "def assist(): ...\n",
            "single.py": "__all__ = ['a']\na = b = 1\n",
        },
    )
    code = "import app.core\nfrom app.sub import Engine\nfrom bare.inner.thing import VALUE\nimport single\nsingle.b\n"
    assert set(standing(tmp_path, code, registry={}).values()) == {"EXISTS"}
    assert standing(tmp_path, "import helper\nhelper.assist()\n", "scripts/run.py", {})["helper.assist"] == "EXISTS"


def test_relative_imports_lead_from_the_file_and_one_that_is_not_written_yet_is_unknown(tmp_path: Path) -> None:
    write(
        tmp_path, {"pkg/__init__.py": "", "pkg/a.py": "def f(): ...\n", "pkg/sub/__init__.py": "", "pkg/sub/b.py": ""}
    )
    code = "from . import b, later\nfrom ..a import f, g\nfrom ..missing import x\nfrom .... import y\n"
    assert standing(tmp_path, code, "pkg/sub/c.py", {}) == {
        ".b": "EXISTS",
        ".later": "UNKNOWN",
        "..a": "EXISTS",
        "..a.f": "EXISTS",
        "..a.g": "MISSING",
        "..missing": "UNKNOWN",
    }


def test_a_slip_in_a_name_of_a_local_package_is_missing_though_a_module_might_be_written(tmp_path: Path) -> None:
    write(tmp_path, {"app/__init__.py": "def create_app(): ...\nclass Config: ...\n"})
    found = verdicts(tmp_path, "from app import creat_app, Setting, routes\n", registry={})
    assert {name: (each.verdict, each.candidates) for name, each in found.items()} == {
        "app": ("EXISTS", ()),
        "app.creat_app": ("MISSING", ("create_app",)),
        "app.Setting": ("MISSING", ()),
        "app.routes": ("UNKNOWN", ()),
    }


def test_a_module_of_the_project_that_is_not_written_yet_is_unknown(tmp_path: Path) -> None:
    write(tmp_path, {"app/__init__.py": "", "pyproject.toml": '[project]\nname = "new-thing"\n'})
    code = "import app.models\nfrom app.views import index\nimport new_thing\nfrom new_thing.cli import main\n"
    assert set(standing(tmp_path, code, registry={}).values()) == {"EXISTS", "UNKNOWN"} - {"EXISTS"}


@pytest.mark.parametrize(
    "code",
    [
        "try:\n    import optional_thing\nexcept ImportError:\n    optional_thing = None\n",
        "try:\n    import ujson_fast as json\nexcept (ModuleNotFoundError, OSError):\n    import json\n",
        "try:\n    import a_thing\nexcept Exception:\n    pass\n",
        "from contextlib import suppress\nwith suppress(ImportError):\n    import optional_thing\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from _typeshed import SupportsRead\n",
        "import sys\nif sys.platform == 'win32':\n    import win_only\nelse:\n    import posix_only\n",
        "import sys\nif sys.version_info >= (3, 99):\n    import futuristic\n",
        "import importlib.util\nif importlib.util.find_spec('maybe_there'):\n    import maybe_there\n",
        "import json\nif hasattr(json, 'fastest'):\n    json.fastest('')\n",
    ],
)
def test_what_the_code_copes_without_is_never_missing(tmp_path: Path, code: str) -> None:
    assert "MISSING" not in standing(tmp_path, code, registry={}).values()


def test_the_standard_library_is_that_of_the_workspaces_own_python(tmp_path: Path) -> None:
    base = tmp_path / "python"
    write(base, {"lib/python3.10/json/__init__.py": "def loads(s): ...\n", "lib/python3.10/os.py": ""})
    write(tmp_path / "work", {".venv/pyvenv.cfg": f"home = {base}/bin\nversion = 3.10.4\n"})
    (tmp_path / "work/.venv/lib/python3.10/site-packages").mkdir(parents=True)
    code = "import json, tomllib, sys, math\njson.loads\njson.dumps\n"
    assert standing(tmp_path / "work", code) == {
        "json": "EXISTS",
        "tomllib": "UNKNOWN",
        "sys": "EXISTS",
        "math": "EXISTS",
        "json.loads": "EXISTS",
        "json.dumps": "MISSING",
    }


def test_an_environment_whose_installation_is_not_here_still_tells_of_its_packages(tmp_path: Path) -> None:
    site = tmp_path / ".venv/lib/python3.12/site-packages"
    distribution(site, "PyYAML", {"yaml/__init__.py": ""})
    assert standing(tmp_path, "import yaml, json\njson.loads('')\n", registry={}) == {
        "yaml": "EXISTS",
        "json": "EXISTS",
        "json.loads": "EXISTS",
    }


def test_an_environment_is_found_where_the_criterias_commands_name_it(tmp_path: Path) -> None:
    site = tmp_path / "tools/py/lib/python3.12/site-packages"
    distribution(site, "PyYAML", {"yaml/__init__.py": ""})
    for command in ("tools/py/bin/python -m pytest -q", ". tools/py/bin/activate && pytest", "tools/py/bin/pytest"):
        found = find_interpreter(tmp_path, [command], {"PATH": "/usr/bin"})
        assert found is not None and found.sites[0] == site


def test_an_attribute_that_a_module_lacks_is_missing_with_candidates(tmp_path: Path) -> None:
    code = "import json, os.path as p, math\njson.loadz('')\np.jion('a')\nmath.sqrtt(2)\nimport collections.abc\n"
    found = verdicts(tmp_path, code)
    assert {name: each.candidates[:2] for name, each in found.items() if each.verdict == "MISSING"} == {
        "json.loadz": ("load", "loads"),
        "os.path.jion": ("join",),
        "math.sqrtt": ("sqrt", "isqrt"),
    }


@pytest.mark.parametrize(
    "code",
    [
        "import json\ndef f(json):\n    return json.anything\n",
        "import json\njson = object()\njson.anything\n",
        "import json\nfor json in []:\n    json.anything\n",
        "import json\njson.mine = 1\njson.mine\n",
        "import json\nvalue = json.loads('')\nvalue.anything\n",
        "from json import decoder\ndecoder.JSONDecoder.anything\n",
        "try:\n    import simplejson as json\nexcept ImportError:\n    import json\njson.anything\n",
        "import sys\nsys.modules[__name__].anything\n",
        "import json\ndef f(x: json.NoSuchType) -> json.Neither: ...\n",
    ],
)
def test_an_attribute_of_a_value_whose_type_is_not_resolved_is_never_missing(tmp_path: Path, code: str) -> None:
    assert "MISSING" not in standing(tmp_path, code).values()


@pytest.mark.parametrize(
    "source",
    [
        "def __getattr__(name): ...\n",
        "globals()['found'] = 1\n",
        "import sys\nsys.modules[__name__] = object()\n",
        "from compiled import *\n",
        "import enum\n@enum.global_enum\nclass E(enum.Enum):\n    found = 1\n",
        "if True:\n    try:\n        found = 1\n    finally:\n        pass\n",
        "def init():\n    global found\n    found = 1\n",
        "from .other import *\n",
        "__all__ = ['found']\n",
        "import a.b as found\n",
        "with open('x') as found: ...\n",
        "[found := 1]\n",
        "broken = (\n",
    ],
)
def test_what_a_module_may_bind_is_never_missing(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"pkg/__init__.py": source, "pkg/other.py": "found = 1\n"})
    (tmp_path / "compiled.cpython-311-x86_64-linux-gnu.so").write_text("")
    assert standing(tmp_path, "from pkg import found\n")["pkg.found"] != "MISSING"


def test_a_function_that_is_called_and_defined_nowhere_is_missing(tmp_path: Path) -> None:
    code = textwrap.dedent(
        """
        from os.path import *
        import re

        def parse_rows(text):
            return [clean(row) for row in text]

        class Table:
            def build(self):
                parse_row(self)
                helper = len
                return helper(join("a")) or print(re) or super().__init__()

        def outer():
            def inner():
                return later()
            return inner

        def later(): ...
        """
    )
    found = verdicts(tmp_path, code)
    missing = {name: each.candidates for name, each in found.items() if each.verdict == "MISSING"}
    assert missing == {"clean": (), "parse_row": ("parse_rows",)}


@pytest.mark.parametrize(
    "code",
    [
        "from compiled import *\nanything()\n",
        "exec('x')\nanything()\n",
        "try:\n    anything()\nexcept NameError: ...\n",
    ],
)
def test_a_call_of_what_may_be_bound_elsewhere_is_never_missing(tmp_path: Path, code: str) -> None:
    (tmp_path / "compiled.so").write_text("")
    assert "MISSING" not in standing(tmp_path, code).values()


def test_code_that_is_no_python_is_judged_by_its_import_lines(tmp_path: Path) -> None:
    found = standing(tmp_path, "import json\nfrom os import path\nimport invented_thing\nprint 'old'\n", registry={})
    assert found == {"json": "EXISTS", "os": "EXISTS", "invented_thing": "MISSING"}


def test_code_that_nests_too_deeply_for_a_tree_is_judged_by_its_import_lines(tmp_path: Path) -> None:
    code = "import json, invented_thing\nx = " + "+".join(["1"] * 5000) + "\nnothing_of_the_kind()\n"
    assert standing(tmp_path, code, registry={}) == {"json": "EXISTS", "invented_thing": "MISSING"}


@pytest.mark.parametrize("code", ["def f(a, a): ...\n", "nonlocal x\n", "return 1\n", "f(**{'a': 1}, b=2, b=3)\n"])
def test_code_that_parses_and_does_not_compile_is_judged_all_the_same(tmp_path: Path, code: str) -> None:
    assert standing(tmp_path, f"import json\n{code}")["json"] == "EXISTS"


def test_a_new_module_and_a_new_distribution_are_seen_at_once(tmp_path: Path) -> None:
    site = venv(tmp_path)
    code = "import fresh_local, fresh_dist\n"
    assert set(standing(tmp_path, code, registry={}).values()) == {"MISSING"}
    write(tmp_path, {"fresh_local.py": ""})
    distribution(site, "fresh-dist", {"fresh_dist.py": ""})
    assert set(standing(tmp_path, code, registry={}).values()) == {"EXISTS"}


def test_this_projects_own_sources_use_nothing_that_is_missing() -> None:
    root = Path(__file__).parents[3]
    for path in sorted((root / "services").rglob("*.py")) + sorted((root / "tests" / "unit").glob("*.py")):
        relative = str(path.relative_to(root))
        found = verdicts(root, path.read_text(), relative)
        assert [(relative, each.name) for each in found.values() if each.verdict == "MISSING"] == []


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(code: str) -> None:
    python_uses(code)


@given(st.sampled_from(sorted(sys.stdlib_module_names)))
def test_a_module_of_the_standard_library_is_never_missing(name: str) -> None:
    assert standing(Path("/nonexistent"), f"import {name}\n", registry={})[name] != "MISSING"


def test_a_star_takes_what_the_module_lists_else_what_has_no_underscore(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "listed.py": "__all__ = ['one']\ndef one(): ...\ndef two(): ...\n",
            "plain.py": "def three(): ...\ndef _four(): ...\n",
            "made.py": "__all__ = make()\ndef five(): ...\n",
        },
    )
    code = "from listed import *\nfrom plain import *\nfrom made import *\none()\ntwo()\nthree()\n_four()\nfive()\n"
    found = standing(tmp_path, code)
    assert [name for name, verdict in found.items() if verdict == "MISSING"] == ["two", "_four"]


def test_a_byte_order_mark_hides_no_import(tmp_path: Path) -> None:
    write(tmp_path, {"mod.py": "\ufeffdef one(): ...\n"})
    found = standing(tmp_path, "\ufeffimport json\nimport invented_zz\nfrom mod import one, onne\n", registry={})
    assert found == {
        "json": "EXISTS",
        "invented_zz": "MISSING",
        "mod": "EXISTS",
        "mod.one": "EXISTS",
        "mod.onne": "MISSING",
    }


def test_what_a_module_has_is_said_of_the_module_that_the_code_names(tmp_path: Path) -> None:
    found = verdicts(tmp_path, "import os\nos.path.join('a')\n")
    assert found["os.path.join"].why == "os.path has it"


@pytest.mark.parametrize(
    ("name", "near"),
    [("os.pathh", "path"), ("typing.Lisst", "List"), ("logging.getLoger", "getLogger"), ("subprocess.runn", "run")],
)
def test_a_slip_in_a_name_of_the_standard_library_is_missing_with_what_was_meant(
    tmp_path: Path, name: str, near: str
) -> None:
    venv(tmp_path)
    found = verdicts(tmp_path, f"import {name.partition('.')[0]}\n{name}\n")[name]
    assert (found.verdict, found.candidates[0]) == ("MISSING", near)


@pytest.mark.parametrize(
    "name",
    [
        "os.startfile",
        "os.lchmod",
        "os.O_BINARY",
        "socket.IPPROTO_IPV4",
        "ssl.PROTOCOL_SSLv2",
        "select.kqueue",
        "signal.CTRL_C_EVENT",
        "subprocess.STARTUPINFO",
        "typing.ByteString",
        "asyncio.WindowsSelectorEventLoopPolicy",
    ],
)
def test_a_name_that_the_standard_library_has_on_another_system_is_never_missing(tmp_path: Path, name: str) -> None:
    venv(tmp_path)
    assert standing(tmp_path, f"import {name.partition('.')[0]}\n{name}\n")[name] != "MISSING"


def test_a_slip_in_a_name_that_a_module_may_make_while_it_runs_has_candidates(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "lazy/__init__.py": "__all__ = ['relativedelta']\ndef __getattr__(name): ...\n",
            "lazy/relativedelta.py": "",
            "lazy/parser.py": "",
        },
    )
    found = verdicts(
        tmp_path, "from lazy import relativdelta, relatives\nfrom lazy import parser\nimport lazy.parserr\n"
    )
    told = {name: (each.verdict, each.candidates) for name, each in found.items()}
    assert told["lazy.relativdelta"] == ("UNKNOWN", ("relativedelta",))
    assert told["lazy.relatives"] == ("UNKNOWN", ())
    assert told["lazy.parser"] == ("EXISTS", ())
