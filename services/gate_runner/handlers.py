"""The gate-runner's work on a claim: load what was promised, judge each criterion, record the judgement once."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog
from arreio_contracts import events, subjects
from arreio_contracts.messages import CriterionResult, JudgeClaim, Verdict
from arreio_contracts.task import AnswerCriterion, Criterion

from shared.canonical import clean
from shared.observing import metrics
from shared.observing.tracing import span
from shared.processes import owner_is_dead
from shared.sandbox import Limits
from shared.secret_references import mask_from_now
from shared.store import leases, tasks
from shared.store.blobs import BlobStore
from shared.store.connection import Pool, retrying
from shared.store.errors import Fenced, StoreUnavailable
from shared.store.events import EventStore, InboxKey, event_of
from shared.store.leases import Lease
from shared.store.tasks import TaskPatch
from shared.workspace.changes import Change
from shared.workspace.inventory import Beyond, Inventory, beyond, take_inventory
from shared.workspace.snapshots import SnapshotError, Snapshots, tree_now

from .aggregate import aggregate
from .case import TYPES, Case, artefacts_of, case_of, commands_of
from .cheating import Content
from .commands import SandboxedCommands
from .criteria import Bench, judge, not_run
from .criteria.diff import of_the_task
from .judging_twice import Starts
from .missing import missing, whole_list
from .probing import Prober
from .tasting import Ask, Critic

MAX_BEGINNINGS: Final = 5
"""How often judging one claim is begun: a claim that keeps ending its judges is not judged for ever."""

KEPT_OUTPUT: Final = 1 << 20
"""Bytes of a command's output that are kept: the counts of several test binaries lie far apart in it."""

logger = structlog.get_logger()


class GateRunner:
    """The claims that this process judges, each under a lease of its own.

    Messages and the sweep call `start`; a claim that somebody else judges is left alone. `stop` ends what is under way
    and frees its leases, so that the next judge begins at once.
    """

    def __init__(
        self,
        pool: Pool,
        owner: str,
        data_dir: Path,
        *,
        ttl: float,
        code_version: str,
        limits: Limits | None = None,
        limit: int = 2,
        prober: Prober | None = None,
        ask: Ask | None = None,
    ) -> None:
        self._pool = pool
        self._store = EventStore(pool)
        self._blobs = BlobStore(pool)
        self._owner = owner
        self._data_dir = data_dir
        self._ttl = ttl
        self._code_version = code_version
        self._limits = limits or Limits(kept_output_bytes=KEPT_OUTPUT)
        self._prober = prober or Prober()
        self._ask = ask
        self._limit = limit
        self._running: dict[str, asyncio.Task[None]] = {}
        self._starts = Starts()
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
        history = await retrying(lambda: self._store.read_task(found.session_id, found.task_id, TYPES))
        case = case_of(found, history)
        if case is None:
            return
        about = {"gen_ai__conversation__id": found.session_id, "arreio__task__id": found.task_id}
        with (
            metrics.GATE_SECONDS.timed(),
            metrics.LEASES.held(lease.kind),
            span("gate.judge", case.traceparent, "internal", **about) as judging,
        ):
            verdict = await self._judge_case(
                found, lease, replace(case, traceparent=judging.traceparent or case.traceparent)
            )
            judging.note(arreio__gate__verdict=verdict)

    async def _judge_case(self, found: JudgeClaim, lease: Lease, case: Case) -> Verdict:
        await asyncio.to_thread(mask_from_now, case.contract.secrets.values())
        await self._append(found, lease, case, events.GateStarted(claim_id=found.claim_id))
        before = await self._tree(case)
        criteria = await self._criteria(case, before)
        if case.beginnings >= MAX_BEGINNINGS:
            why = f"judging was begun {case.beginnings} times and never came to an end"
            results = [not_run(criterion, why, environment=True) for criterion in criteria]
        else:
            results = [await self._result(criterion, case, before) for criterion in criteria]
        if aggregate(results, declared=len(criteria)) == "PASS":
            results += await self._taste(found, lease, case, before)
        told, whole = missing(results, case.profile.language), whole_list(results, case.profile.language)
        judged = events.GateJudged(
            claim_id=found.claim_id,
            verdict=aggregate(results, declared=len(criteria)),
            results=tuple(results),
            missing=told,
            missing_blob=None if whole == told else await retrying(lambda: self._blobs.put(clean(whole))),
            snapshot=before,
            snapshot_after=await self._tree(case),
        )
        await self._append(found, lease, case, judged)
        return judged.verdict

    async def _criteria(self, case: Case, tree: str) -> Sequence[Criterion]:
        """What the claim is judged by: criteria that were inferred bind only a task that changed something."""
        if not case.profile.inferred or await self._changed(case, tree):
            return case.profile.criteria
        return (AnswerCriterion(),)

    async def _taste(self, found: JudgeClaim, lease: Lease, case: Case, tree: str) -> list[CriterionResult]:
        """What the taste critic says of the files that the task changed, once all the criteria hold."""
        if not tree or case.profile.workspace is None:
            return []
        try:
            changes = await asyncio.to_thread(self._changes(case, tree))
        except SnapshotError as error:
            logger.warning("taste.not_judged", error=str(error))
            return []

        async def record(fact: events.GateTasted | events.GateRendered) -> None:
            await self._append(found, lease, case, fact)

        critic = Critic(
            data_dir=self._data_dir,
            case=case,
            changed=[change.path for change in changes if change.kind != "deleted"],
            ask=self._ask,
            record=record,
            keep_blob=lambda content: retrying(lambda: self._blobs.put(content)),
        )
        said = await critic.look()
        return [] if said is None else [said]

    async def _changed(self, case: Case, tree: str) -> bool:
        """Whether the task changed its workspace, by its snapshots, or where there are none by what its tools saw."""
        if not tree:
            return case.changed
        try:
            return bool(of_the_task(await asyncio.to_thread(self._changes(case, tree))))
        except SnapshotError as error:
            logger.warning("gate.snapshot_unreadable", tree=tree, error=str(error))
            return case.changed

    def _changes(self, case: Case, tree: str) -> Callable[[], list[Change]]:
        held = Snapshots(self._data_dir, Path(case.profile.workspace or "/nonexistent"))
        return lambda: held.changes(case.profile.snapshot, tree)

    def _beyond(self, case: Case, tree: str) -> Callable[[Sequence[Change]], Beyond]:
        profile, workspace = case.profile, Path(case.profile.workspace or "/nonexistent")

        def found(changes: Sequence[Change]) -> Beyond:
            held = Snapshots(self._data_dir, workspace)
            before, after = held.files(profile.snapshot), held.files(tree)
            began = Inventory.load(held.content(profile.inventory))
            return beyond(began, take_inventory(workspace, after), before, after, changes)

        return found

    async def _result(self, criterion: Criterion, case: Case, tree: str) -> CriterionResult:
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
            began=self._content_at(case.profile.snapshot, workspace),
            judging=commands_of(case.profile.criteria),
            language=case.profile.language,
            allow_test_changes=case.contract.allow_test_changes,
            editable=case.contract.editable,
            keep_blob=lambda output: retrying(lambda: self._blobs.put(output)),
            goal=case.goal,
            opened=frozenset(case.profile.opened),
            renamed=case.profile.renamed,
            artefacts=artefacts_of(case.profile.criteria),
            changes=self._changes(case, tree) if tree else None,
            beyond=self._beyond(case, tree) if tree and case.profile.inventory else None,
            contents=Snapshots(self._data_dir, workspace).contents,
            at_the_start=self._starts.of(case.profile.snapshot),
            sandbox=case.contract.sandbox,
        )
        result = await judge(criterion, bench)
        self._prober.learn(workspace, criterion, result)
        return result

    async def _tree(self, case: Case) -> str:
        """The workspace as it is now, in its shadow repository; empty where none can be had."""
        place = case.profile.workspace
        if place is None or not case.profile.snapshot:
            return ""
        return await asyncio.to_thread(tree_now, self._data_dir, Path(place))

    def _content_at(self, tree: str, workspace: Path) -> Content:
        """The content of files in a snapshot; nothing where there was none."""
        if not tree:
            return lambda _: None
        held = Snapshots(self._data_dir, workspace)

        def content(path: str) -> bytes | None:
            try:
                return held.read(tree, path)
            except SnapshotError as error:
                logger.warning("gate.snapshot_unreadable", tree=tree, error=str(error))
                return None

        return content

    async def _append(
        self,
        found: JudgeClaim,
        lease: Lease,
        case: Case,
        data: events.GateStarted | events.GateTasted | events.GateRendered | events.GateJudged,
    ) -> None:
        metadata = events.Metadata(
            service="gate_runner",
            code_version=self._code_version,
            correlation=case.correlation,
            causation=case.claim_event,
            traceparent=case.traceparent,
        )
        if not isinstance(data, events.GateJudged):
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
