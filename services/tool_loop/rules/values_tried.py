"""Values that a command is tried with, one after the other: an offset, a version, a key file, a limit."""

import re
from typing import Final

from .shell_commands import waits

_FIGURES = re.compile(r"\d+")
_FLAG = re.compile(r"-{1,2}[A-Za-z][\w-]*")
_MOST_CHARS: Final = 2000
_MOST_VALUES: Final = 16


def with_a_value_open(command: str) -> tuple[str, ...]:
    """The command with each of its values left open in turn, the first few.

    Values are figures, what an equals sign sets, and the name of a file behind a flag. Two commands that differ in one
    value share a form. An address is none: it names another thing. Nor has an object that does not parse any, nor what
    waits: how long is not what is looked for.
    """
    if command.lstrip().startswith("{") or waits(command):
        return ()
    words = command[:_MOST_CHARS].split()
    opened = [(at, _opened(word, words[at - 1] if at else "")) for at, word in enumerate(words)]
    forms = [" ".join([*words[:at], word, *words[at + 1 :]]) for at, word in opened if word is not None]
    return tuple(forms[:_MOST_VALUES]) if len(words) > 1 else ()


def _opened(word: str, before: str) -> str | None:
    if "://" in word or "@" in word:
        return None
    if _FLAG.fullmatch(before) and "/" in word:
        return f"{word.rpartition('/')[0]}/_"
    name, sets, _ = word.rpartition("=")
    if sets and not _FIGURES.search(name):
        return f"{name}=_"
    return _FIGURES.sub("_", word) if _FIGURES.search(word) else None
