"""Which names a Python module offers, by its source alone: bindings, re-exports, stars, and if it may hold more."""

import ast
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_DYNAMIC = re.compile(
    r"^[^\n#]*\bglobals\(\)|\bvars\(\)|sys\.modules|setattr\((sys|_?mod|this|current)|\bexec\(|_convert_?\(|__class__\s*=",
    re.MULTILINE,
)
_CONVERTED = re.compile(r"_convert_?\(\s*['\"](\w+)")
_SHARED_PATH = re.compile(r"extend_path|declare_namespace|__path__")
_SKIPPED = re.compile(
    rf"(\w+\.)?TYPE_CHECKING|__name__ == '__main__'|False|0"
    rf"|sys\.platform == '(?!{sys.platform}')\w+'|os\.name == '(?!{os.name}')\w+'"
)
"""Conditions under which nothing runs when a module is imported here."""
_GLOBAL_ENUM = re.compile(r"global_enum")


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """What a module binds at its top level.

    `modules`: what an imported name may stand for, as (module, name or empty). `stars`: modules whose names it takes
    over. Both are absolute. `dynamic`: it may bind more while it runs. `shared_path`: its submodules may lie elsewhere.
    `exported`: what its `__all__` lists, which is all that a star takes; None: it has none, or code makes it.
    `doubtful`: names that it only speaks of: listed and not bound, for type checkers or another system, taken away.
    """

    names: frozenset[str]
    modules: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    stars: tuple[str, ...] = ()
    dynamic: bool = False
    shared_path: bool = False
    exported: frozenset[str] | None = None
    doubtful: frozenset[str] = frozenset()


OPAQUE = ModuleNames(frozenset(), dynamic=True)
"""A module whose names cannot be told from outside."""


def module_names(code: str, module: str, *, package: bool) -> ModuleNames:
    """The names of a module's source; `module` is its dotted name, against which relative imports are resolved."""
    found = _Bindings(module if package else module.rpartition(".")[0])
    try:
        found.visit(ast.parse(code.removeprefix("\ufeff")))
        found.settle()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return OPAQUE
    dynamic = "__getattr__" in found.names or bool(_DYNAMIC.search(code))
    bound = {*found.names, *_CONVERTED.findall(code), *(found.exported if dynamic else ())} - found.deleted
    return ModuleNames(
        names=frozenset(bound),
        modules={name: frozenset(targets) for name, targets in found.modules.items()},
        stars=tuple(dict.fromkeys(found.stars)),
        dynamic=dynamic,
        shared_path=bool(_SHARED_PATH.search(code)),
        exported=frozenset(found.exported) if found.lists_exports else None,
        doubtful=frozenset(found.exported | found.unlikely | found.deleted) - bound,
    )


class _Bindings(ast.NodeVisitor):
    """Walks what runs when a module is imported, and takes every branch that may run."""

    def __init__(self, package: str) -> None:
        self._package = package
        self.names: set[str] = set()
        self.unlikely: set[str] = set()
        self.deleted: set[str] = set()
        self.modules: dict[str, set[tuple[str, str]]] = {}
        self.stars: list[str] = []
        self.exported: set[str] = set()
        self._called: set[str] = set()
        self._set_by: list[tuple[str, list[str]]] = []
        self._plain_lists: list[bool] = []
        self._listed: dict[str, set[str]] = {}

    def settle(self) -> None:
        """Take in what functions set by `global`: it is there for certain where the module itself calls them."""
        for function, names in self._set_by:
            (self.names if function in self._called else self.unlikely).update(names)

    @property
    def lists_exports(self) -> bool:
        """Whether `__all__` is a literal and nothing else."""
        return bool(self._plain_lists) and all(self._plain_lists)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            local = alias.asname or alias.name.partition(".")[0]
            self.names.add(local)
            self.modules.setdefault(local, set()).add((alias.name if alias.asname else local, ""))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        source = self._absolute(node)
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(source)
                continue
            local = alias.asname or alias.name
            self.names.add(local)
            self.modules.setdefault(local, set()).add((source, alias.name))

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self._package.split(".") if self._package else []
        base = parts[: len(parts) - node.level + 1]
        return ".".join((*base, *filter(None, (node.module,))))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.names.add(node.name)
        self._set_by += [(node.name, inner.names) for inner in ast.walk(node) if isinstance(inner, ast.Global)]

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.names.add(node.name)
        if any(_GLOBAL_ENUM.search(ast.unparse(decorator)) for decorator in node.decorator_list):
            self.names.update(_bound_in(node))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Binds nothing here."""

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Its variables are its own."""
        for child in (node.iter, *node.ifs):
            self.visit(child)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is None and isinstance(node.target, ast.Name):
            self.unlikely.add(node.target.id)
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self.names.add(node.id)
            self.deleted.discard(node.id)
        elif isinstance(node.ctx, ast.Del):
            self.deleted.add(node.id)

    def visit_If(self, node: ast.If) -> None:
        self.visit(node.test)
        runs = _SKIPPED.fullmatch(ast.unparse(node.test)) is None
        bound, self.names = self.names, set()
        for child in node.body:
            self.visit(child)
        taken, self.names = self.names, bound
        (self.names if runs else self.unlikely).update(taken)
        for child in node.orelse:
            self.visit(child)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self._called.add(node.func.id)
        if isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "__all__":
            self._plain_lists.append(False)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        for child in node.body:
            self.visit(child)

    def visit_MatchAs(self, node: ast.MatchAs | ast.MatchStar) -> None:
        if node.name:
            self.names.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self.visit_MatchAs(node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.names.add(node.rest)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._list(target.id, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._list(node.target.id, node.value)
        self.generic_visit(node)

    def _list(self, name: str, value: ast.expr) -> None:
        """Keep the strings of a list or tuple; `__all__` may be made of several."""
        if name != "__all__" and not isinstance(value, ast.List | ast.Tuple | ast.Set):
            return
        strings = set(_strings(value))
        for inner in ast.walk(value):
            if isinstance(inner, ast.Name):
                strings |= self._listed.get(inner.id, set())
        self._listed[name] = strings
        if name == "__all__":
            self.exported |= strings
            self._plain_lists.append(isinstance(value, ast.List | ast.Tuple) and all(map(_is_constant, value.elts)))


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _bound_in(node: ast.ClassDef) -> Iterator[str]:
    for statement in node.body:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id


def _strings(node: ast.expr) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield inner.value
