"""Which files beside the tests code reaches for by itself: it says where they lie, or looks for them in folders.

A file that a test hands to the code (`save(HERE / "data" / "store.json")`) is not said by it.
"""

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import Final

_TEXT: Final = re.compile(r"\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|`([^`\n]{1,300})`")
_SEARCHES: Final = re.compile(
    r"\b(?:r?glob|iterdir|walk|listdir|scandir|readdir(?:Sync)?|readDir|fast-glob|globSync|WalkDir|ReadDir|Glob|read_dir"
    r"|Dir\.glob|opendir)\b"
)
_WORD: Final = re.compile(r"\w+")


def added_lines(before: str, now: str) -> str:
    """The lines of a text that another one did not hold, or not as often."""
    held = Counter(before.splitlines())
    found = []
    for line in now.splitlines():
        if held[line]:
            held[line] -= 1
        else:
            found.append(line)
    return "\n".join(found)


def reaches(code: str, added: str, path: str) -> bool:
    """Whether what is new in a file of code (at the path `code`) says where a file lies, or looks for its like."""
    said = {word for texts in _TEXT.findall(added) for text in texts for word in _WORD.findall(text)}
    place = PurePosixPath(path)
    own = {*PurePosixPath(code).parts[:-1]}
    folders = [part for part in place.parts[:-1] if part not in own]
    words = [{*_WORD.findall(part)} for part in folders]
    named = bool({*_WORD.findall(place.stem)} & said)
    if words and all(one <= said for one in words):
        return True
    if not words and named:
        return True
    kinds = {place.suffix.removeprefix("."), *(word for one in words for word in one)}
    return _SEARCHES.search(added) is not None and (named or bool(kinds & said))
