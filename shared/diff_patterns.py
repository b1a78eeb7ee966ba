"""The patterns of a `diff` criterion, as in gitignore: how they are read, and which of them can fit no path."""

import re
from collections.abc import Sequence
from typing import Final

from pathspec import GitIgnoreSpec

_HERE: Final = re.compile(r"^(!?)(?:\./)+(?=.)")


def patterns_of(written: Sequence[str]) -> GitIgnoreSpec:
    """The patterns, of which a `./` before them says nothing.

    Raises:
        ValueError: one is none.
    """
    return GitIgnoreSpec.from_lines([_HERE.sub(r"\1", one) for one in written])


def why_unusable(written: Sequence[str]) -> str | None:
    """What is wrong with the first pattern that cannot be meant as it is written; None where all can."""
    for one in written:
        if one.startswith("#"):
            continue
        if one.count("{") != one.count("}"):
            return f"{one}: a pattern knows no braces, and a comma ends it; write each path of its own"
        try:
            means = patterns_of([one]).patterns
        except (ValueError, re.error):
            return f"{one} is no pattern as in .gitignore"
        if not any(pattern.include is not None for pattern in means):
            hint = r"; a `[` wants its `]`, or a `\` before it" if "[" in one else ""
            return f"no path fits the pattern {one}{hint}"
    return None
