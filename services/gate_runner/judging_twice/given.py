"""Which files checkers give to the programs that they look at, and which they write, by the lines of their texts.

`sh wc.sh in.txt`, `./tool < in.txt`, `cat in.txt | python3 calc.py` and a function of the workspace's called with
`"in.txt"` give a file; `grep -q x in.txt` and `open("in.txt")` look at one, which may be what the task is to write.
"""

import re
import sys
from typing import Final

from shared.patterns import INDENT

_MAY_BE_GIVEN: Final = re.compile(
    r".*\.(?:csv|tsv|jsonl?|ndjson|txt|dat|ya?ml|xml|lst|in|inp|input|log|html?|md|sql|svg|bin|rst|eml|patch)"
)
_SETTINGS: Final = re.compile(
    r"(?:.*[-_.])?(?:config\w*|conf|settings?|options?|param\w*|package|env|ajustes?)(?:[-_.].*)?", re.IGNORECASE
)
"""What says how a program is to behave, and so is part of it."""
_NAMES_CODE: Final = re.compile(
    r"(?<![\w.-])[\w/-][\w./-]*\.(?:py|[cm]?[jt]sx?|go|rs|rb|sh|java|kt|php|pl|awk|c|cc|cpp|cs)(?![\w/])"
)
_WORKS: Final = r"(?<![\w.-])(?:[\w./-]+\.(?:py|[cm]?[jt]s|rb|pl|php|sh|awk|jar)|\./[\w/-]+)(?![\w.-])"
"""A program of the workspace in a line."""
_HANDED: Final = (
    rf"{_WORKS}[^|;&()<>]*[\s\"'`=/]{{name}}(?![\w.-])|{_WORKS}[^|;&()>]*<\s*[\"']?{{name}}(?![\w.-])"
    rf"|\b(?:cat|head|tail|sort|tac|shuf)\b[^|;&()<>]*\s[\"']?{{name}}(?![\w.-])[^;&]*\|[^;&]*{_WORKS}"
)
"""A file is an argument of such a program, or what it reads."""
_BOUND: Final = (
    r"^\s*(?:export\s+)?\w+=[\"']?{name}[\"']?\s*$|^\s*for\s+\w+\s+in\b.*\s{name}(?![\w.-])"
    r"|(?<![\w.])(?:{functions})\([^()]*[\"'`]{name}[\"'`]"
)
_WRITTEN: Final = (
    r"(?:>\s*|\btee\s+(?:-a\s+)?|\s-o\s*|--out\w*[= ]\s*)[\"']?{name}(?![\w.-])"
    r"|\b(?:cp|mv|install|ln)\b[^;|&]*\s[\"']?{name}[\"']?\s*(?:$|[;|&)])"
    r"|[\"'`]{name}[\"'`]\)?\s*(?:,\s*(?:mode=)?[\"'][wax]|\.write_)|write\w*\([\"'`]{name}[\"'`]"
)
_IMPORTED: Final = re.compile(INDENT + r"(?:from\s+(\w+)[\w.]*\s+import\s+([\w, ]+)|import\s+(\w+))", re.MULTILINE)
_MOST_LINE: Final = 1_000


def is_given(path: str, checkers: str, goal: str) -> bool:
    """Whether checkers give a file to a program, where the goal names code: then it is no data of the task."""
    name = path.rpartition("/")[2]
    if not _MAY_BE_GIVEN.fullmatch(name) or _SETTINGS.fullmatch(name) or not _NAMES_CODE.search(goal):
        return False
    if is_written(path, checkers):
        return False
    bound = re.compile(_BOUND.format(name=_in_a_folder(name), functions=_functions(checkers)))
    return is_handed(path, checkers) or any(bound.search(line) for line in _lines_with(name, checkers))


def is_handed(path: str, checkers: str) -> bool:
    """Whether a line of the checkers hands a file to a program of the workspace."""
    return _is_in_a_line(_HANDED, path, checkers)


def is_written(path: str, checkers: str) -> bool:
    """Whether the checkers write a file themselves."""
    return _is_in_a_line(_WRITTEN, path, checkers)


def mentions(text: str, name: str) -> bool:
    """Whether a text names a file, as a word of its own."""
    return re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)", text) is not None


def _is_in_a_line(pattern: str, path: str, text: str) -> bool:
    name = path.rpartition("/")[2]
    wanted = re.compile(pattern.format(name=_in_a_folder(name)))
    return any(wanted.search(line) for line in _lines_with(name, text))


def _functions(text: str) -> str:
    """An expression for what the checkers import that is not of Python's library; one of nothing where that is none."""
    found = []
    for module, names, whole in _IMPORTED.findall(text):
        if whole and whole not in sys.stdlib_module_names:
            found.append(rf"{whole}\.\w+")
        elif module and module not in sys.stdlib_module_names:
            found += names.replace(",", " ").split()
    return "|".join(dict.fromkeys(found)) or r"(?!)"


def _in_a_folder(name: str) -> str:
    return rf"(?:[\w./-]*/)?{re.escape(name)}"


def _lines_with(name: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if name in line and len(line) <= _MOST_LINE and mentions(line, name)]
