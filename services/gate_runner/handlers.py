"""The gate-runner's work on a claim: load what was promised, judge each criterion, record the judgement once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import structlog
from arreio_contracts import events, subjects
from arreio_contracts.messages import CriterionResult, JudgeClaim, ProbeCriteria, ProbeResult, Verdict
from arreio_contracts.task import Criterion, TaskContract

from shared.processes import owner_is_dead
from shared.sandbox import Limits
from shared.store import leases, tasks
from shared.store.blobs import BlobStore
from shared.store.connection import Pool, retrying
from shared.store.errors import Fenced, StoreUnavailable
from shared.store.events import EventStore, InboxKey, RecordedEvent, event_of
from shared.store.leases import Lease
from shared.store.tasks import TaskPatch

from .aggregate import aggregate
from .commands import SandboxedCommands
from .criteria import Bench, is_cheap, judge, not_run
from .missing import missing

MAX_BEGINNINGS: Final = 5
"""How often judging one claim is begun: a claim that keeps ending its judges is not judged for ever."""

_TYPES: Final = ("task.created", "task.profiled", "claim.checked", "completion.claimed", "gate.started", "gate.judged")

logger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Case:
    """A claim with what it is judged by."""

    claim: events.CompletionClaimed
    claim_event: str
    correlation: str
    contract: TaskContract
    profile: events.TaskProfiled
    beginnings: int
    ungrounded: tuple[str, ...] = ()


class GateRunner:
    """The claims that this process judges, each under a lease of its own.

    Messages and the sweep call `start`; a claim that somebody else judges is left alone. `stop` ends what is under way
    and frees its leases, so that the next judge begins at once.
    """

    def __init__(
        self, pool: Pool, owner: str, *, ttl: float, code_version: str, limits: Limits | None = None, limit: int = 2
    ) -> None:
        self._pool = pool
        self._store = EventStore(pool)
        self._blobs = BlobStore(pool)
        self._owner = owner
        self._ttl = ttl
        self._code_version = code_version
        self._limits = limits or Limits()
        self._limit = limit
        self._running: dict[str, asyncio.Task[None]] = {}
        self._stopping = False

    @property
    def full(self) -> bool:
        """Whether this process takes no more claims now; the sweep of any replica finds them later."""
        return self._stopping or len(self._running) >= self._limit

    async def start(self, found: JudgeClaim) -> bool:
        """Take the claim's lease and judge it in the background; False when it cannot be had.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached; nothing is lost by trying again.
        """
        if self.full or found.claim_id in self._running:
            return False
        lease = await leases.claim(self._pool, "gate", found.claim_id, self._owner, self._ttl)
        if lease is None:
            return False
        if self.full or found.claim_id in self._running:
            await self._release(lease)
            return False
        running = asyncio.create_task(self._hold(found, lease), name=f"gate {found.claim_id}")
        self._running[found.claim_id] = running
        running.add_done_callback(lambda _: self._running.pop(found.claim_id, None))
        return True

    async def sweep(self) -> None:
        """Take up claims that nobody judges: their wake-up was lost, or their judge died."""
        if self.full:
            return
        await leases.expire_dead(self._pool, owner_is_dead)
        for waiting in await leases.runnable(self._pool, "gate"):
            await self.start(JudgeClaim(session_id=waiting.session_id, task_id=waiting.task_id, claim_id=waiting.id))

    async def stop(self) -> None:
        """End what is under way and let go of it."""
        self._stopping = True
        running = list(self._running.values())
        for one in running:
            one.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _hold(self, found: JudgeClaim, lease: Lease) -> None:
        """Judge while the lease is held and the claim still waits."""
        bound = logger.bind(session_id=found.session_id, task_id=found.task_id, claim_id=found.claim_id)
        judging = asyncio.create_task(self._judge(found, lease))
        heart = asyncio.create_task(self._heartbeat(found, lease))
        try:
            await asyncio.wait({judging, heart}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            judging.cancel()
            heart.cancel()
            for ended in await asyncio.gather(judging, heart, return_exceptions=True):
                if isinstance(ended, Fenced):
                    bound.info("gate.left", why=str(ended))
                elif isinstance(ended, Exception):
                    bound.error("gate.failed", error=repr(ended), exc_info=ended)
            await self._release(lease)

    async def _judge(self, found: JudgeClaim, lease: Lease) -> None:
        history = await retrying(lambda: self._store.read_task(found.session_id, found.task_id, _TYPES))
        case = case_of(found, history)
        if case is None:
            return
        await self._append(found, lease, case, events.GateStarted(claim_id=found.claim_id))
        if case.beginnings >= MAX_BEGINNINGS:
            why = f"judging was begun {case.beginnings} times and never came to an end"
            results = [not_run(criterion, why, environment=True) for criterion in case.profile.criteria]
        else:
            results = [await self._result(criterion, case) for criterion in case.profile.criteria]
        judged = events.GateJudged(
            claim_id=found.claim_id,
            verdict=aggregate(results, declared=len(case.profile.criteria)),
            results=tuple(results),
            missing=missing(results, case.profile.language),
        )
        await self._append(found, lease, case, judged)

    async def _result(self, criterion: Criterion, case: Case) -> CriterionResult:
        place = case.profile.workspace
        if criterion.kind != "answer" and (place is None or not Path(place).is_dir()):
            return not_run(criterion, "the workspace is not there", environment=True)
        workspace = Path(place or "/nonexistent")
        commands = SandboxedCommands(workspace, case.contract.network, case.contract.sandbox, self._limits)
        bench = Bench(
            workspace=workspace,
            commands=commands,
            reply=case.claim.reply,
            ungrounded=case.ungrounded,
            verifiers=case.profile.verifiers,
            allow_test_changes=case.contract.allow_test_changes,
            editable=case.contract.editable,
            keep_blob=lambda output: retrying(lambda: self._blobs.put(output)),
        )
        return await judge(criterion, bench)

    async def _append(
        self, found: JudgeClaim, lease: Lease, case: Case, data: events.GateStarted | events.GateJudged
    ) -> None:
        metadata = events.Metadata(
            service="gate_runner",
            code_version=self._code_version,
            correlation=case.correlation,
            causation=case.claim_event,
        )
        if isinstance(data, events.GateStarted):
            event = event_of(data, metadata, task_id=found.task_id)
            await retrying(lambda: self._store.append_fact(found.session_id, [event], lease=lease))
            return
        event = event_of(data, metadata, task_id=found.task_id, routes=(subjects.COMMAND_RUN_TASK,))
        once = InboxKey(subjects.CONSUMER_GATE_RUNNER_JUDGE, found.claim_id)
        patch = TaskPatch(task_id=found.task_id, awaiting=None, awaiting_id=None, wake_at=None)
        await retrying(lambda: self._store.append_fact(found.session_id, [event], inbox=once, task=patch, lease=lease))

    async def _heartbeat(self, found: JudgeClaim, lease: Lease) -> None:
        """Keep the lease. Ends when the claim waits no more (the task was cancelled), with Fenced when it is lost."""
        while True:
            await asyncio.sleep(self._ttl / 3)
            try:
                lost = await leases.heartbeat(self._pool, [lease], self._ttl)
                row = await tasks.show_task(self._pool, found.task_id)
            except StoreUnavailable:
                continue
            if lost:
                raise Fenced(lease.kind, lease.id, lease.epoch)
            if row is None or row.awaiting_id != found.claim_id:
                return

    async def _release(self, lease: Lease) -> None:
        try:
            await leases.release(self._pool, lease)
        except StoreUnavailable:
            logger.info("lease.left_to_expire", claim_id=lease.id)


def case_of(found: JudgeClaim, history: Sequence[RecordedEvent]) -> Case | None:
    """What is known of a claim; None where there is nothing to judge, or it was judged before."""
    contract: TaskContract | None = None
    profile: events.TaskProfiled | None = None
    claim: RecordedEvent | None = None
    beginnings = 0
    checked: tuple[str, ...] = ()
    ungrounded: tuple[str, ...] = ()
    for event in history:
        if event.task_id != found.task_id:
            continue
        match event.type:
            case "task.created":
                contract = events.TaskCreated.model_validate(event.data).contract
            case "task.profiled":
                profile = events.TaskProfiled.model_validate(event.data)
            case "claim.checked":
                checked = events.ClaimChecked.model_validate(event.data).ungrounded
            case "completion.claimed" if event.data["claim_id"] == found.claim_id:
                # What was found out last is about this claim, unless the harness itself speaks.
                claim, ungrounded = event, checked if event.data["by"] == "model" else ()
            case "gate.started" if event.data["claim_id"] == found.claim_id:
                beginnings += 1
            case "gate.judged" if event.data["claim_id"] == found.claim_id:
                return None
    if contract is None or profile is None or claim is None:
        return None
    said = events.CompletionClaimed.model_validate(claim.data)
    correlation = claim.metadata.correlation or claim.event_id
    return Case(said, claim.event_id, correlation, contract, profile, beginnings, ungrounded)


async def probe(request: ProbeCriteria) -> ProbeResult:
    """How the cheap criteria stand now; those that cost something are not looked at."""
    workspace = Path(request.workspace)
    bench = Bench(workspace, SandboxedCommands(workspace))
    verdicts: list[Verdict | None] = []
    for criterion in request.criteria:
        verdicts.append((await judge(criterion, bench)).verdict if is_cheap(criterion) else None)
    return ProbeResult(verdicts=tuple(verdicts))
