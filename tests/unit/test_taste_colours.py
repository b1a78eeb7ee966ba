"""Colours in every notation of CSS are compared by what they come to."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gate_runner.taste.colour_spaces import PREDEFINED, converted
from services.gate_runner.taste.colours import colour_of, exact_colour

RED = (
    "red",
    "#F00",
    "#ff0000ff",
    "rgb(255, 0, 0)",
    "RGB(100% 0 0)",
    "rgb(calc(250 + 5) 0 0)",
    "HSL(0DEG 100% 50%)",
    "hsla(1turn, 100%, 50%, .5)",
    "hwb(400grad 0% 0%)",
    "lab(54.29 80.8 69.89)",
    "LCH(54.29% 106.84 40.86)",
    "oklab(0.628 0.2249 0.1258)",
    "oklch(62.8% 0.2577 29.23deg / 50%)",
    "color(srgb 1 0 0)",
    "color(srgb-linear 100% 0% none)",
    "color(display-p3 0.9175 0.2003 0.1386)",
    "color(a98-rgb 0.8586 0 0)",
    "color(prophoto-rgb 0.7022 0.2757 0.1035)",
    "color(rec2020 0.7920 0.2310 0.0738)",
    "color(xyz 0.4124 0.2126 0.0193)",
    "color(xyz-d50 0.4361 0.2225 0.0139)",
    "rgb(from red r g b / 50%)",
    "rgb(from blue b g r)",
    "hsl(from cyan calc(h + 180) s l)",
    "oklch(from #f00 l c h / calc(alpha * .5))",
    "color(from red srgb r g b)",
    "color-mix(in oklch, red 30%, transparent)",
    "color-mix(in hsl, #f00, RED)",
    "color-mix(red, red)",
)


@pytest.mark.parametrize("written", RED)
def test_red_is_red_however_it_is_written(written: str) -> None:
    found, red = exact_colour(written), exact_colour("red")
    assert found is not None and red is not None and found.is_one_of([red])


@pytest.mark.parametrize(
    ("written", "hexed"),
    [
        ("color-mix(in srgb, red, blue)", "#800080"),
        ("color-mix(in srgb, white 25%, black)", "#404040"),
        ("color-mix(in hsl, red, lime)", "#ffff00"),
        ("color-mix(in hsl longer hue, red, lime)", "#0000ff"),
        ("color-mix(in hsl decreasing hue, red, lime)", "#0000ff"),
        ("color-mix(in hsl, white, blue)", "#9f9fdf"),
        ("hwb(from rebeccapurple h w b)", "#663399"),
        ("hsl(210 20% 20%)", "#29333d"),
        ("oklch(54.6% 0.245 262.881)", "#155dfc"),
        ("lch(from white calc(l / 2) c h)", "#777777"),
    ],
)
def test_what_is_mixed_or_made_of_another_is_worked_out(written: str, hexed: str) -> None:
    found = colour_of(written)
    assert found is not None and found.hex == hexed


@pytest.mark.parametrize(
    ("written", "token"),
    [
        ("#ff0001", "#f00"),
        ("rgb(254 0 0)", "red"),
        ("color(display-p3 1 0 0)", "red"),
        ("oklch(0.64 0.2577 29.23)", "red"),
        ("color-mix(in srgb, red 90%, black)", "red"),
    ],
)
def test_what_is_near_a_colour_is_another(written: str, token: str) -> None:
    found, other = exact_colour(written), exact_colour(token)
    assert found is not None and other is not None and not found.is_one_of([other])


@pytest.mark.parametrize(
    "written",
    [
        *("currentColor", "inherit", "none", "color()", "rgb()", "rgb(1, 2)", "color-mix()", "color-mix(in srgb, red)"),
        *("rgb(1e999 0 0)", "oklch(from var(--x) l c h)", "color(--own 1 2 3)", "lab(1e200 1e200 0)", "hsl(0 / 1 / 2)"),
        *("color-mix(in red, red, blue)", "rgb(calc(1 / 0) 0 0)", "color-mix(in srgb, currentColor, red)"),
    ],
)
def test_what_is_no_colour_or_cannot_be_told_is_none(written: str) -> None:
    assert exact_colour(written) is None


@given(
    st.tuples(*[st.floats(0, 1)] * 3),
    st.sampled_from([*sorted(PREDEFINED), "lab", "lch", "oklab", "oklch", "hsl", "hwb"]),
)
def test_a_colour_comes_back_from_every_space(srgb: tuple[float, float, float], space: str) -> None:
    back = converted(converted(srgb, "srgb", space), space, "srgb")
    assert all(math.isclose(one, other, abs_tol=1e-6) for one, other in zip(srgb, back, strict=True))


@given(st.text(alphabet="rgbhsloka-mix( ,/%)0123456789.none#fcv", max_size=60))
def test_any_text_is_read_as_a_colour_or_as_none(text: str) -> None:
    exact_colour(f"color-mix({text}")
    exact_colour(text or "x")
