"""Carries out a call: the plan before it is committed, the effect once, and what to say after a crash or a stop."""

import asyncio
import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arreio_contracts.events import FileEffect, StepDigest, ToolCall, ToolFinished, ToolStarted
from arreio_contracts.messages import EXCERPT_BYTES

from shared.sandbox import Limits
from shared.secrets import mask_known
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import retrying
from shared.workspace import WorkspaceLock

from .rules.loops.observation import digest_of
from .state import ABSTAIN, LoopState
from .steps import RunTool
from .tools import FilePlan, FileTool, Tool, ToolContext, ToolResult, file_effect_done, registry

_INTERRUPTED = {
    "en": "Interrupted, outcome unknown. Look at the state of things before you repeat it.",
    "pt": "Interrompido, resultado desconhecido. Veja o estado das coisas antes de repetir.",
}
_NOWHERE = Path("/nonexistent")


class ToolRunner:
    """Runs the calls of one task. What was planned in this process is fresh; any other started call was cut off."""

    def __init__(self, settings: Settings, blobs: BlobStore, extra_tools: Iterable[Tool] = ()) -> None:
        self._settings = settings
        self._blobs = blobs
        self._tools = registry(extra_tools)
        self._plans: dict[str, FilePlan | ToolResult | None] = {}

    async def plan(self, step: RunTool, state: LoopState, lock: WorkspaceLock | None) -> FileEffect | None:
        """What the call is about to do to a file; None where it is no file tool or will do nothing."""
        call_id = step.started.call_id
        tool = self._tools[step.started.tool]
        self._plans[call_id] = None
        if not isinstance(tool, FileTool):
            return None
        planned = await self._planned(tool, step.call, state, lock)
        self._plans[call_id] = planned
        if isinstance(planned, ToolResult):
            return None
        return FileEffect(path=planned.path, before=planned.before, after=planned.after)

    async def run(self, step: RunTool, state: LoopState, lock: WorkspaceLock | None) -> ToolFinished:
        """Carry out a call that is committed as started, or settle one that a crash cut off."""
        if step.started.call_id in self._plans:
            result = await self._execute(step, state, lock)
        else:
            result = await self._settle(step, state, lock)
        return await self._finished(step, result, state)

    async def _execute(self, step: RunTool, state: LoopState, lock: WorkspaceLock | None) -> ToolResult:
        tool = self._tools[step.started.tool]
        planned = self._plans.pop(step.started.call_id)
        context = self._context(state, lock)
        if isinstance(planned, ToolResult):
            return planned
        if isinstance(planned, FilePlan):
            assert isinstance(tool, FileTool)
            return await _applied(tool, planned, context)
        return await tool.run(await self._arguments(step.call), context)

    async def _settle(self, step: RunTool, state: LoopState, lock: WorkspaceLock | None) -> ToolResult:
        """After a crash: a read runs again, a write is finished by its hashes, a command is left as it is."""
        tool, effect = self._tools.get(step.started.tool), step.started.observed
        language = state.profile.language if state.profile else "en"
        if tool is not None and step.started.effect == "read":
            return await tool.run(await self._arguments(step.call), self._context(state, lock))
        if isinstance(tool, FileTool):
            if effect is None:
                return ToolResult("interrupted", _INTERRUPTED[language], "interrupted")
            context = self._context(state, lock)
            match await asyncio.to_thread(
                file_effect_done, context.workspace, effect.path, effect.before, effect.after
            ):
                case "done":
                    assert effect.after is not None
                    known = {effect.path: effect.after}
                    changed = known if effect.before != effect.after else {}
                    return ToolResult("ok", f"{effect.path} was written.", seen=known, changed=changed)
                case "not_done":
                    planned = await self._planned(tool, step.call, state, lock)
                    if isinstance(planned, ToolResult):
                        return planned
                    return await _applied(tool, planned, context)
        return ToolResult("interrupted", _INTERRUPTED[language], "interrupted")

    async def _planned(
        self, tool: FileTool, call: ToolCall, state: LoopState, lock: WorkspaceLock | None
    ) -> FilePlan | ToolResult:
        return await asyncio.to_thread(tool.plan, await self._arguments(call), self._context(state, lock))

    async def _arguments(self, call: ToolCall) -> Mapping[str, Any]:
        blob = call.arguments_blob
        if blob is None:
            return call.arguments or {}
        found: Mapping[str, Any] = json.loads(await retrying(lambda: self._blobs.get(blob)))
        return found

    def _context(self, state: LoopState, lock: WorkspaceLock | None) -> ToolContext:
        profile, created = state.profile, state.created
        assert profile is not None and created is not None
        contract = created.contract
        return ToolContext(
            workspace=Path(profile.workspace) if profile.workspace else _NOWHERE,
            seen=state.seen,
            limits=Limits(),
            network=contract.network,
            sandbox=contract.sandbox,
            lock_fd=lock.fd if lock else None,
            data_dir=self._settings.data_dir,
        )

    async def _finished(self, step: RunTool, result: ToolResult, state: LoopState) -> ToolFinished:
        result = dataclasses.replace(result, text=mask_known(result.text))
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


async def _applied(tool: FileTool, plan: FilePlan, context: ToolContext) -> ToolResult:
    """Write a file. Once begun it ends, cancelled or not, so that its result is always known."""
    writing = asyncio.ensure_future(asyncio.to_thread(tool.apply, plan, context))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        return await writing
