"""Fills the custom properties of CSS into the values that use them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

from tinycss2.ast import FunctionBlock, ParenthesesBlock  # type: ignore[import-untyped]

from .styles import Block

MOST_VALUES: Final = 16
"""Values that are looked at of one declaration, where its properties are defined in several ways."""
_RESOLVED: Final = 8
"""Custom properties that one value may lead through."""

_MOST_TOKENS: Final = 1_000

Definitions = Mapping[str, Sequence[Sequence[Any]]]
"""By the name of a custom property: each value that it is given."""
_Done = dict[tuple[str, int], list[list[Any]]]
"""What custom properties can be, by name and how far they may still lead."""


def definitions(blocks: Iterable[Block]) -> Definitions:
    """What the blocks define, whatever the selector: a property of several definitions may have any of them."""
    found: dict[str, list[Sequence[Any]]] = {}
    for block in blocks:
        for declared in block.declarations:
            if declared.name.startswith("--"):
                found.setdefault(declared.name, []).append(declared.value)
    return found


def filled(tokens: Sequence[Any], known: Definitions, left: int = _RESOLVED) -> list[list[Any]]:
    """The values that a value can have, at most `MOST_VALUES`, with what is known of its custom properties filled in.

    A `var()` of which nothing is known, and that says nothing of what to take then, stays as it stands; so does all of
    a value that would grow beyond `_MOST_TOKENS`.
    """
    return _filled(tokens, known, left, {})


def _filled(tokens: Sequence[Any], known: Definitions, left: int, done: _Done) -> list[list[Any]]:
    choices = [_choices(token, known, left, done) for token in tokens]
    values = islice(product(*choices), MOST_VALUES)
    found = [[one for part in chosen for one in part] for chosen in values]
    return found if all(_fits(value) for value in found) else [[*tokens]]


def _fits(tokens: Sequence[Any]) -> bool:
    """Whether a value has no more tokens than are looked at, what stands in functions and brackets included."""
    waiting, count = [*tokens[: _MOST_TOKENS + 1]], 0
    while waiting and count <= _MOST_TOKENS:
        token = waiting.pop()
        count += 1
        waiting += getattr(token, "arguments", None) or getattr(token, "content", None) or ()
    return count <= _MOST_TOKENS


def uses_custom(tokens: Sequence[Any]) -> bool:
    """Whether a value uses a custom property."""
    return bool(names_used(tokens))


def names_used(tokens: Sequence[Any]) -> set[str]:
    """The custom properties that a value names, not those that lie behind them."""
    found: set[str] = set()
    for token in tokens:
        if token.type == "() block":
            found |= names_used(token.content)
        elif token.type == "function":
            if token.lower_name == "var":
                found |= {next((one.value for one in token.arguments if one.type == "ident"), "")}
            found |= names_used(token.arguments)
    return found


def _choices(token: Any, known: Definitions, left: int, done: _Done) -> list[list[Any]]:
    if token.type == "() block" and left > 0 and uses_custom(token.content):
        inside = _filled(token.content, known, left - 1, done)
        return [[ParenthesesBlock(token.source_line, token.source_column, one)] for one in inside]
    if token.type != "function" or left <= 0:
        return [[token]]
    if token.lower_name != "var":
        if not uses_custom(token.arguments):
            return [[token]]
        inside = _filled(token.arguments, known, left - 1, done)
        return [[FunctionBlock(token.source_line, token.source_column, token.name, one)] for one in inside]
    name = next((one.value for one in token.arguments if one.type == "ident"), "")
    comma = next((at for at, one in enumerate(token.arguments) if one == ","), None)
    instead = [] if comma is None else _filled(token.arguments[comma + 1 :], known, left - 1, done)
    found = [*_values(name, known, left - 1, done), *instead]
    return found[:MOST_VALUES] or [[token]]


def _values(name: str, known: Definitions, left: int, done: _Done) -> list[list[Any]]:
    """What a custom property can be, worked out once at each depth."""
    if (name, left) not in done:
        values = known.get(name, ())[:MOST_VALUES]
        done[name, left] = [one for value in values for one in _filled(value, known, left, done)][:MOST_VALUES]
    return done[name, left]
