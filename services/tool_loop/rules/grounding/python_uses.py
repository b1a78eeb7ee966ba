"""Which modules, attributes of modules and undefined functions a Python source uses, by its syntax tree alone."""

import ast
import builtins
import re
import symtable
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

_IMPORT_FAILURES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_CONDITION = re.compile(
    r"TYPE_CHECKING|hasattr|sys\.(platform|version_info|implementation|version)|os\.name|platform\.\w+|find_spec"
    r"|\b_?(HAS|HAVE|WITH|USE)_\w+|\b\w+_(AVAILABLE|INSTALLED)\b|\b(PY[23]\w*|IS_\w+)\b"
)
_DYNAMIC = re.compile(r"\b(exec|globals|locals|vars)\(|\bNameError\b|__builtins__|\bbuiltins\.")
_KNOWN_EVERYWHERE = frozenset(
    {*dir(builtins), "reveal_type", "reveal_locals", "get_ipython", "display", "_", "ngettext", "__file__", "__path__"}
)
_IMPORT_LINE = re.compile(
    r"^[^\S\n]*+(?:from\s+([\w.]*+)\s+import\b|import\s+([\w.]+(?:\s*,\s*[\w.]+)*))", re.MULTILINE
)
_IMPORTERS = frozenset({"__import__", "import_module", "importlib.import_module"})
_NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Use:
    """A module and the names taken from it: `("json", ("loadz",))`. `level` dots lead to it.

    `conditional`: the code copes with its absence. `said`: how the code names it. `imported`: how many of the names an
    import statement takes; the others are attributes.
    """

    module: str
    names: tuple[str, ...] = ()
    level: int = 0
    conditional: bool = False
    imported: int = 1

    @property
    def said(self) -> str:
        """The name as code writes it."""
        dots = "." * self.level
        path = ".".join((*filter(None, (self.module,)), *self.names))
        return dots + path


@dataclass
class Uses:
    """What a source uses: what it imports, attributes of imported modules, and functions that nothing defines."""

    imports: list[Use] = field(default_factory=list)
    attributes: list[Use] = field(default_factory=list)
    undefined: list[str] = field(default_factory=list)
    in_scope: list[str] = field(default_factory=list)
    stars: list[Use] = field(default_factory=list)


@lru_cache(maxsize=8)
def python_uses(code: str) -> Uses:
    """Every use in a source. Where it has no syntax tree, the modules of lines that look like imports."""
    code = code.removeprefix("\ufeff")
    visitor = _Visitor()
    try:
        visitor.visit(ast.parse(code))
    except _NO_PYTHON:
        # Text that is no Python of this version, or nests too deeply.
        return Uses(imports=list(dict.fromkeys(_import_lines(code))))
    try:
        undefined, in_scope = _undefined(code, visitor)
    except _NO_PYTHON:
        # It has a syntax tree and does not compile.
        undefined, in_scope = [], []
    return Uses(
        imports=list(dict.fromkeys(visitor.imports)),
        attributes=list(dict.fromkeys(_attributes(visitor))),
        undefined=undefined,
        in_scope=in_scope,
        stars=visitor.stars,
    )


def _import_lines(code: str) -> Iterator[Use]:
    for found in _IMPORT_LINE.finditer(code):
        source, plain = found.groups()
        if source:
            module = source.lstrip(".")
            yield Use(module, level=len(source) - len(module), conditional=found.group().startswith((" ", "\t")))
        else:
            for name in (one.strip() for one in (plain or "").split(",")):
                yield Use(name, conditional=found.group().startswith((" ", "\t")))


class _Visitor(ast.NodeVisitor):
    """Collects imports with their conditions, what local names stand for, and chains of attributes.

    `given`: attributes that the source sets itself, or asks for before it uses them.
    """

    def __init__(self) -> None:
        self.imports: list[Use] = []
        self.stars: list[Use] = []
        self.aliases: dict[str, set[Use]] = {}
        self.bound: set[str] = set()
        self.chains: list[tuple[str, tuple[str, ...], bool]] = []
        self.given: set[str] = set()
        self.called: dict[str, None] = {}
        self._conditional = 0

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            use = Use(alias.name, conditional=bool(self._conditional))
            self.imports.append(use)
            local = alias.asname or alias.name.partition(".")[0]
            target = alias.name if alias.asname else local
            self.aliases.setdefault(local, set()).add(Use(target, conditional=use.conditional))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module, conditional = node.module or "", bool(self._conditional)
        base = Use(module, level=node.level, conditional=conditional)
        if module:
            self.imports.append(base)
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(base)
                continue
            use = Use(module, (alias.name,), node.level, conditional)
            self.imports.append(use)
            self.aliases.setdefault(alias.asname or alias.name, set()).add(use)

    def visit_Try(self, node: ast.Try) -> None:
        caught = {name for handler in node.handlers for name in _caught(handler)}
        copes = bool(caught & _IMPORT_FAILURES) or "AttributeError" in caught
        self._under(copes, node.body)
        self._under(copes, node.handlers)
        self._under(False, node.orelse)
        self._under(False, node.finalbody)

    def visit_If(self, node: ast.If) -> None:
        copes = bool(_CONDITION.search(ast.unparse(node.test)))
        self.visit(node.test)
        self._under(copes, node.body)
        self._under(copes, node.orelse)

    def visit_With(self, node: ast.With) -> None:
        copes = any("suppress" in (said := ast.unparse(item)) and "Error" in said for item in node.items)
        for item in node.items:
            self.visit(item)
        self._under(copes, node.body)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            self.called.setdefault(node.func.id)
        called = self._unaliased(node.func)
        if called in _IMPORTERS and node.args:
            self._import_by_name(node)
        elif called in ("hasattr", "getattr", "setattr") and len(node.args) > 1:
            owner, name = node.args[0], _text(node.args[1])
            if isinstance(owner, ast.Name | ast.Attribute) and name:
                self.given.add(f"{ast.unparse(owner)}.{name}")
        self.generic_visit(node)

    def _unaliased(self, function: ast.expr) -> str:
        """A function by its dotted name, where it is called by a name that an import gave it."""
        owner, name = (function.value, function.attr) if isinstance(function, ast.Attribute) else (function, "")
        if not isinstance(owner, ast.Name):
            return ""
        known = {use.said for use in self.aliases.get(owner.id, ())} or {owner.id}
        return ".".join(filter(None, (next(iter(known)), name))) if len(known) == 1 else ""

    def _import_by_name(self, node: ast.Call) -> None:
        """`import_module` with a literal; a relative one with the package that it is relative to."""
        name, conditional = _text(node.args[0]), bool(self._conditional)
        if name and not name.startswith("."):
            self.imports.append(Use(name, conditional=conditional))
            return
        package = next((each.value for each in node.keywords if each.arg == "package"), None)
        package = node.args[1] if len(node.args) > 1 else package
        bare = name.lstrip(".")
        if isinstance(package, ast.Name) and package.id == "__package__" and bare:
            self.imports.append(Use(bare, level=len(name) - len(bare), conditional=conditional))
        elif package is not None and (base := _text(package)) and len(name) == len(bare) + 1 and bare:
            self.imports.append(Use(f"{base}.{bare}", conditional=conditional))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        names: list[str] = []
        place: ast.expr = node
        while isinstance(place, ast.Attribute):
            names.append(place.attr)
            place = place.value
        if not isinstance(place, ast.Name):
            self.visit(place)
            return
        chain = tuple(reversed(names))
        if isinstance(node.ctx, ast.Load):
            self.chains.append((place.id, chain, bool(self._conditional)))
        else:
            self.given.add(".".join((place.id, *chain)))

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.bound.add(node.id)

    def visit_arg(self, node: ast.arg) -> None:
        self.bound.add(node.arg)
        # What stands in an annotation need not be there while the code runs.
        self._under(True, filter(None, (node.annotation,)))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._under(True, (node.annotation,))
        self._under(False, filter(None, (node.target, node.value)))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.bound.add(node.name)
        self._under(True, filter(None, (node.returns,)))
        self._under(False, (*node.decorator_list, node.args, *node.body))

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.bound.add(node.name)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.bound.add(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self.bound.add(node.name)
        self.generic_visit(node)

    def _under(self, copes: bool, nodes: Iterable[ast.AST]) -> None:
        self._conditional += copes
        for node in nodes:
            self.visit(node)
        self._conditional -= copes


def _text(node: ast.expr) -> str:
    """A literal string; empty: it is none."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _caught(handler: ast.ExceptHandler) -> Iterator[str]:
    if handler.type is None:
        yield "BaseException"
        return
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    for kind in kinds:
        yield ast.unparse(kind).rpartition(".")[2]


def _attributes(visitor: _Visitor) -> Iterator[Use]:
    """Attributes of local names that stand for one import and nothing else."""
    for local, chain, conditional in visitor.chains:
        targets = visitor.aliases.get(local, set())
        if local in visitor.bound or len({(t.module, t.names, t.level) for t in targets}) != 1:
            continue
        if any(".".join((local, *chain[:size])) in visitor.given for size in range(1, len(chain) + 1)):
            continue
        target = next(iter(targets))
        absent = conditional or all(t.conditional for t in targets)
        yield Use(target.module, (*target.names, *chain), target.level, absent, len(target.names))


def _undefined(code: str, visitor: _Visitor) -> tuple[list[str], list[str]]:
    """Names that are called, and that no scope of the source binds; and the names that the module binds."""
    if _DYNAMIC.search(code):
        return [], []
    table = symtable.symtable(code, "<source>", "exec")
    defined = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    tables = list(_tables(table))
    for scope in tables:
        defined |= {s.get_name() for s in scope.get_symbols() if s.is_declared_global() and s.is_assigned()}
    free = {
        symbol.get_name()
        for scope in tables
        for symbol in scope.get_symbols()
        if symbol.get_name() in visitor.called
        and symbol.is_referenced()
        and (symbol.is_global() or scope is table)
        and symbol.get_name() not in defined
    }
    # A name that some scope binds may be reached in ways that tables do not tell; it is left alone.
    loose = free - _KNOWN_EVERYWHERE - visitor.bound
    return [name for name in visitor.called if name in loose], sorted(defined)


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)
