"""Whether a run wrote what its checks compare with: then it was held against itself.

Files that the command's scripts and tests name, and those in folders of tests, are brought out of the sandbox where
the run wrote them. One that differs from what lies in the workspace, that checks compare with or that the changed code
itself reaches for, and that the same command did not write when everything was as the task found it, is told; what a
check writes or renews itself, or hands to the code, is fine.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.verifiers import collected
from shared.workspace.changes import Change

from ..commands import Ran, Tell
from ..judging_twice import Texts, added_lines, is_code, measures, reaches
from ..judging_twice.given import is_written
from ..runners import Told
from .base import Bench, content_of
from .judging import reached_text, which_of
from .sources import texts_of

_NAMED: Final = re.compile(r"(?<![\w./-])[\w-][\w./-]*(?![\w/-])")
_CODE: Final = re.compile(r".*\.(?:py|[cm]?[jt]sx?|go|rs|sh|toml|cfg|ini)")
_MEASURES: Final = (
    "golden",
    "goldens",
    "expected",
    "fixtures",
    "snapshots",
    "testdata",
    "approved",
    "baselines",
    "cases",
)
_OF_MEASURES: Final = re.compile(
    r"\b(?:golden|snapshots?|fixtures?|expected (?:files?|outputs?|results?)|baselines?|regenerat\w+|gabaritos?"
    r"|regenere)\b",
    re.IGNORECASE,
)
"""A goal that is about what tests compare with."""
_GROWS: Final = re.compile(r".*\.(?:db|sqlite3?|log|pyc)")
"""What programs renew as they run."""
_SNAPSHOTS: Final = re.compile(r".*\.(?:snap|ambr|snapshot)")
_MOST_FOLDERS: Final = 50
_MOST_FILES: Final = 50
_MOST_TESTS: Final = 100


def with_reads(tell: Tell | None, bench: Bench, command: str) -> Tell | None:
    """The same, so that files which the command's scripts and tests name are brought out where the run wrote them."""
    paths, folders = tuple(_named(bench, command)), _folders(bench)
    if not paths and not folders:
        return tell
    plain = tell or (lambda given, _: Told(given))
    return lambda given, place: replace(plain(given, place), reads=paths, within=folders)


def overwritten(bench: Bench, command: str, ran: Ran, changes: Sequence[Change]) -> list[str]:
    """The files that checks compare with, or read, and that a run left otherwise than they are."""
    changed = [path for path in written(bench, ran) if not _only_grew(bench, ran, path)]
    if not changed:
        return []
    texts = texts_of(bench, command, changes)
    told = {path for path in measures(changed, texts) if content_of(bench.workspace, path) is not None}
    held = [path for path in changed if path not in told and _may_be_told(bench, path, texts)]
    return sorted(told | {*_reached(bench, command, changes, held)})


def written(bench: Bench, ran: Ran) -> list[str]:
    """The files that a run was to read alone and left otherwise than they are."""
    return [one.path for one in ran.written if one.content != content_of(bench.workspace, one.path)]


def _only_grew(bench: Bench, ran: Ran, path: str) -> bool:
    """Whether a file of snapshots still holds all that it held: runners add those of new tests."""
    if not _SNAPSHOTS.fullmatch(path):
        return False
    now = next(one.content for one in ran.written if one.path == path)
    return not added_lines(now.decode("utf-8", "replace"), _text(bench, path))


def _may_be_told(bench: Bench, path: str, texts: Texts) -> bool:
    """Whether a file of the tests' was there, is none that grows by itself or that they write, and none of the goal."""
    spoken = path in bench.goal or path.rpartition("/")[2] in bench.goal or _OF_MEASURES.search(bench.goal)
    return not (spoken or _GROWS.fullmatch(path) or bench.began(path) is None or is_written(path, texts.checkers))


def _reached(bench: Bench, command: str, changes: Sequence[Change], held: Sequence[str]) -> Iterator[str]:
    """Of some files those that the code reaches for by what is new in it."""
    which = which_of(bench, command)
    code = [one for one in changes if one.after is not None and is_code(one.path) and not which.put_back(one.path)]
    if not held or not code:
        return
    before = bench.contents({one.before for one in code if one.before is not None})
    for one in code:
        old = before.get(one.before or "", b"").decode("utf-8", "replace")
        added = added_lines(old, _text(bench, one.path))
        yield from (path for path in held if reaches(one.path, added, path))


def _folders(bench: Bench) -> tuple[str, ...]:
    """The folders of tests, and those at the top of what they, or checkers, compare with."""
    tests = [path for path in bench.verifiers or {} if collected(path)]
    found = {path.rpartition("/")[0] for path in tests} - {""}
    found |= {name for name in _MEASURES if (bench.workspace / name).is_dir()}
    outer = [one for one in sorted(found) if not any(f"{one}/".startswith(f"{other}/") for other in found - {one})]
    return tuple(outer[:_MOST_FOLDERS])


def _named(bench: Bench, command: str) -> Iterator[str]:
    """The files of the workspace, other than code, that the texts behind a command name: the first ones of many."""
    tests = [path for path in bench.verifiers or {} if collected(path)][:_MOST_TESTS]
    texts = [("", reached_text(bench, command))]
    texts += [(path.rpartition("/")[0], _text(bench, path)) for path in tests]
    found = dict.fromkeys(
        path
        for folder, text in texts
        for word in dict.fromkeys(_NAMED.findall(text))
        for path in _paths(folder, word.removeprefix("./"))
        if not _CODE.fullmatch(path) and ".." not in path and (bench.workspace / path).is_file()
    )
    yield from [*found][:_MOST_FILES]


def _paths(folder: str, word: str) -> Iterable[str]:
    return (word, f"{folder}/{word}") if folder else (word,)


def _text(bench: Bench, path: str) -> str:
    return (content_of(bench.workspace, path) or b"").decode("utf-8", "replace")
