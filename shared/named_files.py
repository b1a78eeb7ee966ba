"""The files that a person's text names, found in time that grows with the text's length. Pure.

One pattern for a whole path (`[\\w./-]*\\w\\.py`) looks at a long word again from each of its characters, which for a
message that is one word takes minutes.
"""

import re
from collections.abc import Iterator
from typing import Final

LONGEST: Final = 4096
"""Characters of a path; what is longer is none (Linux's PATH_MAX)."""
_RUN: Final = re.compile(r"[\w./-]++")
_SUFFIX: Final = re.compile(r"(?<=\w)\.[A-Za-z]{1,8}+(?!\w)")


def named_files(text: str, suffix: str | None = None) -> Iterator[str]:
    """The paths that stand in a text, in order: each up to its last suffix of 1 to 8 letters, or its last `suffix`."""
    for run in _RUN.finditer(text):
        if len(run[0]) > LONGEST:
            continue
        ends = [one.end() for one in _SUFFIX.finditer(run[0]) if suffix in (None, one[0])]
        if ends:
            yield run[0][: ends[-1]]
