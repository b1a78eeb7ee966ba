"""Everything a task does outside its log: the prompt, the model, the tools, the probe, and waiting for others."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from arreio_contracts import subjects
from arreio_contracts.events import (
    ContextBuilt,
    CriteriaProbed,
    EventData,
    FileEffect,
    HistorySummarised,
    InstructionsChanged,
    ModelEscalated,
    ModelFailed,
    ModelReplied,
    PlanMade,
    TaskProfiled,
    ToolFinished,
)
from arreio_contracts.messages import ContextManifest, ProbeCriteria, ProbeResult
from arreio_contracts.task import TaskState
from pydantic import BaseModel

from shared.bus.broker import Broker
from shared.bus.rpc import Reply, RpcError, RpcUnavailable, call
from shared.canonical import clean
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.leases import Lease
from shared.workspace import WorkspaceLock, acquire

from . import probing
from .acting import ToolRunner, interrupted
from .admission import admit, escalate
from .asking import Asker, summarised
from .budgets import seconds_left
from .grounding.grounder import Grounder
from .hooks.running import HookRunner, InProcessHook
from .laying import lay
from .log import TaskLog
from .mcp_servers.servers import McpServers
from .models.client import Client
from .models.local_models import LocalModels, is_local
from .models.window import narrowed, window_of
from .observed import Turns
from .plan import own_criterion
from .planning import Planner, harness_plan
from .probes import known_from_before
from .prompt_request import can_be_told, prompt_request
from .state import LoopState
from .steps import (
    Admit,
    AskModel,
    AwaitJudgement,
    BuildContext,
    CheckClaim,
    CheckPackages,
    Escalate,
    MakePlan,
    Pause,
    Probe,
    RunHooks,
    RunTool,
    Step,
    Summarise,
)
from .tools import Tool, offered_tools
from .tools.load_skill import LoadSkill

LOOK_AGAIN = 2.0
"""Seconds after which a task that waits for another service looks by itself, should no message wake it."""
FIRST_RPC_TIMEOUT, LONGEST_RPC_TIMEOUT = 3.0, 30.0
"""Seconds that an answer may take. The first may be lost with the host that had the request: then another is asked, and
each time waited for twice as long, since a busy one answers late."""
Fact = TypeVar("Fact")


class Effects:
    """The effects of one run of one task. One at a time; `interrupt` ends the one that is under way."""

    def __init__(
        self,
        settings: Settings,
        pool: Pool,
        broker: Broker,
        client: Client,
        local: LocalModels,
        extra_tools: Sequence[Tool] = (),
        extra_hooks: Sequence[InProcessHook] = (),
    ) -> None:
        self._settings = settings
        self._broker = broker
        self._extra_tools = extra_tools
        self._pool = pool
        self._blobs = blobs = BlobStore(pool)
        self._load_skill = LoadSkill(pool)
        known_tools = (self._load_skill, *extra_tools)
        self._asker = Asker(client, local, blobs, known_tools)
        self._planner = Planner(client, local)
        self._servers = McpServers(settings.data_dir, lambda: self._lock.fd if self._lock is not None else None)
        self._tools = ToolRunner(settings, blobs, known_tools, self._servers.tool)
        self._hooks = HookRunner(settings, extra_hooks)
        self._grounder = Grounder(settings, pool)
        self._turns = Turns()
        self._rpc_timeout = FIRST_RPC_TIMEOUT
        self._lock: WorkspaceLock | None = None
        self._woken = asyncio.Event()
        self._interrupted = asyncio.Event()
        self.stopping = False

    async def open(self, log: TaskLog, lease: Lease) -> None:
        """Take the workspace for this epoch of the task.

        Raises:
            WorkspaceBusy: another task works in it.
            WorkspaceSuperseded: a newer epoch of this task has it.
        """
        created = log.state.created
        named = created.contract.workspace if created else None
        cancelled = log.state.cancel is not None and log.state.state is TaskState.PENDING
        if named is None or not Path(named).is_dir() or log.state.state.terminal or cancelled:
            return
        self._lock = await acquire(
            self._settings.data_dir, Path(named), task_id=log.task_id, epoch=lease.epoch, owner=lease.owner
        )

    async def close(self) -> None:
        """Let the workspace go."""
        self._turns.end()
        self._asker.forget()
        await self._servers.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def superseded(self) -> bool:
        """Whether another machine wants the workspace for a newer epoch of the task, so that the lease here is over."""
        return self._lock is not None and self._lock.superseded()

    def interrupt(self, *, stop: bool) -> None:
        """End the effect that is under way; `stop`: and begin no other."""
        self.stopping = self.stopping or stop
        self._interrupted.set()
        self._woken.set()

    def wake(self) -> None:
        """Another service wrote something, or time passed: look."""
        self._woken.set()

    async def plan(self, step: RunTool, state: LoopState) -> FileEffect | None:
        """What a call is about to do to a file."""
        return await self._tools.plan(step, state, self._lock)

    async def perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        """Carry out one step."""
        return await self._turns.observe(step, log.traceparent, log.state.steps, self._perform(step, log))

    async def _perform(self, step: Step, log: TaskLog) -> Sequence[EventData]:
        match step:
            case Admit():
                return await self._admit(log)
            case MakePlan():
                return await self._make_plan(log)
            case Escalate():
                return [await self._escalate(log)]
            case BuildContext():
                return await self._build_context(log)
            case Summarise():
                return [await self._summarise(step, log)]
            case AskModel():
                return await self._ask(step, log)
            case RunTool():
                return [await self._run_tool(step, log), *self._servers.changed()]
            case RunHooks():
                return await self._run_hooks(step, log)
            case CheckPackages():
                return await self._check_packages(step, log)
            case CheckClaim():
                return await self._check_claim(step, log)
            case Probe():
                return await self._probe(log)
            case AwaitJudgement():
                await self._wait(LOOK_AGAIN)
                await log.refresh()
                return []
            case Pause(until_ms):
                await self._wait(max(0.0, min((until_ms - log.now_ms()) / 1000, LOOK_AGAIN)))
                await log.refresh()
                return []
            case _:
                raise AssertionError(step)

    async def _admit(self, log: TaskLog) -> Sequence[EventData]:
        created = log.state.created
        assert created is not None
        skills = [self._load_skill] if created.skills is not None and created.skills.skills else []
        tools = offered_tools(created.contract, (*skills, *self._extra_tools))
        laying = partial(lay, self._blobs, log.task_id, created.attachments) if created.attachments else None
        profiled = await admit(created, self._settings, tools, laying)
        profiled = await self._known(profiled)
        profiled = await self._servers.offered(profiled, created.contract)
        profiled = await asyncio.to_thread(self._hooks.declared, profiled, created.contract)
        if profiled.problem is not None:
            return [profiled]
        known = replace(log.state, profile=profiled)
        return [profiled, *await self._hooks.run("session_start", log.session_id, known, None, {})]

    async def _run_hooks(self, step: RunHooks, log: TaskLog) -> Sequence[EventData]:
        state = log.state

        async def work() -> Sequence[EventData]:
            arguments = await self._tools.arguments(step.call) if step.call is not None else {}
            return await self._hooks.run(step.phase, log.session_id, state, step.call, arguments)

        nothing: Sequence[EventData] = ()
        judged = await self._interruptible(work, nothing, nothing, None)
        if not judged:
            await log.refresh()
        return judged

    async def _build_context(self, log: TaskLog) -> Sequence[EventData]:
        if not can_be_told(log.pending):
            await log.flush()
        try:
            manifest = await self._call(subjects.RPC_ASSEMBLE, prompt_request(log), ContextManifest)
        except RpcUnavailable:
            # The context-builder is away: the task waits for it.
            await log.flush()
            await self._wait(0.25)
            return []
        except RpcError as error:
            return [ContextBuilt(manifest=ContextManifest(unfittable=f"no prompt could be made: {error.message}"))]
        if not manifest.unfittable:
            self._asker.expect(manifest)
        edited = (InstructionsChanged(**change.model_dump()) for change in manifest.changed)
        return [*edited, ContextBuilt(manifest=manifest)]

    async def _call(self, subject: str, request: BaseModel, contract: type[Reply]) -> Reply:
        """Ask another service. Raises RpcUnavailable and RpcError as `call` does."""
        try:
            answer = await call(self._broker.client, subject, request, contract, timeout=self._rpc_timeout)
        except RpcUnavailable:
            self._rpc_timeout = min(2 * self._rpc_timeout, LONGEST_RPC_TIMEOUT)
            raise
        self._rpc_timeout = FIRST_RPC_TIMEOUT
        return answer

    async def _make_plan(self, log: TaskLog) -> Sequence[EventData]:
        state = log.state
        late = harness_plan(state, problem="the model gave no plan within the time that the task has")
        made: PlanMade | None = await self._interruptible(lambda: self._planner.plan(state), None, late, _bound(log))
        return [] if made is None else [made]

    async def _escalate(self, log: TaskLog) -> ModelEscalated:
        created = log.state.created
        assert created is not None
        stronger = escalate(created, _profile(log), self._settings)
        if stronger.problem is not None or is_local(stronger.model):
            return stronger
        window = await window_of(stronger.model, stronger.api_base, ask=False)
        return stronger.model_copy(update={"capability": narrowed(stronger.capability, window)})

    async def _known(self, profiled: TaskProfiled) -> TaskProfiled:
        """A task's profile with what is known of its model from elsewhere: its window, and what was probed before."""
        window = None
        if profiled.problem is None and not is_local(profiled.model):
            window = await window_of(profiled.model, profiled.api_base, ask=bool(profiled.probe))
        fitted = profiled.model_copy(update={"capability": narrowed(profiled.capability, window)})
        return await known_from_before(self._pool, fitted)

    async def _ask(self, step: AskModel, log: TaskLog) -> Sequence[EventData]:
        state = log.state
        ended: ModelReplied | ModelFailed = ModelFailed(
            kind="interrupted", message="the request was ended by the harness"
        )
        late = ModelFailed(kind="timeout", message="no reply came within the time that the task has")
        said: ModelReplied | ModelFailed = await self._interruptible(
            lambda: self._asker.ask(step.request, state), ended, late, _bound(log)
        )
        probed = probing.found(state, said) if isinstance(said, ModelReplied) else None
        return [said] if probed is None else [said, probed]

    async def _summarise(self, step: Summarise, log: TaskLog) -> HistorySummarised:
        state = log.state
        none = summarised(step.units, _profile(log).model)
        ended = none.model_copy(update={"problem": "the request was ended by the harness"})
        late = none.model_copy(update={"problem": "no reply came within the time that the task has"})

        async def work() -> HistorySummarised:
            try:
                return await self._asker.summarise(step.units, state)
            except Exception as error:  # noqa: BLE001 - a summary is a convenience: the task goes on without it
                return none.model_copy(update={"problem": clean(f"{type(error).__name__}: {error}")})

        return await self._interruptible(work, ended, late, _bound(log))

    async def _run_tool(self, step: RunTool, log: TaskLog) -> ToolFinished:
        state = log.state
        ended = interrupted(step.started, _profile(log).language)
        bound = _bound(log)
        writes = step.started.effect == "file"
        none: tuple[str, ...] = ()
        look = partial(self._grounder.missing_before, step, state)
        before = await self._interruptible(look, none, none, bound) if writes else none
        finished = await self._interruptible(lambda: self._tools.run(step, state, self._lock), ended, ended, bound)
        if not writes or finished.status != "ok":
            return finished
        return await self._interruptible(
            lambda: self._grounder.warned(finished, before, state), finished, finished, bound
        )

    async def _check_packages(self, step: CheckPackages, log: TaskLog) -> Sequence[EventData]:
        state = log.state
        found = await self._interruptible(
            lambda: self._grounder.check_packages(step.call, state), None, None, _bound(log)
        )
        return [] if found is None else [found]

    async def _check_claim(self, step: CheckClaim, log: TaskLog) -> Sequence[EventData]:
        found = await self._interruptible(lambda: self._grounder.check_claim(step.reply, log), None, None, _bound(log))
        return [] if found is None else [found]

    async def _probe(self, log: TaskLog) -> Sequence[EventData]:
        profile = _profile(log)
        assert profile.workspace is not None
        own = own_criterion(log.state.plan, profile.criteria)
        criteria = (*profile.criteria, *([own] if own is not None else []))
        assert log.state.created is not None
        contract = log.state.created.contract
        request = ProbeCriteria(
            workspace=profile.workspace, criteria=criteria, network=contract.network, sandbox=contract.sandbox
        )
        try:
            probed = await self._call(subjects.RPC_PROBE, request, ProbeResult)
        except RpcUnavailable:
            await self._wait(0.25)
            return []
        count = len(profile.criteria)
        subtask = None if own is None else probed.verdicts[count] or "NOT_RUN"
        return [CriteriaProbed(verdicts=probed.verdicts[:count], counts=probed.counts[:count], subtask=subtask)]

    async def _interruptible(
        self, work: Callable[[], Awaitable[Fact]], ended: Fact, late: Fact, seconds: float | None
    ) -> Fact:
        """Do the work. If it is interrupted, end it and say `ended`; if it takes longer than `seconds`, `late`."""
        if self.stopping:
            return ended
        self._interrupted.clear()
        working = asyncio.ensure_future(work())
        watching = asyncio.ensure_future(self._interrupted.wait())
        try:
            await asyncio.wait({working, watching}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                return working.result()
            working.cancel()
            await asyncio.wait({working})
            if not working.cancelled() and working.exception() is None:
                return working.result()
            return ended if watching.done() else late
        finally:
            working.cancel()
            watching.cancel()

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()


def _bound(log: TaskLog) -> float:
    """Seconds that one effect may take: what the time budgets leave, and never longer than counts as a stall."""
    stall = float(_profile(log).capability["stall"])
    left = seconds_left(log.state, log.now_ms())
    return stall if left is None else min(left, stall)


def _profile(log: TaskLog) -> TaskProfiled:
    assert log.state.profile is not None
    return log.state.profile
