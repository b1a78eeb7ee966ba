"""Searches the workspace's text files for a regular expression."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import regex
from arreio_contracts.events import Effect

from shared.workspace import PathRefused, confine, read_regular

from .base import Arguments, Refused, ToolContext, ToolResult, failure, schema, shown, text_argument
from .tree import shown_tree

_MOST_HITS = 200
_MOST_LINE_CHARS = 300
_MOST_BYTES = 2 * 1024 * 1024
_SECONDS = 10.0


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


def _search(arguments: Arguments, context: ToolContext) -> ToolResult:
    try:
        pattern = regex.compile(arguments["pattern"])
    except regex.error as error:
        raise Refused(f"not a regular expression: {error}", "bad_pattern", "error") from error
    place = confine(context.workspace, arguments.get("path") or ".")
    if not place.real.exists():
        raise Refused(f"there is nothing at {place.name}", "not_found", "error")
    deadline = time.monotonic() + _SECONDS
    hits: list[str] = []
    size = 0
    for name in _files(context.workspace, place.name, place.real):
        for number, line in _lines(context.workspace / name):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if not pattern.search(line, timeout=left, concurrent=True):
                continue
            hit = f"{name}:{number}: {line.strip()[:_MOST_LINE_CHARS]}"
            size += len(hit) + 1
            if len(hits) == _MOST_HITS or size > context.most_chars - 200:
                return ToolResult("ok", "\n".join(hits) + "\n[more matches: search a narrower pattern or path]")
            hits.append(hit)
    return ToolResult("ok", "\n".join(hits) or f"No line of {_called(place.name)} matches.")


def _called(name: str) -> str:
    return "the workspace" if name == "." else name


def _files(workspace: Path, name: str, real: Path) -> Iterator[str]:
    if real.is_file():
        yield name
        return
    for entry in shown_tree(workspace, "" if name == "." else name):
        if not entry.directory.ignored:
            yield from entry.files


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        data = read_regular(path, most_bytes=_MOST_BYTES)
    except (OSError, PathRefused):
        return
    if data is None or b"\0" in data[:8192]:
        return
    for number, line in enumerate(data.decode("utf-8", "surrogateescape").split("\n"), 1):
        yield number, shown(line)
