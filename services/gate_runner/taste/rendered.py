"""Judges a page as a browser showed it: contrast, overflow, small text, tap targets, controls without a name. Pure."""

import math
from collections.abc import Iterator, Sequence
from typing import Final

from ..measures import Measures, Target, Text
from .colours import Colour, contrast, least_contrast
from .critic import Violation
from .rules import ControlNames, Overflow, RenderedContrast, Rule, Screenshot, TapTargets, TextSize

_MOST_OF_A_KIND: Final = 8
"""Lines on one rule and one page; more of the same tell nothing new."""


def shown_violations(page: str, width: int, phone: bool, measures: Measures, rules: Sequence[Rule]) -> list[Violation]:
    """What the rules have against a page on a screen of this width, in CSS pixels."""
    place = f"{page} at {width} px"
    found: list[Violation] = []
    for rule in rules:
        if rule.holds_for(page):
            said = list(dict.fromkeys(_broken(rule, measures, phone)))
            found += [Violation(place, rule.name, one) for one in said[:_MOST_OF_A_KIND]]
            more = len(said) - _MOST_OF_A_KIND
            if more > 0:
                found.append(Violation(place, rule.name, f"and {more} more"))
    return found


def needs_its_styles(rule: Rule) -> bool:
    """Whether a rule cannot be judged on a page that lacks styles or scripts from elsewhere."""
    return isinstance(rule, RenderedContrast | Overflow | TextSize | TapTargets)


def _broken(rule: Rule, measures: Measures, phone: bool) -> Iterator[str]:
    match rule:
        case RenderedContrast():
            yield from (said for text in measures.texts if (said := _pale(text, rule.least)))
        case TextSize() if not phone or measures.viewport:
            for text in measures.texts:
                if 0 < text.size < rule.least - 0.05:
                    yield f"{text.what} is {_pixels(text.size)} high, less than {_pixels(rule.least)}"
        case Overflow() if phone:
            yield from _overflowing(measures)
        case TapTargets() if phone and measures.viewport:
            yield from _small(measures.targets, rule.least)
        case ControlNames():
            yield from (f"{one.what} has no name ({one.role})" for one in measures.unnamed)
        case Screenshot():
            yield from measures.errors
            if measures.blank:
                yield "the page shows nothing"
        case _:
            return


def _pale(text: Text, least: float) -> str | None:
    if text.behind is None or text.disabled:
        return None
    front, back = Colour(*text.colour), Colour(*text.behind)
    due, ratio = least_contrast(least, text.size, bold=text.bold), contrast(front, back)
    if ratio >= due:
        return None
    shown = math.floor(ratio * 100) / 100
    return f"{text.what}: {front.hex} on {back.hex} has a contrast of {shown:g}, less than {due:g}"


def _overflowing(measures: Measures) -> Iterator[str]:
    if not measures.viewport:
        yield f"no <meta name=viewport>: a phone lays the page out {measures.width:g} px wide and shows it small"
    elif measures.scroll_width > measures.width + 1:
        over = measures.scroll_width - measures.width
        which = ", ".join(f"{one.what} ends at {one.right:g} px" for one in measures.wide[:3])
        yield f"the page is {over:g} px wider than the screen{f': {which}' if which else ''}"


def _small(targets: Sequence[Target], least: float) -> Iterator[str]:
    for one in targets:
        small = min(one.width, one.height) < least - 0.5
        if not small or one.inline or one.native:
            continue
        tiny = max(one.width, one.height) < least - 0.5
        near = (
            None if tiny else next((other for other in targets if other is not one and _close(one, other, least)), None)
        )
        if tiny or near is not None:
            size = f"{one.what} is {one.width:.0f}×{one.height:.0f} px, less than {least:g}×{least:g}"
            yield size if near is None else f"{size}, and {near.what} is close to it"


def _close(one: Target, other: Target, least: float) -> bool:
    """Whether a circle as wide as a target should be, around this one, touches the other. Source: WCAG 2.2, 2.5.8."""
    across, down = one.x + one.width / 2, one.y + one.height / 2
    if min(other.width, other.height) < least:
        return math.hypot(other.x + other.width / 2 - across, other.y + other.height / 2 - down) < least - 0.5
    beside = max(other.x - across, 0.0, across - other.x - other.width)
    above = max(other.y - down, 0.0, down - other.y - other.height)
    return math.hypot(beside, above) < least / 2 - 0.5


def _pixels(size: float) -> str:
    return f"{size:.4g} px"
