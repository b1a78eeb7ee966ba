"""Writes a whole file: a new one, or one whose current content the task has read."""

import re

from arreio_contracts.events import Effect

from shared.workspace import PathRefused, confine, read_regular, sha256

from . import masks, writing
from .base import (
    Arguments,
    FilePlan,
    Refused,
    ToolContext,
    ToolResult,
    as_bytes,
    is_binary,
    must_be_seen,
    schema,
    text_argument,
)

_SURROGATE = re.compile("[\udc80-\udcff]")
"""What stands for a byte that is not UTF-8."""


class WriteFile:
    """Missing directories are made."""

    name = "write_file"
    description = "Create a file, or replace a whole file that you have read."
    parameters = schema(
        {
            "path": text_argument("File to write, relative to the workspace."),
            "content": text_argument("The whole content of the file."),
        }
    )
    effect: Effect = "file"

    def plan(self, arguments: Arguments, context: ToolContext) -> FilePlan | ToolResult:
        return writing.plan_safely(_plan, arguments, context)

    def apply(self, plan: FilePlan, context: ToolContext) -> ToolResult:
        return writing.apply_plan(plan, context)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        return await writing.plan_and_apply(_plan, arguments, context)


def _plan(arguments: Arguments, context: ToolContext) -> FilePlan:
    path: str = arguments["path"]
    place = confine(context.workspace, path)
    if place.name == "." or path.endswith("/"):
        raise Refused(f"{path} is a directory; name a file", "is_a_directory")
    parts = place.name.split("/")
    if ".git" in parts:
        raise PathRefused(f"{place.name} belongs to git; use git by run_command")
    as_bytes(arguments["content"])
    old = read_regular(place.real, within=place.root)
    before = None if old is None else must_be_seen(place.name, old, context)
    was = None if old is None or is_binary(old) else old.decode("utf-8", "surrogateescape")
    masks.must_hold_no_mask(place.name, was, arguments["content"], context)
    content = _as_it_was(place.name, arguments["content"], was)
    after = sha256(content)
    lines = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    verb = "already has this content" if before == after else "written" if before is None else "replaced"
    done = f"{place.name} {verb} ({lines} {'line' if lines == 1 else 'lines'}, {len(content)} bytes)."
    return FilePlan(place.name, before, after, content, done)


def _as_it_was(name: str, content: str, was: str | None) -> bytes:
    """The content as bytes, with the encoding and the line breaks that the file has now."""
    if was is None:
        return as_bytes(content)
    if "\r\n" in was and "\r" not in content and was.count("\n") == was.count("\r\n"):
        content = content.replace("\n", "\r\n")
    if not _SURROGATE.search(was):
        return as_bytes(content)
    if "\ufffd" in content and "\ufffd" not in was:
        raise Refused(
            f"{name} is not UTF-8: \ufffd stands for bytes that cannot be shown and would be lost, so nothing was "
            "written; change what is around them by edit_file, which leaves them as they are",
            "bad_text",
        )
    try:
        return content.encode("latin-1")
    except UnicodeEncodeError:
        return as_bytes(content)
