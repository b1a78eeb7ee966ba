"""What the rules have against a page as it was measured; no browser is needed to judge."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gate_runner.measures import Measures
from services.gate_runner.taste import Taste
from services.gate_runner.taste.rendered import shown_violations


def said(check: str, *, phone: bool = True, rule: dict[str, Any] | None = None, **measured: Any) -> list[str]:
    taste = Taste.model_validate({"rules": [{"name": check, "check": check, **(rule or {})}]})
    width = 360 if phone else 1280
    measures = Measures.model_validate({"width": width, "scroll_width": width, **measured})
    return [str(one) for one in shown_violations("a.html", width, phone, measures, taste.rendered)]


def text(**more: Any) -> dict[str, Any]:
    return {"what": "<p>", "size": 16, "colour": (0, 0, 0), "behind": (255, 255, 255), **more}


def target(what: str, x: float, y: float, width: float, height: float, **more: Any) -> dict[str, Any]:
    return {"what": what, "x": x, "y": y, "width": width, "height": height, **more}


PALE = (118, 118, 118)
"""4.54 on white."""
PALER = (120, 120, 120)
"""4.41 on white."""


@pytest.mark.parametrize(
    ("broken", "honest"),
    [
        (text(colour=PALER), text(colour=PALE)),
        (text(colour=PALER, size=23), text(colour=PALER, size=24)),
        (text(colour=PALER, size=19), text(colour=PALER, size=19, bold=True)),
        (text(colour=(255, 255, 255)), text(colour=(255, 255, 255), behind=None)),
        (text(colour=PALER), text(colour=PALER, disabled=True)),
    ],
)
def test_contrast_is_that_of_a_text_and_what_lies_behind_it(broken: dict[str, Any], honest: dict[str, Any]) -> None:
    assert len(said("rendered_contrast", texts=[broken])) == 1
    assert said("rendered_contrast", texts=[honest]) == []


def test_small_text_is_measured_where_the_page_is_laid_out_for_the_screen() -> None:
    assert said("text_size", texts=[text(size=11), text(size=12)]) == [
        "a.html at 360 px [text_size] <p> is 11 px high, less than 12 px"
    ]
    assert said("text_size", texts=[text(size=11)], viewport=False) == []
    assert said("text_size", phone=False, texts=[text(size=13)], rule={"least": 14}) != []


def test_a_page_wider_than_a_phone_is_told_with_what_makes_it_so() -> None:
    wide = [{"what": "<table>", "right": 700}]
    (line,) = said("overflow", scroll_width=700, wide=wide)
    assert line.endswith("the page is 340 px wider than the screen: <table> ends at 700 px")
    assert said("overflow", scroll_width=361) == said("overflow", phone=False, scroll_width=2000) == []
    assert "viewport" in said("overflow", viewport=False, width=980, scroll_width=980)[0]


@pytest.mark.parametrize(
    ("broken", "honest"),
    [
        ([target("a", 0, 0, 16, 16)], [target("a", 0, 0, 24, 24)]),
        (
            [target("a", 0, 0, 60, 18), target("b", 0, 20, 60, 18)],
            [target("a", 0, 0, 60, 18), target("b", 0, 30, 60, 18)],
        ),
        (
            [target("a", 0, 0, 60, 18), target("b", 0, 18, 60, 40)],
            [target("a", 0, 0, 60, 18), target("b", 0, 40, 60, 40)],
        ),
        (
            [target("a", 0, 0, 10, 10)],
            [target("a", 0, 0, 10, 10, inline=True), target("b", 50, 0, 13, 13, native=True)],
        ),
    ],
)
def test_a_target_is_large_enough_or_stands_apart(broken: list[dict[str, Any]], honest: list[dict[str, Any]]) -> None:
    assert said("tap_targets", targets=broken) != []
    assert said("tap_targets", targets=honest) == said("tap_targets", phone=False, targets=broken) == []


def test_unnamed_controls_errors_and_blank_pages_are_told_and_many_of_a_kind_are_cut() -> None:
    assert "has no name (button)" in said("control_names", unnamed=[{"what": "<button>", "role": "button"}])[0]
    assert said("screenshot", errors=["a.js:1: boom"], blank=True) == [
        "a.html at 360 px [screenshot] a.js:1: boom",
        "a.html at 360 px [screenshot] the page shows nothing",
    ]
    many = [text(what=f"<p{number}>", size=5) for number in range(20)]
    assert len(said("text_size", texts=many)) == 9 and said("text_size", texts=many)[-1].endswith("and 12 more")


@given(st.lists(st.builds(target, st.sampled_from("abc"), *[st.floats(0, 500)] * 4), max_size=8))
def test_targets_of_full_size_are_never_told(targets: list[dict[str, Any]]) -> None:
    large = [{**one, "width": one["width"] + 24, "height": one["height"] + 24} for one in targets]
    assert said("tap_targets", targets=large) == []
