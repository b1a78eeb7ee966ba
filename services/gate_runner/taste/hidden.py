"""Which elements nobody sees, and which nobody hears, as far as the page itself tells."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from .styles import Block, Declaration, block_of_attributes

_NAMED: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f])+")
_ONE: Final = re.compile(r"[.#](?:[\w-]|[^\x00-\x7f])+")
_LAST: Final = re.compile(r"[^\s>+~]+$")


def is_unseen(tag: str, given: Mapping[str, str], gone: frozenset[str]) -> bool:
    """Whether an element is neither seen nor heard: by its kind, `hidden`, its own style, or by the page's (`gone`).

    What a person opens (`<details>`, `<dialog>`, a popover) is part of the page.
    """
    if tag == "template":
        return "shadowrootmode" not in given
    if tag == "noscript" or "hidden" in given:
        return True
    if "style" in given and any(map(_vanishes, block_of_attributes(1, given["style"]).declarations)):
        return True
    return bool(gone) and any(name in gone for name in names_of(given))


def is_unheard(given: Mapping[str, str]) -> bool:
    """Whether an element, though seen, is kept from who listens and from the keyboard."""
    return "inert" in given or given.get("aria-hidden", "").strip().lower() == "true"


def names_of(given: Mapping[str, str]) -> set[str]:
    """An element's id and classes as selectors name them."""
    found = {f".{name}" for name in given.get("class", "").split()}
    return found | {f"#{given['id']}"} if given.get("id") else found


def gone_by(blocks: Iterable[Block]) -> frozenset[str]:
    """The classes and ids that a page's own styles take away, and that no other rule of them brings back."""
    gone: set[str] = set()
    back: set[str] = set()
    for block in blocks:
        deciding = [one for one in block.declarations if one.name in ("display", "visibility")]
        for selector in block.selectors if deciding else ():
            if not block.around and _ONE.fullmatch(selector) and any(map(_vanishes, deciding)):
                gone.add(selector)
            elif (last := _LAST.search(selector)) is not None:
                back |= {*_NAMED.findall(last[0])}
    return frozenset(gone - back)


def _vanishes(declared: Declaration) -> bool:
    words = {"display": ("none",), "visibility": ("hidden", "collapse")}.get(declared.name, ())
    return any(_word(token) in words for token in declared.value)


def _word(token: Any) -> str:
    return str(token.lower_value) if token.type == "ident" else ""
