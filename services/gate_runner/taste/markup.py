"""Looks at HTML: images without words, headings that skip a level or are empty, controls that nothing names."""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, Literal, NamedTuple

from .naming import names_itself, own_words, says_nothing
from .styles import Block, block_of_attributes, blocks_of

Check = Literal["alt_text", "headings", "labels"]

_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_FIELDS: Final = frozenset({"input", "select", "textarea"})
_ROLES: Final = frozenset({"button", "link", "checkbox", "radio", "switch", "tab", "menuitem", "option", "textbox"})
_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
    | {"path", "circle", "rect", "line", "use"}
)
_PRESENTED: Final = {
    "fill": "fill",
    "stroke": "stroke",
    "stop-color": "stop-color",
    "color": "color",
    "bgcolor": "background-color",
}
"""Attributes that stand for a property."""


class Broken(NamedTuple):
    """A place where a check found something."""

    line: int
    check: Check
    text: str


@dataclass(slots=True, eq=False)
class _Named:
    """An element that is to have a name: what it is, and whether anything named it so far."""

    tag: str
    line: int
    what: str
    named: bool
    check: Check | None
    refers: tuple[str, ...] = ()
    own_id: str = ""
    labels: tuple["_Named", ...] = ()


@dataclass(slots=True)
class _Seen:
    """What the whole page must be known for."""

    ids: set[str] = field(default_factory=set)
    labelled: dict[str, list[_Named]] = field(default_factory=dict)
    closed: list[_Named] = field(default_factory=list)
    headings: list[tuple[int, int]] = field(default_factory=list)


class Page(HTMLParser):
    """Reads a page, or a piece of one, once: what is wrong with its markup, and the styles in it."""

    def __init__(self, html: str, first_line: int = 1) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[Block] = []
        self._offset = first_line - 1
        self._found: list[Broken] = []
        self._open: list[_Named] = []
        self._seen = _Seen()
        self._hidden: tuple[str, int] | None = None
        self._style: tuple[int, list[str]] | None = None
        self._mute = 0
        # On a malformed declaration the parser gives up; what was read until then stands.
        with contextlib.suppress(AssertionError):
            self.feed(html)
            self.close()

    @property
    def headings(self) -> list[tuple[int, int]]:
        """The lines of the headings, and their levels."""
        return self._seen.headings

    @property
    def broken(self) -> list[Broken]:
        """What the checks found, in no order; of headings only those that are empty (see `skipping`)."""
        unnamed = (one for one in self._seen.closed if one.check is not None and not self._has_name(one))
        return [*self._found, *(Broken(one.line, one.check, one.what) for one in unnamed if one.check is not None)]

    def _has_name(self, one: _Named) -> bool:
        """Whether it has a name, by what stands in it, or by a label's words."""
        labels = [*one.labels, *self._seen.labelled.get(one.own_id, ())]
        return one.named or any(label.named for label in labels) or any(name in self._seen.ids for name in one.refers)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        line = self.getpos()[0] + self._offset
        presented = [(_PRESENTED[name], value) for name, value in given.items() if name in _PRESENTED]
        if given.get("style") or presented:
            self.blocks.append(block_of_attributes(line, given.get("style", ""), presented))
        if given.get("id"):
            self._seen.ids.add(given["id"])
        if tag == "style":
            self._style = None
        if self._hidden is not None or _is_hidden(tag, given):
            self._hide(tag)
            return
        if tag == "img":
            self._image(line, given)
        elif tag in _HEADINGS:
            self._seen.headings.append((line, int(tag[1])))
        if tag in ("select", "textarea", "script", "datalist"):
            self._mute += 1
        self._begin(tag, line, given)

    def _begin(self, tag: str, line: int, given: Mapping[str, str]) -> None:
        """Remember an element that needs a name, or that gives one to others."""
        check, what = _wanted(tag, given)
        if check is None and tag != "label":
            return
        one = _Named(
            tag,
            line,
            what,
            named=own_words(given) or names_itself(tag, given),
            check=check,
            refers=tuple(given.get("aria-labelledby", "").split()),
            own_id=given.get("id", ""),
            labels=tuple(other for other in self._open if other.tag == "label") if tag in _FIELDS else (),
        )
        if tag == "label" and given.get("for"):
            self._seen.labelled.setdefault(given["for"], []).append(one)
        if tag in _VOID or tag in _FIELDS:
            self._seen.closed.append(one)
        else:
            self._open.append(one)

    def _image(self, line: int, given: Mapping[str, str]) -> None:
        words = given.get("alt")
        shown = f"<img src={given.get('src', '')[:60]!r}>"
        if words is None and not (own_words(given) or "aria-labelledby" in given):
            if given.get("role") not in ("presentation", "none"):
                self._found.append(Broken(line, "alt_text", f"{shown} has no alt"))
        elif words and says_nothing(words):
            self._found.append(Broken(line, "alt_text", f"{shown}: the alt {words[:60]!r} does not tell what it shows"))
        if (words or "").strip() or own_words(given):
            self._name_open()

    def _name_open(self) -> None:
        for one in self._open:
            one.named = True

    def _hide(self, tag: str) -> None:
        """Count how deep we are in what nobody sees or hears."""
        if self._hidden is None:
            self._hidden = None if tag in _VOID else (tag, 1)
        elif tag == self._hidden[0]:
            self._hidden = tag, self._hidden[1] + 1

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID and tag not in ("textarea", "select", "button", "a", "label", "div", "span"):
            # Only foreign elements can be closed so; of others the slash means nothing.
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "style" and self._style is not None:
            line, parts = self._style
            self._style = None
            self.blocks += blocks_of("".join(parts), line)
        if self._hidden is not None:
            hidden, depth = self._hidden
            if tag == hidden:
                self._hidden = (hidden, depth - 1) if depth > 1 else None
            return
        if tag in ("select", "textarea", "script", "datalist"):
            self._mute = max(0, self._mute - 1)
        for number in reversed(range(len(self._open))):
            if self._open[number].tag == tag:
                self._seen.closed += self._open[number:][:1]
                del self._open[number]
                break

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style":
            if self._style is None:
                self._style = self.getpos()[0] + self._offset, []
            self._style[1].append(data)
        elif self._hidden is None and not self._mute and data.strip():
            self._name_open()


def _is_hidden(tag: str, given: Mapping[str, str]) -> bool:
    return (
        tag in ("template", "noscript")
        or "hidden" in given
        or "inert" in given
        or given.get("aria-hidden", "").strip().lower() == "true"
    )


def _wanted(tag: str, given: Mapping[str, str]) -> tuple[Check | None, str]:
    """Which check wants a name for an element, and what is said where it has none."""
    role = given.get("role", "").strip().lower()
    if tag in _FIELDS:
        return "labels", f"<{tag}> has no label"
    if tag == "button" or role in _ROLES:
        return "labels", f"<{tag}> has no name"
    if tag == "a" and "href" in given:
        return "labels", f"<a href={given['href'][:60]!r}> has no text"
    if tag in _HEADINGS:
        return "headings", f"<{tag}> is empty"
    if tag == "area" and "href" in given:
        return ("alt_text", "<area> has no alt") if not given.get("alt", "").strip() else (None, "")
    if role == "img":
        return "alt_text", f"<{tag} role='img'> has no words"
    return None, ""


def skipping(headings: Iterable[tuple[int, int]]) -> Iterator[Broken]:
    """The headings, given by line and level, that go more than one level deeper than the one before."""
    before = 0
    for line, level in headings:
        if before and level > before + 1:
            yield Broken(line, "headings", f"a heading of level {level} follows one of level {before}")
        before = level
