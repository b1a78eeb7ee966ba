"""A file of Rust that holds code and tests: the code of one text with the tests of another."""

import re
from typing import Final

_TESTS: Final = re.compile(
    r"^[ \t]*#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{", re.M
)
_SKIPPED: Final = re.compile(r"//[^\n]*|/\*.*?\*/|r(#*)\".*?\"\1|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'", re.S)


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
    for begin, end in reversed(present):
        new = new[:begin] + new[end:]
    return "\n".join([new, *held, ""]).encode()


def _modules(text: str) -> list[tuple[int, int]]:
    """Where the modules of tests begin and end."""
    blank = _SKIPPED.sub(lambda found: " " * len(found[0]), text)
    found: list[tuple[int, int]] = []
    for begin in _TESTS.finditer(blank):
        if found and begin.start() < found[-1][1]:
            continue
        depth, place = 1, begin.end()
        while depth and place < len(blank):
            depth += (blank[place] == "{") - (blank[place] == "}")
            place += 1
        found.append((begin.start(), place))
    return found
