"""The statements of a test as they are carried out: loops, parameters and tables over literals with these put in.

`for a, b, c in [(2, 3, 5)]: assert add(a, b) == c` says `assert add(2, 3) == 5`. What is not a loop over literals stays
as it is written.
"""

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

Tables = Mapping[str, ast.expr]
"""Literal lists by the names that they are bound to, once: `CASES`, or `self.CASES` of a class."""
Test = ast.FunctionDef | ast.AsyncFunctionDef

_MOST_CASES: Final = 500
_MOST_STATEMENTS: Final = 5_000
_PARAMETRIZE: Final = frozenset({"pytest.mark.parametrize", "mark.parametrize"})
_LEAVES: Final = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def tables_of(body: Sequence[ast.stmt], prefix: str = "") -> dict[str, ast.expr]:
    """The lists of literals that the statements of a module, class or test bind to a name, and bind once."""
    bound = Counter(
        one.id for one in _walked(body) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store | ast.Del)
    )
    return {
        f"{prefix}{name}": value
        for statement in body
        if (pair := _bound_list(statement)) is not None
        for name, value in (pair,)
        if bound[name] == 1
    }


def unrolled(test: Test, tables: Tables) -> list[ast.stmt]:
    """What a test does, statement by statement, without what it only says: docstrings, messages of assertions."""
    own = tables_of(test.body)
    arguments = {one.arg for one in ast.walk(test.args) if isinstance(one, ast.arg)}
    known = {**{name: value for name, value in tables.items() if name not in arguments}, **own}
    said = [one for one in test.body if not _says_only(one) and not _binds_one_of(one, own)]
    for decorator in reversed(test.decorator_list):
        if (loop := _as_loop(decorator, said)) is not None:
            said = [loop]
    found = [*islice(_flat(said, known, {}), _MOST_STATEMENTS)]
    return found if len(found) < _MOST_STATEMENTS else said


def decorators_beside(test: Test) -> list[str]:
    """The decorators of a test but those that give it literal parameters."""
    return [ast.dump(one) for one in test.decorator_list if _as_loop(one, []) is None]


def fixtures(test: Test) -> list[str]:
    """What a test takes beside its literal parameters; a default counts with its value."""
    loops = [loop for one in test.decorator_list if (loop := _as_loop(one, [])) is not None]
    given = {one.id for loop in loops for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
    defaults = [one for one in (*test.args.defaults, *test.args.kw_defaults) if one is not None]
    names = [one.arg for one in ast.walk(test.args) if isinstance(one, ast.arg) and one.arg not in given]
    return [*sorted(names), *map(ast.dump, defaults)]


def grown(before: ast.stmt, now: Tables) -> bool:
    """Whether a statement binds a list of literals that holds all its items still, under the name it had."""
    pair = _bound_list(before)
    new = None if pair is None else now.get(pair[0])
    if pair is None or not isinstance(pair[1], ast.List | ast.Tuple) or not isinstance(new, ast.List | ast.Tuple):
        return False
    return type(pair[1]) is type(new) and not Counter(map(ast.dump, pair[1].elts)) - Counter(map(ast.dump, new.elts))


def _bound_list(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    value = getattr(statement, "value", None)
    if len(targets) == 1 and isinstance(targets[0], ast.Name) and isinstance(value, ast.List | ast.Tuple):
        return targets[0].id, value
    return None


def _binds_one_of(statement: ast.stmt, tables: Tables) -> bool:
    pair = _bound_list(statement)
    return pair is not None and pair[0] in tables


def _as_loop(decorator: ast.expr, body: list[ast.stmt]) -> ast.For | None:
    """What `pytest.mark.parametrize` does, as a loop; None where a decorator is no such, or does more."""
    if not isinstance(decorator, ast.Call) or ast.unparse(decorator.func) not in _PARAMETRIZE:
        return None
    if len(decorator.args) != 2 or any(one.arg != "ids" for one in decorator.keywords):
        return None
    names = _names_of(decorator.args[0])
    if not names:
        return None
    target: ast.expr = ast.Name(names[0], ast.Store())
    if len(names) > 1:
        target = ast.Tuple([ast.Name(name, ast.Store()) for name in names], ast.Store())
    return ast.For(target, decorator.args[1], body, [], lineno=1, col_offset=0)


def _names_of(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [one.strip() for one in node.value.split(",") if one.strip()]
    if isinstance(node, ast.List | ast.Tuple):
        return [one.value for one in node.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return []


def _flat(body: Sequence[ast.stmt], tables: Tables, values: Mapping[str, ast.expr]) -> Iterator[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.With) and all(map(_parts_a_test, statement.items)):
            yield from _flat(statement.body, tables, values)
            continue
        rounds = [*_rounds(statement, tables)] if isinstance(statement, ast.For) else []
        if not rounds or not isinstance(statement, ast.For):
            yield _Put(values).visit(copy.deepcopy(statement))
            continue
        for one in rounds:
            yield from _flat(statement.body, tables, {**values, **one})


def _rounds(loop: ast.For, tables: Tables) -> Iterator[Mapping[str, ast.expr]]:
    """What the names of a loop stand for in each round; nothing where that, or its end, is not plain."""
    cases = tables.get(ast.unparse(loop.iter), loop.iter)
    names = [loop.target] if isinstance(loop.target, ast.Name) else getattr(loop.target, "elts", [])
    plain = [one.id for one in names if isinstance(one, ast.Name)]
    if not isinstance(cases, ast.List | ast.Tuple) or len(cases.elts) > _MOST_CASES or loop.orelse:
        return
    if not plain or len(plain) != len(names) or any(_leaves_or_binds(one, plain) for one in _walked(loop.body)):
        return
    found = []
    for case in cases.elts:
        given = case.args if _is_param(case) and isinstance(case, ast.Call) else None
        if given is None and isinstance(loop.target, ast.Name):
            given = [case]
        elif given is None:
            given = case.elts if isinstance(case, ast.List | ast.Tuple) else []
        if len(given) != len(plain):
            return
        found.append(dict(zip(plain, given, strict=True)))
    yield from found


def _is_param(case: ast.expr) -> bool:
    """`pytest.param` without marks, which may skip it."""
    return (
        isinstance(case, ast.Call)
        and ast.unparse(case.func) in ("pytest.param", "param")
        and all(one.arg == "id" for one in case.keywords)
    )


def _leaves_or_binds(node: ast.AST, names: Sequence[str]) -> bool:
    stores = isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and node.id in names
    return stores or isinstance(node, _LEAVES)


def _parts_a_test(item: ast.withitem) -> bool:
    """`self.subTest(a=a)`, or pytest's `subtests.test(...)`, which tell cases apart and do no more."""
    call = item.context_expr
    if not isinstance(call, ast.Call) or ast.unparse(call.func) not in ("self.subTest", "subtests.test"):
        return False
    given = [*call.args, *(one.value for one in call.keywords)]
    return not any(isinstance(one, ast.Call | ast.Await | ast.NamedExpr) for value in given for one in ast.walk(value))


def _says_only(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def _walked(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from ast.walk(statement)


class _Put(ast.NodeTransformer):
    """Puts values in place of names, and leaves out what an assertion says where it fails."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        self.generic_visit(node)
        node.msg = None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr.startswith("assert"):
            node.keywords = [one for one in node.keywords if one.arg != "msg"]
        return node
