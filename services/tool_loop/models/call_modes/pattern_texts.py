"""The texts that a pattern spells out, where it names few and names each whole: `\\A\\s*(yes|no)\\s*\\Z`. Pure."""

import itertools
import re
from typing import Final

_MOST: Final = 12
_FLAGS = re.compile(r"^\(\?[aims]+\)")
_SPACE: Final = {"\\s", " ", "\\n", "\\t", "\\ "}
_ESCAPED: Final = {"\\n": "\n", "\\t": "\t", "\\s": " "}
_TOKEN = re.compile(r"\\.|\(\?:|\[[\w.!?,;: ]+\]|[^\\]", re.DOTALL)
_MEANS_MORE: Final = frozenset("^$.[]{}*+?")
_FEW: Final = {"?": "", "*": "", "+": None}
"""What may be left out, and what may come again: for space that is none, or one."""


class _NotSpelled(Exception):
    """The pattern stands for too many texts."""


def texts_of(pattern: str) -> list[str]:
    """The whole texts that match, the shortest first, with a last line end where it may be; none if they are many.

    Only what begins with `\\A` and ends with `\\Z` says what a text is from end to end.
    """
    bare = _FLAGS.sub("", pattern)
    if not (bare.startswith("\\A") and bare.endswith("\\Z")):
        return []
    try:
        found, rest = _sequence([match[0] for match in _TOKEN.finditer(bare[2:-2])])
    except _NotSpelled:
        return []
    told = list(dict.fromkeys(text.strip() for text in found if text.strip()))
    if rest or len(told) > _MOST:
        return []
    wholes = [[whole for whole in (f"{text}\n", text) if re.search(pattern, whole)] for text in told]
    return [fitting[0] for fitting in wholes if fitting]


def _alternatives(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The texts of `one|another`, and the tokens behind them."""
    found, rest = _sequence(tokens)
    while rest and rest[0] == "|":
        more, rest = _sequence(rest[1:])
        found = [*found, *more]
    return found, rest


def _sequence(tokens: list[str]) -> tuple[list[str], list[str]]:
    found, rest = [""], tokens
    while rest and rest[0] not in "|)":
        token = rest[0]
        texts, rest = _group(rest) if token in ("(", "(?:") else (_atom(token), rest[1:])
        if rest and rest[0] in _FEW:
            texts, rest = _repeated(token, texts, rest[0]), rest[1:]
        found = ["".join(pair) for pair in itertools.product(found, texts)]
        if len(found) > _MOST * _MOST:
            raise _NotSpelled
    return found, rest


def _group(tokens: list[str]) -> tuple[list[str], list[str]]:
    found, rest = _alternatives(tokens[1:])
    if not rest or rest[0] != ")":
        raise _NotSpelled
    return found, rest[1:]


def _atom(token: str) -> list[str]:
    if len(token) > 2:
        return list(token[1:-1])
    if token in _ESCAPED:
        return [_ESCAPED[token]]
    if token.startswith("\\") and not token[1:].isalnum():
        return [token[1:]]
    if len(token) == 1 and token not in _MEANS_MORE:
        return [token]
    raise _NotSpelled


def _repeated(token: str, texts: list[str], sign: str) -> list[str]:
    if sign == "?":
        return ["", *texts]
    if token not in _SPACE:
        raise _NotSpelled
    return [""] if sign == "*" else texts
