"""Reads JSON as models write it, with no repair but such as loses nothing. Pure, string-aware, in one pass.

Forgiven, since one reading alone is possible: comments, commas before a closing bracket, single or curly quotes, keys
without quotes, `True`, `False` and `None`, line breaks in strings, `\\'`, and a backslash before what JSON does not
escape, in a string that has no escape of JSON's own. Everything else is a problem: two values for one key, `NaN`, a
text without quotes, a quote within a text in the same quotes, more digits than a float holds, words after the value.
"""

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

ProblemCode = Literal["truncated", "malformed", "unknown_tool", "bad_arguments"]

TRUNCATED: Final = "truncated"
"""The problem of what was cut off; it is never closed by a guess."""

MAX_DEPTH: Final = 64
"""Brackets within brackets; more than any tool asks for, and few enough for every recursion after this one."""

EXACT: Final = 2**53 - 1
"""The largest whole number that a float holds for sure: a larger one may have been another when it was written."""

_LONGEST_NUMBER: Final = 80
"""Digits of a number; more are no number that any tool can use."""

_BLANK = re.compile(r"(?:[\s\ufeff\u200b]++|//[^\n]*+|#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(\.\d++)?([eE][+-]?\d++)?(?![\w.])")
_NUMBER_BEGUN = re.compile(r"-?(?:\d++\.?\d*+(?:[eE][+-]?)?)?\Z")
_WORD = re.compile(r"[A-Za-z_$][\w$-]*+")
_STRINGS: Final = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL),
    "'": re.compile(r"'((?:[^'\\]|\\.)*+)'", re.DOTALL),
    "“": re.compile(r"“((?:[^”\\]|\\.)*+)”", re.DOTALL),
}
_ESCAPE = re.compile(r"\\(.)|\"", re.DOTALL)
_OWN_ESCAPES: Final = frozenset('"\\/bfnrtu')
_CONTROLS: Final = frozenset("bfnrtu")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF: Final = "a string holds half a character (a lone surrogate)"
_LITERALS: Final[dict[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    "True": True,
    "False": False,
    "None": None,
}


@dataclass(frozen=True)
class Json:
    """A value that was read, how much of the text it took, and whether it had to be repaired; or why there is none."""

    value: Any = None
    end: int = 0
    repaired: bool = False
    code: ProblemCode | None = None
    problem: str = ""

    @property
    def told(self) -> str:
        """The problem as a model is told it."""
        return self.problem if self.code == TRUNCATED else f"it is not JSON: {self.problem}"


def read_json(text: str) -> Json:
    """The one JSON value that a text holds."""
    try:
        value = json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole, object_pairs_hook=unique
        )
    except (ValueError, RecursionError):
        found = read_prefix(text, 0)
        if found.code is None and _after_blank(text, found.end) < len(text):
            return Json(code="malformed", problem=f"there is more after the JSON, from character {found.end}")
        return found
    if _too_deep(text, value):
        return Json(code="malformed", problem=f"nested deeper than {MAX_DEPTH}")
    if _halved(text) and not writable(value):
        return Json(code="malformed", problem=_HALF)
    return Json(value, len(text))


def read_prefix(text: str, start: int) -> Json:
    """The JSON value that begins at `start`, whatever comes after it. `repaired` is true: it was read forgivingly."""
    scanner = _Scanner(text, start)
    try:
        value = scanner.value(0)
    except _CutOff:
        return Json(end=len(text), code="truncated", problem=TRUNCATED)
    except _Bad as bad:
        return Json(end=scanner.place, code="malformed", problem=f"{bad} (character {scanner.place})")
    if _halved(text[start : scanner.place]) and not writable(value):
        return Json(end=scanner.place, code="malformed", problem=_HALF)
    return Json(value, scanner.place, repaired=True)


def unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """An object of its pairs. Raises ValueError where one key has two values: either would be a guess."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and not alike(found[key], value):
            raise _Bad(f"the key {key[:80]!r} stands twice with different values")
        found[key] = value
    return found


def alike(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: `1` is neither `true` nor `1.0`, as Python has it."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def writable(value: Any) -> bool:
    """Whether a value is JSON that can be recorded and written to a file: finite, and every string of whole characters.

    Half a character is a lone surrogate, which UTF-8 has no form for.
    """
    if isinstance(value, str):
        return _SURROGATE.search(value) is None
    if isinstance(value, dict):
        return all(isinstance(key, str) and writable(key) and writable(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(writable, value))
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and abs(value) < 10**_LONGEST_NUMBER)


class _Bad(ValueError):
    """What cannot be read, or could be read in two ways."""


class _CutOff(ValueError):
    """The text ends before the value does."""


class _Scanner:
    """Reads one value from `place` on, and leaves `place` behind it."""

    def __init__(self, text: str, place: int) -> None:
        self.text = text
        self.place = place

    def value(self, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise _Bad(f"nested deeper than {MAX_DEPTH}")
        char = self._next()
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._array(depth)
        if char in _STRINGS:
            return self._string(char)
        number = _NUMBER.match(self.text, self.place)
        if number is not None:
            self.place = number.end()
            return _finite(number[0]) if number[1] or number[2] else _whole(number[0])
        return self._literal()

    def _object(self, depth: int) -> dict[str, Any]:
        self.place += 1
        pairs: list[tuple[str, Any]] = []
        while self._next() != "}":
            key = self._key()
            if self._next() != ":":
                raise _Bad(f"no colon after the key {key[:80]!r}")
            self.place += 1
            pairs.append((key, self.value(depth + 1)))
            self._separated("}")
        self.place += 1
        return unique(pairs)

    def _array(self, depth: int) -> list[Any]:
        self.place += 1
        items: list[Any] = []
        while self._next() != "]":
            items.append(self.value(depth + 1))
            self._separated("]")
        self.place += 1
        return items

    def _separated(self, closing: str) -> None:
        char = self._next()
        if char == ",":
            self.place += 1
        elif char != closing:
            raise _Bad(f"neither a comma nor {closing!r}")

    def _next(self) -> str:
        """The next character that is not blank."""
        self.place = _after_blank(self.text, self.place)
        if self.place >= len(self.text):
            raise _CutOff
        return self.text[self.place]

    def _key(self) -> str:
        char = self.text[self.place]
        if char in _STRINGS:
            return self._string(char)
        word = _WORD.match(self.text, self.place)
        if word is None:
            raise _Bad("no key")
        self.place = word.end()
        return word[0]

    def _literal(self) -> Any:
        word = _WORD.match(self.text, self.place)
        if word is None:
            raise _CutOff if _NUMBER_BEGUN.match(self.text, self.place) else _Bad("no JSON value")
        self.place = word.end()
        if word[0] in _LITERALS and word.end() < len(self.text):
            return _LITERALS[word[0]]
        if word.end() == len(self.text) and any(known.startswith(word[0]) for known in _LITERALS):
            raise _CutOff
        raise _Bad(f"{word[0][:80]} is not JSON")

    def _string(self, quote: str) -> str:
        found = _STRINGS[quote].match(self.text, self.place)
        if found is None:
            raise _CutOff
        inner = _unescaped(found[1])
        self.place = found.end()
        return inner


def _unescaped(inner: str) -> str:
    if "\\" not in inner:
        return inner
    escapes = {found[1] for found in _ESCAPE.finditer(inner) if found[1]}
    foreign = escapes - _OWN_ESCAPES - {"'"}
    if foreign and escapes & _CONTROLS:
        raise _Bad(f"\\{ascii(min(foreign))[1:-1]} is no escape of JSON, though others in the same string are")
    try:
        text: str = json.loads(f'"{_ESCAPE.sub(_own_escape, inner)}"', strict=False)
    except ValueError as error:
        raise _Bad("an escape that JSON does not know") from error
    return text


def _own_escape(found: re.Match[str]) -> str:
    escaped = found[1]
    if escaped is None:
        return '\\"'
    if escaped == "'":
        return "'"
    return found[0] if escaped in _OWN_ESCAPES else f"\\\\{escaped}"


def _after_blank(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


def _no_constant(name: str) -> None:
    raise _Bad(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Bad("a number too large")
    if len(text) > _LONGEST_NUMBER or Decimal(text) != Decimal(repr(number)):
        raise _Bad("a number with more digits than a float holds")
    return number


def _whole(text: str) -> int:
    if len(text) > _LONGEST_NUMBER:
        raise _Bad("a number too long")
    return int(text)


def _halved(text: str) -> bool:
    """Whether a text may hold half a character; most cannot, which is quickly seen."""
    return "\\u" in text or not (text.isascii() or _SURROGATE.search(text) is None)


def _too_deep(text: str, value: Any) -> bool:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [item for one in level for item in _inside(one)]
    return bool(level)


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
