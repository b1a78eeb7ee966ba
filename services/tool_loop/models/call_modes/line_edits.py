"""Edits by single lines: which lines a model may choose from, and the exact call that its new line comes to. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

_MOST_LINES: Final = 40
_LONGEST: Final = 200
_TRIES_A_LINE: Final = 2
_WORD = re.compile(r"\w{3,}")


def lines_to_choose(text: str, about: str, tried: Sequence[str] = ()) -> list[str]:
    """Lines of a text that are worth changing, in the file's order: of many, those that share words with `about`.

    `tried` are the texts that were replaced before: a line that was tried often is left out while there are others.
    """
    lines = [line for line in dict.fromkeys(text.split("\n")) if line.strip() and len(line) <= _LONGEST]
    lines = [line for line in lines if sum(line in one.split("\n") for one in tried) < _TRIES_A_LINE] or lines
    if len(lines) <= _MOST_LINES:
        return lines
    words = set(_WORD.findall(about.casefold()))
    rated = sorted(lines, key=lambda line: -len(words & set(_WORD.findall(line.casefold()))))
    kept = set(rated[:_MOST_LINES])
    return [line for line in lines if line in kept]


def line_edit(path: str, text: str, line: str, new: str) -> dict[str, Any]:
    """The arguments of `edit_file` that put `new` in place of `line`, at its first place.

    A new line that begins without the old one's indentation gets it.
    """
    lines = text.split("\n")
    at = lines.index(line)
    return _around(path, text, at, _indented(new, line))


def appended(path: str, text: str, new: str) -> dict[str, Any]:
    """The arguments of `edit_file` that put `new` at the end of a text which is not empty.

    Code is set off by the two blank lines that its files have between their parts.
    """
    lines = text.rstrip("\n").split("\n")
    gap = ["", ""] if path.endswith(".py") and not new.startswith("\n") else []
    return _around(path, text, len(lines) - 1, [lines[-1], *gap, *new.rstrip("\n").split("\n")])


def standing_edit(steps: Iterable[Mapping[str, Any]], files: Mapping[str, str]) -> Mapping[str, Any] | None:
    """The last edit that was not taken back and can be; `steps` are the arguments of all edits, the oldest first."""
    standing: list[Mapping[str, Any]] = []
    for step in steps:
        if standing and taken_back(standing[-1]) == dict(step):
            standing.pop()
        else:
            standing.append(step)
    if not standing:
        return None
    text = files.get(str(standing[-1].get("path")), "")
    return standing[-1] if text.count(str(standing[-1].get("new_text"))) == 1 else None


def taken_back(edit: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the edit that undoes another."""
    return {"path": edit.get("path"), "old_text": edit.get("new_text"), "new_text": edit.get("old_text")}


def _around(path: str, text: str, at: int, new: Sequence[str]) -> dict[str, Any]:
    """The edit that puts lines in place of line `at`, with as many lines around it as make it the only one."""
    lines = text.split("\n")
    first, last = at, at
    while text.count("\n".join(lines[first : last + 1])) > 1 and (first > 0 or last < len(lines) - 1):
        if first > 0:
            first -= 1
        else:
            last += 1
    old = "\n".join(lines[first : last + 1])
    changed = "\n".join([*lines[first:at], *new, *lines[at + 1 : last + 1]])
    return {"path": path, "old_text": old, "new_text": changed}


def _indented(new: str, line: str) -> Sequence[str]:
    lines = new.rstrip("\n").split("\n")
    indent = line[: len(line) - len(line.lstrip())]
    if indent and not lines[0].startswith((" ", "\t")):
        return [indent + one if one.strip() else one for one in lines]
    return lines
