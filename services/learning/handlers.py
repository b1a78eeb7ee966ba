"""Learning's work on each outcome: read the task's events, let the distiller decide, append the proposal."""

import hashlib

from arreio_contracts import subjects
from arreio_contracts.envelope import Envelope
from arreio_contracts.events import Metadata, ProposalCreated

from shared.store.connection import Pool
from shared.store.events import EventStore, InboxKey, event_of

from .distiller import distil

STREAM = "learning_proposals"
"""The session in which proposals are recorded: a stream of learning's own."""

_TYPES = ("task.created", "completion.refused", "task.completed", "task.blocked", "task.failed")


async def learn(pool: Pool, envelope: Envelope, code_version: str) -> ProposalCreated | None:
    """Propose what the task of this outcome taught, once. Nothing is in force before a person approves it.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached; nothing is lost by trying again.
    """
    session_id, task_id = envelope.partitionkey, envelope.subject
    if session_id is None or task_id is None:
        return None
    store = EventStore(pool)
    history = await store.read_task(session_id, task_id, types=_TYPES)
    candidate = distil([(event.event_id, event.contract) for event in history])
    if candidate is None:
        return None
    proposal = ProposalCreated(
        proposal_id="p_" + hashlib.sha256(envelope.id.encode()).hexdigest()[:20],
        kind="rule",
        title=candidate.title,
        text=candidate.text,
        source_session=session_id,
        source_task=task_id,
        provenance=candidate.provenance,
    )
    metadata = Metadata(
        service="learning",
        code_version=code_version,
        correlation=envelope.correlationid or "",
        causation=envelope.id,
        traceparent=envelope.traceparent or "",
    )
    await store.append_fact(
        STREAM, [event_of(proposal, metadata)], inbox=InboxKey(subjects.CONSUMER_LEARNING_OUTCOMES, envelope.id)
    )
    return proposal
