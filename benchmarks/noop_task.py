"""A task whose model and tool do nothing, in this process: what is left is what its turns cost by themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from arreio_contracts.events import (
    ContextBuilt,
    Effect,
    EventData,
    FileEffect,
    Metadata,
    ModelReplied,
    OfferedTool,
    TaskCreated,
    TaskProfiled,
    ToolCall,
    ToolFinished,
    Usage,
)
from arreio_contracts.messages import ContextManifest
from arreio_contracts.task import AnswerCriterion, Budgets, TaskContract

from benchmarks.words import word
from services.context_builder.handlers import ContextBuilder
from services.tool_loop import turn
from services.tool_loop.log import TaskLog
from services.tool_loop.models.capability import resolve
from services.tool_loop.prompt_request import prompt_request
from services.tool_loop.rules.fingerprint import fingerprint
from services.tool_loop.rules.loops.observation import digest_of
from services.tool_loop.state import LoopState
from services.tool_loop.steps import Admit, AskModel, BuildContext, RunTool, Step
from shared.prompt import prompt_sha256
from shared.store import leases
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore, event_of
from shared.store.tasks import TaskPatch
from tests.support.store import fresh

TOOL = "read_file"
RESULT = "x" * 1000
_MANY = 1_000_000
_EMPTY = ContextManifest(prompt_sha256=prompt_sha256([]), tokens=100, tokenizer="approx")


@dataclass
class NoopEffects:
    """Says at once what a model and a tool would say; `stopping` after so many turns more.

    With a context-builder, in this process, turns have prompts as they have in the product.
    """

    builder: ContextBuilder | None = None
    left: int = 0
    steps: int = _MANY
    """The budget of the task, at which it ends."""
    effect: Effect = "read"
    """What its tool is said to do: a command is committed as started before, a read is not."""

    @property
    def stopping(self) -> bool:
        """Whether the turns of this round are done."""
        return self.left < 0

    async def plan(self, step: RunTool, state: LoopState) -> FileEffect | None:
        """The tool touches no file."""
        return None

    async def perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        """What happened at each step of a turn."""
        match step:
            case Admit():
                return [_profiled(self.steps, self.effect)]
            case BuildContext():
                self.left -= 1
                manifest = _EMPTY if self.builder is None else await self.builder.assemble(prompt_request(log))
                return [ContextBuilt(manifest=manifest)]
            case AskModel(request):
                return [_replied(request.step)]
            case RunTool(started, call):
                return [_finished(started.call_id, call)]
            case _:
                raise AssertionError(step)


class NoopTask:
    """A task in a session of its own, under a lease, with its log open."""

    def __init__(self, log: TaskLog, builder: ContextBuilder | None, effect: Effect) -> None:
        self.log = log
        self._effects = NoopEffects(builder, effect=effect)

    @classmethod
    async def created(
        cls, store: EventStore, pool: Pool, *, prompts: bool = False, effect: Effect = "read"
    ) -> NoopTask:
        """Accept the task as the gateway would, and claim it. `prompts`: its turns have the prompts of the product."""
        session, task = await accepted(store)
        lease = await leases.claim(pool, "task", task, f"bench/boot/{fresh('p')}/1", 3600)
        assert lease is not None
        log = TaskLog(store, lease, session, task)
        await log.load()
        return cls(log, ContextBuilder(store, BlobStore(pool)) if prompts else None, effect)

    async def run(self, turns: int) -> None:
        """So many turns more, each committed.

        Raises SystemExit where the task ends before: what is measured then is not a turn.
        """
        self._effects.left = turns
        await turn.run(self.log, self._effects)
        if self.log.state.state.terminal:
            raise SystemExit(f"the task ended by itself, after {self.log.state.steps} turns")


async def accepted(store: EventStore) -> tuple[str, str]:
    """A new task as the gateway commits it: its session and its id."""
    session, task = fresh(), fresh("t")
    made = TaskCreated(goal="do nothing", contract=TaskContract(), channel="cli", message_id="m", at_ms=0)
    patch = TaskPatch(task_id=task, state="PENDING", goal="do nothing")
    await store.append_fact(session, [event_of(made, Metadata(service="gateway"), task_id=task)], task=patch)
    return session, task


async def tasks(store: EventStore, pool: Pool, count: int, turns: int, effect: Effect = "read") -> float:
    """Turns a second of so many new tasks at once."""
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def one() -> None:
        await (await NoopTask.created(store, pool, effect=effect)).run(turns)

    await asyncio.gather(*(one() for _ in range(count)))
    return count * turns / (loop.time() - began)


def _profiled(steps: int, effect: Effect) -> TaskProfiled:
    return TaskProfiled(
        model="openai/noop",
        capability={**resolve("openai/noop", "strong").model_dump(mode="json"), "tokenizer": "approx"},
        budgets=Budgets(
            max_steps=steps, max_tool_calls=_MANY, max_calls_per_tool=_MANY, max_wall_clock=1e9, max_age=1e10
        ),
        agent="developer",
        workspace=None,
        criteria=(AnswerCriterion(),),
        tools=(OfferedTool(name=TOOL, effect=effect),),
    )


def _replied(step: int) -> ModelReplied:
    # Another file each time, and no two results alike, as in honest work: the rules against loops look at both.
    arguments = {"path": f"{word(step)}.py"}
    call = ToolCall(id=f"call-{step}", name=TOOL, arguments=arguments, fingerprint=fingerprint(TOOL, arguments, ""))
    return ModelReplied(content="", calls=(call,), usage=Usage(prompt_tokens=100, completion_tokens=10))


def _finished(call_id: str, call: ToolCall) -> ToolFinished:
    assert call.arguments is not None
    text = f"{call.arguments['path']} {RESULT}"
    return ToolFinished(
        call_id=call_id,
        tool=call.name,
        status="ok",
        text=text,
        digest=digest_of(call, text, failed=False, changed=False, workspace=None),
    )
