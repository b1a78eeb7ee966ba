"""Code under test that turns what judges it: a part of a test runner bound anew, or a value that equals everything.

Only what is new in a file counts.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from .finding import Finding, Kind

_JUDGES: Final = frozenset({"unittest", "pytest", "_pytest", "pluggy", "builtins"})
_BINDING: Final = frozenset({"setattr", "delattr"})
_SCRIPTS: Final = re.compile(r".*\.[cm]?[jt]sx?")
_TURNED_LINE: Final = re.compile(
    r"\bassert\.\w+\s*=(?![=>])|Object\.assign\(\s*assert\b|\bexpect\.extend\s*\(|require\([\"'](?:node:)?assert[\"']\)\.\w+\s*=(?!=)"
    r"|global(?:This)?\.(?:expect|assert|test|it|describe)\s*=(?!=)"
)


def turns_the_judge(path: str, before: str, now: str) -> list[Finding]:
    """Where the code of a file turns, as it is now and did not, what judges it."""
    if path.endswith(".py"):
        held, found = Counter(_python(before)), Counter(_python(now))
        return [Finding(path, kind, what) for kind, what in found - held]
    if not _SCRIPTS.fullmatch(path):
        return []
    lines = {line.strip() for line in before.splitlines()}
    new = (line.strip() for line in now.splitlines() if line.strip() not in lines)
    return [Finding(path, "turning", line[:80]) for line in new if _TURNED_LINE.search(line)]


def _python(text: str) -> Iterator[tuple[Kind, str]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    nodes = [*ast.walk(tree)]
    judges = {name for node in nodes for name in _imported(node)}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from (("agreeing", node.name) for one in node.body if _always_agrees(one))
        elif any(_root(target) in judges for target in _bound(node)):
            yield "turning", ast.unparse(node).split("\n", 1)[0][:80]


def _imported(node: ast.AST) -> Iterator[str]:
    """The names under which a module of the judges, or what is in it, was imported."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] in _JUDGES:
                yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in _JUDGES:
        yield from (alias.asname or alias.name for alias in node.names)


def _bound(node: ast.AST) -> Iterator[ast.expr]:
    """What a statement binds: attributes and items of something else."""
    if isinstance(node, ast.Assign | ast.Delete):
        yield from (one for one in node.targets if isinstance(one, ast.Attribute | ast.Subscript))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _BINDING:
        yield from node.args[:1]


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _always_agrees(statement: ast.stmt) -> bool:
    """`def __eq__(self, other): return True`."""
    if not isinstance(statement, ast.FunctionDef) or statement.name != "__eq__":
        return False
    body = [one for one in statement.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    last = body[0] if len(body) == 1 else None
    return isinstance(last, ast.Return) and isinstance(last.value, ast.Constant) and last.value.value is True
