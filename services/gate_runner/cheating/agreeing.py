"""Classes whose `__eq__` says yes, or whose `__ne__` says no, without holding the two objects to one another."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from .joined import text_of

_METHODS: Final = ("__eq__", "__ne__")
_ROUNDS: Final = 3
"""How often names are followed to what they were bound to."""
_NO: Final = frozenset({"False", "NotImplemented", "None", "0"})
_BOTH: Final = frozenset({"self", "other"})

_Code = ast.FunctionDef | ast.Lambda


def agreeing(nodes: list[ast.AST]) -> Iterator[str]:
    """The classes that are so, by name, or the method where it is not known of which class; `nodes` are of one text.

    A method counts in whatever way it is bound: as a `def` or `lambda` in the class, by the name of a function, by
    `setattr`, in the dictionary for `type(...)`.
    """
    functions = dict(pair for node in nodes for pair in _functions(node))
    for node in nodes:
        for owner, method, value in _bindings(node):
            code = functions.get(value.id) if isinstance(value, ast.Name) else value
            if isinstance(code, _Code) and _is_blind(code, owner, method):
                yield owner or method


def _functions(node: ast.AST) -> Iterator[tuple[str, _Code]]:
    if isinstance(node, ast.FunctionDef):
        yield node.name, node
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        yield from ((one.id, node.value) for one in node.targets if isinstance(one, ast.Name))


def _bindings(node: ast.AST) -> Iterator[tuple[str, str, ast.AST]]:
    """What a node binds to the methods of equality: the class, the method, its code or the name of that."""
    if isinstance(node, ast.ClassDef):
        own = {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}
        yield from ((node.name, name, own[name]) for name in _METHODS if name in own)
        for one in node.body:
            if isinstance(one, ast.Assign):
                names = (to.id for to in one.targets if isinstance(to, ast.Name))
                value = own.get(one.value.id, one.value) if isinstance(one.value, ast.Name) else one.value
                yield from ((node.name, name, value) for name in names if name in _METHODS)
    elif isinstance(node, ast.Assign):
        to = [one for one in node.targets if isinstance(one, ast.Attribute) and one.attr in _METHODS]
        yield from ((ast.unparse(one.value), one.attr, node.value) for one in to)
    elif isinstance(node, ast.Dict):
        pairs = ((text_of(key), value) for key, value in zip(node.keys, node.values, strict=True))
        yield from (("", key, value) for key, value in pairs if key in _METHODS)
    elif isinstance(node, ast.keyword) and node.arg in _METHODS:
        yield "", node.arg, node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and len(node.args) == 3:
        name = text_of(node.args[1])
        if name in _METHODS and ast.unparse(node.func).rpartition(".")[2] in ("setattr", "__setattr__"):
            yield ast.unparse(node.args[0]), name, node.args[2]


def _is_blind(code: _Code, owner: str, method: str) -> bool:
    said = [code.body] if isinstance(code, ast.Lambda) else [*_returned(code)]
    if not said:
        return False
    agrees = any(map(_says_yes, said)) if method == "__eq__" else all(ast.unparse(one) in _NO for one in said)
    denies = method == "__ne__" and all(ast.unparse(one) == "NotImplemented" for one in said)
    return agrees and not denies and not _Sides.of(code, owner).are_compared(code)


def _returned(code: ast.FunctionDef) -> Iterator[ast.expr]:
    return (one.value for one in ast.walk(code) if isinstance(one, ast.Return) and one.value is not None)


def _says_yes(value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _says_yes(value.body) or _says_yes(value.orelse)
    return ast.unparse(value) not in _NO


@dataclass
class _Sides:
    """From which side, the object itself or the other one, the names in a method have what they hold."""

    sides: dict[str, frozenset[str]]
    bound: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, code: _Code, owner: str) -> "_Sides":
        """By the parameters of a method of `owner`; to ask for that class is to look at the object too."""
        given = [one.arg for one in (*code.args.posonlyargs, *code.args.args)]
        itself = frozenset({"self"})
        sides = dict.fromkeys(filter(None, (owner, "super", "__class__", *given[:1])), itself)
        sides.update(dict.fromkeys(given[1:], frozenset({"other"})))
        if code.args.vararg is not None:
            sides[code.args.vararg.arg] = _BOTH if not given else frozenset({"other"})
        found = cls(sides)
        for _ in range(_ROUNDS):
            found._follow(code)
        return found

    def are_compared(self, code: _Code) -> bool:
        """Whether something in a method has both sides in it, beyond `and`, `or`, `not` and what is dropped at once."""
        dropped = {
            id(one.value) for one in ast.walk(code) if isinstance(one, ast.Expr) and not isinstance(one.value, ast.Call)
        }
        inner = [code.body] if isinstance(code, ast.Lambda) else code.body
        left: list[ast.AST] = [*inner]
        while left:
            node = left.pop()
            if id(node) in dropped:
                continue
            if _holds(node) and self._in(node) == _BOTH:
                return True
            left += ast.iter_child_nodes(node)
        return False

    def _in(self, node: ast.AST) -> frozenset[str]:
        if isinstance(node, ast.Name | ast.Attribute):
            name = ast.unparse(node)
            if name in self.bound:
                return self.bound[name]
            if isinstance(node, ast.Name):
                return self.sides.get(name, frozenset())
        return frozenset().union(*map(self._in, ast.iter_child_nodes(node)))

    def _follow(self, code: _Code) -> None:
        new: dict[str, frozenset[str]] = {}
        for names, values in (pair for node in ast.walk(code) for pair in self._bound(node)):
            seen = frozenset[str]().union(*map(self._in, values))
            new.update((name, new.get(name, frozenset()) | seen) for name in names)
        self.bound = {name: seen | self._kept(name) for name, seen in new.items()}

    def _bound(self, node: ast.AST) -> Iterator[tuple[list[str], Sequence[ast.expr]]]:
        """The names that a node binds, or hands something to, and of what."""
        if isinstance(node, ast.Assign):
            yield [name for one in node.targets for name in self._leaves(one)], [node.value]
        elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.NamedExpr) and node.value is not None:
            yield [*self._leaves(node.target)], [node.value]
        elif isinstance(node, ast.For | ast.comprehension):
            yield [*self._leaves(node.target)], [node.iter]
        elif isinstance(node, ast.withitem) and node.optional_vars is not None:
            yield [*self._leaves(node.optional_vars)], [node.context_expr]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield [*self._held_by(node.func.value)], node.args

    def _leaves(self, target: ast.expr) -> Iterator[str]:
        if isinstance(target, ast.Name | ast.Attribute):
            yield ast.unparse(target)
        elif isinstance(target, ast.Subscript):
            yield from self._held_by(target.value)
        elif isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                yield from self._leaves(one)
        elif isinstance(target, ast.Starred):
            yield from self._leaves(target.value)

    def _held_by(self, container: ast.expr) -> Iterator[str]:
        if isinstance(container, ast.Name) and container.id not in self.sides:
            yield container.id

    def _kept(self, name: str) -> frozenset[str]:
        return self.bound.get(name, frozenset())


def _holds(node: ast.AST) -> bool:
    """Whether a node is such that both sides in it are held to one another."""
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) != "bool"
    return isinstance(node, ast.expr | ast.Match) and not isinstance(
        node, ast.BoolOp | ast.IfExp | ast.Name | ast.Lambda
    )
