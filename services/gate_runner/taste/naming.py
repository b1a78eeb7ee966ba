"""Which words tell something: what an image shows, and what names a control."""

import re
from collections.abc import Mapping
from typing import Final

_FILE: Final = re.compile(r"[\w./%-]+\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)", re.I)
_SAYS_NOTHING: Final = frozenset(
    {"image", "img", "photo", "picture", "graphic", "alt", "alt text", "untitled", "placeholder"}
    | {"imagem", "foto", "figura", "texto alternativo", "sem título"}
)


def says_nothing(words: str) -> bool:
    """Whether an alternative text that is there tells nothing of the image: its file's name, or `image`."""
    plain = words.strip().strip(".:!").lower()
    return bool(_FILE.fullmatch(plain)) or plain in _SAYS_NOTHING


def own_words(attributes: Mapping[str, str]) -> bool:
    """Whether an element's attributes name it."""
    return any(attributes.get(name, "").strip() for name in ("aria-label", "title"))


def names_itself(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether a control needs no label: it is unseen, a browser names it, or its value does."""
    if tag != "input":
        return False
    kind = attributes.get("type", "").strip().lower()
    if kind == "image":
        return bool(attributes.get("alt", "").strip())
    return kind in ("hidden", "submit", "reset") or (kind == "button" and bool(attributes.get("value", "").strip()))
