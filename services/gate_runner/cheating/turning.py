"""Code under test that turns what judges it: a part of a test runner bound anew, or a value that equals everything.

Only what is new in a file counts.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from .finding import Finding, Kind

_JUDGES: Final = frozenset({"unittest", "doctest", "pytest", "_pytest", "pluggy", "builtins", "math", "operator"})
_BINDING: Final = frozenset({"setattr", "delattr"})
_NAME: Final = attrgetter("name")
_SCRIPTS: Final = re.compile(r".*\.[cm]?[jt]sx?")
_TURNED_LINE: Final = re.compile(
    r"\bObject\.is\s*=(?!=)|\basymmetricMatch\b|\bdefineProperty\(\s*require\(|[\])]\.extend\(\s*\{\s*to[A-Z]|"
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
            yield from (("agreeing", node.name) for one in node.body if _always_agrees(one, node.name))
        elif isinstance(node, ast.Dict) and any(
            _agrees_by_key(*pair) for pair in zip(node.keys, node.values, strict=True)
        ):
            yield "agreeing", "__eq__"
        elif isinstance(node, ast.ImportFrom) and node.module == "unittest.mock" and "ANY" in map(_NAME, node.names):
            yield "agreeing", "ANY"
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


def _always_agrees(statement: ast.stmt, owner: str) -> bool:
    """An `__eq__` that looks neither at the object itself nor for its own class, and yet says yes."""
    if isinstance(statement, ast.Assign) and any(ast.unparse(one) == "__eq__" for one in statement.targets):
        return _is_blind(statement.value)
    if not isinstance(statement, ast.FunctionDef) or statement.name != "__eq__" or not statement.args.args:
        return False
    looked_at = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name)}
    said = [one.value for one in ast.walk(statement) if isinstance(one, ast.Return) and one.value is not None]
    return not looked_at & {statement.args.args[0].arg, owner, "super"} and any(map(_says_yes, said))


def _agrees_by_key(key: ast.expr | None, value: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and key.value == "__eq__" and _is_blind(value)


def _is_blind(value: ast.expr) -> bool:
    """A lambda that never looks at its first argument, and says yes."""
    if not isinstance(value, ast.Lambda) or not value.args.args:
        return False
    looked_at = {one.id for one in ast.walk(value.body) if isinstance(one, ast.Name)}
    return value.args.args[0].arg not in looked_at and _says_yes(value.body)


def _says_yes(value: ast.expr) -> bool:
    return ast.unparse(value) not in ("False", "NotImplemented", "None", "0")
