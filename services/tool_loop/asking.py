"""Asks the model as its capability profile says, and records what it said or why it said nothing."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import structlog
from arreio_contracts.events import (
    HistorySummarised,
    ModelFailed,
    ModelReplied,
    ModelRequested,
    ToolCall,
)
from arreio_contracts.messages import EXCERPT_BYTES, ContextManifest

from shared.prompt import Message, hashes, messages
from shared.secrets import mask
from shared.store.blobs import BlobStore
from shared.store.connection import retrying

from . import nudges
from .base_request import base_request
from .grounding.listed_packages import worth_asking
from .hinting import hints
from .judging_replies import JudgedCall, judged
from .models.call_modes import ToolSpec, call_mode
from .models.capability import ToolCallMode
from .models.client import Client
from .models.errors import ProviderError, masked
from .models.local_models import LocalModels
from .rules.fingerprint import path_of
from .sampling import BETWEEN_SEEDS, gather_samples, total_usage
from .state import LoopState
from .summaries import Unit, problem, room, told
from .tools import Tool, registry
from .tools.run_command import RunCommand

logger = structlog.get_logger()

_KEPT_TEXTS = 4096
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What is raised where a reply is of a form that nobody thought of; a worker that died of it would die of it again."""


class Asker:
    """Puts recorded requests to models. It keeps the texts of prompts' units, so that a turn reads only new ones."""

    def __init__(self, client: Client, local: LocalModels, blobs: BlobStore, extra_tools: Iterable[Tool] = ()) -> None:
        self._client = client
        self._local = local
        self._blobs = blobs
        self._specs = {
            tool.name: ToolSpec(tool.name, tool.description, tool.parameters) for tool in registry(extra_tools).values()
        }
        self._texts: dict[str, str] = {}
        self._reading: tuple[ContextManifest, asyncio.Task[list[Message]]] | None = None

    def expect(self, manifest: ContextManifest) -> None:
        """A prompt that will be asked for, once it is committed: it is read meanwhile."""
        self.forget()
        self._reading = (manifest, asyncio.create_task(self._read(manifest)))

    def forget(self) -> None:
        """Let go of what is being read."""
        if self._reading is not None:
            self._reading[1].cancel()
            self._reading = None

    async def ask(self, request: ModelRequested, state: LoopState) -> ModelReplied | ModelFailed:
        """Make one request. A provider's failure, and a reply that cannot be used, is a fact and not an exception."""
        try:
            return await self._ask(request, state)
        except _UNREADABLE as error:
            logger.exception("model.reply_unusable", model=request.model)
            cause = masked(f"the reply cannot be used: {type(error).__name__}: {error}")
            return ModelFailed(kind="unavailable", message=cause)
        except ProviderError as error:
            hint = f" ({error.hint})" if error.hint else ""
            message = f"{error.message}{hint}"
            return ModelFailed(kind=error.kind, message=message, retry_after=error.retry_after, lacks=error.lacks)

    async def _ask(self, request: ModelRequested, state: LoopState) -> ModelReplied:
        profile = state.profile
        assert profile is not None
        capability = profile.capability
        transcript = await self._transcript(state)
        remote = {tool.name: ToolSpec(tool.name, tool.description, tool.parameters) for tool in profile.remote_tools}
        specs = self._specs | remote
        base = replace(
            await base_request(self._local, profile),
            parallel_tool_calls=bool(capability["parallel_tool_calls"]),
            temperature=request.temperature,
        )
        known = await hints(state)
        samples = await gather_samples(
            call_mode(cast(ToolCallMode, request.mode)).ask(
                self._client,
                replace(base, seed=request.seed + sample * BETWEEN_SEEDS),
                transcript,
                [specs[name] for name in request.offered],
                known,
                # A session's calls have ids of their own, whichever of its tasks made them.
                prefix=f"call-{state.task_id[-8:]}-{request.step}",
            )
            for sample in range(request.samples)
        )
        found = await judged(samples, request.samples, profile.workspace)
        text, blob = await self._excerpt(found.content)
        calls = found.answer.calls
        commands = sum(call.name == RunCommand.name for call in calls)
        paths = {path_of(call.arguments, profile.workspace or "") for call in calls if call.arguments}
        written = paths if commands < 2 else None
        return ModelReplied(
            content=text,
            content_blob=blob,
            calls=tuple([await self._stored(call, profile.workspace, written) for call in found.calls]),
            finish_reason=found.answer.finish_reason,
            usage=total_usage(samples),
            cost_usd=sum(sample.cost_usd for sample in samples),
            requests=sum(sample.requests for sample in samples),
            promise=found.promise,
            vote=found.vote,
        )

    async def summarise(self, units: Sequence[Unit], state: LoopState) -> HistorySummarised:
        """Have the history that is left out summed up, once. What goes wrong is told, and no exception."""
        profile, context = state.profile, state.context
        assert profile is not None and context is not None
        none = summarised(units, profile.model)
        most = min(room(context.manifest), int(profile.capability["max_output_tokens"]))
        try:
            base = await base_request(self._local, profile)
            found = await retrying(lambda: self._blobs.get_many([unit.sha256 for unit in units]))
            texts = (found[unit.sha256].decode() for unit in units)
            asked = nudges.summary_wanted(most // 2, profile.language)
            left = int(profile.capability["context_tokens"]) - most - len(asked.encode()) // 3
            reply = await self._client.complete(
                replace(
                    base,
                    messages=[{"role": "system", "content": asked}, {"role": "user", "content": told(texts, left)}],
                    max_tokens=most,
                )
            )
        except ProviderError as error:
            return none.model_copy(update={"problem": f"{error.kind}: {error.message}"})
        text = mask(reply.content).strip()
        wrong = problem(text, reply.finish_reason, most)
        made = {"text": "" if wrong else text, "problem": wrong, "usage": reply.usage, "cost_usd": reply.cost_usd}
        return none.model_copy(update=made)

    async def _transcript(self, state: LoopState) -> list[Message]:
        """The prompt that was built for this turn."""
        assert state.context is not None
        manifest = state.context.manifest
        reading, self._reading = self._reading, None
        if reading is not None and reading[0] is manifest:
            return await reading[1]
        return await self._read(manifest)

    async def _read(self, manifest: ContextManifest) -> list[Message]:
        wanted = hashes(manifest)
        missing = [name for name in wanted if name not in self._texts]
        if len(self._texts) + len(missing) > _KEPT_TEXTS:
            self._texts.clear()
            missing = wanted
        if missing:
            found = await retrying(lambda: self._blobs.get_many(missing))
            self._texts.update((name, content.decode()) for name, content in found.items())
        return messages(manifest, self._texts)

    async def _excerpt(self, text: str) -> tuple[str, str | None]:
        raw = text.encode("utf-8", "replace")
        if len(raw) <= EXCERPT_BYTES:
            return text, None
        return raw[:EXCERPT_BYTES].decode("utf-8", "ignore") + "…", await retrying(lambda: self._blobs.put(raw))

    async def _stored(self, found: JudgedCall, workspace: str | None, written: Collection[str] | None) -> ToolCall:
        """A call with large arguments moved to a blob; what tells of them at a glance stays.

        `written`: the paths that calls of the same reply name; None: they may write any.
        """
        call, raw, asked = found.call, found.raw, found.asked
        if call.arguments is None or raw is None:
            return call
        arguments = call.arguments
        if asked is not None:
            if workspace is not None:
                asked = await asyncio.to_thread(worth_asking, Path(workspace), asked, written)
            call = call.model_copy(update={"installs": asked})
        if len(raw.encode()) <= EXCERPT_BYTES:
            return call
        blob = await retrying(lambda: self._blobs.put(raw))
        return call.model_copy(update={"arguments": _at_a_glance(arguments), "arguments_blob": blob})


def summarised(units: Sequence[Unit], model: str) -> HistorySummarised:
    """The fact of a summary of these units, still without its text."""
    return HistorySummarised(
        covers=tuple(unit.id for unit in units), covered_tokens=sum(unit.tokens for unit in units), model=model
    )


def _at_a_glance(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: f"{value[:200]}… ({len(value)} characters)" if isinstance(value, str) and len(value) > 500 else value
        for name, value in arguments.items()
        if isinstance(value, str | int | float | bool)
    }
