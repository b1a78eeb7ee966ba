"""Judges blocks of CSS: contrast, and colours and spacing outside a profile's tokens."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from tinycss2 import serialize  # type: ignore[import-untyped]

from .colours import Exact, exact_colour
from .custom_properties import Definitions, definitions, filled, uses_custom
from .rules import Colours, Contrast, Rule, Spacing
from .style_contrast import Found, poor_contrast
from .styles import Block, Declaration
from .tokens_of_css import colours_in, lengths_in

_SPACED: Final = re.compile(r"(?:scroll-)?(?:margin|padding)(?:-\w+)*|(?:grid-)?(?:row-|column-)?gap")
_COLOURED: Final = re.compile(
    r"(?!(?:-webkit-)?mask).*(?:color|background|border|outline|shadow|fill|stroke|decoration|emphasis|column-rule|filter|image).*"
    r"|caret|content|list-style"
)
_SHOWN: Final = 60

Strange = Callable[[Sequence[Any]], Iterator[str]]
"""What of a value is outside a rule's tokens, as it is written."""


def broken_styles(blocks: Sequence[Block], rule: Rule) -> Iterator[Found]:
    """What the blocks of one file have against a rule."""
    match rule:
        case Contrast():
            yield from poor_contrast(blocks, rule.least)
        case Colours():
            allowed = [colour for token in rule.tokens if (colour := exact_colour(token)) is not None]
            coloured = (one for block in blocks for one in block.declarations if _COLOURED.fullmatch(one.name))
            yield from _outside(
                coloured, definitions(blocks), lambda value: _strange_colours(value, allowed), "colours"
            )
        case Spacing():
            spaced = (one for block in blocks if not _clipped(block) for one in block.declarations)
            spaced = (one for one in spaced if _SPACED.fullmatch(one.name))
            yield from _outside(spaced, definitions(blocks), lambda value: _strange_sizes(value, rule.tokens), "sizes")
        case _:
            return


def _outside(declared: Iterator[Declaration], known: Definitions, strange: Strange, kind: str) -> Iterator[Found]:
    """What stands in declarations, or in the custom properties that they use, and is none of the tokens.

    A custom property is told once for each value, by the first line that uses it; it may be defined as any.
    """
    told: set[tuple[str, str]] = set()
    for one in declared:
        if one.name.startswith("--"):
            continue
        if not uses_custom(one.value):
            yield from ((one.line, f"{one.name}: {written} is none of the {kind}") for written in strange(one.value))
            continue
        whole = " ".join(serialize(one.value).split())
        for written in dict.fromkeys(written for value in filled(one.value, known) for written in strange(value)):
            if written in whole:
                yield one.line, f"{one.name}: {written} is none of the {kind}"
            elif (whole, written) not in told:
                told.add((whole, written))
                yield one.line, f"{one.name}: {whole[:_SHOWN]} comes to {written}, which is none of the {kind}"


def _strange_colours(value: Sequence[Any], allowed: Sequence[Exact]) -> Iterator[str]:
    for written, colour in colours_in(value):
        if colour.alpha > 0 and not colour.is_one_of(allowed):
            yield written


def _strange_sizes(value: Sequence[Any], allowed: Sequence[float]) -> Iterator[str]:
    for written, pixels in lengths_in(value):
        if not any(abs(abs(pixels) - size) < 0.01 for size in allowed):
            yield written


def _clipped(block: Block) -> bool:
    """Whether it takes something out of sight, as what is only to be heard is."""
    return any(declared.name in ("clip", "clip-path") for declared in block.declarations)
