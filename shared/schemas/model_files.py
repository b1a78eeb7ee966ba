"""Which files of a workspace a pydantic model is made of: its module, and those of the names that it uses."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from shared.workspace import PathRefused, confine, read_regular

_MOST_BYTES: Final = 4 << 20
_MOST_NAMES: Final = 2_000
_IMPORTED: Final = ("pydantic", "pydantic_core", "typing_extensions", "annotated_types", "yaml")
"""What checking imports by itself."""


def model_files(workspace: Path, model: str) -> list[str]:
    """The paths from which Python may take what `package.module:Model` is made of; its own module's first.

    Followed are the names that the model, its bases, fields and validators use, through the imports of the workspace's
    modules. For every module both paths that Python looks at are named, whether anything lies there or not.
    """
    name, _, attribute = model.partition(":")
    found: dict[str, None] = dict.fromkeys(_places(name))
    waiting = [(name, attribute.partition(".")[0])]
    seen: set[tuple[str, str]] = set()
    modules: dict[str, _Module | None] = {}
    while waiting and len(seen) < _MOST_NAMES:
        asked = waiting.pop(0)
        if asked in seen:
            continue
        seen.add(asked)
        found.update(dict.fromkeys(_places(asked[0])))
        if asked[0] not in modules:
            modules[asked[0]] = _read(workspace, asked[0])
        module = modules[asked[0]]
        if module is not None:
            waiting += module.used_by(asked[1])
    for other in _IMPORTED:
        found.update(dict.fromkeys(_places(other)))
    return [*found]


@dataclass(slots=True)
class _Module:
    """A module's bindings at its top: what each name is defined by, or imported from (module and name in it)."""

    defined: dict[str, list[ast.AST]] = field(default_factory=lambda: defaultdict(list))
    imported: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    everything: list[str] = field(default_factory=list)

    def used_by(self, name: str) -> Iterator[tuple[str, str]]:
        """What a name is made of, each as a module and a name there; an empty name is all of the module."""
        if not name:
            for one in [*self.imported]:
                yield from self.imported[one]
            yield from ((module, "") for module in self.everything)
            return
        seen: set[str] = set()
        waiting = [name]
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            yield from self.imported.get(one, ())
            for node in self.defined.get(one, ()):
                waiting += _names(node)
            if one not in self.defined and one not in self.imported:
                yield from ((module, one) for module in self.everything)


def _places(module: str) -> tuple[str, str]:
    stem = module.replace(".", "/")
    return f"{stem}.py", f"{stem}/__init__.py"


def _read(workspace: Path, name: str) -> _Module | None:
    for path in reversed(_places(name)):
        try:
            content = read_regular(confine(workspace, path).real, most_bytes=_MOST_BYTES)
            tree = None if content is None else ast.parse(content)
        except (OSError, PathRefused, SyntaxError, ValueError, RecursionError):
            return None
        if tree is not None:
            package = name if path.endswith("/__init__.py") else name.rpartition(".")[0]
            module = _Module()
            for statement in tree.body:
                _bind(statement, package, module)
            return module
    return None


def _bind(statement: ast.AST, package: str, module: _Module) -> None:
    match statement:
        case ast.Import(names=names):
            for one in names:
                module.imported[one.asname or one.name.partition(".")[0]].append((one.name, ""))
        case ast.ImportFrom(names=names):
            source = _source(statement, package)
            for one in names:
                if one.name == "*":
                    module.everything.append(source)
                else:
                    # A name may be a module of the package.
                    module.imported[one.asname or one.name] += [(source, one.name), (f"{source}.{one.name}", "")]
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            module.defined[name].append(statement)
            for nested in ast.walk(statement):
                if isinstance(nested, ast.Import | ast.ImportFrom):
                    _bind(nested, package, module)
        case _:
            for name in _stored(statement):
                module.defined[name].append(statement)
            for below in ast.iter_child_nodes(statement):
                if isinstance(below, ast.stmt | ast.excepthandler):
                    _bind(below, package, module)


def _source(statement: ast.ImportFrom, package: str) -> str:
    if not statement.level:
        return statement.module or ""
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - statement.level + 1]
    return ".".join([*kept, *([statement.module] if statement.module else [])])


def _stored(statement: ast.AST) -> Iterator[str]:
    """The names that a statement gives a value to, or whose value it changes (`Order.model_rebuild()`)."""
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr):
        yield from (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def _names(node: ast.AST) -> Iterator[str]:
    """The names that a definition uses, those in quoted annotations too."""
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            yield one.id
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and len(one.value) < 200:
            try:
                quoted = ast.parse(one.value, mode="eval")
            except (SyntaxError, ValueError, RecursionError):
                continue
            yield from (name.id for name in ast.walk(quoted) if isinstance(name, ast.Name))


def defines(content: bytes, name: str) -> bool:
    """Whether a module's text gives a name a meaning, as far as can be told without running it."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError):
        return False
    module = _Module()
    for statement in tree.body:
        _bind(statement, "", module)
    return name in module.defined or name in module.imported or bool(module.everything)
