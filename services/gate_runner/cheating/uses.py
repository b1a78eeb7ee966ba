"""What tests use, by their texts: the modules, and which of their names; and what binds one of these anew."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

Uses = Mapping[str, frozenset[str]]
"""The names that are used of a module, by its dotted name; empty where it is only imported."""

_PATCHING: Final = frozenset({"setattr", "delattr", "object", "patch"})
_LOADING: Final = frozenset({"import_module", "importorskip", "__import__"})


def uses_of(texts: Iterable[str]) -> Uses:
    """What some texts of Python use of modules; what is no Python uses nothing."""
    found: dict[str, set[str]] = defaultdict(set)
    for text in texts:
        tree = _parsed(text)
        if tree is None:
            continue
        for module in _loaded(tree):
            parts = module.split(".")
            for end in range(1, len(parts) + 1):
                found[".".join(parts[:end])].update(parts[end : end + 1])
        aliases = _aliases(tree)
        for path in aliases.values():
            _add(found, path)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                _add(found, _dotted(node, aliases))
    return {module: frozenset(names) for module, names in found.items()}


def bound_anew(text: str, uses: Uses) -> Iterator[str]:
    """The statements of a text that bind anew what is used, each as its first line."""
    tree = _parsed(text)
    if tree is None:
        return
    aliases = _aliases(tree)
    for node in ast.walk(tree):
        if any(_is_used(path, uses) for path in _binds(node, aliases)):
            yield ast.unparse(node).split("\n", 1)[0][:80]


def _binds(node: ast.AST, aliases: Mapping[str, str]) -> Iterator[str]:
    """The dotted names that a statement or call gives another value to."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        if isinstance(target, ast.Attribute):
            yield _dotted(target, aliases)
        elif isinstance(target, ast.Subscript) and _dotted(target.value, aliases) == "sys.modules":
            yield f"sys.modules:{_text(target.slice)}"
    if isinstance(node, ast.Call):
        yield from _bound_by_call(node, aliases)


def _bound_by_call(node: ast.Call, aliases: Mapping[str, str]) -> Iterator[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    first, second = (*node.args[:2], None, None)[:2]
    if name == "setitem" and first is not None and _dotted(first, aliases) == "sys.modules":
        yield f"sys.modules:{_text(second)}"
    elif name in _PATCHING and first is not None:
        yield _text(first) or f"{_dotted(first, aliases)}.{_text(second)}"


def _is_used(path: str, uses: Uses) -> bool:
    if path.startswith("sys.modules:"):
        return path.partition(":")[2] in uses
    module, _, name = path.rpartition(".")
    return name in uses.get(module, ())


def _aliases(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                found[one.asname or one.name.partition(".")[0]] = one.name if one.asname else one.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.update((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)
    return found


def _loaded(tree: ast.AST) -> Iterator[str]:
    """The modules that are imported, by a statement or by their names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module
        elif isinstance(node, ast.Call) and node.args:
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in _LOADING and _text(node.args[0]):
                yield _text(node.args[0])


def _dotted(node: ast.expr, aliases: Mapping[str, str]) -> str:
    """The dotted name that an expression stands for; empty where it begins with nothing that was imported."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    root = aliases.get(node.id, "") if isinstance(node, ast.Name) else ""
    return ".".join([root, *reversed(parts)]) if root else ""


def _add(found: dict[str, set[str]], path: str) -> None:
    module, _, name = path.rpartition(".")
    if module:
        found[module].add(name)


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
