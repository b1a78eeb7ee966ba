"""Lists the files of the workspace, or of one directory in it."""

import asyncio

from arreio_contracts.events import Effect

from shared.workspace import confine

from .base import Arguments, Refused, ToolContext, ToolResult, failure, schema, shown_name, text_argument
from .tree import shown_tree

_MOST_ENTRIES = 500


class ListFiles:
    """What git ignores is left out; an ignored directory is named."""

    name = "list_files"
    description = "List the files of the workspace or of one directory."
    parameters = schema({}, {"path": text_argument("Directory to list; the whole workspace if left out.")})
    effect: Effect = "read"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        try:
            return await asyncio.to_thread(_list, arguments, context)
        except Exception as error:  # noqa: BLE001 - every failure is a result
            return failure(error)


def _list(arguments: Arguments, context: ToolContext) -> ToolResult:
    place = confine(context.workspace, arguments.get("path") or ".")
    if not place.real.exists():
        raise Refused(f"there is no directory {place.name}", "not_found", "error")
    if not place.real.is_dir():
        raise Refused(f"{place.name} is a file; next: read_file {place.name}", "not_a_directory", "error")
    below = "" if place.name == "." else place.name
    names: list[str] = []
    for entry in shown_tree(context.workspace, below):
        directory = entry.directory
        names += map(shown_name, entry.files)
        names += [f"{shown_name(directory.child(name))} (link)" for name in directory.links]
        if directory.ignored:
            names.append(f"{shown_name(directory.path)}/ (ignored)")
        elif directory.path != below and not (directory.dirs or directory.files or directory.links):
            names.append(f"{shown_name(directory.path)}/ (empty)")
    if not names:
        return ToolResult("ok", f"{'The workspace' if place.name == '.' else place.name} holds no files.")
    names = sorted(names)
    kept, size = [], 0
    for name in names[:_MOST_ENTRIES]:
        size += len(name) + 1
        if size > context.most_chars - 200:
            break
        kept.append(name)
    more = f"\n[{len(names) - len(kept)} more: list_files a directory]" if len(kept) < len(names) else ""
    return ToolResult("ok", "\n".join(kept) + more)
