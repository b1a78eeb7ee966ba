"""What a `setup.py` says by its syntax tree alone; it is never run."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LISTS = frozenset({"install_requires", "tests_require", "setup_requires", "extras_require", "requires"})
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class SetupScript:
    """`requires`: lines of requirements; `files`: files that they may be read from; `unsaid`: code makes more of them.

    `own`: names of the project and of its extension modules. `sources`: folders of its packages.
    """

    requires: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    unsaid: bool = False
    own: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()


def setup_script(text: str) -> SetupScript:
    """Read a `setup.py`. One that is no Python says nothing."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return SetupScript()
    assigned = _assigned(tree)
    requires: list[str] = []
    own: list[str] = []
    sources: list[str] = []
    unsaid = False
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in _LISTS:
            requires += _resolved(node.value, assigned)
            unsaid = unsaid or not _plain(node.value, assigned)
        elif isinstance(node, ast.keyword) and node.arg == "name":
            own += _constants(node.value)
        elif isinstance(node, ast.keyword) and node.arg in ("package_dir", "where"):
            sources += _constants(node.value)
            own += (name.partition(".")[0] for name in _keys(node.value, assigned))
        elif isinstance(node, ast.keyword) and node.arg == "py_modules":
            own += (name.partition(".")[0] for name in _resolved(node.value, assigned))
        elif isinstance(node, ast.Call) and _called(node) == "setup":
            unsaid = unsaid or any(each.arg is None for each in node.keywords)
        elif isinstance(node, ast.Call) and _called(node).endswith("Extension") and node.args:
            own += (name.partition(".")[0] for name in _constants(node.args[0]))
    files = [each for each in _constants(tree) if each.endswith((".txt", ".in")) and "\n" not in each] if unsaid else []
    return SetupScript(tuple(requires), tuple(files), unsaid, tuple(own), tuple(filter(None, sources)))


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def _assigned(tree: ast.AST) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AugAssign | ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
                found.setdefault(target.id, []).extend([node.value] if node.value is not None else [])
    return found


def _resolved(node: ast.expr, assigned: Mapping[str, list[ast.expr]], deep: int = 0) -> Iterator[str]:
    """The strings of an expression, and of the variables in it."""
    yield from _constants(node)
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and deep < _DEEPEST:
            for value in assigned.get(inner.id, ()):
                yield from _resolved(value, assigned, deep + 1)


def _keys(node: ast.expr, assigned: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    """The keys of a dictionary, or of the one that a variable holds."""
    for each in (node, *(assigned.get(node.id, ()) if isinstance(node, ast.Name) else ())):
        if isinstance(each, ast.Dict):
            yield from (key for part in each.keys if part is not None for key in _constants(part))


def _plain(node: ast.expr, assigned: Mapping[str, list[ast.expr]], deep: int = 0) -> bool:
    """Whether an expression is made of literals and of variables that are."""
    if deep > _DEEPEST:
        return False
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call | ast.comprehension | ast.Subscript | ast.JoinedStr | ast.Attribute):
            return False
        if isinstance(inner, ast.Name):
            values = assigned.get(inner.id)
            if not values or not all(_plain(value, assigned, deep + 1) for value in values):
                return False
    return True


def _constants(node: ast.AST) -> list[str]:
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
