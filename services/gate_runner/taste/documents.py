"""Looks at Markdown as CommonMark reads it, the HTML in it included."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .markup import Broken, Page, skipping
from .naming import says_nothing

_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)
_READER: Final = MarkdownIt("commonmark", {"maxNesting": 50})


def broken_markdown(text: str) -> list[Broken]:
    """What the checks find in Markdown: not in code, not in comments, not in a front matter."""
    text = _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text)
    found: list[Broken] = []
    headings: list[tuple[int, int]] = []
    tokens = _READER.parse(text)
    for token, after in zip_longest(tokens, tokens[1:]):
        line = (token.map or (0, 0))[0] + 1
        if token.type == "heading_open":
            headings.append((line, int(token.tag[1])))
            if after is not None and after.type == "inline" and not after.content.strip():
                found.append(Broken(line, "headings", f"a heading of level {token.tag[1]} is empty"))
        elif token.type == "inline":
            found += _in_line(token.children or (), line, headings)
        elif token.type == "html_block":
            found += _in_html(token.content, line, headings)
    return [*found, *skipping(sorted(headings))]


def _in_html(html: str, line: int, headings: list[tuple[int, int]]) -> Sequence[Broken]:
    page = Page(html, line)
    headings += page.headings
    return page.broken


def _in_line(tokens: Sequence[Token], line: int, headings: list[tuple[int, int]]) -> Iterator[Broken]:
    link: tuple[int, str] | None = None
    for token in tokens:
        line += token.type in ("softbreak", "hardbreak")
        if token.type == "image":
            words = token.content.strip()
            if not words:
                yield Broken(line, "alt_text", "an image has no alternative text")
            elif says_nothing(words):
                yield Broken(line, "alt_text", f"the alternative text {words[:60]!r} does not tell what an image shows")
        elif token.type == "html_inline":
            yield from _in_html(token.content, line, headings)
        if token.type == "link_open":
            link = line, str(token.attrs.get("href", ""))
        elif token.type == "link_close" and link is not None:
            yield Broken(link[0], "labels", f"the link to {link[1][:60]!r} has no text")
            link = None
        elif token.content.strip():
            link = None
