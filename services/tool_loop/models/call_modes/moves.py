"""Whole calls that the harness can spell out from the goal and the files, for models that cannot. Pure.

What a goal says literally (a text to write, a value to set, a name to change, a file to rename) needs no model to write
it: the calls are enumerated, the model chooses, and the criteria judge. Nothing here knows whether a call is right.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .criteria_lines import patterns_of
from .goal_values import (
    Replacement,
    changes_something,
    file_commands,
    given_contents,
    new_values,
    paths_in,
    renames_something,
    replacements,
    wants_only,
)
from .pattern_texts import texts_of

_MOST: Final = 12
_LARGEST_REWRITTEN: Final = 8_000
_ASSIGNMENT = re.compile(r"^(\s*+[\"']?)([\w.\- ]+?)([\"']?\s*[:=]\s*)([\"']?)([^\"']*?)([\"']?[,;]?\s*)$")
_LONGEST_LINE: Final = 2_000
"""Characters."""
_LITERAL: Final = r"-?\d[\d.eE+-]*|true|false|null"
_JSON_PAIR = re.compile(rf'("([\w.\- ]+)"\s*:\s*)("(?:[^"\\]|\\.)*"|{_LITERAL})')
_JSON_LITERAL = re.compile(_LITERAL)
_NAME_IN_TEXT = re.compile(r"\b[A-ZÀ-Þ][\w-]*\w|\b\d[\d.,]*\d|\b\d\b")
_COMMON: Final = """
the and for from with into that this file value change set update make write its nothing else only one here
para por com que uma dos das arquivo valor mude altere escreva nada mais seu sua não
"""
_EMPTY: Final = frozenset(_COMMON.split())
_SPLIT = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Move:
    """A whole call, and the line by which a model knows it."""

    tool: str
    arguments: Mapping[str, Any] = field(hash=False)
    label: str


@dataclass(frozen=True)
class Ground:
    """What moves are made from: the goal, the paths that it names, those that are there, and the texts that were read.

    `changeable` are the files that the task may change; `unmet` are criteria to look at, once drafts failed.
    """

    goal: str
    named: tuple[str, ...]
    there: frozenset[str]
    files: Mapping[str, str]
    changeable: frozenset[str]
    unmet: tuple[str, ...] = ()


def moves(ground: Ground) -> list[Move]:
    """The calls that goal and files spell out, the most literal first, without repetition."""
    found: dict[str, Move] = {}
    for move in (*_commands(ground), *_edits(ground), *_contents(ground), *_demanded(ground)):
        found.setdefault(move.label, move)
    return list(found.values())[:_MOST]


def _commands(ground: Ground) -> Iterator[Move]:
    for command in file_commands(ground.goal, ground.named, ground.there):
        yield Move("run_command", {"command": command}, command)


def _edits(ground: Ground) -> Iterator[Move]:
    if not changes_something(ground.goal):
        return
    for path, text in ground.files.items():
        if path not in ground.changeable:
            continue
        assigned = [] if renames_something(ground.goal) else list(_assigned(path, text, ground.goal))
        keys = {word for key, _ in assigned for word in _words(key)}
        pairs = [one for one in replacements(ground.goal) if not _words(one.old) & keys]
        yield from [move for one in pairs for move in _replaced(path, text, one)] or [move for _, move in assigned]


def _replaced(path: str, text: str, wanted: Replacement) -> Iterator[Move]:
    """A term becomes another wherever it stands as a whole word."""
    old, new = wanted.old, wanted.new
    whole = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    if not whole.search(text):
        return
    label = f"{path}: {old} → {new}"
    if text.count(old) == 1:
        yield Move("edit_file", {"path": path, "old_text": old, "new_text": new}, label)
    elif len(text) <= _LARGEST_REWRITTEN:
        yield Move("write_file", {"path": path, "content": whole.sub(lambda _: new, text)}, label)


def _assigned(path: str, text: str, goal: str) -> Iterator[tuple[str, Move]]:
    """A key that the goal names, and the call that gives it a value that the goal names."""
    words = _words(goal)
    values = [value for value in new_values(goal) if value not in paths_in(goal) and value.casefold() not in _EMPTY]
    for value in values:
        for key, old, changed in _assignments(path, text, value):
            if _words(key) & words and text.count(old) == 1 and changed != old:
                label = f"{path}: {old.strip()} → {changed.strip()}"
                yield key, Move("edit_file", {"path": path, "old_text": old, "new_text": changed}, label)


def _assignments(path: str, text: str, value: str) -> Iterator[tuple[str, str, str]]:
    """Keys with the text of their assignment, and what it would be with another value."""
    if path.endswith(".json"):
        for pair in _JSON_PAIR.finditer(text):
            quoted = pair[3].startswith('"') or _JSON_LITERAL.fullmatch(value) is None
            yield pair[2], pair[0], pair[1] + (json.dumps(value, ensure_ascii=False) if quoted else value)
        return
    for line in text.split("\n"):
        parts = _assignment(line)
        if parts is not None:
            yield parts[2], line, f"{parts[1]}{parts[2]}{parts[3]}{parts[4]}{value}{parts[6]}"


def _assignment(line: str) -> re.Match[str] | None:
    """A line that gives a key a value; a very long one is none that anybody would set anew."""
    return _ASSIGNMENT.match(line) if len(line) <= _LONGEST_LINE else None


def _contents(ground: Ground) -> Iterator[Move]:
    """A file that is not there gets what the goal gives, or a value that stands in a file."""
    texts = given_contents(ground.goal)
    if not texts and wants_only(ground.goal):
        texts = [f"{value}\n" for value in values_in(ground.files, ground.goal)]
    for path in ground.named:
        if path not in ground.there:
            for text in texts:
                yield Move("write_file", {"path": path, "content": text}, f"{path}: {text.strip()}")


def _demanded(ground: Ground) -> Iterator[Move]:
    """A file gets what a criterion that does not hold says of it from end to end."""
    for path, pattern in patterns_of(ground.unmet):
        if path in ground.changeable or path not in ground.there:
            for text in texts_of(pattern):
                yield Move("write_file", {"path": path, "content": text}, f"{path}: {text.strip()}")


def values_in(files: Mapping[str, str], goal: str) -> list[str]:
    """Values that files hold, those of keys that the goal names first, then names and numbers in running text."""
    words = _words(goal)
    keyed: list[str] = []
    other: list[str] = []
    for text in files.values():
        for line in text.splitlines():
            parts = _assignment(line)
            if parts is not None and parts[5].strip():
                (keyed if _words(parts[2]) & words else other).append(parts[5].strip())
            else:
                other += _NAME_IN_TEXT.findall(line)
    told = [value for value in dict.fromkeys([*keyed, *other]) if value.casefold() not in words]
    return told[:_MOST]


def _words(text: str) -> set[str]:
    """The words of a text that tell something, without case."""
    return {word for word in _SPLIT.split(text.casefold()) if len(word) > 2 and not word.isdigit()} - _EMPTY
