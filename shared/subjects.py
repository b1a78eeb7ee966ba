"""The programs that a `command` criterion starts to look at what they do: a task is about them, and they judge nothing.

`python3 calc.py 2 3 | grep -qx 5` judges by `grep`, and `python3 app.py` by whether the program runs at all. A script
that judges others (it starts tests, asserts, compares and exits, or is called a check) is none of these, nor is one
that merely shows what the goal asks to be mended elsewhere.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Final

from .run_files import MAKEFILES, is_check, pieces, scripts_of

_PIPE: Final = re.compile(r"\s*\|&?\s*")
_WRITTEN: Final = re.compile(r"(?<![2&>-])>{1,2}(?!&)\s*(?!/dev/)[\w./\"'$]")
"""Output that goes to a file, where something else may read it."""
_RUNS_TESTS: Final = re.compile(
    r"\b(?:pytest|unittest|doctest|nose2?|tox|nox|jest|vitest|mocha|playwright|ctest|rspec|phpunit)\b"
    r"|\bnode:test\b|--test\b|\b(?:cargo|go|npm|pnpm|yarn|mvn|gradle|dotnet|mix) (?:run )?test\b|\bg?make\b"
)
_OWN_EXAMPLES: Final = re.compile(
    r"^\s*(?:import doctest|from doctest import testmod)\s*$|\btestmod\((?![^)]*\w\s*[,)])[^)]*\)"
)
"""How a program runs the examples of its own docstrings, which are held to what they were by themselves."""
_JUDGES: Final = re.compile(
    r"\bassert|\b(?:FAIL|PASS|FAILED|PASSED|OK)\b|\b(?:passed|failed)\b['\"]|\b(?:Error|expect)\("
    r"|\bexit\([^)]{0,80}(?:[=!]=|[<>]|\bnot\b)"
)
_COMPARES: Final = re.compile(r"\bif\b.*(?:[=!]=|\bnot\b)")
_ENDS: Final = re.compile(r"\b(?:exit|SystemExit|throw)\b")
_SHELL: Final = re.compile(r"(?:.*/)?[\w-]+(?:\.(?:ba|z|k)?sh)?")
_MOST_LINES: Final = 2_000
_MOST_CHARACTERS: Final = 400
"""Of a line that is looked at."""
_IMPORTED: Final = re.compile(
    r"^\s*from\s+([\w.]+)\s+import\s+([\w, ]+)|^\s*import\s+([\w., ]+)$|[{]([\w, ]+)[}]\s*(?:=\s*require|from)\b"
)
_NAMED: Final = re.compile(r"(?<![\w./-])[\w-][\w./-]*\.(?:py|[cm]?[jt]sx?|go|rs|rb|sh|java|kt|php)(?![\w/])")
_WORD: Final = re.compile(r"\w+")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s|\n")
_KEPT: Final = re.compile(
    r"(?:\bnot\b|n't\b|\bnever\b|\bwithout\b|\bnão\b|\bnunca\b|\bsem\b).*\b(?:chang|edit|touch|modif|alter|mud|mex|toc)"
    r"|\b(?:leave|keep|deixe|mantenha)\b",
    re.IGNORECASE,
)

Text = Callable[[str], str]
"""What a path of the workspace holds; empty where it is not there."""


def subjects(command: str, goal: str, text_of: Text) -> frozenset[str]:
    """The paths of a command's scripts that the task is about, as its goal and their texts tell."""
    read = [path for part, is_read in _parts(command) if is_read for path in scripts_of(part)]
    plain = [path for path in scripts_of(command) if "#" not in path and posixpath.basename(path) not in MAKEFILES]
    found = frozenset(
        path
        for path in plain
        if not is_check(path) and not _judges(path, text_of(path), read=any(_is(path, one) for one in read))
    )
    spoken = {path for path in found if _speaks_of(goal, path)}
    return frozenset(
        path
        for path in found
        if not _must_stay(goal, path) and (path in spoken or not (spoken or _is_elsewhere(goal, path, text_of)))
    )


def _parts(command: str) -> Iterator[tuple[str, bool]]:
    """The simple commands of a line, each with whether something else reads what it prints."""
    held = [*pieces(command)]
    whole = ""
    for place, piece in enumerate(held):
        if re.fullmatch(r"[\s;&|()]*[;&|()\n][\s;&|()]*", piece):
            yield whole, _PIPE.fullmatch(piece) is not None or _WRITTEN.search(whole) is not None
            whole = ""
        else:
            whole += piece
            if place == len(held) - 1:
                yield whole, _WRITTEN.search(whole) is not None


def _is(path: str, part: str) -> bool:
    bare = posixpath.normpath(part)
    return path == bare or path.endswith(f"/{bare}")


def _judges(path: str, text: str, *, read: bool) -> bool:
    """Whether a program gives a verdict on something else; of one whose output is read that is for the reader to do."""
    lines = [line[:_MOST_CHARACTERS] for line in text.splitlines()[:_MOST_LINES]]
    own = next(
        (place for place, line in enumerate(lines) if "testmod(" in line and _OWN_EXAMPLES.search(line)), len(lines)
    )
    lines = [line for line in lines[:own] if not _OWN_EXAMPLES.search(line)]
    if any(_RUNS_TESTS.search(line) or any(map(is_check, scripts_of(line))) for line in lines):
        return True
    if read:
        return False
    if _is_of_shell(path, lines) or any(map(_JUDGES.search, lines)):
        return True
    following = zip(lines, [*lines[1:], ""], strict=False)
    return any(_COMPARES.search(one) and "argv" not in one and _ENDS.search(f"{one} {two}") for one, two in following)


def _is_of_shell(path: str, lines: list[str]) -> bool:
    """A script of shell alone on its line may be a check by any name: it runs others, and ends as they do."""
    first = lines[0] if lines else ""
    return bool(re.match(r"#!.*\b(?:ba|da|z|k)?sh\b", first)) or (
        not first.startswith("#!") and _SHELL.fullmatch(path) is not None
    )


def _speaks_of(goal: str, path: str) -> bool:
    name = posixpath.basename(path)
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", goal) is not None


def _must_stay(goal: str, path: str) -> bool:
    return any(_speaks_of(part, path) and _KEPT.search(part) for part in _SENTENCE.split(goal))


def _is_elsewhere(goal: str, path: str, text_of: Text) -> bool:
    """Whether the goal is about other code: it names a file of it, or what the program takes from another module."""
    if any(name != path and text_of(name) for name in _NAMED.findall(goal)):
        return True
    words = set(_WORD.findall(goal))
    found = (_IMPORTED.search(line[:_MOST_CHARACTERS]) for line in text_of(path).splitlines()[:_MOST_LINES])
    taken = {name for one in found if one for group in one.groups("") for name in _WORD.findall(group)}
    return bool(taken & words)
