"""Colours of CSS as red, green, blue and opacity, and how far two of them stand apart."""

import math
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from .colour_notation import written_colour

LARGE_LEAST: Final = 3.0
"""What suffices for large text: from 24 px, or from 18.66 px if it is bold. Source: WCAG 2.2, 1.4.3."""

_SAME: Final = 0.5
"""How far channels may differ that are named outright, of 255."""
_ROUNDED: Final = 2.0
"""The same where one was worked out: three decimals of `oklch()` are off by as much, and nobody can see it."""


class Colour(NamedTuple):
    """Red, green and blue of sRGB, 0 to 255, and opacity, 0 to 1."""

    red: int
    green: int
    blue: int
    alpha: float = 1.0

    @property
    def opaque(self) -> bool:
        """Whether nothing shines through."""
        return self.alpha >= 1

    @property
    def hex(self) -> str:
        """As `#rrggbb`, without its opacity."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    def over(self, behind: "Colour") -> "Colour":
        """What is seen of it over an opaque colour."""
        mixed = (self.alpha * own + (1 - self.alpha) * other for own, other in zip(self[:3], behind[:3], strict=True))
        red, green, blue = (round(channel) for channel in mixed)
        return Colour(red, green, blue)


class Exact(NamedTuple):
    """A colour on the scale of sRGB, 0 to 255, beyond it where sRGB has no such colour, to be compared with others.

    `computed`: it was worked out of another notation, so that it may be off by what rounding makes.
    """

    red: float
    green: float
    blue: float
    alpha: float
    computed: bool

    def is_one_of(self, others: Iterable["Exact"]) -> bool:
        """Whether it is the same as one of these, whatever the opacity."""
        return any(self._is(other) for other in others)

    def _is(self, other: "Exact") -> bool:
        least = _ROUNDED if self.computed or other.computed else _SAME
        return all(abs(own - theirs) <= least for own, theirs in zip(self[:3], other[:3], strict=True))


def exact_colour(value: Any) -> Exact | None:
    """A colour from its text or its token of CSS; None where it is none, or is told by what stands around it."""
    try:
        found = written_colour(value)
        if found is None:
            return None
        red, green, blue = (255 * channel for channel in found.to("srgb"))
    except (ArithmeticError, ValueError):
        # Numbers that no colour has: what is worked out with them is none.
        return None
    if not all(map(math.isfinite, (red, green, blue, found.alpha))):
        return None
    return Exact(red, green, blue, found.alpha, found.computed)


def colour_of(value: Any) -> Colour | None:
    """The same as a screen of sRGB shows it."""
    found = exact_colour(value)
    if found is None:
        return None
    red, green, blue = (min(255, max(0, round(channel))) for channel in found[:3])
    return Colour(red, green, blue, found.alpha)


def contrast(text: Colour, behind: Colour) -> float:
    """The ratio of two opaque colours, 1 to 21. Source: WCAG 2.2."""
    lighter, darker = sorted((_luminance(text), _luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def least_contrast(least: float, pixels: float | None, *, bold: bool) -> float:
    """What a text of this size needs, where `least` is what a text of common size does."""
    large = pixels is not None and (pixels >= 24 or (bold and pixels >= 18.66))
    return min(least, LARGE_LEAST) if large else least


def _luminance(colour: Colour) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _unit(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _unit(colour: Colour) -> tuple[float, float, float]:
    return colour.red / 255, colour.green / 255, colour.blue / 255
