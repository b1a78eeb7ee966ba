"""Works out the arithmetic of CSS: `calc()`, `min()`, `max()`, `clamp()` and brackets, over values that can be told."""

from collections.abc import Callable, Sequence
from typing import Any, Final

_BLANK: Final = ("whitespace", "comment")
_DEEPEST: Final = 12

Leaf = Callable[[Any], float | None]
"""What one token of CSS is worth; None where that cannot be told."""


def worth(token: Any, leaf: Leaf, left: int = _DEEPEST) -> float | None:
    """What a component value of tinycss2 comes to; None where a part of it cannot be told."""
    if token.type == "() block":
        return _sum(_meant(token.content), leaf, left - 1)
    if token.type != "function":
        return leaf(token)
    if token.lower_name == "calc":
        return _sum(_meant(token.arguments), leaf, left - 1)
    if token.lower_name not in ("min", "max", "clamp") or left <= 0:
        return None
    parts = [_sum(part, leaf, left - 1) for part in split(_meant(token.arguments), ",")]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known:
        return None
    if token.lower_name == "clamp":
        return max(known[0], min(known[1], known[2])) if len(known) == 3 else None
    return min(known) if token.lower_name == "min" else max(known)


def split(tokens: Sequence[Any], sign: str) -> list[list[Any]]:
    """The parts of a value between a sign."""
    parts: list[list[Any]] = [[]]
    for token in tokens:
        if token.type == "literal" and token.value == sign:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _meant(tokens: Sequence[Any]) -> list[Any]:
    return [token for token in tokens if token.type not in _BLANK]


def _sum(tokens: Sequence[Any], leaf: Leaf, left: int) -> float | None:
    if left <= 0 or not tokens:
        return None
    total = 0.0
    sign = 1
    term: list[Any] = []
    for token in [*tokens, None]:
        if token is not None and not (token.type == "literal" and token.value in ("+", "-")):
            term.append(token)
            continue
        value = _product(term, leaf, left)
        if value is None:
            return None
        total += sign * value
        sign, term = (-1 if token is not None and token.value == "-" else 1), []
    return total


def _product(tokens: Sequence[Any], leaf: Leaf, left: int) -> float | None:
    if len(tokens) % 2 == 0:
        return None
    result = worth(tokens[0], leaf, left)
    for sign, token in zip(tokens[1::2], tokens[2::2], strict=True):
        value = worth(token, leaf, left)
        if result is None or value is None or sign.type != "literal" or sign.value not in ("*", "/"):
            return None
        if sign.value == "/" and value == 0:
            return None
        result = result * value if sign.value == "*" else result / value
    return result
