"""Colours of CSS as red, green, blue and opacity, and how far two of them stand apart."""

from typing import Any, Final, NamedTuple

from tinycss2 import color4, parse_one_component_value  # type: ignore[import-untyped]

LARGE_LEAST: Final = 3.0
"""What suffices for large text: from 24 px, or from 18.66 px if it is bold. Source: WCAG 2.2, 1.4.3."""


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


def colour_of(value: Any) -> Colour | None:
    """A colour from its text or its token of CSS; None where it is none, or is told by what stands around it."""
    token = parse_one_component_value(value.strip()) if isinstance(value, str) else value
    found = color4.parse_color(token)
    if not isinstance(found, color4.Color):
        return None
    try:
        srgb = found.to("srgb")
    except NotImplementedError:
        return None
    red, green, blue = (min(255, max(0, round(255 * channel))) for channel in srgb.coordinates)
    return Colour(red, green, blue, srgb.alpha)


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
