"""Verdicts on the modules of JavaScript and TypeScript sources, in workspaces of their own."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from arreio_contracts.grounding import NameVerdict, Package, PackageVerdict
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.grounding.node_world import NodeWorld
from services.tool_loop.rules.grounding.javascript_uses import javascript_source
from services.tool_loop.rules.grounding.javascript_verdicts import javascript_questions, javascript_verdicts
from tests.unit.grounding.environments import write


def verdicts(
    workspace: Path, code: str, path: str = "src/app.ts", registry: Mapping[str, str] | None = None
) -> dict[str, NameVerdict]:
    world = NodeWorld(workspace)
    known: dict[Package, PackageVerdict] = {}
    if registry is not None:
        for package in javascript_questions(code, path, world):
            standing = registry.get(package.name, "MISSING")
            known[package] = PackageVerdict.model_validate({"package": package, "verdict": standing, "why": "test"})
    return {each.name: each for each in javascript_verdicts(code, path, world, known)}


def standing(
    workspace: Path, code: str, path: str = "src/app.ts", registry: Mapping[str, str] | None = None
) -> dict[str, str]:
    return {name: each.verdict for name, each in verdicts(workspace, code, path, registry).items()}


@pytest.mark.parametrize(
    "code",
    [
        'export const files = ["app/page.tsx", "lib/x.ts"]\nconst broken = {\n',
        'export const a = { at: "app/page.tsx", b: <T>(x) => x }\nexport default {',
        'const text = `\nimport Page from "app/page.tsx"\n`\nexport default {',
        'export type Q = "app/page.tsx"\nfunction ( {',
    ],
)
def test_a_text_in_code_that_is_not_finished_is_no_module(code: str) -> None:
    assert javascript_source(code, "src/a.ts").imports == ()


def test_the_imports_of_code_that_is_not_finished_are_read() -> None:
    code = 'import "a"\nimport b, {\n  c,\n} from "b"\nexport * from "./c"\nconst broken = {\n'
    assert [one.module for one in javascript_source(code, "src/a.ts").imports] == ["a", "b", "./c"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(
        tmp_path,
        {
            "package.json": json.dumps(
                {
                    "name": "mine",
                    "workspaces": ["packages/*"],
                    "dependencies": {"left": "1", "@scope/there": "1", "not-yet": "1"},
                    "devDependencies": {"@types/typed-only": "1"},
                    "imports": {"#inner/*": "./src/inner/*"},
                }
            ),
            "packages/shared/package.json": json.dumps({"name": "@mine/shared"}),
            "packages/shared/index.ts": "",
            "node_modules/left/package.json": json.dumps({"name": "left", "main": "index.js"}),
            "node_modules/left/lib/deep.js": "",
            "node_modules/@scope/there/package.json": json.dumps(
                {"exports": {".": "./i.js", "./sub": {"import": "./s.js"}, "./feature/*": "./f/*.js", "./no": None}}
            ),
            "node_modules/@scope/there/f/x.js": "",
            "node_modules/@types/ambient/index.d.ts": "",
            "tsconfig.json": '{ // comment\n "extends": "./tsconfig.base", "compilerOptions": {"baseUrl": ".",},\n}',
            "tsconfig.base.json": '{"compilerOptions": {"paths": {"@app/*": ["src/*"], "@gone/*": ["gone/*"]}}}',
            "vite.config.ts": "export default { resolve: { alias: { 'styles': '/x' } } }",
            "src/util.ts": "export const one = 1, { two, a: three } = o;\nexport function four() {}\n"
            "export type Five = 1;\n"
            "export default class {}\nexport * from './more';\nconst x = 1;\nexport { x as six };\n",
            "src/more/index.ts": "export interface Seven {}\nexport enum Eight {}\n",
            "src/common.js": "module.exports = made();\n",
            "src/View.vue": "<template/>\n<script setup>\nimport x from 'invented-thing-zz'\n</script>\n",
            "src/typed.js": "export const value = 1;\n",
            "src/typed.d.ts": "export declare const value: number;\nexport type Shape = {};\n",
            "src/data.json": "{}",
            "src/globals.d.ts": "declare module 'virtual-thing';\n",
        },
    )
    return tmp_path


def test_packages_stand_by_node_modules_workspaces_and_manifests(project: Path) -> None:
    code = """
    import left from 'left'; import deep from 'left/lib/deep'; import gone from 'left/lib/gone';
    import { a } from '@scope/there'; import b from '@scope/there/sub'; import c from '@scope/there/feature/x';
    import d from '@scope/there/hidden'; import e from '@scope/there/no';
    import f from 'not-yet'; import type { T } from 'typed-only'; import g from 'ambient';
    import * as h from '@mine/shared'; import i from 'mine'; import j from 'invented-thing-zz';
    """
    assert standing(project, code, registry={}) == {
        "left": "EXISTS",
        "left/lib/deep": "EXISTS",
        "left/lib/gone": "MISSING",
        "@scope/there": "EXISTS",
        "@scope/there/sub": "EXISTS",
        "@scope/there/feature/x": "EXISTS",
        "@scope/there/hidden": "MISSING",
        "@scope/there/no": "MISSING",
        "not-yet": "UNKNOWN",
        "typed-only": "UNKNOWN",
        "ambient": "UNKNOWN",
        "@mine/shared": "EXISTS",
        "mine": "EXISTS",
        "invented-thing-zz": "MISSING",
    }


@pytest.mark.parametrize(
    ("exports", "below", "expected"),
    [
        ({"./f/*": "./f/*.js"}, "f/x", "EXISTS"),
        ({"./f/*": "./f/*.js"}, "f/invented", "MISSING"),
        ({"./*": {"types": "./t/*.d.ts", "default": ["./f/*.js"]}}, "x", "EXISTS"),
        ({"./*": {"types": "./t/*.d.ts", "default": ["./f/*.js"]}}, "invented", "MISSING"),
        ({"./f/*.js": "./f/*.js", "./f/deep/*": None}, "f/deep/x.js", "MISSING"),
        ({"./f/*.js": "./f/*.js", "./f/deep/*": None}, "f/x.js", "EXISTS"),
        ({"./old/": "./f/"}, "old/x.js", "EXISTS"),
        ({"./old/": "./f/"}, "old/invented.js", "MISSING"),
        ({"./f/*": "./not-built/*.js"}, "f/x", "UNKNOWN"),
        ({"./f/*": "./f/*.js"}, "other/x", "MISSING"),
    ],
)
def test_a_pattern_of_exports_opens_what_has_a_file(
    tmp_path: Path, exports: dict[str, object], below: str, expected: str
) -> None:
    place = "node_modules/kit"
    files = {f"{place}/package.json": json.dumps({"exports": exports}), f"{place}/f/x.js": "", f"{place}/t/y.d.ts": ""}
    write(tmp_path, files | {f"{place}/f/deep/x.js": ""})
    assert standing(tmp_path, f"import x from 'kit/{below}';\n") == {f"kit/{below}": expected}


def test_a_module_that_the_file_or_the_project_declares_is_not_missing(tmp_path: Path) -> None:
    write(tmp_path, {"apps/web/env.d.ts": "declare module 'of-the-project';\ndeclare module '*.svg';\n"})
    code = """
    declare module 'of-this-file' { export const a: number; }
    declare module "made-*";
    import a from 'of-this-file'; import b from 'of-the-project'; import c from 'made-up'; import d from 'invented-zz';
    """
    assert standing(tmp_path, code, registry={}) == {
        "of-this-file": "UNKNOWN",
        "of-the-project": "UNKNOWN",
        "made-up": "UNKNOWN",
        "invented-zz": "MISSING",
    }


def test_imports_of_a_source_that_cannot_be_parsed_are_still_judged(project: Path) -> None:
    code = "import {a from './util'; import z from 'invented-zz'; <<<\n// import y from 'nope-zz'\n"
    assert standing(project, code, registry={}) == {"./util": "EXISTS", "invented-zz": "MISSING"}


def test_a_byte_order_mark_hides_nothing(project: Path) -> None:
    assert standing(project, "\ufeffimport z from 'invented-zz';\n", registry={}) == {"invented-zz": "MISSING"}


def test_names_taken_through_an_alias_or_from_a_package_of_the_workspace_are_judged(project: Path) -> None:
    write(
        project,
        {
            "packages/ui/package.json": json.dumps({"name": "@mine/ui", "exports": {".": {"import": "./src/main.ts"}}}),
            "packages/ui/src/main.ts": "export const Button = 1;\nexport * from './more';\n",
            "packages/ui/src/more.ts": "export const Panel = 1;\n",
            "packages/built/package.json": json.dumps({"name": "@mine/built", "main": "dist/index.js"}),
            "packages/outer/package.json": json.dumps({"name": "@mine/outer", "main": "main.ts"}),
            "packages/outer/main.ts": "export * from 'left';\n",
            "packages/old/package.json": json.dumps({"name": "@mine/old", "main": "main.js"}),
            "packages/old/main.js": "module.exports = made();\n",
        },
    )
    code = """
    import { Button, Panel, Pannel } from '@mine/ui'; import { Any } from '@mine/built';
    import { Other } from '@mine/outer'; import { Some } from '@mine/old';
    import { one, onne } from '@app/util'; import { Later } from '@gone/x';
    """
    found = verdicts(project, code, registry={})
    missing = {name: each.candidates for name, each in found.items() if each.verdict == "MISSING"}
    assert missing == {"@mine/ui#Pannel": ("Panel",), "@app/util#onne": ("one",)}


def test_an_invented_package_is_unknown_while_no_registry_can_be_reached(project: Path) -> None:
    code = "const x = require('invented-thing-zz'); const y = await import('lodahs');"
    assert set(standing(project, code).values()) == {"UNKNOWN"}
    found = verdicts(project, code, registry={})
    assert [found["lodahs"].verdict, found["lodahs"].candidates[0]] == ["MISSING", "lodash"]


@pytest.mark.parametrize(("name", "meant"), [("loadsh", "lodash"), ("expres", "express"), ("reactt", "react")])
@pytest.mark.parametrize("answered", ["EXISTS", "UNKNOWN", ""])
def test_a_slip_in_a_popular_name_has_candidates_whatever_the_registry_says(
    project: Path, name: str, meant: str, answered: str
) -> None:
    found = verdicts(project, f"import x from '{name}';", registry={name: answered} if answered else None)
    assert [(each.verdict, each.candidates) for each in found.values()] == [("UNKNOWN", (meant,))]


def test_relative_modules_are_found_with_every_suffix_and_one_that_is_not_written_yet_is_unknown(project: Path) -> None:
    code = """
    import { one } from './util'; import './util.js'; import data from './data.json'; import more from './more';
    import common from './common'; import V from './View.vue'; import later from './later';
    export * from '../src/util.ts';
    """
    found = standing(project, code)
    assert found.pop("./later") == "UNKNOWN"
    assert set(found.values()) == {"EXISTS", "MISSING"}
    assert [name for name, verdict in found.items() if verdict == "MISSING"] == ["./more#default"]


def test_a_name_that_a_file_of_the_project_does_not_export_is_missing_with_candidates(project: Path) -> None:
    code = """
    import D, { one, two, three, four, Five, six, Seven, Eight, fourr } from './util';
    import common, { anything } from './common';
    export { Eigth } from './more';
    import { value, Shape } from './typed.js';
    """
    found = verdicts(project, code)
    missing = {name: each.candidates for name, each in found.items() if each.verdict == "MISSING"}
    assert missing == {"./util#fourr": ("four",), "./more#Eigth": ("Eight",)}


def test_built_in_modules_exist_and_one_that_node_has_not_is_missing(project: Path) -> None:
    code = "import fs from 'fs'; import p from 'node:fs/promises'; import t from 'node:test'; import x from 'node:pth';"
    found = verdicts(project, code)
    assert [each.verdict for each in found.values()] == ["EXISTS", "EXISTS", "EXISTS", "MISSING"]
    assert found["node:pth"].candidates == ("node:path",)


def test_aliases_of_compilers_and_bundlers_are_never_missing(project: Path) -> None:
    code = """
    import a from '@app/util'; import b from '@gone/x'; import c from 'src/util'; import d from '#inner/x';
    import e from 'styles/main.css'; import f from '@/components/X'; import g from '~/x'; import h from 'virtual:pwa';
    import i from 'virtual-thing'; import j from 'https://esm.sh/x'; import k from './x.svg?raw';
    import l from 'bun:test';
    """
    found = standing(project, code, registry={})
    assert "MISSING" not in found.values()
    assert (found["@app/util"], found["@gone/x"], found["src/util"]) == ("EXISTS", "UNKNOWN", "EXISTS")


def test_what_the_code_copes_without_is_never_missing(project: Path) -> None:
    code = "try { require('maybe-there-zz') } catch {}\nimport('maybe-too-zz').catch(() => {});\n"
    assert set(standing(project, code, registry={}).values()) == {"UNKNOWN"}


def test_the_script_of_a_component_is_read(project: Path) -> None:
    code = (project / "src/View.vue").read_text()
    assert standing(project, code, "src/View.vue", {}) == {"invented-thing-zz": "MISSING"}


def test_what_stands_in_comments_and_strings_is_no_import(project: Path) -> None:
    code = "// import x from 'nope-zz'\n/* require('nope-zz') */\n"
    code += "const s = \"import y from 'nope-zz'\";\nconst t = `${1}`;"
    assert standing(project, code, registry={}) == {}


@given(st.text(max_size=200), st.sampled_from(["a.ts", "a.jsx", "a.vue"]))
def test_no_text_breaks_the_reader(code: str, path: str) -> None:
    javascript_source(code, path)


def test_what_a_package_of_the_workspace_does_not_have_yet_is_unknown_and_own_imports_are_those_it_names(
    tmp_path: Path,
) -> None:
    manifest = {"workspaces": ["packages/*"], "imports": {"#db": "./src/db.js", "#later": "./src/later.js"}}
    ui = {"name": "@mine/ui", "exports": {".": "./index.js", "./button": "./button.js"}}
    write(
        tmp_path,
        {
            "package.json": json.dumps(manifest),
            "src/db.js": "",
            "packages/ui/package.json": json.dumps(ui),
            "packages/ui/index.js": "",
            "packages/ui/button.js": "",
            "node_modules/closed/package.json": json.dumps({"exports": {"./only": "./only.js"}}),
        },
    )
    names = ("@mine/ui", "@mine/ui/button", "@mine/ui/invented", "#db", "#later", "#dbb", "closed", "closed/only")
    found = standing(tmp_path, "".join(f"import '{name}';\n" for name in names))
    assert tuple(found.values()) == (
        "EXISTS",
        "EXISTS",
        "UNKNOWN",
        "EXISTS",
        "UNKNOWN",
        "MISSING",
        "MISSING",
        "EXISTS",
    )


def test_names_of_common_js_are_judged_where_literals_tell_all_of_them(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "plain.js": "function one() {}\nmodule.exports = { one, two: 2, three() {} };\nmodule.exports.four = 4;\n",
            "single.js": "exports.five = 5;\n",
            "spread.js": "module.exports = { ...others };\n",
            "whole.js": "module.exports = make();\n",
            "passed.js": "exports.six = 6;\nObject.assign(exports, more);\n",
            "keyed.js": "module.exports = { [made]: 1 };\n",
        },
    )
    code = """
    const { one, two: renamed, three, four, onne, later = 1 } = require('./plain');
    const five = require('./single').five; const bad = require('./single').fiv;
    const { a } = require('./spread'); const { b } = require('./whole'); const { c } = require('./passed');
    const { d } = require('./keyed'); const { e } = require('./nowhere'); const json = require('./plain').toString;
    try { const { f } = require('./single'); } catch {}
    """
    found = verdicts(tmp_path, code, "app.js")
    missing = {name: each.candidates for name, each in found.items() if each.verdict == "MISSING"}
    assert missing == {"./plain#onne": ("one",), "./single#fiv": ("five",)}
    esm = verdicts(tmp_path, "import plain, { one, oen } from './plain.js';\n", "app.mjs")
    assert [name for name, each in esm.items() if each.verdict == "MISSING"] == ["./plain.js#oen"]


@pytest.mark.parametrize(
    "code",
    [
        "import {main} from './only.js'",
        "import * as f from './feat.js'; f.feat; f.feet()",
        "import * as f from './feat.js'; new f.Feet()",
        "const {feat, feet} = await import('./feat.js')",
        "const f = await import('./feat.js'); f.feet()",
        "(await import('./feat.js')).feet()",
        "import('./feat.js').then(({ feet }) => feet())",
        "const f = require('./common.cjs'); f.feet()",
        "import {feet} from '#feat'",
        "import {feet} from 'fs'",
        "import fs from 'node:fs'; fs.readFileSyncc('x')",
        "import * as path from 'path'; path.joinn('a')",
        "const {readFil} = require('fs/promises')",
        "import x from 'fs/promise'",
        "import x from '@mine/ui/kept'",
        "import x from '@mine/ui/secret'",
    ],
)
def test_what_a_module_does_not_export_is_missing_however_it_is_taken(tmp_path: Path, code: str) -> None:
    exports = {".": "./index.js", "./kept": None}
    write(
        tmp_path,
        {
            "package.json": json.dumps({"workspaces": ["packages/*"], "imports": {"#feat": "./src/feat.js"}}),
            "packages/ui/package.json": json.dumps({"name": "@mine/ui", "exports": exports}),
            "packages/ui/index.js": "",
            "packages/ui/secret.js": "",
            "src/only.js": "export default function main() {}\n",
            "src/feat.js": "export const feat = 1\n",
            "src/common.cjs": "exports.feat = 1\n",
        },
    )
    assert list(standing(tmp_path, code, "src/app.js").values()).count("MISSING") == 1


@pytest.mark.parametrize(
    "code",
    [
        "import main from './only.js'; main.anything()",
        "import * as f from './feat.js'; f.feet?.(); f?.other; if (f.third) f.third(); typeof f.fourth",
        "import * as f from './feat.js'; function g(f) { f.feet() }",
        "import * as f from './feat.js'; f.feet = 1",
        "import('./feat.js').then((m) => m).catch(() => null)",
        "const p = import('./feat.js'); p.then(() => 1)",
        "import fs, {promises, readFileSync} from 'fs'; fs.promises.readFile; fs.constants",
        "import {Stats, PathLike} from 'node:fs'",
        "import fs from 'fs'; jest.mock('fs'); fs.readFileMocked()",
        "const fs = Bluebird.promisifyAll(require('fs')); fs.readFileAsync('x')",
        "import {feat} from '#feat'",
        "import {Short} from './alias.ts'",
        "import x from '@mine/ui/later'",
    ],
)
def test_what_may_be_there_is_not_missing_however_it_is_taken(tmp_path: Path, code: str) -> None:
    write(
        tmp_path,
        {
            "package.json": json.dumps({"workspaces": ["packages/*"], "imports": {"#feat": "./src/feat.js"}}),
            "packages/ui/package.json": json.dumps({"name": "@mine/ui", "exports": {".": "./index.js"}}),
            "src/alias.ts": "namespace Long { export const a = 1 }\nexport import Short = Long.a;\n",
            "src/only.js": "export default function main() {}\n",
            "src/feat.js": "export const feat = 1\n",
        },
    )
    assert "MISSING" not in standing(tmp_path, code, "src/app.js").values()


def test_a_package_that_is_only_types_exists_for_typescript_alone(tmp_path: Path) -> None:
    manifest = json.dumps({"name": "only-types", "types": "i.d.ts"})
    write(tmp_path, {"node_modules/only-types/package.json": manifest, "node_modules/only-types/i.d.ts": ""})
    assert standing(tmp_path, "import type {Q} from 'only-types'", "a.ts")["only-types"] == "EXISTS"
    assert standing(tmp_path, "import 'only-types'", "a.js")["only-types"] == "UNKNOWN"


@pytest.mark.parametrize("alias", ["'@comp': '/src/comp'", "'^@comp/(.*)$': '<rootDir>/src/$1'", "'@comp/': './src/'"])
def test_an_alias_that_looks_like_a_scope_is_not_missing_and_a_package_of_a_known_scope_is(
    tmp_path: Path, alias: str
) -> None:
    write(tmp_path, {"package.json": "{}", "vite.config.ts": f"export default {{alias: {{{alias}, '@real/kit': 1}}}}"})
    found = standing(tmp_path, "import '@comp/button'; import '@real/invented'", registry={})
    assert found == {"@comp/button": "UNKNOWN", "@real/invented": "MISSING"}


def test_the_names_of_a_path_that_a_package_of_the_workspace_opens_are_those_of_its_file(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "package.json": json.dumps({"workspaces": ["packages/*"]}),
            "packages/ui/package.json": json.dumps({"name": "@mine/ui", "exports": {"./button": "./src/b.ts"}}),
            "packages/ui/src/b.ts": "export const Button = 1\n",
        },
    )
    found = standing(tmp_path, "import {Button, Buton} from '@mine/ui/button'")
    assert found == {"@mine/ui/button": "EXISTS", "@mine/ui/button#Buton": "MISSING"}
