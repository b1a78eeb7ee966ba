"""Asks the model as its capability profile says, and records what it said or why it said nothing."""

import asyncio
from collections.abc import Awaitable, Iterable
from dataclasses import replace
from typing import Any

from arreio_contracts.events import ModelFailed, ModelReplied, ModelRequested, TaskProfiled, ToolCall, Usage
from arreio_contracts.messages import EXCERPT_BYTES, ContextManifest

from shared.canonical import canonical_json
from shared.prompt import Message, hashes, messages
from shared.secrets import mask_known
from shared.store.blobs import BlobStore
from shared.store.connection import retrying

from .models.call_modes import Answer, Hints, ToolSpec, call_mode
from .models.client import Client, ModelRequest
from .models.errors import ProviderError
from .models.local_models import LocalModels, is_local
from .rules.reconciler import reconcile
from .state import LoopState
from .tools import Tool, registry
from .voting import vote

_KEPT_TEXTS = 4096
_BETWEEN_SEEDS = 7919
"""So that no sample of a turn has the seed of another turn's."""


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
        """Make one request. A provider's failure is a fact, not an exception."""
        try:
            return await self._ask(request, state)
        except ProviderError as error:
            hint = f" ({error.hint})" if error.hint else ""
            return ModelFailed(kind=error.kind, message=f"{error.message}{hint}", retry_after=error.retry_after)

    async def _ask(self, request: ModelRequested, state: LoopState) -> ModelReplied:
        profile = state.profile
        assert profile is not None and state.created is not None
        capability = profile.capability
        transcript = await self._transcript(state)
        base = await base_request(self._local, profile, temperature=request.temperature, seed=request.seed)
        samples = await gather_samples(
            call_mode(capability["tool_call_mode"]).ask(
                self._client,
                replace(base, seed=request.seed + sample * _BETWEEN_SEEDS),
                transcript,
                [self._specs[name] for name in request.offered],
                Hints(goal=state.created.goal, paths=tuple(state.seen), language=profile.language),
                # A session's calls have ids of their own, whichever of its tasks made them.
                prefix=f"call-{state.task_id[-8:]}-{request.step}",
            )
            for sample in range(request.samples)
        )
        answer, agreed = vote(samples, request.samples) if request.samples > 1 else (samples[0], None)
        if agreed is not None and not agreed.majority:
            answer = replace(answer, content="", calls=())
        content = mask_known(answer.content)
        text, blob = await self._excerpt(content)
        return ModelReplied(
            content=text,
            content_blob=blob,
            calls=tuple([await self._stored(call) for call in answer.calls]),
            finish_reason=answer.finish_reason,
            usage=total_usage(samples),
            cost_usd=sum(sample.cost_usd for sample in samples),
            requests=sum(sample.requests for sample in samples),
            promise=None if answer.calls else reconcile(content),
            vote=agreed,
        )

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

    async def _stored(self, call: ToolCall) -> ToolCall:
        """A call with large arguments moved to a blob; what tells of them at a glance stays."""
        if call.arguments is None:
            return call
        raw = canonical_json(call.arguments)
        if len(raw.encode()) <= EXCERPT_BYTES:
            return call
        blob = await retrying(lambda: self._blobs.put(raw))
        return call.model_copy(update={"arguments": _at_a_glance(call.arguments), "arguments_blob": blob})


async def base_request(local: LocalModels, profile: TaskProfiled, *, temperature: float, seed: int) -> ModelRequest:
    """How the model of a task is asked, whatever it is asked.

    Raises:
        ProviderError: a model of this machine cannot be served.
    """
    capability = profile.capability
    model, api_base, api_key = profile.model, profile.api_base, None
    if is_local(model):
        served = await local.endpoint(model)
        model, api_base, api_key = served.model, served.api_base, served.api_key
    return ModelRequest(
        model=model,
        api_base=api_base,
        api_key=api_key,
        parallel_tool_calls=bool(capability["parallel_tool_calls"]),
        temperature=temperature,
        max_tokens=int(capability["max_output_tokens"]),
        seed=seed,
        timeout=float(capability["request_timeout"]),
    )


async def gather_samples(asking: Iterable[Awaitable[Answer]]) -> list[Answer]:
    """The answers that came, asked for at once.

    Raises:
        ProviderError: not one came.
    """
    found = await asyncio.gather(*asking, return_exceptions=True)
    answers = [one for one in found if isinstance(one, Answer)]
    for one in found:
        if isinstance(one, BaseException) and not (answers and isinstance(one, ProviderError)):
            raise one
    return answers


def total_usage(answers: Iterable[Answer]) -> Usage:
    """The tokens of several exchanges together."""
    used = [answer.usage for answer in answers]
    return Usage(
        prompt_tokens=sum(one.prompt_tokens for one in used),
        completion_tokens=sum(one.completion_tokens for one in used),
    )


def _at_a_glance(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: f"{value[:200]}… ({len(value)} characters)" if isinstance(value, str) and len(value) > 500 else value
        for name, value in arguments.items()
        if isinstance(value, str | int | float | bool)
    }
