"""Fills the custom properties of CSS into the values that use them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final

from tinycss2.ast import FunctionBlock  # type: ignore[import-untyped]

from .styles import Block

MOST_VALUES: Final = 16
"""Values that are looked at of one declaration, where its properties are defined in several ways."""
_RESOLVED: Final = 8
"""Custom properties that one value may lead through."""

Definitions = Mapping[str, Sequence[Sequence[Any]]]
"""By the name of a custom property: each value that it is given."""


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

    A `var()` of which nothing is known, and that says nothing of what to take then, stays as it stands.
    """
    choices = [_choices(token, known, left) for token in tokens]
    return [[one for part in chosen for one in part] for chosen in islice(product(*choices), MOST_VALUES)]


def uses_custom(tokens: Sequence[Any]) -> bool:
    """Whether a value uses a custom property."""
    return bool(names_used(tokens))


def names_used(tokens: Sequence[Any]) -> set[str]:
    """The custom properties that a value names, not those that lie behind them."""
    found: set[str] = set()
    for token in tokens:
        if token.type == "function":
            if token.lower_name == "var":
                found |= {next((one.value for one in token.arguments if one.type == "ident"), "")}
            found |= names_used(token.arguments)
    return found


def _choices(token: Any, known: Definitions, left: int) -> list[list[Any]]:
    if token.type != "function" or left <= 0:
        return [[token]]
    if token.lower_name != "var":
        if not uses_custom(token.arguments):
            return [[token]]
        inside = filled(token.arguments, known, left - 1)
        return [[FunctionBlock(token.source_line, token.source_column, token.name, one)] for one in inside]
    name = next((one.value for one in token.arguments if one.type == "ident"), "")
    comma = next((at for at, one in enumerate(token.arguments) if one == ","), None)
    instead = token.arguments[comma + 1 :] if comma is not None else None
    values = [*known.get(name, ()), *([instead] if instead is not None else [])]
    found = [one for value in values for one in filled(value, known, left - 1)]
    return found[:MOST_VALUES] or [[token]]
