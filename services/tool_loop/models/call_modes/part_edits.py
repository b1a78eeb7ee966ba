"""Edits by parts of a file: which parts a model may choose from, and the exact call that its answer comes to. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_MOST_PARTS: Final = 40
_LONGEST_PARAGRAPH: Final = 20
_LONGEST_LABEL: Final = 160
_TRIES_A_PART: Final = 2
_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True)
class Part:
    """Lines `first` to `last` (from 0, both included) of a text, known to a model by their first line."""

    first: int
    last: int
    text: str
    label: str


def paragraphs(text: str) -> list[Part]:
    """What blank lines set apart: a function of code, a section of settings. Very long ones come line by line."""
    lines = text.split("\n")
    found: list[Part] = []
    first: int | None = None
    for number, line in enumerate([*lines, ""]):
        if line.strip():
            first = number if first is None else first
        elif first is not None:
            found += _cut(lines, first, number - 1)
            first = None
    return found


def single_lines(text: str) -> list[Part]:
    """Every line that says something."""
    lines = text.split("\n")
    return [_part(lines, number, number) for number, line in enumerate(lines) if line.strip()]


def choices(parts: Sequence[Part], about: str, tried: Sequence[str] = ()) -> dict[str, Part]:
    """Parts to choose from by their label, in the file's order: of many, those that share words with `about`.

    `tried` are the texts that were replaced before: a part that was tried often is left out while there are others.
    """
    by_label = {part.label: part for part in reversed(parts)}
    ordered = [part for part in parts if by_label[part.label] is part]
    left = [part for part in ordered if sum(part.text in one for one in tried) < _TRIES_A_PART] or ordered
    if len(left) > _MOST_PARTS:
        words = _words(about)
        kept = sorted(left, key=lambda part: -len(words & _words(part.text)))[:_MOST_PARTS]
        left = [part for part in left if part in kept]
    return {part.label: part for part in left}


def replaced(path: str, text: str, part: Part, new: str) -> dict[str, Any]:
    """The arguments of `edit_file` that put `new` in place of a part; it is indented as the part was."""
    indent = part.text[: len(part.text) - len(part.text.lstrip())]
    lines = new.rstrip("\n").split("\n")
    if indent and not lines[0].startswith((" ", "\t")):
        lines = [indent + line if line.strip() else line for line in lines]
    return _around(path, text, part.first, part.last, lines)


def appended(path: str, text: str, new: str) -> dict[str, Any]:
    """The arguments of `edit_file` that put `new` at the end of a text which is not empty.

    Code is set off by the two blank lines that its files have between their parts.
    """
    lines = text.rstrip("\n").split("\n")
    gap = ["", ""] if path.endswith(".py") and not new.startswith("\n") else []
    last = len(lines) - 1
    return _around(path, text, last, last, [lines[-1], *gap, *new.rstrip("\n").split("\n")])


def standing_edit(edits: Iterable[Mapping[str, Any]], files: Mapping[str, str]) -> Mapping[str, Any] | None:
    """The last edit that was not taken back and can be; `edits` are the arguments of all, the oldest first."""
    standing, _ = _standing(edits)
    if not standing:
        return None
    text = files.get(str(standing[-1].get("path")), "")
    return standing[-1] if text.count(str(standing[-1].get("new_text"))) == 1 else None


def drafts(edits: Iterable[Mapping[str, Any]]) -> int:
    """How many edits were tried; taking one back is no other one."""
    standing, undone = _standing(edits)
    return len(standing) + undone


def _standing(edits: Iterable[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], int]:
    """The edits that were not taken back, and how many were."""
    standing: list[Mapping[str, Any]] = []
    undone = 0
    for edit in edits:
        if standing and taken_back(standing[-1]) == dict(edit):
            standing.pop()
            undone += 1
        else:
            standing.append(edit)
    return standing, undone


def taken_back(edit: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the edit that undoes another."""
    return {"path": edit.get("path"), "old_text": edit.get("new_text"), "new_text": edit.get("old_text")}


def _around(path: str, text: str, first: int, last: int, new: Sequence[str]) -> dict[str, Any]:
    """The edit that puts lines in place of others, with as many lines around them as make them the only ones."""
    lines = text.split("\n")
    # Lines before come first; what stands once, stands once with more around it, so the fewest are halved for.
    most = first + len(lines) - 1 - last
    fewest = bisect_left(range(most), 1, key=lambda more: _only(text, lines, *_with(more, first, last)))
    begin, end = _with(fewest, first, last)
    old = "\n".join(lines[begin : end + 1])
    changed = "\n".join([*lines[begin:first], *new, *lines[last + 1 : end + 1]])
    return {"path": path, "old_text": old, "new_text": changed}


def _with(more: int, first: int, last: int) -> tuple[int, int]:
    """Some lines with so many more of those around them."""
    before = min(more, first)
    return first - before, last + more - before


def _only(text: str, lines: Sequence[str], begin: int, end: int) -> bool:
    """Whether some lines stand at their place only; a text that overlaps itself is counted once by `str.count`."""
    wanted = "\n".join(lines[begin : end + 1])
    at = sum(len(line) + 1 for line in lines[:begin])
    return text.find(wanted) == at and text.find(wanted, at + 1) == -1


def _cut(lines: Sequence[str], first: int, last: int) -> list[Part]:
    if last - first < _LONGEST_PARAGRAPH:
        return [_part(lines, first, last)]
    return [_part(lines, number, number) for number in range(first, last + 1)]


def _part(lines: Sequence[str], first: int, last: int) -> Part:
    return Part(first, last, "\n".join(lines[first : last + 1]), lines[first].strip()[:_LONGEST_LABEL])


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
