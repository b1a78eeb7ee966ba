"""Learning's work: on each outcome, on a person's decision, and on what time brings. Loads, lets rules decide, appends.

Every act is an event of learning's stream, decided on the tables as they were at its last event: a lost race is decided
again.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Final

from arreio_contracts import subjects
from arreio_contracts.envelope import Envelope
from arreio_contracts.errors import InvalidBody
from arreio_contracts.events import EventData, Learnt, LearntDemoted, LearntExpired, LearntPromoted, Metadata
from arreio_contracts.messages import DecideProposal, ProposalDecided

from shared.store.connection import Connection, Pool, connected
from shared.store.errors import Conflict
from shared.store.events import EventStore, InboxKey, event_of

from .approving import DAY_MS, decide, version_before
from .distiller import distil
from .projection import catch_up
from .proposing import propose
from .scoring import score
from .seen import Seen, TaskSeen
from .standing import ESTABLISHED_DAYS, RULE, most_to_blame, verdict
from .stream import STREAM
from .tables import Scored, known, proposal, rule_versions, scored, versions

_TYPES: Final = (
    *("task.created", "task.profiled", "input.received", "context.built", "model.replied", "turn.rejected"),
    *("tool.started", "tool.finished", "ladder.climbed", "gate.judged", "completion.refused"),
    *("task.completed", "task.blocked", "task.failed"),
)
_RENEWED: Final = timedelta(days=ESTABLISHED_DAYS / 2)

Deciding = Callable[[Connection], Awaitable[Sequence[EventData]]]


class Learning:
    """What was learnt, as the service's one writer sees it."""

    def __init__(self, pool: Pool, code_version: str) -> None:
        self._pool = pool
        self._store = EventStore(pool)
        self._metadata = Metadata(service="learning", code_version=code_version)

    async def learn(self, envelope: Envelope) -> None:
        """Score what the task of an outcome had before it, and propose what it taught, once.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached; nothing is lost by trying again.
        """
        session_id, task_id = envelope.partitionkey, envelope.subject
        if session_id is None or task_id is None:
            return
        history = await self._store.read_task(session_id, task_id, types=_TYPES)
        events = [Seen(session_id, one.seq, one.event_id, one.contract) for one in history]
        task = TaskSeen.of(events)
        if task is None:
            return
        candidates = distil(events)

        async def decided(connection: Connection) -> Sequence[EventData]:
            ended = score(task, session_id, task_id, await rule_versions(connection))
            return (ended, *propose(candidates, session_id, task_id, await known(connection)))

        metadata = self._metadata.model_copy(
            update={
                "correlation": envelope.correlationid or "",
                "causation": envelope.id,
                "traceparent": envelope.traceparent or "",
            }
        )
        inbox = InboxKey(subjects.CONSUMER_LEARNING_OUTCOMES, envelope.id)
        if await self._act(decided, metadata, inbox):
            await self.settle()

    async def decide(self, wanted: DecideProposal) -> ProposalDecided:
        """Carry out a person's decision on a proposal.

        Raises:
            InvalidBody: there is no such proposal, or the decision does not fit how it stands.
            StoreUnavailable: PostgreSQL cannot be reached; asking again is right.
        """
        now_ms = (await self._store.head(STREAM)).now_ms

        async def decided(connection: Connection) -> Sequence[EventData]:
            found = await proposal(connection, wanted.proposal_id)
            if found is None:
                raise InvalidBody(
                    "proposal", f"there is no proposal {wanted.proposal_id!r}; see 'arreio proposals list'"
                )
            return (decide(wanted, found, await versions(connection, found.kind, found.name), now_ms),)

        await self._act(decided, self._metadata)
        async with connected(self._pool) as connection:
            found = await proposal(connection, wanted.proposal_id)
            assert found is not None  # it was decided on
            standing = await versions(connection, found.kind, found.name)
        return ProposalDecided(
            proposal_id=found.proposal_id,
            kind=found.kind,
            state=found.state,
            name=found.name,
            version=found.version,
            in_force=next((one.version for one in standing if one.active), None),
        )

    async def settle(self) -> None:
        """Promote, demote and end what is in force, by its score and its time.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached; the next look finds the same.
        """

        async def decided(connection: Connection) -> Sequence[EventData]:
            known = await scored(connection)
            harmful = [(one.learnt, one.score) for one in known if not _over(one) and verdict(one.score) == "demote"]
            blamed = most_to_blame(harmful)
            found = [await self._standing(connection, one, blamed) for one in known]
            return [event for event in found if event is not None]

        while await self._act(decided, self._metadata):
            pass  # what one demotion leaves of the others' failures is looked at anew

    async def _standing(self, connection: Connection, one: Scored, blamed: Learnt | None) -> EventData | None:
        if _over(one):
            return LearntExpired(learnt=one.learnt)
        said = verdict(one.score)
        if said == "demote":
            if one.learnt != blamed:
                return None
            before = version_before(await versions(connection, one.learnt.kind, one.learnt.name), one.learnt.version)
            return LearntDemoted(learnt=one.learnt, to_version=before, score=one.score, rule=RULE)
        if said == "promote" and (one.standing == "trial" or _to_renew(one)):
            expires_ms = int(one.now.timestamp() * 1000) + ESTABLISHED_DAYS * DAY_MS
            return LearntPromoted(learnt=one.learnt, score=one.score, expires_ms=expires_ms, rule=RULE)
        return None

    async def _act(self, deciding: Deciding, metadata: Metadata, inbox: InboxKey | None = None) -> bool:
        """Append what is decided on the tables as they are now; whether anything was."""
        while True:
            seq = await catch_up(self._pool, self._store)
            async with connected(self._pool) as connection:
                events = [event_of(one, metadata) for one in await deciding(connection)]
            if not events:
                return False
            try:
                if inbox is None:
                    await self._store.append_decision(STREAM, expected_seq=seq, events=events, lease=None)
                elif await self._store.append_acceptance(STREAM, expected_seq=seq, events=events, inbox=inbox) is None:
                    return False
            except Conflict:
                continue
            await catch_up(self._pool, self._store)
            return True


def _over(one: Scored) -> bool:
    return one.expires_at is not None and one.expires_at <= one.now


def _to_renew(one: Scored) -> bool:
    """Whether an established version that is still of use has come into the second half of its time."""
    return (
        one.expires_at is not None
        and one.expires_at - one.now < _RENEWED
        and one.last_success is not None
        and one.now - one.last_success < _RENEWED
    )
