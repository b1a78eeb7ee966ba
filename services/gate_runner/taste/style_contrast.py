"""Judges blocks of CSS for contrast: a text and its background, where one selector sets both."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from .colours import Colour, colour_of, contrast, least_contrast
from .custom_properties import filled, names_used, uses_custom
from .styles import Block, Declaration
from .tokens_of_css import REM, lengths_in

Found = tuple[int, str]
"""A line, and what is wrong there."""

_STATES: Final = (":hover", ":focus", ":active", ":visited", ":focus-visible", ":focus-within", ":target", ":checked")
_UNSEEN: Final = re.compile(
    r":disabled|\[disabled\]|::?(?:before|after|selection|placeholder|marker)|^(?:from|to|\d+%)$"
)
_RESOLVED: Final = 8
"""Custom properties that one value may lead through."""
_ROOTS: Final = frozenset({":root", "html", "body", "*", ":host"})

_THEME: Final = re.compile(
    r"(?::root|html|body)(?:\.[\w-]+|\[[^\]]*\])+|\[data-[\w-]*(?:theme|mode|scheme)[^\]]*\]"
    r"|\.(?:dark|light|theme-[\w-]+|[\w-]+-(?:theme|mode))"
)
"""What stands on the root of a page and gives custom properties other values."""
_PAIR: Final = {"color", "background", "background-color"}
_KEYWORDS: Final = {"x-large": 24.0, "xx-large": 32.0, "xxx-large": 48.0}
_SIZES: Final = {"h1": 32.0, "h2": 24.0, "h3": 18.72}
_BOLD: Final = frozenset({*(f"h{level}" for level in range(1, 7)), "b", "strong", "th"})
_LAST_TAG: Final = re.compile(r"(?:^|[\s>+~])([a-z][a-z0-9]*)[^\s>+~]*$", re.I)

Cascaded = Mapping[str, Declaration]
Rules = dict[tuple[str, str], Cascaded]
"""By the at-rules around it and the selector."""


def poor_contrast(blocks: Sequence[Block], least: float) -> Iterator[Found]:
    """Where a selector sets a text and its background with too little contrast, in each theme that the file has."""
    rules: Rules = {}
    for number, block in enumerate(blocks):
        # An element's own attributes hold for it alone.
        for selector in block.selectors or (f" {number}",):
            key = block.around, selector
            rules[key] = {**rules.get(key, {}), **_last(block.declarations)}
    custom, themes = _custom(rules), _themes(rules)
    told: set[Found] = set()
    for (around, selector), own in rules.items():
        if _UNSEEN.search(selector) or not own.keys() & _PAIR:
            continue
        base = _without_states(selector)
        known = _known(rules, [("", base), ("", selector), (around, base), (around, selector)])
        looks = [(known, custom.get(around, custom[""]))]
        if not around and any(uses_custom(known[name].value) for name in _PAIR & known.keys()):
            looks += [
                (_known(rules, [("", base), ("", selector), (one, selector)]), custom[one]) for one in custom if one
            ]
            looks += [
                (_known(rules, [("", base), ("", selector), (one, f"{theme} {selector}".strip())]), properties)
                for (one, theme), properties in themes.items()
            ]
        for cascaded, properties in looks:
            found = _too_little(cascaded, own, properties, least, selector)
            if found is not None and found not in told:
                told.add(found)
                yield found


def _known(rules: Rules, keys: Sequence[tuple[str, str]]) -> Cascaded:
    """What holds of several rules, the later ones over the earlier."""
    known: dict[str, Declaration] = {}
    for key in dict.fromkeys(keys):
        known = {**known, **rules.get(key, {})}
    return known


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


def _too_little(
    cascaded: Cascaded, own: Cascaded, custom: Mapping[str, Sequence[Any]], least: float, selector: str
) -> Found | None:
    text, behind = cascaded.get("color"), cascaded.get("background-color") or cascaded.get("background")
    if text is None or behind is None:
        return None
    if "background-image" in cascaded and behind.name == "background-color":
        return None
    front, back = _only_colour(text.value, custom), _only_colour(behind.value, custom)
    if front is None or back is None or not back.opaque or front.alpha == 0:
        return None
    tag = _tag(selector)
    due = least_contrast(least, _size(cascaded, tag), bold=_bold(cascaded, tag))
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
    """The one colour of a value; None where it has none or several, an image besides, or a part that is not known."""
    resolved = _resolved(tokens, custom, _RESOLVED)
    if resolved is None or any(token.type == "url" or _draws(token) for token in resolved):
        return None
    found = [colour_of(token) for token in resolved if token.type in ("ident", "hash", "function")]
    colours = [colour for colour in found if colour is not None]
    return colours[0] if len(colours) == 1 else None


def _draws(token: Any) -> bool:
    return bool(
        token.type == "function" and re.search(r"gradient|url|image|cross-fade|element|paint", token.lower_name)
    )


def _resolved(tokens: Sequence[Any], custom: Mapping[str, Sequence[Any]], left: int) -> list[Any] | None:
    """A value with its custom properties filled in; None where one is not known here."""
    if not uses_custom(tokens):
        return [*tokens]
    if left <= 0 or not names_used(tokens) <= custom.keys():
        return None
    known = {name: [value] for name, value in custom.items()}
    return _resolved(filled(tokens, known, 1)[0], custom, left - 1)


def _custom(rules: Mapping[tuple[str, str], Cascaded]) -> dict[str, dict[str, Sequence[Any]]]:
    """The custom properties of the root, by the at-rules around them; within at-rules they stand over the others."""
    found: dict[str, dict[str, Sequence[Any]]] = {"": {}}
    for (around, selector), declared in rules.items():
        if selector in _ROOTS:
            own = {name: one.value for name, one in declared.items() if name.startswith("--")}
            if own:
                found[around] = found.get(around, {}) | own
    return {around: found[""] | own for around, own in found.items()}


def _themes(rules: Rules) -> dict[tuple[str, str], dict[str, Sequence[Any]]]:
    """The custom properties under each selector that stands for a theme, over those of the root."""
    base = _custom(rules)[""]
    found: dict[tuple[str, str], dict[str, Sequence[Any]]] = {}
    for (around, selector), declared in rules.items():
        own = {name: one.value for name, one in declared.items() if name.startswith("--")}
        if own and _THEME.fullmatch(selector):
            found[around, selector] = base | own
    return found


def _size(cascaded: Cascaded, tag: str) -> float | None:
    """The pixels of a text, where they can be told; an em is taken for that of the root."""
    declared = cascaded.get("font-size") or cascaded.get("font")
    if declared is None:
        return _SIZES.get(tag)
    for token in declared.value:
        if token.type == "ident" and token.lower_value in _KEYWORDS:
            return _KEYWORDS[token.lower_value]
        if token.type == "dimension" and token.lower_unit == "em":
            return float(token.value) * REM
        if token.type == "percentage":
            return float(token.value) / 100 * REM
        if (pixels := next((pixels for _, pixels in lengths_in([token])), None)) is not None:
            return pixels
    return None


def _bold(cascaded: Cascaded, tag: str) -> bool:
    declared = cascaded.get("font-weight") or cascaded.get("font")
    if declared is None:
        return tag in _BOLD
    return any(
        (token.type == "ident" and token.lower_value in ("bold", "bolder"))
        or (token.type == "number" and token.value >= 700)
        for token in declared.value
    )


def _tag(selector: str) -> str:
    """The element that a selector is for, where it names one."""
    found = _LAST_TAG.search(selector)
    return found[1].lower() if found else ""
