"""Reads a colour in every notation of CSS: named, `#…`, every function, relative colours and `color-mix()`."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tinycss2 import color4, parse_one_component_value  # type: ignore[import-untyped]

from .arithmetic import split, worth
from .colour_spaces import POLAR, PREDEFINED, Triple, converted

_DEEPEST: Final = 8
_DEGREES: Final = {"deg": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_GREY: Final = {"lch": 0.02, "oklch": 4e-4, "hsl": 1e-3}
"""Of so little chroma a colour has no hue of its own."""


class _Notation(NamedTuple):
    """A function of CSS: its space, its channels' names, what 1 % of each is, and what a number is divided by."""

    space: str
    channels: tuple[str, str, str]
    percent: tuple[float, float, float]
    divided: float = 1.0


_FUNCTIONS: Final = {
    "rgb": _Notation("srgb", ("r", "g", "b"), (2.55, 2.55, 2.55), 255),
    "rgba": _Notation("srgb", ("r", "g", "b"), (2.55, 2.55, 2.55), 255),
    "hsl": _Notation("hsl", ("h", "s", "l"), (3.6, 1, 1)),
    "hsla": _Notation("hsl", ("h", "s", "l"), (3.6, 1, 1)),
    "hwb": _Notation("hwb", ("h", "w", "b"), (3.6, 1, 1)),
    "lab": _Notation("lab", ("l", "a", "b"), (1, 1.25, 1.25)),
    "lch": _Notation("lch", ("l", "c", "h"), (1, 1.5, 3.6)),
    "oklab": _Notation("oklab", ("l", "a", "b"), (0.01, 0.004, 0.004)),
    "oklch": _Notation("oklch", ("l", "c", "h"), (0.01, 0.004, 3.6)),
}
_EXACT: Final = ("rgb", "rgba")


class Written(NamedTuple):
    """A colour as it is written: the coordinates in its space, opacity 0 to 1, and whether it was worked out.

    `computed` is False of what names its channels of sRGB outright: a keyword, `#…`, `rgb()`.
    """

    space: str
    coordinates: Triple
    alpha: float = 1.0
    computed: bool = True

    def to(self, space: str) -> Triple:
        """Its coordinates in another space."""
        return converted(self.coordinates, self.space, space)


def written_colour(value: Any, left: int = _DEEPEST) -> Written | None:
    """A colour from its text or its token of tinycss2; None where it is none, or is told by what stands around it."""
    token = parse_one_component_value(value.strip()) if isinstance(value, str) else value
    if token.type in ("ident", "hash"):
        found = color4.parse_color(token)
        if not isinstance(found, color4.Color):
            return None
        red, green, blue = found.coordinates
        return Written("srgb", (red, green, blue), found.alpha, computed=False)
    if token.type != "function" or left <= 0:
        return None
    arguments = [one for one in token.arguments if one.type not in ("whitespace", "comment")]
    if token.lower_name == "color-mix":
        return _mixed(split(arguments, ","), left)
    return _function(token.lower_name, arguments, left)


def _function(name: str, arguments: list[Any], left: int) -> Written | None:
    origin: Written | None = None
    if len(arguments) > 1 and _is(arguments[0], "from"):
        origin = written_colour(arguments[1], left - 1)
        if origin is None:
            return None
        arguments = arguments[2:]
    if name == "color":
        space = arguments[0].lower_value if arguments and arguments[0].type == "ident" else ""
        channels = ("x", "y", "z") if space.startswith("xyz") else ("r", "g", "b")
        notation = _Notation(space, channels, (0.01, 0.01, 0.01)) if space in PREDEFINED else None
        arguments = arguments[1:]
    else:
        notation = _FUNCTIONS.get(name)
    return None if notation is None else _channels(name, notation, arguments, origin)


def _channels(name: str, notation: _Notation, arguments: Sequence[Any], origin: Written | None) -> Written | None:
    known: dict[str, float] = {}
    if origin is not None:
        here = (one * notation.divided for one in origin.to(notation.space))
        known = {**dict(zip(notation.channels, here, strict=True)), "alpha": origin.alpha}
    if any(one.type == "literal" and one.value == "," for one in arguments):
        parts = split(arguments, ",")
        if any(len(part) != 1 for part in parts):
            return None
        tokens, opacity = [part[0] for part in parts[:3]], [part[0] for part in parts[3:]]
    else:
        before, *after = split(arguments, "/")
        tokens, opacity = before, [one for part in after for one in part]
    if len(tokens) != 3 or len(opacity) > 1:
        return None
    values = [_number(one, percent, known) for one, percent in zip(tokens, notation.percent, strict=True)]
    alpha = _number(opacity[0], 0.01, known) if opacity else known.get("alpha", 1.0)
    if alpha is None or None in values:
        return None
    one, two, three = ((value or 0.0) / notation.divided for value in values)
    computed = name not in _EXACT or origin is not None
    return Written(notation.space, (one, two, three), min(1.0, max(0.0, alpha)), computed)


def _number(token: Any, percent: float, known: Mapping[str, float]) -> float | None:
    def leaf(one: Any) -> float | None:
        match one.type:
            case "number":
                return float(one.value)
            case "percentage":
                return float(one.value) * percent
            case "dimension" if one.lower_unit in _DEGREES:
                return float(one.value) * _DEGREES[one.lower_unit]
            case "ident":
                return {"none": 0.0, "pi": math.pi, "e": math.e, **known}.get(one.lower_value)
            case _:
                return None

    return worth(token, leaf)


def _mixed(parts: Sequence[Sequence[Any]], left: int) -> Written | None:
    """`color-mix(in SPACE [… hue], COLOUR [N%], COLOUR [N%])`; the space is `oklab` where none is named."""
    space, longer = "oklab", ""
    if parts and parts[0] and _is(parts[0][0], "in"):
        words = [one.lower_value for one in parts[0][1:] if one.type == "ident"]
        space, longer = words[0] if words else "", words[1] if len(words) > 1 else ""
        space = "xyz-d65" if space == "xyz" else space
        parts = parts[1:]
    if len(parts) != 2 or space not in {*PREDEFINED, *(one.space for one in _FUNCTIONS.values())}:
        return None
    found = [_part(part, left) for part in parts]
    (one, first), (other, second) = found
    if one is None or other is None:
        return None
    if first is None:
        first = 1 - second if second is not None else 0.5
    second = 1 - first if second is None else second
    total = first + second
    if total <= 0:
        return None
    alpha = (first * one.alpha + second * other.alpha) / total
    coordinates = _between(one, other, first / total, space, longer)
    return Written(space, coordinates, alpha * min(1.0, total))


def _part(tokens: Sequence[Any], left: int) -> tuple[Written | None, float | None]:
    share = next((one.value / 100 for one in tokens if one.type == "percentage"), None)
    colours = [one for one in tokens if one.type != "percentage"]
    return written_colour(colours[0], left - 1) if len(colours) == 1 else None, share


def _between(one: Written, other: Written, share: float, space: str, way: str) -> Triple:
    """The coordinates so far from the second to the first, each counting by its opacity, but for the hue."""
    first, second = [*one.to(space)], [*other.to(space)]
    weights = share * one.alpha, (1 - share) * other.alpha
    whole = sum(weights) or 1.0
    mixed = [(weights[0] * a + weights[1] * b) / whole for a, b in zip(first, second, strict=True)]
    at = POLAR.get(space)
    if at is not None:
        hues = (
            None if _hueless(one, first, space) else first[at],
            None if _hueless(other, second, space) else second[at],
        )
        mixed[at] = _hue(*hues, share, way)
    x, y, z = mixed
    return x, y, z


def _hueless(colour: Written, there: Sequence[float], space: str) -> bool:
    if colour.alpha == 0:
        return True
    return there[1] + there[2] >= 100 - 1e-3 if space == "hwb" else there[1] < _GREY[space]


def _hue(one: float | None, other: float | None, share: float, way: str) -> float:
    """The hue between two, the shorter way round unless another is named. Source: CSS Color 4, 12.4."""
    if one is None or other is None:
        return (one if other is None else other) or 0.0
    span = (other - one) % 360
    turn = {"longer": span < 180 and span > 0, "increasing": False, "decreasing": span > 0}.get(way, span > 180)
    return (one + (1 - share) * (span - 360 if turn else span)) % 360


def _is(token: Any, word: str) -> bool:
    return bool(token.type == "ident" and token.lower_value == word)
