"""A file of Rust that holds code and tests: the code of one text with the tests of another."""

import re
from typing import Final

_MARKED: Final = re.compile(r"^[ \t]*#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*+", re.M)
"""What stands before a module of tests: the mark, and the attributes behind it."""
_MODULE: Final = re.compile(r"(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{")
_SKIPPED: Final = re.compile(r"//[^\n]*|/\*|r(?P<fence>#*)\"|\"|'(?:\\.|[^'\\])'", re.S)
_STRING: Final = re.compile(r"\"(?:\\.|[^\"\\])*+\"", re.S)


def with_tests_of(before: bytes, now: bytes) -> bytes | None:
    """`now` with the modules of tests that `before` had in place of its own; None where these are the same."""
    try:
        old, new = before.decode(), now.decode()
    except UnicodeDecodeError:
        return None
    tests, present = _modules(old), _modules(new)
    held, other = [old[begin:end] for begin, end in tests], [new[begin:end] for begin, end in present]
    if not held or held == other:
        return None
    ends = [0, *(end for _, end in present)]
    begins = [*(begin for begin, _ in present), len(new)]
    code = "".join(new[end:begin] for end, begin in zip(ends, begins, strict=True))
    return "\n".join([code, *held, ""]).encode()


def _modules(text: str) -> list[tuple[int, int]]:
    """Where the modules of tests begin and end."""
    blank = _blanked(text)
    found: list[tuple[int, int]] = []
    for marked in _MARKED.finditer(blank):
        begin = _MODULE.match(blank, marked.end())
        if begin is None or (found and marked.start() < found[-1][1]):
            continue
        depth, place = 1, begin.end()
        while depth and place < len(blank):
            depth += (blank[place] == "{") - (blank[place] == "}")
            place += 1
        found.append((marked.start(), place))
    return found


def _blanked(text: str) -> str:
    """A text with blanks in place of comments and strings; what is opened and never closed stays."""
    parts: list[str] = []
    unclosed: set[str] = set()
    place = 0
    while opens := _SKIPPED.search(text, place):
        start, stop = opens.span()
        closing = {"/*": "*/", '"': '"'}.get(opens[0]) or (f'"{opens["fence"]}' if opens[0][0] == "r" else "")
        if closing and opens[0] not in unclosed:
            stop = _end(text, opens, closing)
        if closing and (opens[0] in unclosed or stop < 0):
            # Behind it there is none either that closes one like it.
            unclosed.add(opens[0])
            parts.append(text[place : start + 1])
            place = start + 1
        else:
            parts += text[place:start], " " * (stop - start)
            place = stop
    return "".join([*parts, text[place:]])


def _end(text: str, opens: re.Match[str], closing: str) -> int:
    """Where what is opened ends; -1: nowhere."""
    if opens[0] == '"':
        string = _STRING.match(text, opens.start())
        return string.end() if string else -1
    at = text.find(closing, opens.end())
    return at + len(closing) if at >= 0 else -1
