"""Looks at declarations of CSS: contrast, and colours and spacing outside a profile's tokens."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from .rules import Colours, Contrast, Rule, Spacing

_COMMENT: Final = re.compile(r"/\*.*?\*/", re.S)
_BLOCK: Final = re.compile(r"\{([^{}]*)\}")
_COLOUR: Final = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z_-])|rgb\(\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\)", re.I)
_PIXELS: Final = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)px\b")
_SPACED: Final = re.compile(r"(?:margin|padding)(?:-\w+)*|(?:row-|column-)?gap")
_NAMED: Final = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "gray": "#808080", "grey": "#808080"}


class Block(NamedTuple):
    """The declarations of one rule or of one `style` attribute, with the line on which they begin."""

    line: int
    declarations: tuple[tuple[str, str], ...]


def blocks_of(css: str, first_line: int = 1) -> Iterator[Block]:
    """The innermost blocks of a style sheet."""
    css = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), css)
    line, seen = first_line, 0
    for found in _BLOCK.finditer(css):
        line, seen = line + css.count("\n", seen, found.start()), found.start()
        yield Block(line, declarations_of(found[1]))


def declarations_of(text: str) -> tuple[tuple[str, str], ...]:
    """The declarations between the braces of a block, or in a `style` attribute."""
    pairs = (part.partition(":") for part in text.split(";"))
    return tuple((name.strip().lower(), value.strip()) for name, colon, value in pairs if colon)


def broken_in(block: Block, rule: Rule) -> Iterator[str]:
    """What a block has against a rule."""
    match rule:
        case Contrast():
            yield from _contrast(dict(block.declarations), rule.least)
        case Colours():
            allowed = {_hex(token) for token in rule.tokens}
            for name, value in block.declarations:
                used = () if name.startswith("--") else _COLOUR.findall(value)
                yield from (
                    f"{name}: {colour} is none of the colours" for colour in used if _hex(colour) not in allowed
                )
        case Spacing():
            for name, value in block.declarations:
                used = _PIXELS.findall(value) if _SPACED.fullmatch(name) else ()
                yield from (f"{name}: {size}px is none of the sizes" for size in used if float(size) not in rule.tokens)
        case _:
            return


def _contrast(declared: dict[str, str], least: float) -> Iterator[str]:
    text = _hex(declared.get("color", ""))
    behind = _hex(declared.get("background-color") or declared.get("background", ""))
    if text is None or behind is None:
        return
    lighter, darker = sorted((_luminance(text), _luminance(behind)), reverse=True)
    ratio = (lighter + 0.05) / (darker + 0.05)
    if ratio < least:
        yield f"{text} on {behind} has a contrast of {ratio:.1f}, less than {least:g}"


def _hex(value: str) -> str | None:
    """A colour as `#rrggbb`; None where it cannot be told."""
    value = value.strip().lower().removesuffix("!important").strip()
    if re.fullmatch(r"#[0-9a-f]{3}", value):
        return "#" + "".join(2 * digit for digit in value[1:])
    if value.startswith("rgb("):
        parts = [min(255, int(part)) for part in re.findall(r"\d+", value)[:3]]
        return "#" + "".join(f"{part:02x}" for part in parts) if len(parts) == 3 else None
    return value if re.fullmatch(r"#[0-9a-f]{6}", value) else _NAMED.get(value)


def _luminance(colour: str) -> float:
    """Relative luminance, 0 to 1, as WCAG 2.2 defines it."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
