"""Which elements are to have a name, and which words tell something: what an image shows, what a control does."""

import re
import unicodedata
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

Check = Literal["alt_text", "headings", "labels"]

FIELDS: Final = frozenset({"input", "select", "textarea"})
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_BY_CONTENT: Final = frozenset(
    {"button", "link", "checkbox", "radio", "switch", "tab", "option", "treeitem"}
    | {"menuitem", "menuitemcheckbox", "menuitemradio"}
)
_BY_AUTHOR: Final = frozenset({"textbox", "searchbox", "combobox", "slider", "spinbutton", "listbox"})
"""What stands in them is their value. Source: WAI-ARIA 1.2, 5.2.8."""
_IMAGES: Final = frozenset({"img", "image"})
_ROLES: Final = _BY_CONTENT | _BY_AUTHOR | _IMAGES | {"heading", "none", "presentation"}
_BUTTONS: Final = frozenset({"submit", "reset", "button", "image"})

_FILE: Final = re.compile(r"[\w./%-]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)", re.I)
_SAYS_NOTHING: Final = frozenset(
    {"image", "img", "photo", "picture", "graphic", "alt", "alt text", "untitled", "placeholder"}
    | {"imagem", "foto", "figura", "texto alternativo", "sem título"}
)
_SILENT: Final = frozenset({"Cc", "Cf", "Co", "Zs", "Zl", "Zp"})
"""Kinds of characters that nobody hears: blanks, what joins and parts, and the pictures of icon fonts."""


_BOUND: Final = re.compile(r"(?:(?:v-bind|x-bind|bind|th)?:|\[(?:attr\.)?)([a-z-]+)\]?")
"""How frameworks write an attribute whose value their scripts or templates work out."""
_BINDABLE: Final = {
    **{name: name for name in ("alt", "aria-label", "title", "value", "id", "for", "href", "type")},
    "aria-labelledby": "aria-label",
}
_WRITERS: Final = frozenset(
    {"v-text", "v-html", "x-text", "x-html", "th:text", "th:utext", "[innertext]", "[innerhtml]", "[textcontent]"}
)


def with_bound(given: Mapping[str, str]) -> dict[str, str]:
    """An element's attributes with those that a framework binds: what they will hold is not known, but they will."""
    found = dict(given)
    for name, value in given.items():
        bound = _BOUND.fullmatch(name)
        if bound is not None and bound[1] in _BINDABLE:
            found.setdefault(_BINDABLE[bound[1]], f"{{{value or bound[1]}}}")
    return found


def is_written(given: Mapping[str, str]) -> bool:
    """Whether a framework writes what stands in an element."""
    return any(name in _WRITERS for name in given)


class Wanted(NamedTuple):
    """What is said of an element that has no name, and whether what stands in it is one."""

    check: Check
    what: str
    by_content: bool


def wanted(tag: str, given: Mapping[str, str], *, in_details: bool) -> Wanted | None:
    """Which check wants a name for an element; None where it needs none."""
    role = role_of(given)
    kind = given.get("type", "").strip().lower()
    if tag == "img":
        return _image(given, role)
    if tag in FIELDS:
        shown = f"<{tag} type={kind}>" if tag == "input" and kind in _BUTTONS else f"<{tag}>"
        return Wanted("labels", f"{shown} has no {'name' if kind in _BUTTONS else 'label'}", by_content=False)
    if role in _BY_AUTHOR:
        return Wanted("labels", f"<{tag} role={role}> has no label", by_content=False)
    if tag in ("button", "summary") or role in _BY_CONTENT:
        needed = tag != "summary" or in_details or role in _BY_CONTENT
        return Wanted("labels", f"<{tag}> has no name", by_content=True) if needed else None
    if tag == "a" and "href" in given:
        return Wanted("labels", f"<a href={given['href'][:60]!r}> has no text", by_content=True)
    if tag == "area" and "href" in given:
        return None if has_words(given.get("alt", "")) else Wanted("alt_text", "<area> has no alt", by_content=False)
    if (level := heading_level(tag, given)) is not None:
        return Wanted("headings", f"a heading of level {level} is empty", by_content=True)
    if role in _IMAGES:
        return Wanted("alt_text", f"<{tag} role='{role}'> has no words", by_content=False)
    return None


def _image(given: Mapping[str, str], role: str) -> Wanted | None:
    words = given.get("alt")
    shown = f"<img src={given.get('src', '')[:60]!r}>"
    if role in ("presentation", "none"):
        return None
    if words is None:
        return Wanted("alt_text", f"{shown} has no alt", by_content=False)
    if words and not has_words(words):
        return Wanted("alt_text", f'{shown} has a blank alt; alt="" says that it only decorates', by_content=False)
    if words and says_nothing(words, given.get("src", "")):
        return Wanted("alt_text", f"{shown}: the alt {words[:60]!r} does not tell what it shows", by_content=False)
    return None


def role_of(given: Mapping[str, str]) -> str:
    """The first role of an element that is known here; empty where it has none."""
    return next((role for role in given.get("role", "").lower().split() if role in _ROLES), "")


def heading_level(tag: str, given: Mapping[str, str]) -> int | None:
    """The level of a heading; None where an element is none. Source: WAI-ARIA 1.2, `heading`."""
    role = role_of(given)
    if role == "heading" or (not role and tag in _HEADINGS):
        level = given.get("aria-level", "").strip()
        if level.isdecimal() and int(level) > 0:
            return int(level)
        return int(tag[1]) if tag in _HEADINGS else 2
    return None


def has_words(text: str) -> bool:
    """Whether a text holds anything that can be heard."""
    return any(unicodedata.category(one) not in _SILENT for one in text)


def says_nothing(words: str, source: str = "") -> bool:
    """Whether an alternative text that is there tells nothing of the image: its file's name, or `image`."""
    plain = words.strip().strip(".:!").lower()
    name = PurePosixPath(source.partition("?")[0].lower()).stem
    coded = plain == name and bool(re.search(r"[-_\d]", name))
    return coded or bool(_FILE.fullmatch(plain)) or plain in _SAYS_NOTHING


def own_words(attributes: Mapping[str, str]) -> bool:
    """Whether an element's attributes name it."""
    return any(has_words(attributes.get(name, "")) for name in ("aria-label", "title"))


def names_itself(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether a control needs no label: it is unseen, a browser names it, or its value does.

    A browser names `submit` and `reset` only where they have no value at all: an empty one is shown, and heard, as
    nothing. Source: HTML, 4.10.5.1.17.
    """
    if tag != "input":
        return False
    kind = attributes.get("type", "").strip().lower()
    value = attributes.get("value")
    if kind == "image":
        return has_words(attributes.get("alt", ""))
    if kind in ("submit", "reset") and value is None:
        return True
    return kind == "hidden" or (kind in _BUTTONS and has_words(value or ""))
