"""One file of git's rules: what reading and matching it may cost, and its patterns, compiled. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from shared.wildmatch import Pattern, emptied_regex, pattern

MAX_BYTES: Final = 1 << 20
MAX_WILDCARDS: Final = 1_000
MAX_WILDCARD_BYTES: Final = 1 << 14
"""How much of one file of rules is heeded; that there is more is reported."""

MOST_WORK: Final = 1 << 29
"""Steps that rules may cost in one walk: some seconds' worth. What is beyond is reported."""
_TO_READ: Final = 50
_TO_COMPILE: Final = 1_000
"""What a byte of a file of rules, and what a byte of wildcards costs, in steps of matching (a few nanoseconds each)."""
_KEPT: Final = 4_096
"""Compiled files that are kept: more than one walk can afford, so that none is compiled twice in it."""
_WILD_LINE: Final = re.compile(rb"^(?!#)[^\n*?\[\\]*[*?\[\\][^\n]*", re.MULTILINE)
_BOM: Final = "\xef\xbb\xbf"


@dataclass(slots=True)
class Work:
    """What rules may still cost in one walk, counted so that the same files always cost the same.

    Once something was too much, no file of rules is read any more, and no wildcard is matched.
    """

    left: int = MOST_WORK
    _read: set[int] = field(default_factory=set)

    @property
    def exhausted(self) -> bool:
        """Whether some rules were not heeded."""
        return self.left < 0

    def affords(self, steps: int) -> bool:
        """Whether so much may still be done; it then counts as done."""
        self.left = -1 if steps > self.left else self.left - steps
        return not self.exhausted

    def affords_file(self, raw: bytes) -> bool:
        """Whether a file of rules may be read. One that says what another did costs only its look."""
        again = hash(raw) in self._read
        self._read.add(hash(raw))
        return self.affords(len(raw) if again else _cost_of(raw))


class Wildcards(NamedTuple):
    """Patterns with wildcards in one regular expression; `numbers` tells for each of its groups which pattern it is."""

    regex: re.Pattern[str]
    numbers: tuple[int, ...]
    per_byte: int
    per_slash: int

    def last(self, text: str) -> int:
        """The number of the last pattern that matches (a directory's text ends in a slash); -1: none does."""
        found = self.regex.match(text)
        return self.numbers[found.lastindex - 1] if found is not None and found.lastindex is not None else -1


Literals = dict[str, dict[str, int]]
"""The patterns without wildcards: their numbers by the directory that holds what they name, and its name."""
ANYWHERE: Final = "*"


class Patterns(NamedTuple):
    """The patterns of one file, of which the last that matches decides; `ignores` tells what each says.

    `literals` are those that match files, and those that match directories. `emptied` match directories in which the
    file ignores everything. `unheeded`, if any, was too much.
    """

    ignores: tuple[bool, ...]
    literals: tuple[Literals, Literals]
    names: Wildcards | None
    paths: Wildcards | None
    emptied: Wildcards | None
    unheeded: str | None


def _cost_of(raw: bytes) -> int:
    """What it takes to read a file of rules, in steps of matching."""
    wildcards = sum(map(len, _WILD_LINE.findall(raw)))
    return _TO_READ * len(raw) + _TO_COMPILE * min(wildcards, MAX_WILDCARD_BYTES)


@lru_cache(maxsize=_KEPT)
def patterns_of(raw: bytes) -> Patterns:
    """The patterns of a file."""
    lines = raw[:MAX_BYTES].decode("latin-1").removeprefix(_BOM).split("\n")
    problem = None
    if len(raw) > MAX_BYTES:
        lines.pop()
        problem = f"larger than {MAX_BYTES} bytes; what comes after them was not heeded"
    found: list[Pattern] = []
    wildcards = size = 0
    for number, line in enumerate(lines, start=1):
        read = pattern(line.removesuffix("\r"))
        if read is None:
            continue
        if read.literal is None:
            wildcards, size = wildcards + 1, size + len(line)
            if wildcards > MAX_WILDCARDS or size > MAX_WILDCARD_BYTES:
                problem = f"too many wildcards; line {number} and those after it were not heeded"
                break
        found.append(read)
    ignores = tuple(not one.takes_back for one in found)
    literals = (_literals(found, directories=False), _literals(found, directories=True))
    wild = [(number, one.regex, one) for number, one in enumerate(found) if one.literal is None]
    last_taken_back = max((number for number, one in enumerate(found) if one.takes_back), default=-1)
    by_name = _wildcards([one for one in wild if one[2].by_name])
    by_path = _wildcards([one for one in wild if not one[2].by_name])
    all_in_them = [(number, emptied_regex(one), one) for number, _, one in wild if one.contents_only]
    emptied = _wildcards([one for one in all_in_them if one[0] > last_taken_back])
    return Patterns(ignores, literals, by_name, by_path, emptied, problem)


def _literals(patterns: Sequence[Pattern], *, directories: bool) -> Literals:
    found: Literals = {}
    for number, one in enumerate(patterns):
        if one.literal is not None and (directories or not one.directories_only):
            parent, slash, name = one.literal.rpartition("/")
            found.setdefault(ANYWHERE if one.by_name else parent + slash, {})[name] = number
    return found


def _wildcards(patterns: Sequence[tuple[int, str, Pattern]]) -> Wildcards | None:
    """Patterns with their numbers and regular expressions; the last one is tried first."""
    if not patterns:
        return None
    numbers, regexes, parts = zip(*reversed(patterns), strict=True)
    regex = re.compile("|".join(f"({one})" for one in regexes), re.DOTALL)
    return Wildcards(regex, numbers, sum(one.per_byte for one in parts), sum(one.per_slash for one in parts))
