"""What the lines of criteria say of files: `file_contains: PATH :: REGEX` and the like. Pure."""

import re
from collections.abc import Sequence

_OF_A_FILE = re.compile(r"^(?:file_exists|file_contains|contract): *(.+?)(?:\s+::.*|\s*)$")
_PATTERN = re.compile(r"^file_contains: *(.+?)\s+:: ?(.+)$", re.DOTALL)


def patterns_of(criteria: Sequence[str]) -> list[tuple[str, str]]:
    """Paths with the patterns that their texts are to match."""
    return [(match[1], match[2]) for one in criteria if (match := _PATTERN.match(one))]


def only_files(criteria: Sequence[str]) -> frozenset[str]:
    """The files that all the criteria speak of; none where one of them speaks of something else."""
    found = [_OF_A_FILE.match(one) for one in criteria]
    return frozenset(match[1] for match in found if match) if all(found) else frozenset()
