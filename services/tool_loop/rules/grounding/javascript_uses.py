"""What a JavaScript or TypeScript source imports and exports, by its syntax tree. The grammar is TypeScript's."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import PurePosixPath

import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from .common_js import CommonExports, holder, taken, text_of
from .javascript_members import Members

_SCRIPT = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_COMMON_JS = re.compile(
    r"\bmodule\.exports\b|\bexports\.\w|\bexports\[|Object\.defineProperty\(\s*exports|\bdefine\(|(?:^"
    r"|[;}])[ \t]*export\s*=",
    re.MULTILINE,
)
_AMBIENT = re.compile(r"""declare\s+module\s+["']([^"'\n]+)["']""")
_IMPORT_LINE = re.compile(
    r"""(?:^|;)[ \t]*(?:import[ \t]*|(?:import|export)\b[^'"`;=()]*?\bfrom\s*)["']([^"'\n]+)["']""", re.MULTILINE
)
_TEMPLATE = re.compile(r"`(?:\\.|[^`\\])*`", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/|(?:^|\s)//[^\n]*", re.DOTALL)
_PATCHED = re.compile(r"promisifyAll|\b(jest|vi)\.(do)?mock\(|\bproxyquire\b|gracefulify")
"""What gives a module other members than its own."""
_BROKEN_EXPORT = re.compile(
    r"((?:^|[;}])[ \t]*export)[ \t]*\r?\n\s*(?=(?:const|let|var|function|class|async|default|type|interface|enum"
    r"|abstract|declare)\b|[{*])",
    re.MULTILINE,
)
"""`export` on a line of its own, which the grammar reads as a statement of its own."""
_LOADERS = frozenset({"require", "require.resolve", "import.meta.resolve"})
_DECLARED = frozenset({"identifier", "type_identifier", "shorthand_property_identifier_pattern"})


@dataclass(frozen=True, slots=True)
class Import:
    """A module that is imported, and the names that are taken from it. `conditional`: the code copes without it.
    `of_default`: the names are members of what it exports by default.
    """

    module: str
    names: tuple[str, ...] = ()
    conditional: bool = False
    of_default: bool = False


@dataclass(frozen=True)
class Source:
    """A source's imports and exports. `stars`: modules whose exports it passes on. `open`: it may have more.

    `ambient`: modules that it declares itself.
    """

    imports: tuple[Import, ...] = ()
    exports: frozenset[str] = frozenset()
    stars: tuple[str, ...] = ()
    open: bool = False
    ambient: tuple[str, ...] = ()


@dataclass
class _Found:
    imports: list[Import] = field(default_factory=list)
    exports: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    common: CommonExports = field(default_factory=CommonExports)
    members: Members = field(default_factory=Members)
    whole: list[tuple[str, Import, int]] = field(default_factory=list)
    """Names that stand for a whole module, or its default, each with how many declarations bind it."""

    def settle(self) -> None:
        """Take in what is taken from modules that are held whole."""
        for name, one, declared in self.whole:
            if names := self.members.of(name, declared=declared):
                self.imports.append(replace(one, names=names))


@cache
def _parser(kind: str) -> Parser:
    grammar = tree_sitter_typescript.language_typescript if kind == "ts" else tree_sitter_typescript.language_tsx
    return Parser(Language(grammar()))


@lru_cache(maxsize=8)
def javascript_source(code: str, path: str) -> Source:
    """Read a source; the script of a component's file counts as one."""
    code = code.removeprefix("\ufeff")
    suffix = PurePosixPath(path).suffix
    if suffix in (".vue", ".svelte"):
        code = "\n".join(_SCRIPT.findall(code))
    code = _BROKEN_EXPORT.sub(r"\1 ", code)
    kind = "ts" if suffix in (".ts", ".mts", ".cts") else "tsx"
    root = _parser(kind).parse(code.encode("utf-8", "replace")).root_node
    found = _Found()
    _walk(root, found)
    if not _PATCHED.search(code):
        found.settle()
    if root.has_error:
        known = {one.module for one in found.imports}
        found.imports += [
            Import(name)
            for name in _IMPORT_LINE.findall(_TEMPLATE.sub("``", _COMMENT.sub(" ", code)))
            if name not in known
        ]
    component = suffix in (".vue", ".svelte")
    common = _COMMON_JS.search(code) is not None
    if common:
        found.exports |= {*found.common.names, "default"}
    return Source(
        tuple(dict.fromkeys(found.imports)),
        frozenset(found.exports),
        tuple(dict.fromkeys(found.stars)),
        open=component or root.has_error or (common and not found.common.told(code)),
        ambient=ambient_modules(code),
    )


def ambient_modules(code: str) -> tuple[str, ...]:
    """The modules that a source declares; a star stands for any part of a name."""
    return tuple(dict.fromkeys(_AMBIENT.findall(code)))


def declares(ambient: Iterable[str], name: str) -> bool:
    """Whether declared modules cover a module, or something below it."""
    return any(
        each == name or each.startswith(f"{name}/") or ("*" in each and fnmatchcase(name, each.replace("[", "[[]")))
        for each in ambient
    )


def _walk(root: Node, found: _Found) -> None:
    """Without recursion: generated sources nest deeply."""
    queue: list[tuple[Node, bool]] = [(root, False)]
    while queue:
        node, conditional = queue.pop()
        if node.type == "import_statement":
            _import(node, found)
        elif node.type == "export_statement":
            _export(node, found)
        elif node.type == "call_expression":
            _loaded(node, conditional, found)
        elif node.type == "assignment_expression":
            found.common.take(node)
        found.members.take(node)
        below = conditional or (node.type == "try_statement" and node.child_by_field_name("handler") is not None)
        queue.extend((child, below) for child in reversed(node.children))


def _string(node: Node | None) -> str | None:
    if node is None or node.type != "string":
        return None
    return "".join(text_of(child) for child in node.named_children)


def _descendants(node: Node, kind: str) -> Iterator[Node]:
    for child in node.named_children:
        if child.type == kind:
            yield child
        else:
            yield from _descendants(child, kind)


def _import(node: Node, found: _Found) -> None:
    module = _string(node.child_by_field_name("source"))
    clause = next((child for child in node.named_children if child.type.startswith("import_")), None)
    if module is None and clause is not None:
        module = _string(clause.child_by_field_name("source"))
    if not module:
        return
    names: list[str] = []
    if clause is not None and clause.type == "import_clause":
        if any(child.type == "identifier" for child in clause.named_children):
            names.append("default")
        names += (text_of(one.child_by_field_name("name")) for one in _descendants(clause, "import_specifier"))
        for child in clause.named_children:
            if child.type in ("identifier", "namespace_import"):
                default = child.type == "identifier"
                name = text_of(child if default else child.named_children[-1])
                found.whole.append((name, Import(module, of_default=default), 0))
    found.imports.append(Import(module, tuple(names)))


def _export(node: Node, found: _Found) -> None:
    module = _string(node.child_by_field_name("source"))
    specifiers = list(_descendants(node, "export_specifier")) if node.child_by_field_name("declaration") is None else []
    if module:
        found.imports.append(Import(module, tuple(text_of(one.child_by_field_name("name")) for one in specifiers)))
        spaces = [child for child in node.named_children if child.type == "namespace_export"]
        found.exports.update(text_of(space.named_children[-1]) for space in spaces)
        if not specifiers and not spaces:
            found.stars.append(module)
    for one in specifiers:
        found.exports.add(text_of(one.child_by_field_name("alias") or one.child_by_field_name("name")))
    if any(child.type == "default" for child in node.children):
        found.exports.add("default")
    aliases = (child for child in node.named_children if child.type == "import_alias")
    found.exports.update(text_of(alias.named_children[0]) for alias in aliases)
    declaration = node.child_by_field_name("declaration")
    if declaration is not None and not any(child.type == "default" for child in node.children):
        found.exports.update(_declared(declaration))


def _declared(node: Node) -> Iterator[str]:
    name = node.child_by_field_name("name")
    if name is not None and name.type in _DECLARED:
        yield text_of(name)
        return
    for variable in _descendants(node, "variable_declarator"):
        pattern = variable.child_by_field_name("name")
        if pattern is not None:
            yield from _bound(pattern)
    if node.type == "ambient_declaration":
        for child in node.named_children:
            yield from _declared(child)


def _bound(pattern: Node) -> Iterator[str]:
    if pattern.type in _DECLARED:
        yield text_of(pattern)
    for child in pattern.named_children:
        yield from _bound(child)


def _loaded(node: Node, conditional: bool, found: _Found) -> None:
    """`require("x")` and `import("x")`, also with a `catch` behind it."""
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or not arguments.named_children:
        return
    if function.type != "import" and text_of(function) not in _LOADERS:
        return
    module = _string(arguments.named_children[0])
    after = node.parent
    caught = after is not None and after.type == "member_expression" and text_of(after).rstrip().endswith(".catch")
    if module:
        names = tuple(taken(node)) if text_of(function) in ("require", "import") else ()
        one = Import(module, names, conditional=conditional or caught)
        found.imports.append(one)
        if (name := holder(node)) and not one.conditional:
            found.whole.append((name, Import(module), 1))
