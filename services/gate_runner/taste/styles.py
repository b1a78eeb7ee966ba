"""Reads CSS into blocks of declarations, each with its line, its selector and the at-rules around it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from tinycss2 import parse_blocks_contents, parse_stylesheet, serialize  # type: ignore[import-untyped]

_DEEPEST: Final = 12
"""Blocks within blocks that are read; no honest style sheet has as many."""
_GROUPS: Final = frozenset({"media", "supports", "layer", "container", "scope", "document", "starting-style"})


class Declaration(NamedTuple):
    """One declaration; its value is a list of tinycss2's component values."""

    line: int
    name: str
    value: Sequence[Any]


class Block(NamedTuple):
    """The declarations of one rule, or of the attributes of one element, which has no selector."""

    line: int
    selectors: tuple[str, ...]
    around: str
    declarations: tuple[Declaration, ...]


def blocks_of(css: str, first_line: int = 1) -> list[Block]:
    """The blocks of a style sheet, in order; `first_line` is the line on which it begins in its file."""
    return [*_rules(parse_stylesheet(css, skip_comments=True, skip_whitespace=True), first_line - 1, (), "", 0)]


def block_of_attributes(line: int, style: str, presented: Iterable[tuple[str, str]] = ()) -> Block:
    """The block of an element: its `style` attribute, and the attributes that stand for a property each."""
    text = ";".join([*(f"{name}:{value}" for name, value in presented), style])
    found = parse_blocks_contents(text, skip_comments=True, skip_whitespace=True)
    return Block(line, (), "", tuple(one._replace(line=line) for one in _declarations(found, 0)))


def _rules(nodes: Sequence[Any], offset: int, outer: tuple[str, ...], around: str, depth: int) -> Iterator[Block]:
    for node in nodes if depth < _DEEPEST else ():
        if node.type == "qualified-rule":
            own = tuple(_selectors(node.prelude))
            yield from _block(node, offset, tuple(_nested(outer, own)), around, depth)
        elif node.type == "at-rule" and node.content is not None:
            keyword = node.lower_at_keyword
            within = f"{around} @{keyword} {' '.join(serialize(node.prelude).split())}"
            if keyword in _GROUPS and not outer:
                found = parse_stylesheet(node.content, skip_comments=True, skip_whitespace=True)
                yield from _rules(found, offset, (), within, depth + 1)
            elif "keyframes" in keyword:
                found = parse_stylesheet(node.content, skip_comments=True, skip_whitespace=True)
                yield from _rules(found, offset, (), f"{within} {node.source_line}", depth + 1)
            else:
                yield from _block(node, offset, outer, within, depth)


def _block(node: Any, offset: int, selectors: tuple[str, ...], around: str, depth: int) -> Iterator[Block]:
    found = parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
    yield Block(node.source_line + offset, selectors, around, tuple(_declarations(found, offset)))
    yield from _rules(found, offset, selectors, around, depth + 1)


def _declarations(nodes: Iterable[Any], offset: int) -> Iterator[Declaration]:
    for node in nodes:
        if node.type == "declaration":
            name = node.name if node.name.startswith("--") else node.lower_name
            yield Declaration(node.source_line + offset, name, node.value)


def _selectors(prelude: Sequence[Any]) -> Iterator[str]:
    part: list[Any] = []
    for token in [*prelude, None]:
        if token is None or (token.type == "literal" and token.value == ","):
            yield " ".join(serialize(part).split())
            part = []
        else:
            part.append(token)


def _nested(outer: tuple[str, ...], own: tuple[str, ...]) -> Iterator[str]:
    """The selectors of a rule in a rule, as they would be written outside it."""
    for selector in own:
        for parent in outer[:_DEEPEST] or ("",):
            nested = selector.replace("&", parent) if "&" in selector else f"{parent} {selector}".strip()
            yield nested[:300]
