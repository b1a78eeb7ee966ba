"""Verdicts on made-up npm packages, compared with what Node.js itself says of the same modules."""

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from services.tool_loop.grounding.node_world import NodeWorld
from services.tool_loop.rules.grounding.javascript_verdicts import javascript_verdicts
from tests.unit.grounding.environments import write

_ASK = """
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
for (const name of JSON.parse(process.argv[2])) {
  let found = true;
  try { await import(name) } catch { try { require(name) } catch { found = false } }
  console.log(found);
}
"""
_FILES = ("index.js", "a.js", "b.js", "f/x.js", "f/y.js", "f/deep/z.js")
_KEYS = (".", "./a", "./b.js", "./f/*", "./f/*.js", "./f/deep/*", "./*", "./g/*/end")
_TARGETS = ("./index.js", "./a.js", "./f/x.js", "./f/*.js", "./f/*", "./*.js", "./*", "./f/deep/*.js")
_BELOW = ("", "/a", "/b.js", "/f/x", "/f/x.js", "/f/y", "/f/deep/z", "/f/deep/z.js", "/g/x/end", "/a.js", "/invented")
_OWN = ("#a", "#b", "#in/x", "#in/deep/z", "#in/invented", "#dep", "#invented")


def _value(choose: random.Random, target: str, deep: int = 0) -> Any:
    kind = choose.random()
    if kind < 0.1:
        return None
    if kind < 0.6 or deep > 1:
        return target
    inner = _value(choose, target, deep + 1)
    return choose.choice(({"import": inner, "require": inner}, {"node": {"default": inner}}, {"default": inner}))


def _exports(choose: random.Random) -> Any:
    if choose.random() < 0.15:
        return _value(choose, "./index.js") or "./index.js"
    keys = choose.sample(_KEYS, choose.randint(1, 4))
    return {key: _value(choose, choose.choice([t for t in _TARGETS if ("*" in t) <= ("*" in key)])) for key in keys}


def made_up(workspace: Path, seed: int) -> list[str]:
    """Packages below `node_modules`, and a package with imports of its own; the modules to ask about."""
    choose = random.Random(seed)
    asked: list[str] = []
    for name in ("kit", "@scope/tool", "plain"):
        place = f"node_modules/{name}"
        manifest = {"name": name, "type": choose.choice(("module", "commonjs")), "main": "index.js"}
        write(workspace, {f"{place}/{file}": "" for file in _FILES if f"./{file}" in _TARGETS or choose.random() < 0.7})
        (workspace / place / "package.json").write_text(
            json.dumps(manifest if name == "plain" else manifest | {"exports": _exports(choose)})
        )
        asked += [name + below for below in _BELOW]
    own = {"#a": "./src/a.js", "#in/*": {"default": "./src/*.js"}, "#dep": "plain", "#b": None}
    imports = {key: own[key] for key in choose.sample(sorted(own), 3)}
    (workspace / "package.json").write_text(json.dumps({"name": "mine", "type": "module", "imports": imports}))
    write(workspace, {"src/a.js": "", "src/x.js": "", "src/deep/z.js": "", "ask.mjs": _ASK})
    return asked + list(_OWN)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js to compare with")
def test_what_node_finds_is_never_missing_and_what_it_does_not_find_never_exists(tmp_path: Path, seed: int) -> None:
    asked = made_up(tmp_path, seed)
    ran = subprocess.run(
        ["node", "ask.mjs", json.dumps(asked)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    world = NodeWorld(tmp_path)
    judged = 0
    for name, told in zip(asked, ran.stdout.split(), strict=True):
        (found,) = javascript_verdicts(f"import '{name}';\n", "app.mjs", world, {})
        assert found.verdict != ("MISSING" if told == "true" else "EXISTS"), (name, found)
        judged += found.verdict != "UNKNOWN"
    assert judged * 2 > len(asked)
