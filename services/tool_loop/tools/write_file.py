"""Writes a whole file: a new one, or one whose current content the task has read."""

from arreio_contracts.events import Effect

from shared.workspace import PathRefused, confine, read_regular, sha256

from . import writing
from .base import Arguments, FilePlan, Refused, ToolContext, ToolResult, as_bytes, must_be_seen, schema, text_argument


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
    content = as_bytes(arguments["content"])
    old = read_regular(place.real, within=place.root)
    before = None if old is None else must_be_seen(place.name, old, context)
    after = sha256(content)
    lines = content.count(b"\n") + (not content.endswith(b"\n") and bool(content))
    verb = "already has this content" if before == after else "written" if before is None else "replaced"
    done = f"{place.name} {verb} ({lines} {'line' if lines == 1 else 'lines'}, {len(content)} bytes)."
    return FilePlan(place.name, before, after, content, done)
