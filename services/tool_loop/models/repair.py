"""Reads the arguments of a call, with no repair but such as loses nothing. Pure."""

import re
from dataclasses import dataclass
from typing import Any, Final

from .lenient_json import TRUNCATED, ProblemCode, read_json

_ENCODINGS: Final = 3
"""How often arguments may be encoded as a string within a string: some providers do it twice."""
_FENCE = re.compile(r"(`{3,}|~{3,})[\w.+-]*[ \t]*\r?\n?")
_END_TOKENS: Final = (
    *(
        f"<|{name}|>"
        for name in ("im_end", "eot_id", "eot", "end", "endoftext", "end_of_text", "return", "user", "observation")
    ),
    "</s>",
    "<｜end▁of▁sentence｜>",
)


@dataclass(frozen=True)
class Read:
    """What was read: an object, or the problem that there is none; and whether it had to be repaired."""

    value: dict[str, Any] | None
    problem: str | None = None
    repaired: bool = False
    code: ProblemCode | None = None


def read_object(text: str) -> Read:
    """A JSON object out of a model's text; an empty text, and null, is the empty object.

    Repaired: what `lenient_json` forgives, a byte order mark, a code fence around it, a token that ends the reply after
    it, and JSON that was encoded as a string. A text that was cut off is never closed: its problem is `truncated`.
    """
    return _read(text, _ENCODINGS)


def object_of(value: Any) -> Read:
    """The arguments that a value is: an object, nothing at all, or a text that holds one."""
    if value is None:
        return Read({})
    if isinstance(value, str):
        return read_object(value)
    return _object(value, 0, repaired=False)


def without_end_tokens(text: str) -> str:
    """A text without the tokens by which models end a reply, which some servers leave in it."""
    stripped = text.rstrip()
    while token := next((token for token in _END_TOKENS if stripped.endswith(token)), None):
        stripped = text = stripped.removesuffix(token).rstrip()
    return text


def unfenced(text: str) -> str | None:
    """What stands in the one code fence that a text is; the text where it is none; None for a fence without end."""
    text = text.strip()
    opening = _FENCE.match(text)
    if opening is None:
        return text
    inner = text[opening.end() :]
    return inner[: -len(opening[1])].rstrip() if inner.endswith(opening[1]) else None


def _read(text: str, encodings: int) -> Read:
    plain = without_end_tokens(text.lstrip("\ufeff")).strip()
    if not plain:
        return Read({})
    found = read_json(text)
    if found.code is None:
        return _object(found.value, encodings, repaired=found.repaired)
    inner = unfenced(plain)
    if inner is None:
        return Read(None, TRUNCATED, code="truncated")
    if inner != text:
        found = read_json(inner)
        if found.code is None:
            return _object(found.value, encodings, repaired=True)
    if found.code == "truncated":
        return Read(None, TRUNCATED, code="truncated")
    return Read(None, f"the arguments are not JSON: {found.problem}", code="malformed")


def _object(value: Any, encodings: int, *, repaired: bool) -> Read:
    if isinstance(value, dict) or value is None:
        return Read(value or {}, repaired=repaired)
    if isinstance(value, str) and encodings > 1 and value.strip():
        inner = _read(value, encodings - 1)
        return Read(inner.value, inner.problem, repaired=True, code=inner.code)
    return Read(None, f"the arguments must be a JSON object, not {_kind(value)}", code="malformed")


def _kind(value: Any) -> str:
    kinds = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")
