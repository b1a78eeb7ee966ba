"""Judges blocks of CSS: contrast, and colours and spacing outside a profile's tokens."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from .colours import Colour, colour_of, contrast, least_contrast
from .rules import Colours, Contrast, Rule, Spacing
from .styles import Block, Declaration

Found = tuple[int, str]
"""A line, and what is wrong there."""

_SPACED: Final = re.compile(r"(?:scroll-)?(?:margin|padding)(?:-\w+)*|(?:grid-)?(?:row-|column-)?gap")
_COLOURED: Final = re.compile(
    r".*(?:color|background|border|outline|shadow|fill|stroke|decoration|column-rule|filter).*"
)
_STATES: Final = (":hover", ":focus", ":active", ":visited", ":focus-visible", ":focus-within", ":target", ":checked")
_UNSEEN: Final = re.compile(
    r":disabled|\[disabled\]|::?(?:before|after|selection|placeholder|marker)|^(?:from|to|\d+%)$"
)
_ROOTS: Final = frozenset({":root", "html", "body", "*", ":host"})
_REM: Final = 16.0
"""Pixels of a root em, as browsers have it."""
_POINT: Final = 4 / 3
_RESOLVED: Final = 8
"""Custom properties that one value may lead through."""

Cascaded = Mapping[str, Declaration]


def broken_styles(blocks: Sequence[Block], rule: Rule) -> Iterator[Found]:
    """What the blocks of one file have against a rule."""
    match rule:
        case Contrast():
            yield from _contrast(blocks, rule.least)
        case Colours():
            allowed = {colour[:3] for token in rule.tokens if (colour := colour_of(token)) is not None}
            for declared in _all(blocks):
                for written, colour in _colours(declared):
                    if colour[:3] not in allowed and colour.alpha > 0:
                        yield declared.line, f"{declared.name}: {written} is none of the colours"
        case Spacing():
            for block in blocks:
                yield from _spacing(block, rule.tokens)
        case _:
            return


def _all(blocks: Sequence[Block]) -> Iterator[Declaration]:
    yield from (declared for block in blocks for declared in block.declarations)


def _colours(declared: Declaration) -> Iterator[tuple[str, Colour]]:
    """The colours of a value as they are written; a custom property may be defined as any."""
    if not declared.name.startswith("--") and _COLOURED.fullmatch(declared.name):
        yield from _colours_in(declared.value)


def _colours_in(tokens: Sequence[Any]) -> Iterator[tuple[str, Colour]]:
    for token in tokens:
        if token.type in ("ident", "hash", "function") and (colour := colour_of(token)) is not None:
            yield token.serialize(), colour
        elif token.type == "function":
            yield from _colours_in(token.arguments)


def _spacing(block: Block, allowed: Sequence[float]) -> Iterator[Found]:
    clipped = any(declared.name in ("clip", "clip-path") for declared in block.declarations)
    for declared in block.declarations if not clipped else ():
        if _SPACED.fullmatch(declared.name):
            for written, pixels in _lengths(declared.value):
                if not any(abs(abs(pixels) - size) < 0.01 for size in allowed):
                    yield declared.line, f"{declared.name}: {written} is none of the sizes"


def _lengths(tokens: Sequence[Any]) -> Iterator[tuple[str, float]]:
    """The lengths of a value that can be told in pixels."""
    for token in tokens:
        if token.type == "dimension" and (pixels := _pixels(token)) is not None:
            yield token.serialize(), pixels
        elif token.type == "function":
            yield from _lengths(token.arguments)
        elif token.type == "() block":
            yield from _lengths(token.content)


def _pixels(token: Any) -> float | None:
    factor = {"px": 1.0, "rem": _REM, "pt": _POINT}.get(token.lower_unit)
    return None if factor is None else float(token.value) * factor


def _contrast(blocks: Sequence[Block], least: float) -> Iterator[Found]:
    rules: dict[tuple[str, str], Cascaded] = {}
    for number, block in enumerate(blocks):
        # An element's own attributes hold for it alone.
        for selector in block.selectors or (f" {number}",):
            key = block.around, selector
            rules[key] = {**rules.get(key, {}), **_last(block.declarations)}
    custom = _custom(rules)
    told: set[Found] = set()
    for (around, selector), own in rules.items():
        if _UNSEEN.search(selector) or not own.keys() & {"color", "background", "background-color"}:
            continue
        base = _without_states(selector)
        keys = dict.fromkeys([("", base), ("", selector), (around, base)])
        known: dict[str, Declaration] = {}
        for key in keys:
            if key != (around, selector):
                known |= rules.get(key, {})
        found = _too_little({**known, **own}, own, custom.get(around, custom[""]), least)
        if found is not None and found not in told:
            told.add(found)
            yield found


def _without_states(selector: str) -> str:
    end = len(selector)
    while state := next((one for one in _STATES if selector.endswith(one, 0, end)), ""):
        end -= len(state)
    return selector[:end]


def _last(declarations: Sequence[Declaration]) -> dict[str, Declaration]:
    """What holds of declarations: `background` and `background-color` take each other's place."""
    last: dict[str, Declaration] = {}
    for one in declarations:
        if one.name == "background":
            last.pop("background-color", None)
        last.pop(one.name, None)
        last[one.name] = one
    return last


def _too_little(cascaded: Cascaded, own: Cascaded, custom: Mapping[str, Sequence[Any]], least: float) -> Found | None:
    text, behind = cascaded.get("color"), cascaded.get("background-color") or cascaded.get("background")
    if text is None or behind is None:
        return None
    if "background-image" in cascaded and behind.name == "background-color":
        return None
    front, back = _only_colour(text.value, custom), _only_colour(behind.value, custom)
    if front is None or back is None or not back.opaque or front.alpha == 0:
        return None
    due = least_contrast(least, _size(cascaded), bold=_bold(cascaded))
    seen = front.over(back)
    ratio = contrast(seen, back)
    if ratio >= due:
        return None
    at = own.get("color") or own.get(behind.name) or text
    return at.line, f"{seen.hex} on {back.hex} has a contrast of {_short(ratio)}, less than {due:g}"


def _short(ratio: float) -> str:
    """Rounded down: 4.499 is not 4.5."""
    return f"{int(ratio * 100) / 100:g}"


def _only_colour(tokens: Sequence[Any], custom: Mapping[str, Sequence[Any]]) -> Colour | None:
    """The one colour of a value; None where it has none or several, or an image besides."""
    resolved = _resolved(tokens, custom, _RESOLVED)
    if resolved is None or any(token.type == "url" or _draws(token) for token in resolved):
        return None
    found = [colour for _, colour in _colours_in(resolved)]
    return found[0] if len(found) == 1 else None


def _draws(token: Any) -> bool:
    return bool(
        token.type == "function" and re.search(r"gradient|url|image|cross-fade|element|paint", token.lower_name)
    )


def _resolved(tokens: Sequence[Any], custom: Mapping[str, Sequence[Any]], left: int) -> list[Any] | None:
    """A value with its custom properties filled in; None where one is not known here."""
    found: list[Any] = []
    for token in tokens:
        if token.type == "function" and token.lower_name == "var":
            name = next((one.value for one in token.arguments if one.type == "ident"), "")
            filled = _resolved(custom[name], custom, left - 1) if name in custom and left else None
            if filled is None:
                return None
            found += filled
        else:
            found.append(token)
    return found


def _custom(rules: Mapping[tuple[str, str], Cascaded]) -> dict[str, dict[str, Sequence[Any]]]:
    """The custom properties of the root, by the at-rules around them; within at-rules they stand over the others."""
    found: dict[str, dict[str, Sequence[Any]]] = {"": {}}
    for (around, selector), declared in rules.items():
        if selector in _ROOTS:
            own = {name: one.value for name, one in declared.items() if name.startswith("--")}
            if own:
                found[around] = found.get(around, {}) | own
    return {around: found[""] | own for around, own in found.items()}


def _size(cascaded: Cascaded) -> float | None:
    declared = cascaded.get("font-size") or cascaded.get("font")
    return next((pixels for _, pixels in _lengths(declared.value)), None) if declared else None


def _bold(cascaded: Cascaded) -> bool:
    declared = cascaded.get("font-weight") or cascaded.get("font")
    return any(
        (token.type == "ident" and token.lower_value == "bold") or (token.type == "number" and token.value >= 700)
        for token in (declared.value if declared else ())
    )
