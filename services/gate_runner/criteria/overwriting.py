"""Whether a run wrote what its checks compare with: then it was held against itself.

Files that the command's scripts and tests name are brought out of the sandbox where the run wrote them. One that
differs from what lies in the workspace, and that the same command did not write when everything was as the task found
it, is told; what a check writes or renews itself is fine.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.verifiers import collected
from shared.workspace.changes import Change

from ..commands import Ran, Tell
from ..judging_twice import measures
from ..runners import Told
from .base import Bench, content_of
from .judging import reached_text
from .sources import texts_of

_NAMED: Final = re.compile(r"(?<![\w./-])[\w-][\w./-]*(?![\w/-])")
_CODE: Final = re.compile(r".*\.(?:py|[cm]?[jt]sx?|go|rs|sh|toml|cfg|ini)")
_MOST_FILES: Final = 50
_MOST_TESTS: Final = 100


def with_reads(tell: Tell | None, bench: Bench, command: str) -> Tell | None:
    """The same, so that files which the command's scripts and tests name are brought out where the run wrote them."""
    paths = tuple(_named(bench, command))
    if not paths:
        return tell
    plain = tell or (lambda given, _: Told(given))
    return lambda given, place: replace(plain(given, place), reads=paths)


def overwritten(bench: Bench, command: str, ran: Ran, changes: Sequence[Change]) -> list[str]:
    """The files that checks compare with and that a run left otherwise than they are."""
    changed = written(bench, ran)
    return sorted(measures(changed, texts_of(bench, command, changes))) if changed else []


def written(bench: Bench, ran: Ran) -> list[str]:
    """The files that a run was to read alone and left otherwise than they are."""
    return [one.path for one in ran.written if one.content != content_of(bench.workspace, one.path)]


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
