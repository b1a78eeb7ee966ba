"""How file tools write: the plan is recorded before the effect, and the disk says afterwards whether it happened."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from shared.workspace import PathRefused, confine, file_sha256, write_atomic

from .base import Arguments, FilePlan, ToolContext, ToolResult, failure

Done = Literal["done", "not_done", "foreign"]
Planner = Callable[[Arguments, ToolContext], FilePlan]


def plan_safely(planner: Planner, arguments: Arguments, context: ToolContext) -> FilePlan | ToolResult:
    """The plan, or the result that says why there is none."""
    try:
        return planner(arguments, context)
    except Exception as error:  # noqa: BLE001 - every failure is a result
        return failure(error)


def apply_plan(plan: FilePlan, context: ToolContext) -> ToolResult:
    """Writes a plan if the file still is as it was when planned; once written, applying again changes nothing."""
    try:
        match file_effect_done(context.workspace, plan.path, plan.before, plan.after):
            case "foreign":
                text = f"{plan.path} changed meanwhile and was left as it is; next: read_file {plan.path}"
                return ToolResult("refused", text, "changed_meanwhile")
            case "not_done":
                place = confine(context.workspace, plan.path)
                write_atomic(place.real, plan.content, within=place.root)
    except Exception as error:  # noqa: BLE001 - every failure is a result
        return failure(error)
    changed = {plan.path: plan.after} if plan.after != plan.before else {}
    return ToolResult("ok", plan.done, seen={plan.path: plan.after}, changed=changed)


async def plan_and_apply(planner: Planner, arguments: Arguments, context: ToolContext) -> ToolResult:
    """Both steps at once, for callers that record nothing between them."""

    def both() -> ToolResult:
        plan = plan_safely(planner, arguments, context)
        return plan if isinstance(plan, ToolResult) else apply_plan(plan, context)

    return await asyncio.to_thread(both)


def file_effect_done(workspace: Path, path: str, before: str | None, after: str | None) -> Done:
    """Whether a recorded write happened, by what is on the disk now; `foreign`: neither the old content nor the new."""
    try:
        place = confine(workspace, path)
        now = file_sha256(place.real, within=place.root)
    except (PathRefused, OSError):
        return "foreign"
    if now == after:
        return "done"
    return "not_done" if now == before else "foreign"
