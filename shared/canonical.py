"""Canonical JSON: one text for one value, which PostgreSQL's `text` and `jsonb` and every JSON parser accept.

Objects have their keys sorted by code point; there is no space between tokens; text is UTF-8 and not escaped where JSON
allows that; numbers are written as Python writes them; NaN and the infinities are refused.

PostgreSQL's `jsonb` refuses `\\u0000`, and orjson refuses a lone surrogate, yet both occur in what models and tools
write. So three characters of strings and keys are replaced, each by U+241B (the visible sign for escape) and four
hexadecimal digits: NUL by `␛0000`, a lone surrogate by `␛d800` to `␛dfff`, and U+241B itself by `␛241b`. `parse_json`
puts them back, so that `parse_json(canonical_json(value)) == value` for every JSON value.
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from typing import Any, Final

import orjson

ESCAPE: Final = "\u241b"
_REPLACED = re.compile("[\x00\u241b\ud800-\udfff]")
_AS_JSON: Final = orjson.OPT_PASSTHROUGH_SUBCLASS | orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode
_WRITTEN = re.compile("\u241b(0000|241b|d[89a-f][0-9a-f]{2})")


class NotCanonical(ValueError):
    """A value that JSON cannot hold: not finite, a key that is no string, nested too deeply, or of a foreign type."""


def canonical_json(value: Any) -> str:
    """Return the canonical text of a JSON value; tuples are written as arrays.

    Raises:
        NotCanonical: the value, or a part of it, is not JSON.
    """
    text = _unescaped(value)
    if text is not None:
        return text
    try:
        return _encode(_escaped(value))
    except RecursionError as error:
        raise NotCanonical("the value is nested too deeply, or holds itself") from error
    except ValueError as error:
        if isinstance(error, NotCanonical):
            raise
        raise NotCanonical(str(error)) from error


def parse_json(text: str | bytes) -> Any:
    """Read JSON and put the replaced characters back; the inverse of `canonical_json`.

    Raises:
        ValueError: the text is not JSON.
    """
    text = text.decode() if isinstance(text, bytes) else text
    value = json.loads(text)
    return _restored(value) if ESCAPE in text else value


def restore_text(text: str) -> str:
    """Put the replaced characters of one string back."""
    return _WRITTEN.sub(lambda found: chr(int(found[1], 16)), text) if ESCAPE in text else text


def clean(text: str) -> str:
    """Text as every parser, encoder and model takes it: NUL and lone surrogates are U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text
    return text.replace("\x00", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def sha256_hex(content: str | bytes) -> str:
    """The SHA-256 of bytes, or of a text's UTF-8, as 64 hexadecimal digits."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def _unescaped(value: Any) -> str | None:
    """The text of a value in which nothing is to be replaced, as nearly always; None: look closer."""
    try:
        # What json would turn into a string without a word (keys that are numbers), orjson refuses.
        orjson.dumps(value, option=_AS_JSON)
        text = _encode(value)
    except (TypeError, ValueError, RecursionError):
        return None
    if "\\u0000" in text or not (text.isascii() or _REPLACED.search(text) is None):
        return None
    return text


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return _escape_text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotCanonical(f"{value} is not a JSON number")
        return value
    if isinstance(value, Mapping):
        return {_escape_key(key): _escaped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_escaped(item) for item in value]
    raise NotCanonical(f"a {type(value).__name__} is not a JSON value")


def _escape_key(key: Any) -> str:
    if not isinstance(key, str):
        raise NotCanonical(f"the key {key!r} is not a string")
    return _escape_text(key)


def _escape_text(text: str) -> str:
    if text.isascii() and "\x00" not in text:
        return text
    return _REPLACED.sub(lambda found: f"{ESCAPE}{ord(found[0]):04x}", text)


def _restored(value: Any) -> Any:
    if isinstance(value, str):
        return restore_text(value)
    if isinstance(value, dict):
        return {_restored(key): _restored(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_restored(item) for item in value]
    return value
