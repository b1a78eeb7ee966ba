"""Shows a text file with line numbers, whole or in part."""

import asyncio

from arreio_contracts.events import Effect

from shared.secrets import mask
from shared.workspace import confine, sha256

from .base import (
    Arguments,
    Refused,
    ToolContext,
    ToolResult,
    as_text,
    failure,
    is_binary,
    load,
    number_argument,
    schema,
    shown,
    text_argument,
)

_MOST_LINES = 2000
_MOST_LINE_CHARS = 2000


class ReadFile:
    """Reading any part of a file counts as having seen its current content."""

    name = "read_file"
    description = "Show a file with line numbers. Read a file before you change it."
    parameters = schema(
        {"path": text_argument("File to read, relative to the workspace.")},
        {
            "start_line": number_argument("First line to show; 1 if left out."),
            "end_line": number_argument("Last line to show; the file's end if left out."),
        },
    )
    effect: Effect = "read"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        try:
            return await asyncio.to_thread(_read, arguments, context)
        except Exception as error:  # noqa: BLE001 - every failure is a result
            return failure(error)


def _read(arguments: Arguments, context: ToolContext) -> ToolResult:
    place = confine(context.workspace, arguments["path"])
    data = load(place)
    seen = {place.name: sha256(data)}
    if is_binary(data):
        told = f"{place.name} is a binary file of {len(data)} bytes; it can be replaced, not shown"
        return ToolResult("error", told, "binary_file", seen=seen)
    # A secret may stand on several lines: it is masked before any line is left out.
    content = mask(as_text(data, place.name))
    lines = content.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        return ToolResult("ok", f"{place.name} is empty.", seen=seen)
    first = arguments.get("start_line") or 1
    last = min(arguments.get("end_line") or len(lines), len(lines))
    if first > len(lines):
        raise Refused(
            f"{place.name} has {len(lines)} lines; start_line {first} is beyond its end", "no_such_line", "error"
        )
    if last < first:
        raise Refused(f"end_line {last} is before start_line {first}", "bad_range", "error")
    body, shown_to = _numbered(lines, first, last, context.most_chars)
    head = f"{place.name}, lines {first}-{shown_to} of {len(lines)}:"
    more = f"\n[more: read_file {place.name} start_line={shown_to + 1}]" if shown_to < last else ""
    return ToolResult("ok", f"{head}\n{body}{more}", seen=seen)


def _numbered(lines: list[str], first: int, last: int, most_chars: int) -> tuple[str, int]:
    """Numbered lines within the bounds, at least one, and the number of the last one."""
    out: list[str] = []
    size = 0
    for number in range(first, min(last, first + _MOST_LINES - 1) + 1):
        line = lines[number - 1].rstrip("\r")
        if len(line) > _MOST_LINE_CHARS:
            line = f"{line[:_MOST_LINE_CHARS]} [… {len(line) - _MOST_LINE_CHARS} characters more]"
        row = f"{number}| {shown(line)}"
        size += len(row) + 1
        if out and size > most_chars - 200:
            return "\n".join(out), number - 1
        out.append(row)
    return "\n".join(out), first + len(out) - 1
