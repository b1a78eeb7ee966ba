"""`arreio worktrees list|rm`: the git worktrees in which sessions work, kept until somebody takes them away."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from shared.workspace.worktrees import Worktree

app = typer.Typer(no_args_is_help=True, help="Worktrees of sessions: list, rm.")


@app.command("list")
def list_(as_json: JsonOption = False, data_dir: DataDirOption = None) -> None:
    """List the worktrees, the branch of each, and how many paths in it are not committed."""
    found = _worktrees(load_settings(data_dir))
    for one in found:
        if as_json:
            row = {"session_id": one.path.name, "path": str(one.path), "repository": str(one.repository)}
            say_json({**row, "branch": one.branch, "uncommitted": one.changed})
        else:
            say(f"{one.path}\n    {one.branch} of {one.repository}, {one.changed} paths not committed")
    if not found and not as_json:
        say("no worktrees; a profile with 'mode: worktree' makes one for each session")


@app.command()
def rm(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="Whose worktree; its branch stays.")],
    force: Annotated[bool, typer.Option("--force", help="Also what is not committed in it.")] = False,
    data_dir: DataDirOption = None,
) -> None:
    """Take the worktree of a session away. Its branch stays in the repository."""
    from shared.workspace.worktrees import remove_worktree

    settings = load_settings(data_dir)
    found = next((one for one in _worktrees(settings) if one.path.name == session), None)
    if found is None:
        raise ArreioError(f"there is no worktree of the session {session!r}", "see 'arreio worktrees list'")
    busy = asyncio.run(_open_task(settings, session))
    if busy is not None:
        raise ArreioError(f"the task {busy} of the session has not ended", f"wait, or 'arreio tasks cancel {busy}'")
    remove_worktree(found.path, force=force)
    say(f"removed; its branch {found.branch} stays in {found.repository}")


def _worktrees(settings: Settings) -> list[Worktree]:
    from shared.workspace.worktrees import worktrees

    return worktrees(settings.data_dir / "workspaces")


async def _open_task(settings: Settings, session: str) -> str | None:
    from shared.store.tasks import open_task

    async with reading(settings) as pool:
        found = await open_task(pool, session)
    return None if found is None else found.task_id
