"""What was taken from a Python file of tests: whatever stood in it must stand there still, and what is new only adds.

New tests, helpers under new names, imports, comments and another layout are fine. A test that is gone, marked or cut,
an assertion that is not the same, a name that is bound anew, and code that would run at import are not.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from shared.patterns import INDENT

from .finding import Finding, Kind
from .unrolling import Tables, decorators_beside, fixtures, grown, tables_of, unrolled

_SKIPS: Final = frozenset({"skip", "skipIf", "skipUnless", "skipif", "importorskip", "skipTest", "SkipTest"})
_XFAILS: Final = frozenset({"xfail", "expectedFailure"})
_STEERING: Final = frozenset(
    {
        "pytestmark", "pytest_plugins", "collect_ignore", "collect_ignore_glob", "__test__", "load_tests",
        "__getattr__",
        "setUp", "tearDown", "setUpClass", "tearDownClass", "setUpModule", "tearDownModule", "setup_module",
        "teardown_module", "setup_function", "teardown_function", "setup_class", "teardown_class", "setup_method",
        "teardown_method", "asyncSetUp", "asyncTearDown",
    }
)  # fmt: skip
_PURE: Final = frozenset(
    {
        "Path",
        "PurePath",
        "Decimal",
        "Fraction",
        "frozenset",
        "set",
        "dict",
        "list",
        "tuple",
        "range",
        "date",
        "datetime",
    }
)
_PURE_METHODS: Final = frozenset({"resolve", "absolute", "joinpath", "with_name", "with_suffix"})
_TEST_NAME: Final = re.compile(INDENT + r"(?:async\s+)?(?:def|class)\s+([Tt]est\w*)", re.M)
_ASSERTS: Final = re.compile(r"\s*(?:assert\b|self\.assert\w+|with\s+(?:pytest\.raises|self\.assertRaises))")
_MAIN: Final = r"(?:(?:sys\.exit|raise SystemExit)\()?(?:unittest|pytest)\.main\([^()]*\)\)?"
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def taken(path: str, before: str, now: str) -> list[Finding]:
    """What `now` lacks of `before`, or sets aside. A file that was no Python may be mended: its tests stay as many."""
    try:
        new = ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return [] if before == now else [Finding(path, "unreadable")]
    try:
        old = ast.parse(before)
    except (SyntaxError, ValueError, RecursionError):
        return [*_mended(path, before, now)]
    return [*_scope(path, "", old.body, new.body, (tables_of(old.body), tables_of(new.body)))]


def _mended(path: str, before: str, now: str) -> Iterator[Finding]:
    """What is not there any more of a text that could not be read as Python: names of tests, and assertions."""
    kept = set(_TEST_NAME.findall(now))
    for name in dict.fromkeys(_TEST_NAME.findall(before)):
        if name not in kept:
            yield Finding(path, "removed", name)
    held, left = ([line.strip() for line in text.splitlines() if _ASSERTS.match(line)] for text in (before, now))
    if len(left) < len(held):
        there = set(left)
        yield Finding(path, "weakened", next(line for line in held if line not in there)[:80])
    if any(_names(node) & (_SKIPS | _XFAILS) for node in ast.parse(now).body) and not re.search("skip|xfail", before):
        yield Finding(path, "skipped")


def _scope(
    path: str, prefix: str, before: Sequence[ast.stmt], now: Sequence[ast.stmt], tables: tuple[Tables, Tables]
) -> Iterator[Finding]:
    """Compare the statements of a module or class; `tables` are the lists that its loops may go over, then and now."""
    old, new = _definitions(before), _definitions(now)
    for name, definitions in old.items():
        there = new.get(name, [])
        if not there and _stays_as_another(definitions, old, new):
            continue
        if not there:
            yield Finding(path, "removed", f"{prefix}{name}")
        elif len(there) > len(definitions):
            yield Finding(path, "redefined", f"{prefix}{name}")
        else:
            for one, other in zip(definitions, there, strict=False):
                yield from _definition(path, f"{prefix}{name}", one, other, tables)
    for name, definitions in new.items():
        if name not in old and (why := _steers(definitions[0])):
            yield Finding(path, "steered", why)
    yield from _statements(path, prefix, before, now, bound={*old, *imported(before), *_values(before)})


def _stays_as_another(
    gone: Sequence[_Definition], old: dict[str, list[_Definition]], new: dict[str, list[_Definition]]
) -> bool:
    """Whether tests that are gone were the same, but for their names, as one beside them that stays as it was."""
    return all(
        any(
            name != one.name
            and _TEST_NAME.match(f"def {name}")
            and not isinstance(one, ast.ClassDef)
            and [*map(_but_name, others)] == [*map(_but_name, new.get(name, []))] == [_but_name(one)]
            for name, others in old.items()
        )
        for one in gone
    )


def _but_name(one: _Definition) -> str:
    """What a definition says, without its name and docstring."""
    parts = [*_without_docstring(one.body), *one.decorator_list]
    arguments = [] if isinstance(one, ast.ClassDef) else [one.args]
    return "\n".join([type(one).__name__, *map(ast.dump, [*arguments, *parts])])


def _definitions(body: Sequence[ast.stmt]) -> dict[str, list[_Definition]]:
    found: dict[str, list[_Definition]] = {}
    for statement in body:
        if isinstance(statement, _Definition):
            found.setdefault(statement.name, []).append(statement)
    return found


def _definition(
    path: str, name: str, before: _Definition, now: _Definition, tables: tuple[Tables, Tables]
) -> Iterator[Finding]:
    if type(before) is not type(now):
        yield Finding(path, "changed", name)
        return
    if _asserts_the_same(before, now, tables):
        return
    marks = [*_marked(before, now)]
    if marks:
        yield from (Finding(path, kind, name) for kind in marks)
        return
    if isinstance(before, ast.ClassDef) and isinstance(now, ast.ClassDef):
        if [*map(ast.dump, (*before.bases, *before.keywords))] != [*map(ast.dump, (*now.bases, *now.keywords))]:
            yield Finding(path, "changed", name)
        inside = tuple(
            {**held, **tables_of(one.body, "self.")} for held, one in zip(tables, (before, now), strict=True)
        )
        yield from _scope(path, f"{name}.", before.body, now.body, (inside[0], inside[1]))
        return
    assert isinstance(before, ast.FunctionDef | ast.AsyncFunctionDef)
    assert isinstance(now, ast.FunctionDef | ast.AsyncFunctionDef)
    kind = _body(_without_docstring(before.body), _without_docstring(now.body))
    if kind is None and ast.dump(before.args) != ast.dump(now.args):
        kind = "changed"
    if kind is not None:
        yield Finding(path, kind, name)


def _asserts_the_same(before: _Definition, now: _Definition, tables: tuple[Tables, Tables]) -> bool:
    """Whether a test asserts all it did of the same values, by a loop, parameters or a table where it did without."""
    if isinstance(before, ast.ClassDef) or isinstance(now, ast.ClassDef):
        return False
    if decorators_beside(before) != decorators_beside(now) or fixtures(before) != fixtures(now):
        return False
    if (set().union(*map(_bound, now.body)) - set().union(*map(_bound, before.body))) & _all_names(before.body):
        return False
    old, new = unrolled(before, tables[0]), unrolled(now, tables[1])
    if old and _body(old, new) is None:
        return True
    if not all(map(_is_assertion, (*old, *new))) or _all_names(new) & (_SKIPS | _XFAILS):
        return False
    return bool(old) and not Counter(map(ast.dump, old)) - Counter(map(ast.dump, new))


def _marked(before: _Definition, now: _Definition) -> Iterator[Kind]:
    """What decorators say now that they did not."""
    old = [ast.dump(decorator) for decorator in before.decorator_list]
    added = [one for one in now.decorator_list if ast.dump(one) not in old]
    new = [ast.dump(decorator) for decorator in now.decorator_list]
    lost = [one for one in before.decorator_list if ast.dump(one) not in new]
    for decorator in added:
        names = _names(decorator)
        if names & _XFAILS:
            yield "xfailed"
        elif names & _SKIPS:
            yield "skipped"
        elif not any(_adds_parameters(one, decorator) for one in lost):
            yield "weakened" if "parametrize" in names else "changed"
    if any(not _sets_aside(one) for one in lost) and not added:
        yield "weakened"


def _sets_aside(decorator: ast.expr) -> bool:
    """Whether a decorator does nothing but skip a test, or let it fail: without it the test says more."""
    return bool(_names(decorator) & (_SKIPS | _XFAILS))


def without_lost_marks(before: str, now: str) -> str | None:
    """The text of tests as it was, without the marks that skip a test or let it fail and that `now` does without.

    None where no such mark is gone. A test that passes though it was expected to fail may count as failed by its mark.
    """
    try:
        old, new = ast.parse(before), ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return None
    left = {name: {ast.dump(one) for one in node.decorator_list} for name, node in _named(new.body)}
    gone = False
    for name, node in _named(old.body):
        kept = [
            one
            for one in node.decorator_list
            if not _sets_aside(one) or ast.dump(one) in left.get(name, {ast.dump(one)})
        ]
        gone = gone or len(kept) < len(node.decorator_list)
        node.decorator_list = kept
    return ast.unparse(old) if gone else None


def _named(body: Sequence[ast.stmt], prefix: str = "") -> Iterator[tuple[str, _Definition]]:
    """The definitions of a module or class and those in its classes, by their whole names."""
    for one in body:
        if isinstance(one, _Definition):
            yield f"{prefix}{one.name}", one
            if isinstance(one, ast.ClassDef):
                yield from _named(one.body, f"{prefix}{one.name}.")


def _adds_parameters(before: ast.expr, now: ast.expr) -> bool:
    """Whether `now` is the parametrization `before` with more cases."""
    if not (isinstance(before, ast.Call) and isinstance(now, ast.Call) and "parametrize" in _names(before)):
        return False
    same = ast.dump(before.func) == ast.dump(now.func) and len(before.args) == len(now.args) >= 2
    if not same or [*map(ast.dump, before.keywords)] != [*map(ast.dump, now.keywords)]:
        return False
    old, new = before.args[1], now.args[1]
    if not (isinstance(old, ast.List | ast.Tuple) and isinstance(new, ast.List | ast.Tuple)):
        return False
    cases = {ast.dump(case) for case in new.elts if not _names(case) & (_SKIPS | _XFAILS)}
    return ast.dump(before.args[0]) == ast.dump(now.args[0]) and all(ast.dump(case) in cases for case in old.elts)


def _body(before: Sequence[ast.stmt], now: Sequence[ast.stmt]) -> Kind | None:
    """How a function's statements were set aside; None where all are there in order and only assertions were added."""
    added = _added([ast.dump(one) for one in before], now)
    if added is not None and all(_only_asserts(one) and not _names(one) & _SKIPS for one in added):
        hidden = set().union(*map(_bound, added)) & _all_names(before)
        return "redefined" if hidden else None
    old_names, new_names = _all_names(before), _all_names(now)
    if (new_names & _SKIPS) - old_names:
        return "skipped"
    if (new_names & _XFAILS) - old_names:
        return "xfailed"
    old, new = _assertions(before), _assertions(now)
    if old and not new:
        return "emptied"
    return "weakened" if any(one not in new for one in old) else "changed"


def _added(before: Sequence[str], now: Sequence[ast.stmt]) -> list[ast.stmt] | None:
    """The statements of `now` beside those of `before`; None where those are not all there in their order."""
    left = [*reversed(before)]
    added = []
    for statement in now:
        if left and ast.dump(statement) == left[-1]:
            left.pop()
        else:
            added.append(statement)
    return None if left else added


def _statements(
    path: str, prefix: str, before: Sequence[ast.stmt], now: Sequence[ast.stmt], bound: set[str]
) -> Iterator[Finding]:
    """Compare what stands beside definitions and imports."""
    old, new = ([*_plain(body)] for body in (before, now))
    tables = tables_of(now)
    there = {ast.dump(one) for one in new}
    new = [one for one in new if not _is_new_of(one, old, tables)]
    old = [one for one in old if ast.dump(one) in there or not grown(one, tables)]
    added = _added([ast.dump(one) for one in old], new)
    if added is None:
        there = {ast.dump(one) for one in new}
        lost = next((one for one in old if ast.dump(one) not in there), old[0])
        yield Finding(path, "changed", f"{prefix}{shown(lost)}")
        return
    for statement in added:
        names = _bound(statement)
        if names & bound:
            yield Finding(path, "redefined", f"{prefix}{min(names & bound)}")
        elif names & _STEERING or not (_only_names_a_value(statement) or _runs_the_tests(statement)):
            yield Finding(path, "steered", f"{prefix}{shown(statement)}")
    old_imports, new_imports = imported(before), imported(now)
    for name, origin in old_imports.items():
        # A module is the same whether it is named whole or taken from its package.
        if new_imports.get(name, origin).replace(":", ".") != origin.replace(":", "."):
            yield Finding(path, "redefined", name)


def _is_new_of(statement: ast.stmt, before: Sequence[ast.stmt], tables: Tables) -> bool:
    """Whether a statement binds a table of before that only grew."""
    names = _bound(statement)
    held = [one for one in before if _bound(one) & names]
    return len(held) == 1 and ast.dump(held[0]) != ast.dump(statement) and grown(held[0], tables)


def _values(body: Sequence[ast.stmt]) -> set[str]:
    return set().union(*map(_bound, _plain(body)))


def _plain(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that are no definition, import, docstring or lone constant."""
    for statement in body:
        if isinstance(statement, _Definition | ast.Import | ast.ImportFrom | ast.Pass):
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        yield statement


def imported(body: Sequence[ast.stmt]) -> dict[str, str]:
    """From where each name is imported, by name; the last import counts."""
    found: dict[str, str] = {}
    for statement in body:
        if isinstance(statement, ast.Import):
            found.update((alias.asname or alias.name, alias.name) for alias in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            origin = "." * statement.level + (statement.module or "")
            found.update((alias.asname or alias.name, f"{origin}:{alias.name}") for alias in statement.names)
    return found


def _only_names_a_value(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but bind names to literals."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    acts = any(
        isinstance(one, ast.Await | ast.NamedExpr) or (isinstance(one, ast.Call) and not _makes_a_value(one))
        for one in ast.walk(statement.value)
    )
    return all(isinstance(target, ast.Name) for target in targets) and not acts


def _makes_a_value(call: ast.Call) -> bool:
    """Whether a call makes a plain value and changes nothing: `Path(__file__).resolve()`, `Decimal("1.5")`."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in _PURE_METHODS and isinstance(call.func.value, ast.Call | ast.Attribute | ast.Constant)
    return isinstance(call.func, ast.Name) and call.func.id in _PURE


def _runs_the_tests(statement: ast.stmt) -> bool:
    """`if __name__ == "__main__":` and a call of the runner: no test runner comes by there."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    return ast.unparse(statement.test) == "__name__ == '__main__'" and all(
        isinstance(one, ast.Import) or (isinstance(one, ast.Expr | ast.Raise) and re.fullmatch(_MAIN, ast.unparse(one)))
        for one in statement.body
    )


def _steers(definition: _Definition) -> str:
    """What a new definition would change for tests that were there; empty where it does not."""
    if definition.name in _STEERING or definition.name.startswith("pytest_"):
        return definition.name
    for decorator in definition.decorator_list:
        if isinstance(decorator, ast.Call) and any(keyword.arg == "autouse" for keyword in decorator.keywords):
            return f"{definition.name} (autouse)"
    return ""


def _is_assertion(node: ast.AST) -> bool:
    """An `assert`, or a call of `self.assert…`, `assert_…` alone on its line."""
    if isinstance(node, ast.Assert):
        return True
    call = node.value if isinstance(node, ast.Expr) else None
    call = call.value if isinstance(call, ast.Await) else call
    if not isinstance(call, ast.Call):
        return False
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.startswith(("assert", "fail"))


def _bound(statement: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _only_asserts(node: ast.stmt) -> bool:
    """An assertion, or a loop over values that holds nothing but assertions and binds no attribute or item."""
    if not isinstance(node, ast.For) or node.orelse:
        return _is_assertion(node)
    bound = [one for one in ast.walk(node.target) if isinstance(one, ast.Attribute | ast.Subscript)]
    return not bound and all(_only_asserts(one) for one in node.body)


def _assertions(body: Sequence[ast.stmt]) -> list[str]:
    nodes = (node for statement in body for node in ast.walk(statement))
    return [ast.dump(node) for node in nodes if _is_assertion(node) or _expects_an_error(node)]


def _expects_an_error(node: ast.AST) -> bool:
    return isinstance(node, ast.withitem) and bool(_names(node) & {"raises", "assertRaises", "assertRaisesRegex"})


def _all_names(body: Sequence[ast.stmt]) -> set[str]:
    return set().union(*map(_names, body))


def _names(node: ast.AST) -> set[str]:
    return {
        one.attr if isinstance(one, ast.Attribute) else one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute | ast.Name)
    }


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    return [*body[1:]] if body and _is_docstring(body[0]) else [*body]


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def shown(statement: ast.stmt) -> str:
    """The first line of a statement, cut to what a message can hold."""
    line = ast.unparse(statement).split("\n", 1)[0]
    return line if len(line) <= 60 else f"{line[:59]}…"
