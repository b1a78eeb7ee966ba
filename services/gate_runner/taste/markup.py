"""Looks at HTML: images without words, headings that skip a level or are empty, controls that nothing names."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, NamedTuple

from .hidden import gone_by, is_unheard, is_unseen
from .html_tree import VOID, closed_by_end, closed_by_start
from .naming import (
    FIELDS,
    Check,
    Wanted,
    has_words,
    heading_level,
    is_written,
    names_itself,
    own_words,
    wanted,
    with_bound,
)
from .styles import Block, block_of_attributes, blocks_of

_MUTE: Final = frozenset({"select", "textarea", "script", "style", "datalist", "desc", "metadata"})
"""What stands in them names nothing around them."""
_TEXT_ONLY: Final = ("textarea", "title")
_FOREIGN: Final = frozenset({"svg", "math"})
_PRESENTED: Final = {
    **{name: name for name in ("fill", "stroke", "stop-color", "flood-color", "lighting-color", "color")},
    "bgcolor": "background-color",
    "bordercolor": "border-color",
}
"""Attributes that stand for a property."""


class Broken(NamedTuple):
    """A place where a check found something."""

    line: int
    check: Check
    text: str


@dataclass(slots=True, eq=False)
class _Element:
    """An element: whether it is seen and heard, what wants a name of it, and what named it so far.

    `words`: there are any in it, heard or not. `named`: what is heard of it names it; `filled`: there is such in it.
    """

    tag: str
    line: int
    unseen: bool
    unheard: bool
    mute: bool
    foreign: bool
    wants: Wanted | None
    named: bool
    words: bool
    filled: bool = False
    refers: tuple[str, ...] = ()
    own_id: str = ""
    labels: tuple["_Element", ...] = ()


@dataclass(slots=True)
class _Seen:
    """What the whole page must be known for."""

    by_id: dict[str, _Element] = field(default_factory=dict)
    labelled: dict[str, list[_Element]] = field(default_factory=dict)
    wanting: list[_Element] = field(default_factory=list)
    headings: list[tuple[int, int]] = field(default_factory=list)


class Page(HTMLParser):
    """Reads a page, given whole or piece by piece: what is wrong with its markup, and the styles in it."""

    def __init__(self, html: str = "") -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._offset = 0
        self._lines = 0
        self._open: list[_Element] = []
        self._seen = _Seen()
        self._gone: frozenset[str] = frozenset()
        self._style: tuple[int, list[str]] | None = None
        self._broken_off = False
        if html:
            self.take(html, 1)
            self.end()

    def take(self, html: str, line: int) -> None:
        """Read on; the piece begins on this line of its file."""
        self._offset = line - 1 - self._lines
        self._lines += html.count("\n")
        if not self._broken_off:
            # On a malformed declaration the parser gives up; what was read until then stands.
            self._broken_off = True
            with contextlib.suppress(AssertionError):
                self.feed(html)
                self._broken_off = False

    def end(self) -> None:
        """Read what is left; nothing more comes."""
        if not self._broken_off:
            with contextlib.suppress(AssertionError):
                self.close()

    @property
    def headings(self) -> list[tuple[int, int]]:
        """The lines of the headings, and their levels."""
        return self._seen.headings

    @property
    def broken(self) -> list[Broken]:
        """What the checks found, in no order; of headings only those that are empty (see `skipping`)."""
        found = ((one.line, one.wants) for one in self._seen.wanting if not self._has_name(one))
        return [Broken(line, wants.check, wants.what) for line, wants in found if wants is not None]

    def _has_name(self, one: _Element) -> bool:
        """Whether it has a name: its own, what stands in it, a label's words, or those of what it refers to."""
        inside = one.filled and one.wants is not None and one.wants.by_content
        labels = [*one.labels, *self._seen.labelled.get(one.own_id, ())]
        refers = (self._seen.by_id.get(name) for name in one.refers)
        return (
            one.named
            or inside
            or any(label.filled or label.named for label in labels)
            or any(other is not None and other.words for other in refers)
        )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._open and self._open[-1].tag in _TEXT_ONLY and not self._open[-1].foreign:
            return
        del self._open[closed_by_start(tag, self._open) :]
        given = with_bound({name: value or "" for name, value in attrs})
        one = self._element(tag, given)
        if not one.unseen:
            presented = [(_PRESENTED[name], value) for name, value in given.items() if name in _PRESENTED]
            if given.get("style") or presented:
                self.blocks.append(block_of_attributes(one.line, given.get("style", ""), presented))
        if one.own_id:
            self._seen.by_id.setdefault(one.own_id, one)
        if not one.unheard:
            self._hear(one, given)
        if tag not in VOID:
            self._open.append(one)

    def _element(self, tag: str, given: Mapping[str, str]) -> _Element:
        outer = self._open[-1] if self._open else None
        unseen = (outer is not None and outer.unseen) or is_unseen(tag, given, self._gone)
        own = own_words(given)
        return _Element(
            tag,
            self.getpos()[0] + self._offset,
            unseen=unseen,
            unheard=unseen or (outer is not None and outer.unheard) or is_unheard(given),
            mute=tag in _MUTE or (outer is not None and outer.mute),
            foreign=tag in _FOREIGN or (outer is not None and outer.foreign),
            wants=wanted(tag, given, in_details=outer is not None and outer.tag == "details"),
            named=own or names_itself(tag, given),
            words=own or tag in FIELDS or (tag == "img" and has_words(given.get("alt", ""))),
            refers=tuple(given.get("aria-labelledby", "").split()),
            own_id=given.get("id", ""),
        )

    def _hear(self, one: _Element, given: Mapping[str, str]) -> None:
        """Remember what an element needs, and what it gives to those around it."""
        level = heading_level(one.tag, given)
        if level is not None:
            self._seen.headings.append((one.line, level))
        if one.tag == "label" and given.get("for"):
            self._seen.labelled.setdefault(given["for"], []).append(one)
        if one.tag in FIELDS or one.tag == "button":
            one.labels = tuple(other for other in self._open if other.tag == "label")
        if one.wants is not None:
            self._seen.wanting.append(one)
        if is_written(given):
            one.filled = one.words = True
        if own_words(given) or is_written(given) or (one.tag == "img" and has_words(given.get("alt", ""))):
            self._fill(self._open)

    def _fill(self, around: list[_Element]) -> None:
        """Words are heard here: whatever they stand in has some."""
        for one in reversed(around):
            if one.filled:
                return
            one.filled = one.words = True

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID and self._open and self._open[-1].tag == tag and self._open[-1].foreign:
            # Only foreign elements can be closed so; of others the slash means nothing.
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "style" and self._style is not None:
            line, parts = self._style
            self._style = None
            self.blocks += blocks_of("".join(parts), line)
            self._gone = gone_by(self.blocks)
        del self._open[closed_by_end(tag, self._open) :]

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else None
        if inside is None:
            return
        if self.cdata_elem == "style":
            if not inside.unseen:
                self._style = self._style or (self.getpos()[0] + self._offset, [])
                self._style[1].append(data)
            return
        if not has_words(data):
            return
        if inside.tag == "title" and inside.foreign:
            self._entitle(inside)
        if inside.unheard or inside.mute:
            for one in self._open:
                one.words = True
        else:
            self._fill(self._open)

    def _entitle(self, title: _Element) -> None:
        """The title of a drawing names it."""
        if len(self._open) > 1 and not title.unheard:
            self._open[-2].named = True


def skipping(headings: Iterable[tuple[int, int]]) -> Iterator[Broken]:
    """The headings, given by line and level, that go more than one level deeper than the one before."""
    before = 0
    for line, level in headings:
        if before and level > before + 1:
            yield Broken(line, "headings", f"a heading of level {level} follows one of level {before}")
        before = level
