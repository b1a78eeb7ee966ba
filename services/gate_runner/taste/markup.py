"""Looks at HTML and Markdown: images without words, headings that skip a level, controls that nothing names."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Final, Literal, NamedTuple

from .styles import Block, blocks_of, declarations_of

Check = Literal["alt_text", "headings", "labels"]

_FENCE: Final = re.compile(r"^ {0,3}(```+|~~~+)")
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6})\s+\S")
_WORDLESS: Final = re.compile(r"!\[\s*\]\(")
_NAMES: Final = ("aria-label", "aria-labelledby", "title")
_OWN_NAME: Final = frozenset({"hidden", "submit", "reset", "button", "image"})


class Broken(NamedTuple):
    """A place where a check found something."""

    line: int
    check: Check
    text: str


class Page(HTMLParser):
    """Reads a page once: what is wrong with its markup, and the styles in it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self._found: list[Broken] = []
        self.blocks: list[Block] = []
        self._headings: list[tuple[int, int]] = []
        self._controls: list[tuple[int, str, str | None]] = []
        self._labelled: set[str] = set()
        self._in_label = 0
        self._button: tuple[int, bool] | None = None
        self._in_style = False
        self.feed(html)
        self.close()

    @property
    def broken(self) -> list[Broken]:
        """What the checks found, in no order."""
        unnamed = (one for one in self._controls if one[2] is None or one[2] not in self._labelled)
        controls = [Broken(line, "labels", f"<{tag}> has no label") for line, tag, _ in unnamed]
        return [*self._found, *controls, *_skipping(self._headings)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        line = self.getpos()[0]
        if "style" in given:
            self.blocks.append(Block(line, declarations_of(given["style"])))
        named = any(given.get(name, "").strip() for name in _NAMES)
        match tag:
            case "img":
                if "alt" not in given and not named and given.get("role") != "presentation":
                    self._found.append(Broken(line, "alt_text", f"<img src={given.get('src', '')[:60]!r}> has no alt"))
                if self._button is not None and given.get("alt", "").strip():
                    self._button = self._button[0], True
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._headings.append((line, int(tag[1])))
            case "label":
                self._in_label += 1
                self._labelled.add(given.get("for", ""))
            case "input" | "select" | "textarea":
                if not (named or self._in_label or given.get("type", "").lower() in _OWN_NAME):
                    self._controls.append((line, tag, given.get("id") or None))
            case "button":
                self._button = line, named
            case "style":
                self._in_style = True

    def handle_endtag(self, tag: str) -> None:
        match tag:
            case "label":
                self._in_label = max(0, self._in_label - 1)
            case "button" if self._button is not None:
                line, named = self._button
                self._button = None
                if not named:
                    self._found.append(Broken(line, "labels", "<button> has no name"))
            case "style":
                self._in_style = False

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.blocks += blocks_of(data, self.getpos()[0])
        elif self._button is not None and data.strip():
            self._button = self._button[0], True


def broken_markdown(text: str) -> Iterator[Broken]:
    """What the checks find in Markdown, outside fenced code."""
    fence: str | None = None
    headings: list[tuple[int, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark is not None:
            fence = mark[1][:3] if fence is None else None if mark[1].startswith(fence) else fence
        if fence is not None:
            continue
        if heading := _HEADING.match(line):
            headings.append((number, len(heading[1])))
        if _WORDLESS.search(line):
            yield Broken(number, "alt_text", "an image has no alternative text")
    yield from _skipping(headings)


def _skipping(headings: Iterable[tuple[int, int]]) -> Iterator[Broken]:
    before = 0
    for line, level in headings:
        if before and level > before + 1:
            yield Broken(line, "headings", f"a heading of level {level} follows one of level {before}")
        before = level
