"""Parts of patterns that cost the length of the text they are tried on, whatever stands in it."""

from typing import Final

INDENT: Final = r"^[^\S\n]*+"
"""The blanks that a line begins with (with MULTILINE). `^\\s*` would try the blank lines below at each of them."""


def behind(first: str, then: str) -> str:
    """A pattern that finds whether `then` stands behind `first` on a line: `first.*then`, but for where it begins.

    It begins at the last `first` before it, so that a line full of `first` is read once. The two must not share text.
    """
    return rf"(?:{first})(?:(?!{first}|{then}).)*+(?:{then})"
