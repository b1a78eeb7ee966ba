"""Reads what judged by an old name as judging by the new one that the goal asks for."""

import re
from collections.abc import Sequence

Renames = Sequence[tuple[str, str]]
"""Pairs of an old and a new name."""


def renamed(content: bytes, renames: Renames, *, parts: bool = False) -> bytes:
    """The content with each old name as the new one; with `parts` also where it is a part of a name (`test_add`)."""
    if not renames:
        return content
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    edge = "A-Za-z0-9" if parts else r"\w"
    for old, new in renames:
        text = re.sub(rf"(?<![{edge}]){re.escape(old)}(?![{edge}])", new, text)
    return text.encode()
