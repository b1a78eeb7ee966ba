"""Which elements of HTML a tag begins and ends: those without an end, and those that others close."""

from collections.abc import Sequence
from typing import Final, Protocol

VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_SCOPES: Final = frozenset({"table", "td", "th", "caption", "template", "object", "svg", "math"})
_CELLS: Final = frozenset({"td", "th"})
_ROWS: Final = frozenset({"tr", *_CELLS})
_GROUPS: Final = frozenset({"thead", "tbody", "tfoot", *_ROWS})
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_NO_PARAGRAPH: Final = _HEADINGS | {
    *("address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset", "figcaption"),
    *("figure", "footer", "form", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul"),
}
_TABLE: Final = frozenset({"table"})
_CLOSES: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu"}) | _SCOPES),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}) | _SCOPES)),
    "option": (frozenset({"option"}), frozenset({"select", "datalist"})),
    "optgroup": (frozenset({"option", "optgroup"}), frozenset({"select"})),
    **dict.fromkeys(("td", "th"), (_CELLS, _TABLE)),
    "tr": (_ROWS, _TABLE),
    **dict.fromkeys(("thead", "tbody", "tfoot"), (_GROUPS, _TABLE)),
    **dict.fromkeys(_NO_PARAGRAPH, (frozenset({"p"}), _SCOPES | {"button"})),
    "a": (frozenset({"a"}), _SCOPES),
    "button": (frozenset({"button"}), _SCOPES),
}
"""By the tag that begins: what it closes, and beyond what it closes nothing. Source: HTML, 13.2.6."""
_PARTS: Final = frozenset({"caption", "table", "template", "svg", "math", "html", "body"}) | _GROUPS


class Tagged(Protocol):
    """An element that is open."""

    @property
    def tag(self) -> str:
        """Its name."""


def closed_by_start(tag: str, opened: Sequence[Tagged]) -> int:
    """How many of the open elements stay open when this tag begins."""
    stay = len(opened)
    closes, ends = _CLOSES.get(tag, (frozenset[str](), frozenset[str]()))
    if not closes:
        return stay
    for number in reversed(range(len(opened))):
        if opened[number].tag in ends:
            break
        if opened[number].tag in closes:
            stay = number
    return stay


def closed_by_end(tag: str, opened: Sequence[Tagged]) -> int:
    """How many of the open elements stay open when this tag ends; an end of nothing closes nothing."""
    for number in reversed(range(len(opened))):
        if opened[number].tag == tag:
            return number
        if opened[number].tag in _SCOPES and tag not in _PARTS:
            break
    return len(opened)
