"""Examples in docstrings and texts that are run as tests (`>>> add(2, 3)`): each that was there must be there still.

New examples, and other prose or code around those that were there, are fine; so is an example in another place that is
run too.
"""

import ast
import doctest
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .finding import Finding

_DIRECTIVE: Final = re.compile(r"[ \t]*#[ \t]*doctest:[^\n]*")
_STARTED: Final = re.compile(r"\b(?:testmod|testfile|run_docstring_examples|DocTestSuite|DocFileSuite)\(")
_PROMPT: Final = ">>> "


@dataclass(frozen=True, slots=True)
class Example:
    """What is run and what it must print; `options` are those of its directive, without `+SKIP`."""

    source: str
    want: str
    options: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Pair:
    """A file with examples, as it was and as it is; what was not, or is not, there is empty."""

    path: str
    before: str
    now: str


Held = Mapping[str, Sequence[tuple[Example, bool]]]
"""The examples of a file by what they document (`Calc.add`, or empty: the whole), each with whether it is skipped."""


def lost_examples(pairs: Sequence[Pair], is_open: Callable[[str, str], bool] = lambda *_: False) -> list[Finding]:
    """What was done to the examples of files that are run together, by path.

    `is_open` says of a path and of what its examples document whether they may change.
    """
    held = [(one, examples(one.path, one.before), examples(one.path, one.now)) for one in pairs]
    left = Counter(example for _, _, now in held for example in _run(now))
    found: list[Finding] = []
    for pair, before, now in held:
        for owner, were in before.items():
            for example, skipped in were:
                if skipped:
                    continue
                left[example] -= 1
                if left[example] < 0 and not is_open(pair.path, owner):
                    there = now.get(owner, ())
                    kind = "skipped" if any(one == example and off for one, off in there) else "example"
                    found.append(Finding(pair.path, kind, _shown(owner, example)))  # type: ignore[arg-type]
            if not is_open(pair.path, owner):
                found += _bound_anew(pair.path, owner, were, now.get(owner, ()))
        found += _kept_from_running(pair)
    return list(dict.fromkeys(found))


def changes_examples(pair: Pair) -> bool:
    """Whether the examples of a file are not those that they were."""
    before, now = ([*_run(examples(pair.path, text))] for text in (pair.before, pair.now))
    return bool(Counter(before) - Counter(now))


def examples(path: str, text: str) -> Held:
    """The examples of a Python file's docstrings, or of a text; nothing where they cannot be read."""
    if ">>>" not in text:
        return {}
    said = _docstrings(text) if path.endswith(".py") else {"": text}
    found = {owner: [*_parsed(one)] for owner, one in said.items()}
    return {owner: held for owner, held in found.items() if held}


def _parsed(text: str) -> Iterator[tuple[Example, bool]]:
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    for one in found:
        options = {option: on for option, on in one.options.items() if option != doctest.SKIP}
        source = _DIRECTIVE.sub("", one.source).strip()
        want = f"{one.want.rstrip()}{one.exc_msg or ''}"
        yield Example(source, want, tuple(sorted(options.items()))), one.options.get(doctest.SKIP, False)


def _run(held: Held) -> Iterator[Example]:
    return (example for of_one in held.values() for example, skipped in of_one if not skipped)


def _docstrings(text: str) -> dict[str, str]:
    """What documents a module, its classes and functions, by their whole names; of two of a name the last."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = {"": ast.get_docstring(tree, clean=False) or ""}
    _add_docstrings(found, "", tree.body)
    return found


def _add_docstrings(found: dict[str, str], prefix: str, body: Sequence[ast.stmt]) -> None:
    for one in body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[f"{prefix}{one.name}"] = ast.get_docstring(one, clean=False) or ""
            if isinstance(one, ast.ClassDef):
                _add_docstrings(found, f"{prefix}{one.name}.", one.body)
        elif isinstance(one, ast.If | ast.Try | ast.With):
            inside = [*one.body, *getattr(one, "orelse", ()), *getattr(one, "finalbody", ())]
            never = isinstance(one, ast.If) and isinstance(one.test, ast.Constant) and not one.test.value
            _add_docstrings(found, prefix, [] if never else inside)


def _shown(owner: str, example: Example) -> str:
    first = f"{_PROMPT}{example.source.splitlines()[0] if example.source else ''}"[:60]
    return f"{owner}: {first}" if owner else first


def _bound_anew(
    path: str, owner: str, before: Sequence[tuple[Example, bool]], now: Sequence[tuple[Example, bool]]
) -> Iterator[Finding]:
    """New examples that give another value to what a later one, that was there, uses."""
    old = [example for example, _ in before]
    used = set().union(*(_names(one.source) for one in old))
    last = max((place for place, (example, _) in enumerate(now) if example in old), default=0)
    sources = {one.source for one in old}
    for example, _ in now[:last]:
        if example.source not in sources and (names := _binds(example.source, path) & used):
            yield Finding(path, "redefined", f"{owner}: {min(names)}" if owner else min(names))


def _names(source: str) -> set[str]:
    return {one.id for one in _nodes(source) if isinstance(one, ast.Name)}


def _binds(source: str, path: str) -> set[str]:
    """The names that a statement binds; to import what the file itself documents binds nothing else."""
    own = path.rpartition("/")[2].partition(".")[0]
    found: set[str] = set()
    for one in _nodes(source):
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            found.add(one.id)
        elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(one.name)
        elif isinstance(one, ast.ImportFrom) and (one.module or "").rpartition(".")[2] != own:
            found |= {alias.asname or alias.name for alias in one.names}
        elif isinstance(one, ast.Attribute) and not isinstance(one.ctx, ast.Load):
            found |= _names(ast.unparse(one))
    return found


def _nodes(source: str) -> Iterator[ast.AST]:
    try:
        yield from ast.walk(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError):
        return


def _kept_from_running(pair: Pair) -> Iterator[Finding]:
    """Code that takes a docstring away while it runs, and a start of the examples that is gone."""
    if not pair.path.endswith(".py"):
        return
    owners = {owner for owner, said in _docstrings(pair.before).items() if owner and _PROMPT in said}
    old, new = (Counter([*_strips(text), *_covered(text, owners)]) for text in (pair.before, pair.now))
    yield from (Finding(pair.path, "example", what) for what in new - old)
    started, still = (Counter(_STARTED.findall(text)) for text in (pair.before, pair.now))
    yield from (Finding(pair.path, "removed", f"{what}...)") for what in started - still)


def _strips(text: str) -> Iterator[str]:
    for node in _nodes(text) if "__doc__" in text else ():
        targets = node.targets if isinstance(node, ast.Assign | ast.Delete) else []
        bound = any("__doc__" in ast.unparse(one) for one in targets)
        if bound or (isinstance(node, ast.Call) and re.match(r"(?:set|del)attr\(.*__doc__", ast.unparse(node))):
            yield ast.unparse(node).split("\n", 1)[0][:80]


def _covered(text: str, owners: set[str]) -> Iterator[str]:
    """Of functions that had examples those in whose place, when the file runs, stands something without their text."""
    if not owners:
        return
    nodes = [*_nodes(text)]
    losing = {one.name for one in nodes if isinstance(one, ast.FunctionDef) and _loses_the_text(one)}
    held = {owner.rpartition(".")[2] for owner in owners}
    for one in nodes:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and one.name in held:
            yield from (f"@{ast.unparse(by)}: {one.name}" for by in one.decorator_list if _called(by) in losing)
        elif isinstance(one, ast.Module):
            yield from (what for statement in one.body if (what := _replaced(statement, owners, losing)))


def _replaced(statement: ast.stmt, owners: set[str], losing: set[str]) -> str:
    """A statement of a file that binds a name with examples to something without them, or takes it away."""
    targets = statement.targets if isinstance(statement, ast.Assign | ast.Delete) else []
    if not any(isinstance(one, ast.Name) and one.id in owners for one in targets):
        return ""
    value = statement.value if isinstance(statement, ast.Assign) else None
    lost = value is None or isinstance(value, ast.Lambda) or (isinstance(value, ast.Call) and _called(value) in losing)
    return ast.unparse(statement)[:80] if lost else ""


def _loses_the_text(function: ast.FunctionDef) -> bool:
    """Whether a decorator gives back a function of its own that says nothing of the one it was given."""
    inner = {one.name for one in ast.walk(function) if isinstance(one, ast.FunctionDef)} - {function.name}
    said = ast.unparse(function)
    back = [one.value for one in ast.walk(function) if isinstance(one, ast.Return)]
    own = any(isinstance(one, ast.Lambda) or (isinstance(one, ast.Name) and one.id in inner) for one in back)
    return own and re.search(r"\bwraps\b|update_wrapper|__doc__|\bdecorat", said.partition(":")[2]) is None


def _called(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.id if isinstance(node, ast.Name) else ""
