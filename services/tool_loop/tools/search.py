"""Searches the workspace's text files for a regular expression."""

import asyncio
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import regex
from arreio_contracts.events import Effect

from shared.secrets import mask
from shared.workspace import Confined, PathRefused, confine, directory_beneath

from .base import Arguments, Refused, ToolContext, ToolResult, failure, schema, shown, shown_name, text_argument
from .search_hints import finds_lines_in_text, required_literals
from .tree import shown_tree

_MOST_HITS = 200
_MOST_LINE_CHARS = 300
_MOST_BYTES = 2 * 1024 * 1024
_SECONDS = 10.0
_READ_ONLY = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


class Search:
    """What git ignores, binary files and very large files are left out; an expression that runs away is stopped."""

    name = "search"
    description = "Search the files for a regular expression; shows file, line number and line."
    parameters = schema(
        {"pattern": text_argument("Regular expression, searched line by line.")},
        {"path": text_argument("File or directory to search; the whole workspace if left out.")},
    )
    effect: Effect = "read"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        try:
            return await asyncio.to_thread(_search, arguments, context)
        except TimeoutError:
            return ToolResult("error", f"the search took more than {_SECONDS:.0f} s; use a simpler pattern", "timeout")
        except Exception as error:  # noqa: BLE001 - every failure is a result
            return failure(error)


@dataclass(frozen=True)
class _Wanted:
    """An expression, and what lets a file be passed over quickly: `literals` stand in all that it matches."""

    pattern: regex.Pattern[str]
    text: regex.Pattern[str] | None
    literals: tuple[bytes, ...]
    deadline: float

    def left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def lines(self, data: bytes) -> Iterator[tuple[int, str]]:
        """The lines that match, numbered, as they may be shown."""
        left = self.left()
        if b"\0" in data[:8192] or not all(literal in data for literal in self.literals):
            return
        text = data.decode("utf-8", "surrogateescape")
        if self.text is not None and not self.text.search(text, timeout=left, concurrent=True):
            return
        may_be_shown: list[str] | None = None
        for number, line in enumerate(text.split("\n")):
            if self.pattern.search(shown(line), timeout=self.left(), concurrent=True):
                may_be_shown = may_be_shown or mask(text).split("\n")
                yield number + 1, shown(may_be_shown[number])


def _wanted(expression: str) -> _Wanted:
    try:
        pattern = regex.compile(expression)
        text = regex.compile(expression, regex.MULTILINE) if finds_lines_in_text(expression) else None
    except regex.error as error:
        raise Refused(f"not a regular expression: {error}", "bad_pattern", "error") from error
    literals = tuple(literal.encode("utf-8", "surrogateescape") for literal in required_literals(expression))
    return _Wanted(pattern, text, literals, time.monotonic() + _SECONDS)


def _search(arguments: Arguments, context: ToolContext) -> ToolResult:
    wanted = _wanted(arguments["pattern"])
    place = confine(context.workspace, arguments.get("path") or ".")
    if not place.real.exists():
        raise Refused(f"there is nothing at {place.name}", "not_found", "error")
    hits: list[str] = []
    size = 0
    for name, data in _contents(place):
        for number, line in wanted.lines(data):
            hit = f"{shown_name(name)}:{number}: {line.strip()[:_MOST_LINE_CHARS]}"
            size += len(hit) + 1
            if len(hits) == _MOST_HITS or size > context.most_chars - 200:
                return ToolResult("ok", "\n".join(hits) + "\n[more matches: search a narrower pattern or path]")
            hits.append(hit)
    return ToolResult("ok", "\n".join(hits) or f"No line of {_called(place.name)} matches.")


def _called(name: str) -> str:
    return "the workspace" if name == "." else name


def _contents(place: Confined) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the files, a folder after the other; what cannot be read is passed over."""
    for folder, names in groupby(_files(place), key=lambda name: name.rpartition("/")[0]):
        try:
            with directory_beneath(place.root, f"{folder}/." if folder else ".") as directory:
                for name in names:
                    data = _content(directory, name.rpartition("/")[2])
                    if data is not None:
                        yield name, data
        except (OSError, PathRefused):
            continue


def _content(directory: int, name: str) -> bytes | None:
    """What a regular file of a directory holds; None for another, a large one, or one that cannot be read."""
    try:
        fd = os.open(name, _READ_ONLY, dir_fd=directory)
    except OSError:
        return None
    try:
        info = os.fstat(fd)
        if not stat.S_ISREG(info.st_mode) or info.st_size > _MOST_BYTES:
            return None
        return os.read(fd, info.st_size + 1)
    except OSError:
        return None
    finally:
        os.close(fd)


def _files(place: Confined) -> Iterator[str]:
    if place.real.is_file():
        yield place.name
        return
    for entry in shown_tree(place.root, "" if place.name == "." else place.name):
        if not entry.directory.ignored:
            yield from entry.files
