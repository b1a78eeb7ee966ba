"""Reads what a model wrote as JSON, with no repair but such as loses nothing. Pure."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

_FENCED = re.compile(r"\A\s*```[A-Za-z0-9_-]*[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)
_TAIL_CALL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>\s*\Z", re.DOTALL)
_QUOTES: Final = ('"', "'")
_AFTER_STRING: Final = frozenset(",:]}")


@dataclass(frozen=True)
class Read:
    """What was read: an object, or the problem that there is none; and whether it had to be repaired."""

    value: dict[str, Any] | None
    problem: str | None = None
    repaired: bool = False


@dataclass(frozen=True)
class TextCall:
    """A call that a model wrote into its text."""

    name: str
    arguments: dict[str, Any]


def read_object(text: str) -> Read:
    """A JSON object out of a model's text; an empty text is the empty object.

    Repaired, since nothing is lost by it: a code fence around it, raw line breaks in strings, trailing commas, and
    single quotes for double ones. Anything else is a problem, a text that was cut off among it.
    """
    if not text.strip():
        return Read({})
    try:
        return _object(json.loads(text, parse_constant=_no_constant), repaired=False)
    except (ValueError, RecursionError) as error:
        problem = f"the arguments are not JSON: {_short(error)}"
    unfenced = _FENCED.sub(r"\1", text)
    for candidate in dict.fromkeys((unfenced, _plain_json(unfenced))):
        try:
            return _object(json.loads(candidate, strict=False, parse_constant=_no_constant), repaired=True)
        except (ValueError, RecursionError):
            continue
    return Read(None, problem)


def tail_calls(text: str, offered: Iterable[str]) -> tuple[str, tuple[TextCall, ...]]:
    """The text without the `<tool_call>` blocks at its end, and these calls; only those whose tool is offered count."""
    names = frozenset(offered)
    calls: list[TextCall] = []
    while found := _last_block(text):
        call = _text_call(found[1], names)
        if call is None:
            break
        calls.insert(0, call)
        text = text[: found.start()]
    return (text.rstrip(), tuple(calls)) if calls else (text, ())


def _last_block(text: str) -> re.Match[str] | None:
    start = text.rfind("<tool_call>")
    return _TAIL_CALL.match(text, start) if start >= 0 else None


def _text_call(block: str, names: frozenset[str]) -> TextCall | None:
    read = read_object(block)
    if not read.value:
        return None
    name = read.value.get("name")
    arguments = read.value.get("arguments", {})
    if isinstance(arguments, str):
        arguments = read_object(arguments).value
    return TextCall(name, arguments) if name in names and isinstance(arguments, dict) else None


def _object(value: Any, *, repaired: bool) -> Read:
    if isinstance(value, str) and not repaired:
        # Some providers encode the arguments twice.
        inner = read_object(value)
        return Read(inner.value, inner.problem, repaired=True)
    if isinstance(value, dict):
        return Read(value, repaired=repaired)
    return Read(None, f"the arguments must be a JSON object, not {_kind(value)}")


def _kind(value: Any) -> str:
    kinds = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return kinds.get(type(value), "a number")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _short(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def _plain_json(text: str) -> str:
    """The text with double quotes for single ones and without trailing commas; inside strings nothing is touched."""
    out: list[str] = []
    place = 0
    while place < len(text):
        char = text[place]
        if char in _QUOTES:
            end = _string_end(text, place)
            if end is None:
                return text
            out.append(_requoted(text[place + 1 : end], char))
            place = end + 1
        elif char == "," and text[place + 1 :].lstrip()[:1] in ("}", "]"):
            place += 1
        else:
            out.append(char)
            place += 1
    return "".join(out)


def _string_end(text: str, start: int) -> int | None:
    """Where the string that begins at `start` ends; an apostrophe within a word does not end one in single quotes."""
    quote = text[start]
    place = start + 1
    while place < len(text):
        if text[place] == "\\":
            place += 2
            continue
        if text[place] == quote:
            after = text[place + 1 :].lstrip()[:1]
            if quote == '"' or not after or after in _AFTER_STRING:
                return place
        place += 1
    return None


def _requoted(inner: str, quote: str) -> str:
    if quote == '"':
        return f'"{inner}"'
    inner = re.sub(r"\\(.)", lambda found: "'" if found[1] == "'" else found[0], inner, flags=re.DOTALL)
    return '"' + re.sub(r'(\\.)|"', lambda found: found[1] or '\\"', inner, flags=re.DOTALL) + '"'
