"""`arreio diff` and `arreio restore`: what a task changed in its workspace, and the workspace as it was at an event."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arreio.options import DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arreio.kept_workspace import Kept
    from shared.workspace.changes import Change
    from shared.workspace.snapshots import Plan, Snapshots

TaskArgument = Annotated[str, typer.Argument(help="The task's id.")]


def diff(
    task: TaskArgument,
    from_: Annotated[
        int | None,
        typer.Option("--from", metavar="SEQ", min=1, help="After this event; the task's start if not given."),
    ] = None,
    to: Annotated[
        int | None, typer.Option("--to", metavar="SEQ", min=1, help="After this event; the last one if not given.")
    ] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Show what a task changed in its workspace between two events, as a unified diff."""
    kept = asyncio.run(_kept(load_settings(data_dir), task))
    began, ended = kept.tree(from_ or kept.start), kept.tree(to or kept.events[-1].seq)
    if as_json:
        changes = [_plain(change) for change in kept.snapshots.changes(began, ended)]
        say_json({"task_id": task, "workspace": str(kept.workspace), "from": began, "to": ended, "changes": changes})
        return
    sys.stdout.write(kept.snapshots.patch(began, ended))


def restore(
    task: TaskArgument,
    at: Annotated[int | None, typer.Option("--at", metavar="SEQ", min=1, help="As it was after this event.")] = None,
    tree: Annotated[str | None, typer.Option(metavar="TREE", help="As a snapshot holds it, by its id.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Put a task's workspace back as it was at an event. What is there now is kept, and named with its way back."""
    if (at is None) == (tree is None):
        raise ArreioError("restore what?", "name an event with --at SEQ, or a snapshot with --tree TREE")
    settings = load_settings(data_dir)
    kept = asyncio.run(_kept(settings, task))
    if not kept.terminal:
        raise ArreioError(f"task {task} is still open", f"end it first: `arreio tasks cancel {task}`")
    wanted = kept.tree(at) if at is not None else _held(kept, tree or "")
    asyncio.run(_restore(settings, kept, wanted, yes=yes, as_json=as_json))


async def _restore(settings: Settings, kept: Kept, wanted: str, *, yes: bool, as_json: bool) -> None:
    from shared.processes import owner_id
    from shared.workspace import WorkspaceBusy, acquire

    try:
        lock = await acquire(
            settings.data_dir, kept.workspace, task_id=f"restore of {kept.task_id}", epoch=0, owner=owner_id()
        )
    except WorkspaceBusy as error:
        raise ArreioError(f"{kept.workspace} is in use: {error}", "wait for that task, or cancel it") from error
    try:
        plan = kept.snapshots.plan(wanted)
        if plan.changes and not yes:
            _ask(kept.workspace, plan.changes)
            # What was written while the question stood open is not to be lost either.
            plan = kept.snapshots.plan(wanted)
        back = f"arreio restore {kept.task_id} --tree {plan.before}"
        _carry_out(kept.snapshots, plan, back)
    finally:
        lock.release()
    done = plan.changes
    if as_json:
        say_json({"task_id": kept.task_id, "before": plan.before, "now": wanted, "changes": [*map(_plain, done)]})
        return
    say(f"{len(done)} files of {kept.workspace} were put back" if done else f"{kept.workspace} is like that already")
    if done:
        say(f"what was there is kept: `{back}`")


def _carry_out(snapshots: Snapshots, plan: Plan, back: str) -> None:
    try:
        snapshots.carry_out(plan)
    except OSError as error:
        raise ArreioError(
            f"{plan.target} was put back in part: {error}", f"what was there is kept: `{back}`"
        ) from error


def _ask(workspace: Path, changes: Sequence[Change]) -> None:
    words = {"added": "written", "changed": "replaced", "deleted": "deleted"}
    for change in changes[:20]:
        say(f"  {words[change.kind]:<9} {change.path}")
    if len(changes) > 20:
        say(f"  … and {len(changes) - 20} more")
    if not sys.stdin.isatty():
        raise ArreioError(f"{len(changes)} files of {workspace} would change", "say --yes")
    if not typer.confirm(f"Change {len(changes)} files of {workspace}?"):
        raise typer.Abort


async def _kept(settings: Settings, task: str) -> Kept:
    from arreio.kept_workspace import kept_workspace

    async with reading(settings) as pool:
        return await kept_workspace(pool, settings.data_dir, task)


def _held(kept: Kept, tree: str) -> str:
    if not kept.snapshots.holds(tree):
        raise ArreioError(f"there is no snapshot {tree} of {kept.workspace}", "see `arreio diff --json`")
    return tree


def _plain(change: Change) -> dict[str, str]:
    return {"path": change.path, "kind": change.kind}
