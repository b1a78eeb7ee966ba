"""The colour spaces of CSS, each with its way to XYZ under D65 and back. Source: CSS Color 4, 10 to 12."""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]
Curve = Callable[[float], float]

_D50: Final = (0.3457, 0.3585)
_D65: Final = (0.3127, 0.3290)
_BRADFORD: Final[Matrix] = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))
_TO_LMS: Final[Matrix] = (
    (0.8190224379967030, 0.3619062600528904, -0.1288737815209879),
    (0.0329836539323885, 0.9292868615863434, 0.0361446663506424),
    (0.0481771893596242, 0.2642395317527308, 0.6335478284694309),
)
_TO_OKLAB: Final[Matrix] = (
    (0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
    (1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
    (0.0259040424655478, 0.7827717124575296, -0.8086757549230774),
)
_KAPPA: Final = 24389 / 27
_EPSILON: Final = 216 / 24389

POLAR: Final = {"lch": 2, "oklch": 2, "hsl": 0, "hwb": 0}
"""The spaces that have a hue, in degrees, and which of the coordinates it is."""


class _Curves(NamedTuple):
    """From a channel as it is written to light, and back."""

    light: Curve
    written: Curve


def _odd(curve: Curve) -> Curve:
    """The curve for negative values too, which lie beyond a space's gamut."""
    return lambda value: math.copysign(curve(abs(value)), value)


_SRGB: Final = _Curves(
    _odd(lambda value: value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4),
    _odd(lambda value: value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055),
)
_LINEAR: Final = _Curves(lambda value: value, lambda value: value)
_A98: Final = _Curves(_odd(lambda value: value ** (563 / 256)), _odd(lambda value: value ** (256 / 563)))
_PROPHOTO: Final = _Curves(
    _odd(lambda value: value / 16 if value <= 16 / 512 else value**1.8),
    _odd(lambda value: value * 16 if value < 1 / 512 else value ** (1 / 1.8)),
)
_ALPHA, _BETA = 1.09929682680944, 0.018053968510807
_REC2020: Final = _Curves(
    _odd(lambda value: value / 4.5 if value < _BETA * 4.5 else ((value + _ALPHA - 1) / _ALPHA) ** (1 / 0.45)),
    _odd(lambda value: value * 4.5 if value < _BETA else _ALPHA * value**0.45 - (_ALPHA - 1)),
)


def _apply(matrix: Matrix, of: Triple) -> Triple:
    one, two, three = (sum(part * value for part, value in zip(row, of, strict=True)) for row in matrix)
    return one, two, three


def _inverse(matrix: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    cofactors = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    determinant = a * cofactors[0][0] + b * cofactors[1][0] + c * cofactors[2][0]
    one, two, three = ((x / determinant, y / determinant, z / determinant) for x, y, z in cofactors)
    return one, two, three


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = [_apply(left, column) for column in zip(*right, strict=True)]
    one, two, three = zip(*columns, strict=True)
    return one, two, three


def _white(at: tuple[float, float]) -> Triple:
    x, y = at
    return x / y, 1.0, (1 - x - y) / y


def _adapted(of: tuple[float, float], to: tuple[float, float]) -> Matrix:
    """How XYZ under one white is told under another. Source: Bradford."""
    before, after = _apply(_BRADFORD, _white(of)), _apply(_BRADFORD, _white(to))
    scaled: Matrix = (
        (after[0] / before[0], 0.0, 0.0),
        (0.0, after[1] / before[1], 0.0),
        (0.0, 0.0, after[2] / before[2]),
    )
    return _product(_inverse(_BRADFORD), _product(scaled, _BRADFORD))


_FROM_D50: Final = _adapted(_D50, _D65)
_TO_D50: Final = _inverse(_FROM_D50)


def _primaries(red: tuple[float, float], green: tuple[float, float], blue: tuple[float, float]) -> Matrix:
    one, two, three = zip(_white(red), _white(green), _white(blue), strict=True)
    return one, two, three


def _to_xyz(primaries: Matrix, white: tuple[float, float]) -> Matrix:
    """The matrix from the light of three primaries to XYZ under D65."""
    amounts = _apply(_inverse(primaries), _white(white))
    one, two, three = ((x * amounts[0], y * amounts[1], z * amounts[2]) for x, y, z in primaries)
    found: Matrix = (one, two, three)
    return found if white == _D65 else _product(_FROM_D50, found)


_OF_SRGB: Final = _to_xyz(_primaries((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)), _D65)
_OF_P3: Final = _to_xyz(_primaries((0.680, 0.320), (0.265, 0.690), (0.150, 0.060)), _D65)
_OF_A98: Final = _to_xyz(_primaries((0.64, 0.33), (0.21, 0.71), (0.15, 0.06)), _D65)
_OF_REC2020: Final = _to_xyz(_primaries((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)), _D65)
_OF_PROPHOTO: Final = _to_xyz(_primaries((0.734699, 0.265301), (0.159597, 0.840403), (0.036598, 0.000105)), _D50)

_RGB: Final = {
    "srgb": (_OF_SRGB, _SRGB),
    "srgb-linear": (_OF_SRGB, _LINEAR),
    "display-p3": (_OF_P3, _SRGB),
    "display-p3-linear": (_OF_P3, _LINEAR),
    "a98-rgb": (_OF_A98, _A98),
    "prophoto-rgb": (_OF_PROPHOTO, _PROPHOTO),
    "rec2020": (_OF_REC2020, _REC2020),
}
PREDEFINED: Final = frozenset({*_RGB, "xyz", "xyz-d65", "xyz-d50"})
"""What `color()` can name."""


def converted(coordinates: Triple, of: str, to: str) -> Triple:
    """Coordinates of one space as those of another, not brought into its gamut.

    Channels of RGB and XYZ are 0 to 1; `hsl` and `hwb` have degrees and percents; the others are as CSS numbers them.
    """
    if of == to:
        return coordinates
    if of in ("hsl", "hwb"):
        return converted(_of_hsl(coordinates) if of == "hsl" else _of_hwb(coordinates), "srgb", to)
    if to in ("hsl", "hwb"):
        return _to_hue(converted(coordinates, of, "srgb"), to)
    return _from_xyz(_xyz(coordinates, of), to)


def _xyz(of: Triple, space: str) -> Triple:
    if space in _RGB:
        matrix, curves = _RGB[space]
        return _apply(matrix, _each(curves.light, of))
    if space in ("lch", "oklch"):
        lightness, chroma, hue = of
        turned = lightness, chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
        return _xyz(turned, "lab" if space == "lch" else "oklab")
    if space == "lab":
        return _apply(_FROM_D50, _of_lab(of))
    if space == "oklab":
        return _apply(_inverse(_TO_LMS), _each(lambda value: value**3, _apply(_inverse(_TO_OKLAB), of)))
    return _apply(_FROM_D50, of) if space == "xyz-d50" else of


def _from_xyz(xyz: Triple, space: str) -> Triple:
    if space in _RGB:
        matrix, curves = _RGB[space]
        return _each(curves.written, _apply(_inverse(matrix), xyz))
    if space in ("lch", "oklch"):
        lightness, a, b = _from_xyz(xyz, "lab" if space == "lch" else "oklab")
        return lightness, math.hypot(a, b), math.degrees(math.atan2(b, a)) % 360
    if space == "lab":
        return _to_lab(_apply(_TO_D50, xyz))
    if space == "oklab":
        return _apply(_TO_OKLAB, _each(math.cbrt, _apply(_TO_LMS, xyz)))
    return _apply(_TO_D50, xyz) if space == "xyz-d50" else xyz


def _each(curve: Curve, of: Triple) -> Triple:
    return curve(of[0]), curve(of[1]), curve(of[2])


def _of_lab(lab: Triple) -> Triple:
    middle = (lab[0] + 16) / 116
    parts = middle + lab[1] / 500, middle, middle - lab[2] / 200
    cubes = [part**3 if part**3 > _EPSILON else (116 * part - 16) / _KAPPA for part in parts]
    x, y, z = (cube * white for cube, white in zip(cubes, _white(_D50), strict=True))
    return x, y, z


def _to_lab(xyz: Triple) -> Triple:
    scaled = [value / white for value, white in zip(xyz, _white(_D50), strict=True)]
    x, y, z = (math.cbrt(value) if value > _EPSILON else (_KAPPA * value + 16) / 116 for value in scaled)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _of_hsl(hsl: Triple) -> Triple:
    hue, saturation, lightness = hsl[0], hsl[1] / 100, hsl[2] / 100

    def channel(number: int) -> float:
        step = (number + hue / 30) % 12
        return lightness - saturation * min(lightness, 1 - lightness) * max(-1.0, min(step - 3, 9 - step, 1))

    return channel(0), channel(8), channel(4)


def _of_hwb(hwb: Triple) -> Triple:
    white, black = hwb[1] / 100, hwb[2] / 100
    if white + black >= 1:
        grey = white / (white + black)
        return grey, grey, grey
    return _each(lambda channel: channel * (1 - white - black) + white, _of_hsl((hwb[0], 100, 50)))


def _to_hue(srgb: Triple, space: str) -> Triple:
    red, green, blue = srgb
    most, least = max(srgb), min(srgb)
    span = most - least
    hue = 0.0
    if span > 0:
        sextant = (
            (green - blue) / span
            if most == red
            else (blue - red) / span + 2
            if most == green
            else (red - green) / span + 4
        )
        hue = 60 * sextant % 360
    if space == "hwb":
        return hue, 100 * least, 100 * (1 - most)
    lightness = (most + least) / 2
    room = min(lightness, 1 - lightness)
    return hue, 100 * (most - lightness) / room if room > 0 else 0.0, 100 * lightness
