"""Texts that are likely to be the worst for a pattern, made of its own parts."""

import re
import warnings
from collections.abc import Iterator
from typing import Any, Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from re import _parser

_OFTEN: Final = 8
"""From how many repetitions on a part counts as one without end."""
_MOST: Final = 40
_CLASSES: Final = {
    "CATEGORY_DIGIT": "1",
    "CATEGORY_SPACE": " ",
    "CATEGORY_WORD": "a",
    "CATEGORY_NOT_DIGIT": "a",
    "CATEGORY_NOT_SPACE": "a",
    "CATEGORY_NOT_WORD": ".",
}
_CANDIDATES: Final = "a1 .-_/\"'=:;,(x\nzA"


def texts_of(pattern: Any) -> list[str]:
    """What to repeat for a pattern: each beginning of a text that it fits, and each part that it takes without end."""
    text = pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern
    try:
        tree = _parser.parse(text, pattern.flags & ~re.UNICODE & ~re.DEBUG)
    except re.error:
        # A pattern of another engine.
        return []
    found: dict[str, None] = {}
    for whole in _samples(list(tree)):
        found[whole] = None
        if len(found) >= _MOST:
            break
    return [one for one in found if one and len(one) <= 200]


def _samples(tree: list[Any]) -> Iterator[str]:
    """Beginnings of what a sequence fits, the longest last; at an alternation one for each way."""
    text = ""
    for op, argument in tree:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = argument
            one = _one(list(inner))
            if most >= _OFTEN:
                yield one
                yield text + one
            for part in _samples(list(inner)):
                yield part
                yield text + part
            text += one * (least or 1)
        elif name == "BRANCH":
            ways = [list(way) for way in argument[1]]
            for way in ways:
                yield text + _one(way)
                yield from _samples(way)
            text += _one(ways[0])
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            inner = list(argument[-1] if name == "SUBPATTERN" else argument)
            for part in _samples(inner):
                yield part
                yield text + part
            text += _one(inner)
        else:
            text += _one([(op, argument)])
        yield text
    yield text


def _one(tree: list[Any]) -> str:
    """A text that a sequence fits, or nearly: what looks ahead or behind is left out."""
    text = ""
    for op, argument in tree:
        name = str(op)
        if name == "LITERAL":
            text += chr(argument)
        elif name == "NOT_LITERAL":
            text += next(one for one in _CANDIDATES if ord(one) != argument)
        elif name == "ANY":
            text += "a"
        elif name == "IN":
            text += _member(argument)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            text += _one(list(argument[2])) * max(1, argument[0])
        elif name == "SUBPATTERN":
            text += _one(list(argument[-1]))
        elif name == "ATOMIC_GROUP":
            text += _one(list(argument))
        elif name == "BRANCH":
            text += _one(list(argument[1][0]))
    return text


def _member(items: list[Any]) -> str:
    """A character of a class."""
    negated = str(items[0][0]) == "NEGATE"
    if negated:
        return next((one for one in _CANDIDATES if not _within(one, items[1:])), "é")
    op, argument = items[0]
    name = str(op)
    if name == "LITERAL":
        return chr(argument)
    if name == "RANGE":
        return chr(argument[0])
    return _CLASSES.get(str(argument), "a")


def _within(one: str, items: list[Any]) -> bool:
    for op, argument in items:
        name = str(op)
        if (name == "LITERAL" and ord(one) == argument) or (name == "RANGE" and argument[0] <= ord(one) <= argument[1]):
            return True
        if name == "CATEGORY":
            kind = str(argument)
            plain = kind.replace("NOT_", "")
            inside = {
                "CATEGORY_DIGIT": one.isdigit(),
                "CATEGORY_SPACE": one.isspace(),
                "CATEGORY_WORD": one.isalnum() or one == "_",
            }[plain]
            if inside != ("NOT_" in kind):
                return True
    return False
