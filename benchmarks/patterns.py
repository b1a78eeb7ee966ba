"""How the cost of our patterns grows with the text: four times as much is to cost four times, not sixteen.

The patterns are those that modules of `services`, `shared` and `arreio` hold, alone or in tables, and those that stand
in their functions as literals. Each is tried as its module uses it (`fullmatch`, `match`, one `search`, all hits), on
texts of one thing again and again: common ones, and ones made of the pattern's own parts, with and without an end that
fits nowhere. What is put together at run time is not seen here.
"""

import ast
import importlib
import pkgutil
import re
import signal
import sys
import time
import types
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import regex

from benchmarks.pattern_texts import texts_of

_SHORT: Final = 4_000
_LONG: Final = 16_000
"""Characters."""
_LEAST: Final = 0.0002
"""Seconds of processor time for the short text; what costs less is not looked at further."""
_MOST: Final = 0.5
"""Seconds after which a try is given up."""
_TOO_STEEP: Final = 8.0
_SHOWN: Final = 5
_COMMON: Final = (
    *("a", "A", "1", " ", "\t", "\n", "-", "_", ".", "/", '"', "'", "(", "[", "{", "<", "=", ":", ","),
    *("*", "#", "`", "\\", "$", "&", "|", "é", "a ", "a.", "a-", "a,", "1.", "a/", "a=", "a:", "--"),
    *("a b ", "\n ", "\n\n", " \n", '"a', 'a"', "'a ", "(a", "[a]", "{a}", "import a\n", "from "),
    *("a.b.", "0x", "1:", "a\n", "I ", "I will ", "cd a && ", "$(", "${", "<a ", "<!--", "```\n"),
    *("* ", "- ", '"a":', "def a(", "http://", "a@", "%", "\\n", '\\"', "1 ", "1,", "; ", "a;", "&& "),
    *("| "),
)
_ENDS: Final = ("", "!\0")
type_of_pattern = (re.Pattern, type(regex.compile("")))


@dataclass
class Found:
    """A pattern, where it stands, and how it is used: names of methods, or `any`."""

    where: str
    pattern: Any
    uses: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Growth:
    """The worst that was seen of a pattern. Costs are seconds of processor time; `long` is infinite if given up."""

    where: str
    ratio: float
    short: float
    long: float
    text: str


def main() -> None:
    """Print each steep one as it is found, which takes minutes, then the next ones, and how many there are."""
    found = patterns()
    sys.stdout.write(f"{'ratio':>7} {'4,000':>8} {'16,000':>8}  pattern, and the text it was tried on (ms)\n")
    flat: list[Growth] = []
    for one in map(growth, found):
        if one.ratio >= _TOO_STEEP:
            _row(one)
        else:
            flat.append(one)
    sys.stdout.write("the steepest of the others:\n")
    for one in sorted(flat, key=lambda one: -one.ratio)[:_SHOWN]:
        _row(one)
    sys.stdout.write(
        f"{len(found)} patterns, {len(found) - len(flat)} with a ratio of {_TOO_STEEP:g} or more (4 is linear)\n"
    )


def _row(one: Growth) -> None:
    sys.stdout.write(
        f"{one.ratio:>7.1f} {1000 * one.short:>8.2f} {1000 * one.long:>8.2f}  {one.where}  {one.text[:40]!r}\n"
    )
    sys.stdout.flush()


def growth(found: Found) -> Growth:
    """How steeply a pattern's cost grows on the text that is worst for it. What stays cheap has ratio 0."""
    worst = Growth(found.where, 0.0, 0.0, 0.0, "")
    for seed in dict.fromkeys((*_COMMON, *texts_of(found.pattern))):
        for end in _ENDS:
            short = _cost(found, seed, end, _SHORT)
            if short < _LEAST:
                continue
            long = _cost(found, seed, end, _LONG) if short < _MOST else float("inf")
            ratio = _ratio(short, long)
            if ratio >= _TOO_STEEP and long < _MOST:
                short = min(short, *(_cost(found, seed, end, _SHORT) for _ in range(3)))
                long = min(long, *(_cost(found, seed, end, _LONG) for _ in range(2)))
                ratio = _ratio(short, long)
            if ratio > worst.ratio:
                worst = Growth(found.where, ratio, short, long, seed + end)
            if ratio >= 2 * _TOO_STEEP or long == float("inf"):
                return worst
    return worst


def _ratio(short: float, long: float) -> float:
    return 100.0 if long == float("inf") else long / short


def patterns() -> list[Found]:
    """Every pattern of ours, once."""
    found: dict[tuple[Any, int], Found] = {}
    uses = defaultdict(set)
    literals: list[tuple[str, str, int, str]] = []
    for name in _modules():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = importlib.import_module(name)
        for where, pattern in _held(vars(module), name):
            found.setdefault((pattern.pattern, pattern.flags), Found(where, pattern))
        source = Path(str(module.__file__))
        if source.suffix == ".py":
            reading = _Reading(module)
            reading.visit(ast.parse(source.read_text()))
            for pattern, use in reading.uses:
                uses[pattern.pattern, pattern.flags].add(use)
            literals += reading.literals
    for key, one in found.items():
        one.uses |= uses[key] or {"any"}
    for where, text, flags, use in literals:
        pattern = re.compile(text, flags)
        key = pattern.pattern, pattern.flags
        if use != "compile" or key not in found:
            found.setdefault(key, Found(where, pattern)).uses.add(use)
    return list(found.values())


def _modules() -> Iterator[str]:
    for top in ("services", "shared", "arreio"):
        package = importlib.import_module(top)
        for module in pkgutil.walk_packages(package.__path__, f"{top}."):
            if not module.name.endswith("__main__") and ".witnesses." not in module.name:
                yield module.name


def _held(value: object, where: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The patterns in a module's names and, some levels deep, in what they hold."""
    if isinstance(value, type_of_pattern):
        yield where, value
    elif depth > 4 or isinstance(value, type | types.ModuleType):
        return
    elif isinstance(value, dict):
        for key, one in list(value.items())[:1000]:
            yield from _held(one, f"{where}.{key}" if depth == 0 else where, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in list(value)[:1000]:
            yield from _held(one, where, depth + 1)
    elif is_dataclass(value):
        made_once = [name for name, one in vars(type(value)).items() if isinstance(one, cached_property)]
        names = (*value.__dataclass_fields__, *made_once)
        yield from _held([getattr(value, name, None) for name in names], where, depth + 1)


class _Reading(ast.NodeVisitor):
    """How a module uses the patterns it knows by name, and the patterns that stand in its functions."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.uses: list[tuple[Any, str]] = []
        self.literals: list[tuple[str, str, int, str]] = []

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
            known = getattr(self.module, called.value.id, None)
            if isinstance(known, type_of_pattern):
                self.uses.append((known, called.attr))
                for argument in (*node.args, *node.keywords):
                    self.visit(argument)
                return
            if known is re and node.args:
                self._literal(node, called.attr)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        made = node.value
        if isinstance(made, ast.Call) and ast.unparse(made.func) == "re.compile" and made.args:
            self._literal(made, node.attr, flags=made.args[1:2])
        else:
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        known = getattr(self.module, node.id, None)
        if isinstance(known, type_of_pattern) and isinstance(node.ctx, ast.Load):
            self.uses.append((known, "any"))

    def _literal(self, node: ast.Call, use: str, flags: Sequence[ast.expr] = ()) -> None:
        with suppress(ValueError, re.error, NameError, TypeError):
            text = ast.literal_eval(node.args[0])
            flags = flags or [one.value for one in node.keywords if one.arg == "flags"]
            if not flags and use != "compile" and len(node.args) > {"sub": 3, "subn": 3}.get(use, 2):
                flags = node.args[-1:]
            elif not flags and use == "compile":
                flags = node.args[1:2]
            number = int(eval(ast.unparse(flags[0]), {"re": re})) if flags else 0
            self.literals.append((f"{self.module.__name__}:{node.lineno}", text, number, use))


def _cost(found: Found, seed: str, end: str, length: int) -> float:
    text: Any = seed * (length // len(seed)) + end
    if isinstance(found.pattern.pattern, bytes):
        text = text.encode()
    try:
        signal.signal(signal.SIGALRM, _give_up)
        signal.setitimer(signal.ITIMER_REAL, _MOST)
        began = time.process_time()
        for use in _ways(found.uses):
            use(found.pattern, text)
        return time.process_time() - began
    except _GivenUpError:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ways(uses: set[str]) -> Iterator[Any]:
    if uses - {"fullmatch", "match", "search"}:
        yield _all
        return
    for use in sorted(uses):
        yield lambda pattern, text, use=use: getattr(pattern, use)(text)


def _all(pattern: Any, text: Any) -> None:
    for _ in pattern.finditer(text):
        pass


class _GivenUpError(Exception):
    pass


def _give_up(*_: object) -> None:
    raise _GivenUpError
