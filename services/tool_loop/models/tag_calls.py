"""Calls as elements that are named as what they mean: Claude 2's `<tool_name>`, Cline's `<read_file><path>…`. Pure."""

import re
from collections.abc import Collection
from typing import Any, Final

from .lenient_json import TRUNCATED
from .names import resolved
from .written_call import WrittenCall, after_space, malformed

OLD_ELEMENT = re.compile(r"\s*<invoke>")
_OLD = re.compile(
    r"<invoke>\s*<tool_name>([^<>]*)</tool_name>\s*(?:<parameters>(.*?)</parameters>\s*)?</invoke>(?=\s*(?:<invoke>|\Z))",
    re.DOTALL,
)
_OPENING = re.compile(r"<([A-Za-z_][\w.-]*)>")
_LINE = re.compile(r"^[ \t]*<([A-Za-z_][\w.-]{0,63})>(?=\s*(?:<|\Z))", re.MULTILINE)
_TRIED: Final = 16
"""Elements of a text that are tried."""


def old_element_calls(text: str) -> list[WrittenCall]:
    """`<invoke><tool_name>NAME</tool_name><parameters><KEY>VALUE</KEY>…</parameters></invoke>`, one or more."""
    calls: list[WrittenCall] = []
    place = 0
    while (place := after_space(text, place)) < len(text):
        found = _OLD.match(text, place)
        if found is None:
            return [*calls, malformed("its name and its parameters cannot be told apart")]
        calls.append(_with_elements(found[1].strip() or None, found[2] or ""))
        place = found.end()
    return calls


def named_element(text: str, offered: Collection[str]) -> tuple[int, WrittenCall] | None:
    """Where `<NAME><KEY>VALUE</KEY>…</NAME>` at the end of a text begins, for an offered tool, and its call."""
    for number, opening in enumerate(_LINE.finditer(text)):
        if number == _TRIED:
            return None
        if resolved(opening[1], offered) not in offered:
            continue
        closing = f"</{opening[1]}>"
        inner = text[opening.end() :].rstrip()
        if inner.endswith(closing):
            return opening.start(), _with_elements(opening[1], inner.removesuffix(closing))
        if closing not in inner:
            return opening.start(), WrittenCall(opening[1], code="truncated", problem=TRUNCATED)
    return None


def _with_elements(name: str | None, inner: str) -> WrittenCall:
    """A value ends at the first closing tag after which the next one opens, or nothing stands."""
    arguments: dict[str, Any] = {}
    place = 0
    while (place := after_space(inner, place)) < len(inner):
        opening = _OPENING.match(inner, place)
        if opening is None:
            return malformed("its parameters cannot be told apart", name)
        end = _value_end(inner, opening)
        if end is None:
            return malformed(f"the parameter {opening[1][:80]!r} has no end", name)
        if opening[1] in arguments:
            return malformed(f"the parameter {opening[1][:80]!r} stands twice", name)
        arguments[opening[1]] = inner[opening.end() : end].removeprefix("\n").removesuffix("\n")
        place = end + len(opening[1]) + 3
    return WrittenCall(name, arguments)


def _value_end(inner: str, opening: re.Match[str]) -> int | None:
    closing = f"</{opening[1]}>"
    end = inner.find(closing, opening.end())
    while end >= 0:
        rest = after_space(inner, end + len(closing))
        if rest == len(inner) or _OPENING.match(inner, rest):
            return end
        end = inner.find(closing, end + 1)
    return None
