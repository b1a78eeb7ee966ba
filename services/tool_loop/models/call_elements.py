"""Calls as elements and pairs: `<function=NAME><parameter=KEY>VALUE…`, `<arg_key>KEY</arg_key><arg_value>VALUE…`. Pure.

A value may hold a closing tag of its own: it ends at the first one after which the next argument begins, or nothing.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from .lenient_json import TRUNCATED, read_json
from .written_call import WrittenCall, after_space, malformed, read_arguments

_PREFIX: Final = r"(?:\w+:|｜DSML｜)?"
ELEMENT = re.compile(rf"\s*<{_PREFIX}(function|invoke|tool)(?:\s*=\s*|\s+name\s*=\s*)[\"']?([^\s\"'<>]*)[\"']?\s*>")
PARAMETERS = re.compile(rf"<{_PREFIX}(?:param|arg)")
_PARAMETER = re.compile(
    rf"\s*<{_PREFIX}(parameter|param|arg)(?:\s*=\s*|\s+name\s*=\s*)[\"']?([^\s\"'<>]+)[\"']?([^<>]*)>"
)
_KEY = re.compile(r"\s*<arg_key>(.*?)</arg_key>\s*<arg_value>", re.DOTALL)
_VALUE_END: Final = "</arg_value>"
_TRIED: Final = 16
"""Closing tags that are tried for one element; each costs a reading."""


def element_calls(text: str) -> list[WrittenCall]:
    """`<function=NAME><parameter=KEY>VALUE</parameter></function>`, `<invoke name="NAME">…` and the like."""
    calls: list[WrittenCall] = []
    place = 0
    while (place := after_space(text, place)) < len(text):
        element = ELEMENT.match(text, place)
        if element is None:
            return [*calls, malformed("no function is named")]
        call, place = _element(element[2] or None, text, element)
        calls.append(call)
    return calls


def _element(name: str | None, text: str, element: re.Match[str]) -> tuple[WrittenCall, int]:
    """The call of one element, which ends at the first closing tag up to which it is whole."""
    first: tuple[WrittenCall, int] | None = None
    for start, end in islice(_closings(text, element[1], element.end()), _TRIED):
        call = _inner(name, text[element.end() : start])
        rest = after_space(text, end)
        if call.code is None and (rest == len(text) or ELEMENT.match(text, rest)):
            return call, end
        first = first or (call, end)
    if first is None or first[0].code == "truncated":
        return WrittenCall(name, code="truncated", problem=TRUNCATED), len(text)
    return first


def _inner(name: str | None, inner: str) -> WrittenCall:
    if inner.lstrip()[:1] in ("{", "`"):
        return read_arguments(name, inner)
    arguments: dict[str, Any] = {}
    place = 0
    while (place := after_space(inner, place)) < len(inner):
        opening = _PARAMETER.match(inner, place)
        if opening is None:
            return malformed("its parameters cannot be told apart", name)
        closing = _parameter_end(inner, opening)
        if closing is None:
            return WrittenCall(name, code="truncated", problem=TRUNCATED)
        key, value = opening[2], inner[opening.end() : closing[0]]
        if key in arguments:
            return malformed(f"the parameter {key[:80]!r} stands twice", name)
        arguments[key] = value.removeprefix("\n").removesuffix("\n")
        if 'string="false"' in opening[3]:
            read = read_json(value.strip())
            if read.code is not None:
                return malformed(f"the parameter {key[:80]!r}: {read.told}", name)
            arguments[key] = read.value
        place = closing[1]
    return WrittenCall(name, arguments)


def _parameter_end(inner: str, opening: re.Match[str]) -> tuple[int, int] | None:
    """Where a value and its closing tag end."""
    for closing in _closings(inner, opening[1], opening.end()):
        if _PARAMETER.match(inner, closing[1]) or after_space(inner, closing[1]) == len(inner):
            return closing
    return None


def _closings(text: str, tag: str, start: int) -> Iterator[tuple[int, int]]:
    return (found.span() for found in re.compile(rf"</{_PREFIX}{tag}>").finditer(text, start))


def paired_call(text: str) -> list[WrittenCall]:
    """`NAME`, then `<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>` for each argument."""
    name, mark, _ = text.partition("<arg_key>")
    told = name.strip() or None
    arguments: dict[str, Any] = {}
    place = len(name) if mark else len(text)
    while (place := after_space(text, place)) < len(text):
        key = _KEY.match(text, place)
        if key is None:
            return [malformed("its arguments are no pairs of key and value", told)]
        end = _value_end(text, key.end())
        if end is None:
            return [WrittenCall(told, code="truncated", problem=TRUNCATED)]
        if key[1].strip() in arguments:
            return [malformed(f"the argument {key[1].strip()[:80]!r} stands twice", told)]
        arguments[key[1].strip()] = text[key.end() : end]
        place = end + len(_VALUE_END)
    return [WrittenCall(told, arguments)]


def _value_end(text: str, start: int) -> int | None:
    end = text.find(_VALUE_END, start)
    while end >= 0:
        rest = after_space(text, end + len(_VALUE_END))
        if rest == len(text) or text.startswith("<arg_key>", rest):
            return end
        end = text.find(_VALUE_END, end + 1)
    return None
