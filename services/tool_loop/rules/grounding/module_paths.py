"""Whether a Python source makes modules importable from places that cannot be told from it."""

import ast
import re
from collections.abc import Collection, Mapping

_CHANGES = re.compile(r"\b(sys\.path|syspath|addsitedir|path_hooks|meta_path)\b|from sys import .*\bpath\b")
_LISTS = frozenset({"sys.path", "sys.path_hooks", "sys.meta_path"})
_ADDS = frozenset({"insert", "append", "extend"})
_ADDERS = frozenset({"site.addsitedir", "addsitedir", "monkeypatch.syspath_prepend"})
_KNOWN = frozenset({"os", "sys", "path", "osp", "Path", "pathlib", "str", "__file__", "dirname", "abspath", "join"})
_UNTOLD = frozenset({"environ", "getenv", "expanduser", "home", "argv"})
_UPWARDS = re.compile(r"\bdirname\b|\.parent\b|\.\.(?![\w.])|\bpardir\b")
_PARENTS = re.compile(r"\bparents\[(\d+)\]")
_DEEPEST = 4


def leads_away(code: str, depth: int) -> bool:
    """Whether a source, `depth` folders below the workspace, may add a place outside it; inside it all is known."""
    if not _CHANGES.search(code):
        return False
    try:
        tree = ast.parse(code.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    assigned: dict[str, ast.expr] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            assigned[node.targets[0].id] = node.value
    lists = _LISTS | ({"path"} if re.search(r"from sys import .*\bpath\b", code) else frozenset())
    return any(not _inside(place, assigned, depth) for node in ast.walk(tree) for place in _added(node, lists))


def _added(node: ast.AST, lists: Collection[str]) -> list[ast.expr]:
    """The places that a statement adds to where modules are looked for."""
    if isinstance(node, ast.AugAssign) and ast.unparse(node.target) in lists:
        return [node.value]
    if isinstance(node, ast.Assign) and any(re.match(r"sys\.path\b", ast.unparse(each)) for each in node.targets):
        return [node.value]
    if not isinstance(node, ast.Call):
        return []
    called = ast.unparse(node.func)
    owner, _, verb = called.rpartition(".")
    if called in _ADDERS or (owner in lists and verb in _ADDS):
        return node.args[-1:]
    return []


def _inside(place: ast.expr, assigned: Mapping[str, ast.expr], depth: int) -> bool:
    """Whether an expression is a path below the workspace: made of the file's own path and of relative parts."""
    said = _said(place, assigned, 0)
    if said is None:
        return False
    up = len(_UPWARDS.findall(said)) + sum(int(size) + 1 for size in _PARENTS.findall(said))
    return up <= depth + ("__file__" in said)


def _said(node: ast.expr, assigned: Mapping[str, ast.expr], deep: int) -> str | None:
    """An expression as code, with its variables' values behind it; None: something in it cannot be told."""
    if deep > _DEEPEST:
        return None
    parts = [ast.unparse(node)]
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id in assigned and inner.id not in _KNOWN:
            value = _said(assigned[inner.id], assigned, deep + 1)
            if value is None:
                return None
            parts.append(value)
        elif _untold(inner):
            return None
    return " ".join(parts)


def _untold(node: ast.AST) -> bool:
    """Whether a part of an expression leads nobody knows where, or out of the workspace."""
    match node:
        case ast.Name(id=name):
            return name not in _KNOWN
        case ast.Constant(value=str(text)):
            return text.startswith(("/", "~"))
        case ast.Attribute(attr=name):
            return name in _UNTOLD
        case _:
            return False
