"""Carries out a call: the plan before it is committed, the effect once, and what to say after a crash or a stop.

What carries calls out are handlers in a registry of hooks, built for each call.
"""

import asyncio
import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arreio_contracts.events import FileEffect, StepDigest, ToolCall, ToolFinished, ToolStarted
from arreio_contracts.messages import EXCERPT_BYTES
from arreio_contracts.task import TaskContract

from shared.sandbox import Limits
from shared.secret_references import NoSecret, resolve
from shared.secrets import mask
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import retrying
from shared.workspace import WorkspaceLock
from shared.workspace.snapshots import tree_now

from .hooks.registry import Halt, Hooks
from .rules.loops.observation import digest_of
from .state import ABSTAIN, LoopState
from .steps import RunTool
from .tools import FilePlan, FileTool, Tool, ToolContext, ToolResult, file_effect_done, registry

_INTERRUPTED = {
    "en": "Interrupted, outcome unknown. Look at the state of things before you repeat it.",
    "pt": "Interrompido, resultado desconhecido. Veja o estado das coisas antes de repetir.",
}
_NOWHERE = Path("/nonexistent")


@dataclass
class Action:
    """A call on its way through the handlers, until one of them has its result.

    `cut_off`: a process before this one had started it. `plan`: what a file tool is about to do, decided in this one.
    """

    call: ToolCall
    started: ToolStarted
    tool: Tool | None
    arguments: Mapping[str, Any]
    context: ToolContext
    language: str
    cut_off: bool
    plan: FilePlan | ToolResult | None = None
    result: ToolResult | None = None

    def ends_with(self, result: ToolResult) -> Halt:
        """It has its result; nothing behind is called."""
        self.result = result
        return Halt(result.status)


class ToolRunner:
    """Runs the calls of one task. What was planned in this process is fresh; any other started call was cut off."""

    def __init__(
        self,
        settings: Settings,
        blobs: BlobStore,
        extra_tools: Iterable[Tool] = (),
        remote: Callable[[str, LoopState], Tool | None] = lambda name, state: None,
    ) -> None:
        self._remote = remote
        self._settings = settings
        self._blobs = blobs
        self._tools = registry(extra_tools)
        self._plans: dict[str, FilePlan | ToolResult | None] = {}

    async def plan(self, step: RunTool, state: LoopState, lock: WorkspaceLock | None) -> FileEffect | None:
        """What the call is about to do to a file; None where it is no file tool or will do nothing."""
        call_id = step.started.call_id
        tool = self._tools.get(step.started.tool)
        self._plans[call_id] = None
        if not isinstance(tool, FileTool):
            return None
        arguments = await self.arguments(step.call)
        planned = await asyncio.to_thread(tool.plan, arguments, self._context(state, lock))
        self._plans[call_id] = planned
        if isinstance(planned, ToolResult):
            return None
        return FileEffect(path=planned.path, before=planned.before, after=planned.after)

    async def run(self, step: RunTool, state: LoopState, lock: WorkspaceLock | None) -> ToolFinished:
        """Carry out a call that is committed as started, or settle one that a crash cut off."""
        call_id = step.started.call_id
        action = Action(
            call=step.call,
            started=step.started,
            tool=self._tools.get(step.started.tool) or self._remote(step.started.tool, state),
            arguments=await self.arguments(step.call),
            context=self._context(state, lock),
            language=state.profile.language if state.profile else "en",
            cut_off=call_id not in self._plans,
            plan=self._plans.pop(call_id, None),
        )
        await _handlers().run("pre_tool_use", action)
        assert action.result is not None
        finished = await self._finished(step, action.result, state)
        return finished.model_copy(update={"snapshot": await self._snapshot(finished, step, state)})

    async def arguments(self, call: ToolCall) -> Mapping[str, Any]:
        """The arguments of a call, whole."""
        blob = call.arguments_blob
        if blob is None:
            return call.arguments or {}
        found: Mapping[str, Any] = json.loads(await retrying(lambda: self._blobs.get(blob)))
        return found

    @staticmethod
    def _secrets(contract: TaskContract) -> dict[str, str]:
        """The variables of commands. All were there when the task was admitted; one that has gone is left out."""
        found = {}
        for name, reference in contract.secrets.items():
            with contextlib.suppress(NoSecret):
                found[name] = resolve(reference)
        return found

    def _context(self, state: LoopState, lock: WorkspaceLock | None) -> ToolContext:
        profile, created = state.profile, state.created
        assert profile is not None and created is not None
        contract = created.contract
        return ToolContext(
            workspace=Path(profile.workspace) if profile.workspace else _NOWHERE,
            seen=state.observed,
            limits=Limits(),
            network=contract.network,
            sandbox=contract.sandbox,
            lock_fd=lock.fd if lock else None,
            data_dir=self._settings.data_dir,
            profile=contract.profile or "default",
            skill_folders=tuple(map(Path, contract.skill_folders)),
            env=self._secrets(contract),
        )

    async def _snapshot(self, finished: ToolFinished, step: RunTool, state: LoopState) -> str:
        """The workspace after a command that changed it; what file tools write is known by its hash."""
        profile = state.profile
        changed = finished.workspace_changed and step.started.effect == "command"
        if not changed or profile is None or profile.workspace is None or not profile.snapshot:
            return ""
        return await asyncio.to_thread(tree_now, self._settings.data_dir, Path(profile.workspace))

    async def _finished(self, step: RunTool, result: ToolResult, state: LoopState) -> ToolFinished:
        result = dataclasses.replace(result, text=mask(result.text))
        raw = result.text.encode("utf-8", "replace")
        blob = await retrying(lambda: self._blobs.put(raw)) if len(raw) > EXCERPT_BYTES else None
        half = EXCERPT_BYTES // 2
        text = result.text
        if blob is not None:
            head, tail = raw[:half].decode("utf-8", "ignore"), raw[-half:].decode("utf-8", "ignore")
            text = f"{head}\n… {len(raw) - 2 * half} bytes left out …\n{tail}"
        unknown = result.status == "interrupted" and step.started.effect == "command"
        return ToolFinished(
            call_id=step.started.call_id,
            tool=step.started.tool,
            status=result.status,
            text=text,
            blob=blob,
            error_class=result.error_class,
            exit_status=result.exit_status,
            seen=dict(result.seen),
            changed=dict(result.changed),
            created=result.created,
            workspace_changed=bool(result.changed) or unknown,
            digest=_digest(step, result, state),
            skill=result.skill,
        )


def interrupted(started: ToolStarted, language: str) -> ToolFinished:
    """The result of a call that was ended, or whose end nobody saw."""
    return ToolFinished(
        call_id=started.call_id,
        tool=started.tool,
        status="interrupted",
        text=_INTERRUPTED.get(language, _INTERRUPTED["en"]),
        error_class="interrupted",
        # What it did is not known; the safe side is that it changed something.
        workspace_changed=started.effect == "command",
    )


def _digest(step: RunTool, result: ToolResult, state: LoopState) -> StepDigest | None:
    """What the rules against loops see of a call; None for one of which they say nothing."""
    if result.status == "interrupted" or step.call.name == ABSTAIN:
        return None
    effect, workspace = step.started.observed, state.profile.workspace if state.profile else None
    known = {**state.seen, **({effect.path: effect.before} if effect else {})}
    failed, changed = result.status != "ok", bool(result.changed)
    seen = digest_of(step.call, result.text, failed=failed, changed=changed, workspace=workspace)
    return seen.model_copy(update={"found": {path: known[path] for path in result.changed if path in known}})


def _handlers() -> Hooks[Action]:
    """What carries out a call, in order: the first that can has the last word."""
    return Hooks[Action]().on("pre_tool_use", settle_cut_off, run_action, execute_command)


async def settle_cut_off(action: Action) -> Halt | None:
    """After a crash: a write is finished by its hashes, a command is left as it is; a read goes on and runs again."""
    if not action.cut_off or (action.tool is not None and action.started.effect == "read"):
        return None
    effect, tool = action.started.observed, action.tool
    lost = ToolResult("interrupted", _INTERRUPTED[action.language], "interrupted")
    if not isinstance(tool, FileTool) or effect is None:
        return action.ends_with(lost)
    done = await asyncio.to_thread(file_effect_done, action.context.workspace, effect.path, effect.before, effect.after)
    match done:
        case "done":
            assert effect.after is not None
            known = {effect.path: effect.after}
            changed = known if effect.before != effect.after else {}
            return action.ends_with(ToolResult("ok", f"{effect.path} was written.", seen=known, changed=changed))
        case "not_done":
            action.plan = await asyncio.to_thread(tool.plan, action.arguments, action.context)
            return None
        case _:
            return action.ends_with(lost)


async def run_action(action: Action) -> Halt | None:
    """The action pipeline: what is planned is written, anything else that is no command is run."""
    plan, tool = action.plan, action.tool
    if isinstance(plan, ToolResult):
        return action.ends_with(plan)
    if isinstance(plan, FilePlan):
        assert isinstance(tool, FileTool)
        return action.ends_with(await _applied(tool, plan, action.context))
    if tool is None or action.started.effect == "command":
        return None
    return action.ends_with(await tool.run(action.arguments, action.context))


async def execute_command(action: Action) -> Halt | None:
    """The command executor: what may change anything in the workspace, or beyond."""
    if action.tool is None:
        text = f"there is no {action.started.tool} any more"
        return action.ends_with(ToolResult("error", text, "tool_gone"))
    return action.ends_with(await action.tool.run(action.arguments, action.context))


async def _applied(tool: FileTool, plan: FilePlan, context: ToolContext) -> ToolResult:
    """Write a file. Once begun it ends, cancelled or not, so that its result is always known."""
    writing = asyncio.ensure_future(asyncio.to_thread(tool.apply, plan, context))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        return await writing
