"""Where tools are told to look for modules: none that they find is MISSING, and one that nobody has still is."""

import json
from pathlib import Path

import pytest

from tests.unit.grounding.environments import standing as python_standing
from tests.unit.grounding.environments import write
from tests.unit.grounding.test_javascript_names import standing


@pytest.mark.parametrize(
    ("files", "module"),
    [
        ({"jest.config.json": '{"moduleDirectories": ["node_modules", "shared"]}', "shared/kit/index.js": ""}, "kit"),
        ({"jest.config.js": 'module.exports = { modulePaths: ["<rootDir>/mods"] }', "mods/kit.js": ""}, "kit"),
        ({"jest.config.json": '{"roots": ["<rootDir>/mods"]}', "mods/kit.js": ""}, "kit"),
        ({"jest.config.json": '{"moduleNameMapper": {"\\\\.css$": "a-proxy"}}'}, "kit/look.css"),
        ({"jest.config.js": "module.exports = { moduleNameMapper: { '^kit(.*)$': '<rootDir>/x$1' } }"}, "kit/deep"),
        ({"webpack.config.js": 'module.exports = {resolve: {modules: ["src/mods"]}}', "src/mods/kit.js": ""}, "kit"),
        (
            {
                "webpack.config.js": 'module.exports = {resolve: {modules: [path.resolve(__dirname, "src", "mods")]}}',
                "src/mods/kit/deep.js": "",
            },
            "kit/deep",
        ),
        (
            {"babel.config.js": 'x = [["module-resolver", {root: ["./lib"]}]]', "lib/kit/deep.js": ""},
            "kit/deep",
        ),
    ],
)
def test_a_root_or_a_pattern_of_a_bundler_or_a_test_runner_covers_a_module(
    tmp_path: Path, files: dict[str, str], module: str
) -> None:
    write(tmp_path, {"package.json": '{"name": "mine"}', **files})
    found = standing(tmp_path, f'import "{module}";\nimport "quite-invented";\n', registry={})
    assert found[module] != "MISSING"
    assert found["quite-invented"] == "MISSING"


def test_a_path_that_a_script_gives_to_node_is_a_root(tmp_path: Path) -> None:
    scripts = {"start": "NODE_PATH=./lib:./more node a.js"}
    write(
        tmp_path, {"package.json": json.dumps({"name": "x", "scripts": scripts}), "lib/kit.js": "", "more/two.js": ""}
    )
    found = standing(tmp_path, 'require("kit"); require("two"); require("quite-invented");', "a.js", registry={})
    assert (found["kit"] != "MISSING", found["two"] != "MISSING", found["quite-invented"]) == (True, True, "MISSING")


@pytest.mark.parametrize(
    "alias",
    [
        '"@": path.resolve(__dirname, "./src")',
        "'@': fileURLToPath(new URL('./src', import.meta.url))',"[:-2],
        '{ find: "@", replacement: path.resolve(__dirname, "src") }',
    ],
)
def test_an_alias_by_a_computed_path_leads_to_its_files(tmp_path: Path, alias: str) -> None:
    write(
        tmp_path,
        {
            "package.json": '{"name": "x"}',
            "vite.config.ts": f"export default defineConfig({{ resolve: {{ alias: {{\n {alias} }} }} }})\n",
            "src/store.ts": "export const useStore = 1\n",
        },
    )
    found = standing(tmp_path, 'import { useStore, useStor } from "@/store";\nimport "@/later";\n', registry={})
    assert found["@/store#useStor"] == "MISSING"
    assert found.get("@/store#useStore", "EXISTS") == "EXISTS"
    assert found["@/later"] == "UNKNOWN"


def test_a_package_imports_itself_by_its_name(tmp_path: Path) -> None:
    manifest = {"name": "self", "type": "module", "exports": {"./feature": "./f.js"}}
    write(tmp_path, {"package.json": json.dumps(manifest), "f.js": "export const feat = 1\n"})
    found = standing(tmp_path, 'import { feat, feet } from "self/feature";\n', "t.js")
    assert (found["self/feature#feet"], found.get("self/feature#feat", "EXISTS")) == ("MISSING", "EXISTS")


@pytest.mark.parametrize(
    ("name", "text", "taken"),
    [
        ("eq.d.ts", "declare const k: number; export = k;\n", "import k from './eq';"),
        ("nl.js", "var x; export\nconst nl = 1;\nexport\n  function nf() {}\n", "import { nl, nf } from './nl.js';"),
        ("cl.js", "export\ndefault class {}\nexport\n{ x as y };\nvar x;\n", "import C, { y } from './cl.js';"),
    ],
)
def test_an_export_may_stand_anywhere_on_its_lines(tmp_path: Path, name: str, text: str, taken: str) -> None:
    write(tmp_path, {"package.json": "{}", name: text})
    assert "MISSING" not in standing(tmp_path, taken, "t.ts").values()
    vain = standing(tmp_path, "import { invented } from './nl.js';", "t.ts")
    assert vain.get("./nl.js#invented", "MISSING") == "MISSING" or name != "nl.js"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("environment.yml", "dependencies:\n  - conda-forge::corp-kit\n"),
        ("environment-dev.yaml", "dependencies:\n  - corp-kit=2.1\n"),
        ("conda/env-dev.yaml", "dependencies:\n  - pip:\n    - corp-kit\n"),
        ("envs/gpu.yml", "dependencies:\n  - some.channel/label/x::corp-kit>=2\n"),
        ("ci/env.yml", "dependencies:\n  - corp-kit\n"),
        ("pixi.toml", '[dependencies]\ncorp-kit = "*"\n'),
        ("pixi.toml", '[feature.dev.pypi-dependencies]\ncorp-kit = "*"\n'),
        ("pyproject.toml", '[tool.pixi.target.linux-64.dependencies]\ncorp-kit = "*"\n'),
        ("requirements.lock", "corp-kit==1\n"),
        ("pylock.toml", '[[packages]]\nname = "corp-kit"\n'),
        ("pylock.dev.toml", '[[packages]]\nname = "corp-kit"\n'),
        ("deps/reqs.txt", "corp-kit\n"),
    ],
)
def test_an_environment_or_a_lock_of_any_tool_declares_its_packages(tmp_path: Path, file: str, text: str) -> None:
    write(tmp_path, {file: text})
    found = python_standing(tmp_path, "import corp_kit\nimport quite_invented\n", registry={})
    assert (found["corp_kit"], found["quite_invented"]) == ("UNKNOWN", "MISSING")


@pytest.mark.parametrize(
    ("manifest", "part"),
    [
        ('[tool.uv.workspace]\nmembers = ["packages/*"]\n', "packages/kit/src/kit"),
        ('[tool.uv.sources]\nkit = { path = "libs/kit" }\n', "libs/kit/kit"),
        ('[tool.poetry.dependencies]\nkit = { path = "./libs/kit", develop = true }\n', "libs/kit/code/kit"),
    ],
)
def test_the_members_of_a_python_workspace_are_read(tmp_path: Path, manifest: str, part: str) -> None:
    folder = "/".join(part.split("/")[:2])
    inner = '[project]\nname = "kit"\n[tool.setuptools.package-dir]\n"" = "code"\n'
    write(
        tmp_path,
        {
            "pyproject.toml": f'[project]\nname = "root"\ndependencies = ["kit"]\n{manifest}',
            f"{folder}/pyproject.toml": inner,
            f"{part}/__init__.py": "A = 1\n",
            f"{part}/deep.py": "def f(): ...\n",
        },
    )
    found = python_standing(tmp_path, "from kit import A, B\nfrom kit.deep import f, g\n", "main.py")
    assert found.get("kit") == "EXISTS"
    assert (found["kit.B"], found["kit.deep.g"]) == ("MISSING", "MISSING")
    assert "MISSING" not in (found.get("kit.A", "EXISTS"), found.get("kit.deep.f", "EXISTS"))
