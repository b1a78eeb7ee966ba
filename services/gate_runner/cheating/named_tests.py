"""A file of tests as it was, but for single tests that the goal asks to change: those are as they are now."""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from typing import Final

MARK: Final = "::"
"""Between the path of a file that a goal opens in part, and the name of the test that it opens."""

_Test = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def names_in(opened: Iterable[str], path: str) -> frozenset[str]:
    """The tests of a file that a goal opens by their names."""
    parts = (one.partition(MARK) for one in opened)
    return frozenset(name for file, mark, name in parts if mark and file == path and not name.startswith(">>>"))


def with_named(before: str, now: str, names: Collection[str]) -> str | None:
    """The text of before with the tests of these names as they are now, or gone where they are; None: cannot be told.

    Imports, helpers and values come along that are new and that those tests use; imports go with them that are there no
    more and that only they used. Empty where no test is left.
    """
    try:
        old, new = ast.parse(before), ast.parse(now)
    except (SyntaxError, ValueError, RecursionError):
        return None
    put: list[_Test] = []
    used = _names_of_tests(old, names)
    body = _replaced(old.body, new.body, names, put)
    if not any(_holds_test(one) for one in body):
        return ""
    kept = set().union(*map(_names, body), *map(_words, body), *(_binds(one) for one in new.body))
    held = {name for one in old.body for name in _binds(one)}
    body = _without_imports(body, used - kept)
    coming = _used_by(put, [one for one in new.body if _binds(one) and held.isdisjoint(_binds(one))])
    at = next((place for place, one in enumerate(body) if not _must_be_first(one)), len(body))
    old.body = [*body[:at], *coming, *body[at:]]
    return f"{ast.unparse(ast.fix_missing_locations(old))}\n"


def text_of_named(text: str, names: Collection[str]) -> str:
    """The tests of these names alone, as text; empty where there are none."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return "\n".join(ast.unparse(one) for one in ast.walk(tree) if isinstance(one, _Test) and one.name in names)


def _replaced(
    before: Sequence[ast.stmt], now: Sequence[ast.stmt], names: Collection[str], put: list[_Test]
) -> list[ast.stmt]:
    there = {one.name: one for one in now if isinstance(one, _Test)}
    found: list[ast.stmt] = []
    for one in before:
        if isinstance(one, _Test) and one.name in names:
            if one.name in there:
                put.append(there[one.name])
                found.append(there[one.name])
            continue
        if isinstance(one, ast.ClassDef):
            other = there.get(one.name)
            inside = other.body if isinstance(other, ast.ClassDef) else []
            one.body = _replaced(one.body, inside, names, put) or [ast.Pass()]
        found.append(one)
    return found


def _names_of_tests(tree: ast.Module, names: Collection[str]) -> set[str]:
    return set().union(*(_names(one) for one in ast.walk(tree) if isinstance(one, _Test) and one.name in names))


def _without_imports(body: Sequence[ast.stmt], names: Set[str]) -> list[ast.stmt]:
    """Without what is imported under these names."""
    found: list[ast.stmt] = []
    for one in body:
        if isinstance(one, ast.Import | ast.ImportFrom) and not names.isdisjoint(_binds(one)):
            one.names = [alias for alias in one.names if (alias.asname or alias.name).partition(".")[0] not in names]
            if not one.names:
                continue
        found.append(one)
    return found


def _used_by(tests: Sequence[ast.stmt], new: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Of new statements, those that bind what the tests use, or what those statements use in turn."""
    wanted = set().union(*map(_names, tests))
    found: list[ast.stmt] = []
    while more := [one for one in new if one not in found and not wanted.isdisjoint(_binds(one))]:
        found += more
        wanted = wanted.union(*map(_names, more))
    return [one for one in new if one in found]


def _binds(statement: ast.stmt) -> set[str]:
    """The names that an import, a definition or an assignment binds; none for any other statement."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, _Test):
        return {statement.name}
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return {
            name.id for name in ast.walk(statement) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }
    return set()


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} | set(_parameters(node))


def _words(node: ast.AST) -> set[str]:
    """Texts that may be names: `@pytest.mark.usefixtures("order")`."""
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def _parameters(node: ast.AST) -> Iterator[str]:
    """What a test takes are fixtures."""
    yield from (one.arg for one in ast.walk(node) if isinstance(one, ast.arg))


def _must_be_first(statement: ast.stmt) -> bool:
    said = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return said or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _holds_test(statement: ast.stmt) -> bool:
    """Whether something is left that a runner may find: a test, or a class in which there is one."""
    if isinstance(statement, ast.ClassDef):
        return any(_holds_test(one) for one in statement.body)
    return isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test")
