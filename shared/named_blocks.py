"""Single tests in JavaScript, TypeScript, Go and Rust, by their names: where each begins and ends in a file."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from .quoted import without_strings

_SCRIPT: Final = re.compile(r".*\.[cm]?[jt]sx?")
_CALL: Final = re.compile(
    r"^\s*(?:await\s+)?(?:t\.)?(?:test|it|describe|suite|context|specify|x(?:test|it|describe)|f(?:it|describe))(?:\.\w+)*"
    r"\s*\(\s*([\"'`])(?P<name>(?:(?!\1)[^\\\n]|\\.)+)\1"
)
_GO: Final = re.compile(r"^func\s+(?P<name>Test\w*)\s*\(")
_RUST: Final = re.compile(r"^\s*(?:pub\s+)?(?:async\s+)?fn\s+(?P<name>\w+)\s*\(")
_MARKED: Final = re.compile(r"^\s*#\[(?:\w+(?:::\w+)*::)?test\b")
_ATTRIBUTE: Final = re.compile(r"^\s*#\[.*\]\s*$|^\s*///")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}
_ALONE: Final = re.compile(r"\.only\b|\bf(?:it|describe)\s*\(")
"""What keeps all tests from running but one."""
_MOST_LINES: Final = 20_000


def names_of(path: str, text: str) -> list[str]:
    """The names of the tests that a file holds, in order; none in a language that is not read here."""
    return [name for name, _ in _starts(path, _lines(text))]


def is_told(path: str, text: str, name: str) -> bool:
    """Whether a test can be told from the others of its file: it is there once, and has an end."""
    return bool(_blocks(path, _lines(text), [name]))


def with_blocks(path: str, before: str, now: str, names: Collection[str]) -> str | None:
    """The text of before with the tests of these names as they are now, or gone where they are.

    None where that cannot be told: a name is there twice, a test has no end, or keeps the others from running now.
    """
    old, new = _lines(before), _lines(now)
    there = _blocks(path, old, names)
    here = _blocks(path, new, names)
    if there is None or here is None or not there:
        return None
    if any(_ALONE.search(line) for begin, end in here.values() for line in new[begin:end]):
        return None
    for name, (begin, end) in sorted(there.items(), key=lambda one: -one[1][0]):
        at = here.get(name)
        old[begin:end] = [] if at is None else new[at[0] : at[1]]
    return "".join(old)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)[:_MOST_LINES]


def _starts(path: str, lines: list[str]) -> Iterator[tuple[str, int]]:
    """Each test's name, and the line on which it begins, with the attributes above it."""
    if path.endswith(".rs"):
        for place, line in enumerate(lines):
            found, above = _RUST.match(line), place
            while found and above and _ATTRIBUTE.match(lines[above - 1]):
                above -= 1
            if found and any(map(_MARKED.match, lines[above:place])):
                yield found["name"], above
        return
    pattern = _GO if path.endswith(".go") else _CALL
    if pattern is _CALL and not _SCRIPT.fullmatch(path):
        return
    for place, line in enumerate(lines):
        if found := pattern.match(line):
            yield found["name"], place


def _blocks(path: str, lines: list[str], names: Collection[str]) -> dict[str, tuple[int, int]] | None:
    found: dict[str, tuple[int, int]] = {}
    for name, begin in _starts(path, lines):
        if name not in names:
            continue
        end = _end(lines, begin)
        if name in found or end is None:
            return None
        if not any(outer[0] <= begin < outer[1] for outer in found.values()):
            found[name] = (begin, end)
    return found


def _end(lines: list[str], begin: int) -> int | None:
    """The line behind a test: where all brackets that it opened are closed."""
    opened: list[str] = []
    said = False
    for place in range(begin, len(lines)):
        if _ATTRIBUTE.match(lines[place]) and not said:
            continue
        for char in without_strings(re.sub(r"(?<!:)//.*", "", lines[place])):
            if char in _PAIRS.values():
                opened.append(char)
                said = True
            elif char in _PAIRS and (not opened or opened.pop() != _PAIRS[char]):
                return None
        if said and not opened:
            return place + 1
    return None
