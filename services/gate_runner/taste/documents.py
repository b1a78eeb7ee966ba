"""Looks at Markdown as CommonMark reads it, the HTML in it included: both are parts of one page."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from .markup import Broken, Page, skipping
from .naming import has_words, says_nothing

_FRONT_MATTER: Final = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$\n?", re.S | re.M)
_READER: Final = MarkdownIt("commonmark", {"maxNesting": 50})
_BLOCKS: Final = ("heading_open", "heading_close", "paragraph_open", "paragraph_close")


def broken_markdown(text: str) -> list[Broken]:
    """What the checks find in Markdown: not in code, not in comments, not in a front matter."""
    text = _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), text)
    found: list[Broken] = []
    page = Page()
    line = 1
    for token in _READER.parse(text):
        line = token.map[0] + 1 if token.map else line
        if token.type in _BLOCKS:
            page.take(f"<{'/' if token.nesting < 0 else ''}{token.tag}>", line)
        elif token.type == "inline":
            found += _in_line(token.children or (), line, page)
        elif token.type == "html_block":
            page.take(token.content, line)
    page.end()
    return [*found, *page.broken, *skipping(page.headings)]


def _in_line(tokens: Sequence[Token], line: int, page: Page) -> Iterator[Broken]:
    for token in tokens:
        line += token.type in ("softbreak", "hardbreak")
        match token.type:
            case "image":
                words = token.content.strip()
                if not has_words(words):
                    yield Broken(line, "alt_text", "an image has no alternative text")
                elif says_nothing(words, str(token.attrs.get("src", ""))):
                    yield Broken(
                        line, "alt_text", f"the alternative text {words[:60]!r} does not tell what an image shows"
                    )
                page.take(escape(words), line)
            case "html_inline":
                page.take(token.content, line)
                line += token.content.count("\n")
            case "link_open":
                page.take(f'<a href="{escape(str(token.attrs.get("href", "")))}">', line)
            case "link_close":
                page.take("</a>", line)
            case _:
                page.take(escape(token.content), line)
