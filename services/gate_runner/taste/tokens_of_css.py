"""What stands in a value of CSS: the colours, and the lengths that can be told in pixels."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from .arithmetic import worth
from .colours import Exact, exact_colour

REM: Final = 16.0
"""Pixels of a root em, as browsers have it."""
_INCH: Final = 96.0
_UNITS: Final = {
    "px": 1.0,
    "rem": REM,
    "in": _INCH,
    "cm": _INCH / 2.54,
    "mm": _INCH / 25.4,
    "q": _INCH / 101.6,
    "pt": _INCH / 72,
    "pc": _INCH / 6,
}
"""Pixels of each absolute unit, and of a root em. Source: CSS Values 4, 6.2."""

_NO_COLOURS: Final = ("attr", "counter", "counters", "symbols")
"""Functions that are given names."""


def colours_in(tokens: Sequence[Any]) -> Iterator[tuple[str, Exact]]:
    """The colours of a value, each as it is written; of a function that is none itself, those that it is given."""
    for token in tokens:
        if token.type in ("ident", "hash", "function") and (colour := exact_colour(token)) is not None:
            yield token.serialize(), colour
        elif token.type == "function" and token.lower_name not in _NO_COLOURS:
            yield from colours_in(token.arguments)


def lengths_in(tokens: Sequence[Any]) -> Iterator[tuple[str, float]]:
    """The lengths of a value in pixels, each as it is written; of arithmetic that cannot be worked out, each in it."""
    for token in tokens:
        if token.type == "dimension" and (pixels := pixels_of(token)) is not None:
            yield token.serialize(), pixels
        elif token.type == "function":
            whole = worth(token, _length)
            if whole is not None:
                yield token.serialize(), whole
            else:
                yield from lengths_in(token.arguments)
        elif token.type == "() block":
            yield from lengths_in(token.content)


def pixels_of(token: Any) -> float | None:
    """The pixels of a length; None for one that is told by what stands around it, or no length."""
    factor = _UNITS.get(token.lower_unit) if token.type == "dimension" else None
    return None if factor is None else float(token.value) * factor


def _length(token: Any) -> float | None:
    return float(token.value) if token.type == "number" else pixels_of(token)
