"""Code under test that turns what judges it: a part of a test runner bound anew, or a value that equals everything.

Only what is new in a file counts.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter
from typing import Final

from .agreeing import agreeing
from .finding import Finding, Kind
from .joined import Joined, text_of

_JUDGES: Final = frozenset({"unittest", "doctest", "pytest", "_pytest", "pluggy", "builtins", "math", "operator"})
_MATHS: Final = frozenset({"math", "operator", "builtins"})
"""What is bound of these (`pi = math.pi`) is a value as good as any."""
_ROUNDS: Final = 3
_BINDING: Final = frozenset({"setattr", "delattr"})
_NAME: Final = attrgetter("name")
_SCRIPTS: Final = re.compile(r".*\.[cm]?[jt]sx?")
_TURNED_LINE: Final = re.compile(
    r"\bObject\.is\s*=(?!=)|\basymmetricMatch\b|\bdefineProperty\(\s*require\(|[\])]\.extend\(\s*\{\s*to[A-Z]|"
    r"\bassert\.\w+\s*=(?![=>])|Object\.assign\(\s*assert\b|\bexpect\.extend\s*\(|require\([\"'](?:node:)?assert[\"']\)\.\w+\s*=(?!=)"
    r"|\b_load\([\"'](?:node:)?assert\b"
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
        nodes = [*ast.walk(Joined().visit(ast.parse(text)))]
    except (SyntaxError, ValueError, RecursionError):
        return
    yield from (("agreeing", owner) for owner in agreeing(nodes))
    judges = _judges(nodes)
    for node in nodes:
        if _takes_any(node, judges):
            yield "agreeing", "ANY"
        elif isinstance(node, ast.Return) and node.value is not None and _is_approximate(node.value, judges):
            yield "agreeing", ast.unparse(node.value)[:80]
        elif any(_is_judges(target, judges) or _is_a_callers(target) for target in _bound(node)):
            yield "turning", ast.unparse(node).split("\n", 1)[0][:80]


def _takes_any(node: ast.AST, judges: Collection[str]) -> bool:
    if isinstance(node, ast.ImportFrom):
        return node.module == "unittest.mock" and "ANY" in map(_NAME, node.names)
    return isinstance(node, ast.Attribute) and node.attr == "ANY" and _is_judges(node, judges)


def _judges(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names of what judges in a file: as imported, and those that parts of a runner are bound to."""
    judges = frozenset(name for node in nodes for name in _imported(node))
    bound = [node for node in nodes if isinstance(node, ast.Assign)]
    for _ in range(_ROUNDS):
        parts = [node for node in bound if _is_judges(node.value, judges) and _root(node.value) not in _MATHS]
        judges |= {to.id for node in parts for to in node.targets if isinstance(to, ast.Name)}
    return judges


def _is_judges(node: ast.expr, judges: Collection[str]) -> bool:
    """Whether an expression leads to a judge or a part of one: by its name, by attributes, `getattr` or its import."""
    if isinstance(node, ast.Name):
        return node.id in judges
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
        return _is_of_judges(text_of(node.slice))
    if isinstance(node, ast.Attribute | ast.Subscript):
        return _is_judges(node.value, judges)
    if not isinstance(node, ast.Call) or not node.args:
        return False
    called = ast.unparse(node.func).rpartition(".")[2]
    if called in ("import_module", "__import__"):
        return _is_of_judges(text_of(node.args[0]))
    return called in ("getattr", "vars") and _is_judges(node.args[0], judges)


def _is_of_judges(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _JUDGES


def _is_approximate(value: ast.expr, judges: Collection[str]) -> bool:
    """What code hands out as a value of pytest's that equals whatever is near."""
    called = value.func if isinstance(value, ast.Call) else value
    return ast.unparse(called).rpartition(".")[2] == "approx" and _is_judges(called, judges)


def _is_a_callers(target: ast.expr) -> bool:
    """Whether what is bound are the names of who calls, such as a test: `sys._getframe(1).f_globals['add']`."""
    return isinstance(target, ast.Subscript) and ast.unparse(target.value).endswith((".f_globals", ".f_builtins"))


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
