"""How long verdicts on the names of a file of 500 lines take: the first time, and for each new text of it."""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.timing import milliseconds
from services.tool_loop.grounding.node_world import NodeWorld
from services.tool_loop.grounding.python_world import Workspace
from services.tool_loop.rules.grounding.javascript_verdicts import javascript_verdicts
from services.tool_loop.rules.grounding.python_verdicts import python_verdicts

_ROOT = Path(__file__).parents[1]
_PYTHON = (
    "import asyncio, json, os, re\nimport httpx, pydantic, sqlalchemy, yaml\nfrom pydantic import BaseModel, Field\n"
)
_FUNCTION = "\n\ndef f{0}(x):\n    return os.path.join(json.dumps(x), re.sub('a', 'b', yaml.dump(x)))\n"
_TYPED = "import fs from 'node:fs';\nimport { one } from './one';\n"
_TYPED_FUNCTION = "\nexport function f{0}(x: string): string {{\n  return fs.readFileSync(one(x)).toString();\n}}\n"


def main() -> None:
    """Print one table."""
    sys.stdout.write(f"{'500 lines of':<14} {'first time':>12} {'each new text':>14}   ms\n")
    with tempfile.TemporaryDirectory() as place:
        (Path(place) / "one.ts").write_text("export const one = (x: string) => x;\n")
        node = NodeWorld(Path(place))
        _row("TypeScript", _TYPED + _body(_TYPED_FUNCTION, 100), lambda code: javascript_verdicts(code, "a.ts", node))
    workspace = Workspace(_ROOT)
    _row("Python", _PYTHON + _body(_FUNCTION, 124), lambda code: python_verdicts(code, "a.py", workspace.at("a.py")))


def _body(function: str, count: int) -> str:
    return "".join(function.format(number) for number in range(count))


def _row(name: str, code: str, check: Callable[[str], object]) -> None:
    began = time.perf_counter()
    check(code)
    first = 1000 * (time.perf_counter() - began)
    texts = (f"{code}\n{'#' if name == 'Python' else '//'} {number}\n" for number in range(1000))
    warm = milliseconds({"new": lambda: check(next(texts))})["new"]
    sys.stdout.write(f"{name:<14} {first:>12.0f} {warm:>14.1f}\n")
