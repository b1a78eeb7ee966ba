"""Edits by single lines: which lines a model may choose from, and the exact call that its new line comes to. Pure."""

import re
from collections.abc import Sequence
from typing import Any, Final

_MOST_LINES: Final = 40
_LONGEST: Final = 200
_WORD = re.compile(r"\w{3,}")


def lines_to_choose(text: str, about: str) -> list[str]:
    """Lines of a text that are worth changing, in the file's order: of many, those that share words with `about`."""
    lines = [line for line in dict.fromkeys(text.splitlines()) if line.strip() and len(line) <= _LONGEST]
    if len(lines) <= _MOST_LINES:
        return lines
    words = set(_WORD.findall(about.casefold()))
    rated = sorted(lines, key=lambda line: -len(words & set(_WORD.findall(line.casefold()))))
    kept = set(rated[:_MOST_LINES])
    return [line for line in lines if line in kept]


def line_edit(path: str, text: str, line: str, new: str) -> dict[str, Any]:
    """The arguments of `edit_file` that put `new` in place of `line`, at its first place.

    A new line that begins without the old one's indentation gets it. Lines around it are added until the text to
    replace is the only one of its kind.
    """
    lines = text.splitlines()
    at = lines.index(line)
    indented = _indented(new, line)
    first, last = at, at
    while text.count("\n".join(lines[first : last + 1])) > 1 and (first > 0 or last < len(lines) - 1):
        if first > 0:
            first -= 1
        else:
            last += 1
    old = "\n".join(lines[first : last + 1])
    changed = "\n".join([*lines[first:at], *indented, *lines[at + 1 : last + 1]])
    return {"path": path, "old_text": old, "new_text": changed}


def _indented(new: str, line: str) -> Sequence[str]:
    lines = new.rstrip("\n").split("\n")
    indent = line[: len(line) - len(line.lstrip())]
    if indent and not lines[0].startswith((" ", "\t")):
        return [indent + one if one.strip() else one for one in lines]
    return lines
