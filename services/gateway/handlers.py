"""The gateway's work on each message: load, let a pure rule decide, append."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from arreio_contracts import messages, subjects
from arreio_contracts.envelope import Envelope
from arreio_contracts.envelope import envelope as envelope_of
from arreio_contracts.events import (
    EventData,
    InputReceived,
    MessageReceived,
    Metadata,
    ReplyQueued,
    SessionCreated,
    TaskCancelRequested,
    TaskCreated,
)
from arreio_contracts.messages import InboundMessage, Receipt
from arreio_contracts.task import TaskState

from shared.observing.trace_context import new_traceparent, valid
from shared.observing.tracing import span
from shared.store import tasks
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.errors import Conflict
from shared.store.events import EventStore, Head, InboxKey, NewEvent, event_of
from shared.store.tasks import TaskPatch, TaskRow

from .attachments import kept
from .channels.pairing import code_for
from .channels.registry import is_known
from .new_tasks import TaskMaker
from .replies import Outcome, reply_to
from .rights import Unacceptable, refusal, unknown_sender, without_secrets
from .routing import HELP, Answer, Cancel, Help, NewTask, OpenTask, Status, answer_text, route

ENDINGS: Final = ("task.completed", "task.blocked", "task.failed", "task.needs_input")
"""What a task comes to, and is reported on its channel."""
UNANSWERED_AFTER: Final = 60.0
UNANSWERED_WITHIN: Final = 7 * 86_400.0
"""Seconds after which an outcome without a reply is nobody's, and after which it is too old to be told."""


class Gateway:
    """Messages in, tasks and answers on; outcomes in, replies out."""

    def __init__(self, pool: Pool, *, data_dir: Path, code_version: str, profiles: Path | None = None) -> None:
        self._pool = pool
        self._store = EventStore(pool)
        self._blobs = BlobStore(pool)
        self._maker = TaskMaker(pool, data_dir, profiles or data_dir / "profiles")
        self._code_version = code_version

    async def accept(self, channel: str, message: InboundMessage, envelope: Envelope) -> Receipt:
        """Accept a message once, and say what became of it. The receipt of an accepted one goes through the outbox.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached; nothing is lost by trying again.
        """
        came_with = valid(envelope.traceparent)
        with span("message.accept", came_with, "consumer", arreio__channel=channel) as accepting:
            # Made also while nothing is traced here: those who do it then speak of one trace.
            trace = accepting.traceparent or came_with or new_traceparent()
            receipt = await self._accept(channel, message, envelope.model_copy(update={"traceparent": trace}))
            accepting.note(arreio__message__status=receipt.status, arreio__task__id=receipt.task_id or "")
            return receipt

    async def _accept(self, channel: str, message: InboundMessage, envelope: Envelope) -> Receipt:
        receipt = Receipt(conversation=message.conversation, message_id=message.message_id, status="refused")
        admitted = await self._admitted(channel, message)
        if isinstance(admitted, tuple):
            return receipt.model_copy(update={"field": admitted[0], "reason": admitted[1]})
        message = admitted
        session_id = messages.session_id(channel, message)
        inbox = InboxKey(subjects.CONSUMER_GATEWAY_INBOUND, messages.inbox_id(channel, message))
        while True:
            head = await self._store.head(session_id)
            active = await tasks.open_task(self._pool, session_id)
            try:
                events, patch = await self._events(channel, message, session_id, head, active, envelope)
            except Unacceptable as error:
                return await self._unacceptable(channel, message, receipt, error)
            try:
                appended = await self._store.append_acceptance(
                    session_id, expected_seq=head.seq, events=events, inbox=inbox, task=patch
                )
            except Conflict:
                continue
            if appended is None:
                # What it became then; now it might become something else.
                before = await self._store.accepted(inbox)
                known = (before.session_id, before.task_id) if before is not None else (session_id, None)
                return receipt.model_copy(update={"status": "duplicate", "session_id": known[0], "task_id": known[1]})
            about = next((event.task_id for event in reversed(events) if event.task_id), None)
            return receipt.model_copy(update={"status": "accepted", "session_id": session_id, "task_id": about})

    async def _admitted(self, channel: str, message: InboundMessage) -> InboundMessage | tuple[str, str]:
        """The message as it is recorded, or the field that is not acceptable and why."""
        refused = refusal(channel, message)
        if refused is None and not await is_known(self._pool, channel, message.sender):
            code = await code_for(self._pool, channel, message.sender)
            refused = unknown_sender(channel, message.sender, code)
        return refused or await kept(self._pool, self._blobs, channel, without_secrets(message))

    async def _unacceptable(
        self, channel: str, message: InboundMessage, receipt: Receipt, error: Unacceptable
    ) -> Receipt:
        """The receipt of a message that makes no task: refused, unless it was one before profiles or skills changed."""
        known = await tasks.show_task(self._pool, messages.task_id(channel, message))
        if known is None:
            return receipt.model_copy(update={"field": error.field, "reason": error.reason})
        before = {"status": "duplicate", "session_id": known.session_id, "task_id": known.task_id}
        return receipt.model_copy(update=before)

    async def _events(
        self,
        channel: str,
        message: InboundMessage,
        session_id: str,
        head: Head,
        active: TaskRow | None,
        envelope: Envelope,
    ) -> tuple[list[NewEvent], TaskPatch | None]:
        open_task = OpenTask(active.task_id, TaskState(active.state)) if active else None
        created = () if head.seq else (self._event(_session(channel, message), envelope),)
        wake = (subjects.COMMAND_RUN_TASK,)
        match route(message, open_task):
            case NewTask():
                task_id = messages.task_id(channel, message)
                made = await self._maker.make(channel, message, session_id)
                contract = made.contract
                task = TaskCreated(
                    goal=made.goal,
                    contract=contract,
                    channel=channel,
                    message_id=message.message_id,
                    attachments=message.attachments,
                    at_ms=head.now_ms,
                    skills=made.routed.skills,
                    ui=made.routed.ui,
                    profile=made.profile,
                )
                patch = TaskPatch(
                    task_id=task_id, state="PENDING", goal=task.goal, workspace=contract.workspace, agent=contract.agent
                )
                follows: tuple[NewEvent, ...] = (self._event(task, envelope, task_id, wake),)
            case Answer(task_id):
                answer = InputReceived(text=answer_text(message), message_id=message.message_id)
                patch = TaskPatch(
                    task_id=task_id, state="IN_PROGRESS", awaiting=None, awaiting_id=None, question=None, wake_at=None
                )
                follows = (self._event(answer, envelope, task_id, wake),)
            case Cancel(named, text):
                target = await tasks.show_task(self._pool, named) if named and subjects.is_token(named) else None
                if target is None or target.session_id != session_id or TaskState(target.state).terminal:
                    return self._noticed(
                        channel, message, envelope, created, named, "Nothing to cancel.", TaskState.COMPLETE
                    ), None
                cancel = TaskCancelRequested(by=message.sender, text=text)
                patch = TaskPatch(task_id=target.task_id, cancel_requested=True)
                follows = (self._event(cancel, envelope, target.task_id, wake),)
            case Help():
                state = TaskState(active.state) if active else TaskState.COMPLETE
                return self._noticed(channel, message, envelope, created, None, HELP, state), None
            case Status():
                text = f"{active.state}: {active.goal} ({active.steps} steps)" if active else "Nothing is running."
                state = TaskState(active.state) if active else TaskState.COMPLETE
                about = active.task_id if active else None
                return self._noticed(channel, message, envelope, created, about, text, state), None
        received = self._received(channel, message, envelope, follows[-1].task_id)
        return [*created, received, *follows], patch

    def _noticed(
        self,
        channel: str,
        message: InboundMessage,
        envelope: Envelope,
        created: Sequence[NewEvent],
        task_id: str | None,
        text: str,
        state: TaskState,
    ) -> list[NewEvent]:
        notice = ReplyQueued(
            kind="notice",
            channel=channel,
            account=message.account,
            conversation=message.conversation,
            thread=message.thread,
            reply_to=message.message_id,
            text=text,
            state=state.value,
        )
        route_out = (subjects.outbound(channel),)
        received = self._received(channel, message, envelope, None)
        return [*created, received, self._event(notice, envelope, None, route_out)]

    def _received(self, channel: str, message: InboundMessage, envelope: Envelope, task_id: str | None) -> NewEvent:
        received = MessageReceived(channel=channel, message=message)
        return self._event(received, envelope, task_id, (subjects.outbound(channel),))

    async def answer_outcome(self, envelope: Envelope, data: EventData) -> None:
        """Queue the reply of a task that ended or asks, once.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached; nothing is lost by trying again.
        """
        said = reply_to(data)
        session_id, task_id = envelope.partitionkey, envelope.subject
        if said is None or session_id is None or task_id is None:
            return
        about = {"gen_ai__conversation__id": session_id, "arreio__task__id": task_id}
        with span("reply.queue", valid(envelope.traceparent), "consumer", **about) as replying:
            trace = replying.traceparent or valid(envelope.traceparent)
            await self._queue(session_id, task_id, said, envelope.model_copy(update={"traceparent": trace}))

    async def _queue(self, session_id: str, task_id: str, said: Outcome, envelope: Envelope) -> None:
        kind, text, state = said
        history = await self._store.read_task(session_id, task_id, types=("message.received",))
        received = history[0].contract if history else None
        if not isinstance(received, MessageReceived):
            return
        message = received.message
        reply = ReplyQueued(
            kind=kind,
            channel=received.channel,
            account=message.account,
            conversation=message.conversation,
            thread=message.thread,
            reply_to=message.message_id,
            text=text,
            state=state.value,
        )
        event = self._event(reply, envelope, task_id, (subjects.outbound(received.channel),))
        await self._store.append_fact(
            session_id, [event], inbox=InboxKey(subjects.CONSUMER_GATEWAY_OUTCOMES, envelope.id)
        )

    async def sweep_outcomes(self, *, after: float = UNANSWERED_AFTER) -> None:
        """Answer what nobody was told of for `after` seconds: the stream may have forgotten it, or lost its store."""
        for found in await self._store.unanswered(ENDINGS, ReplyQueued.type, after=after, within=UNANSWERED_WITHIN):
            known = found.metadata
            cause = envelope_of(
                found.type,
                id=found.event_id,
                source="tool_loop",
                subject=found.task_id,
                partitionkey=found.session_id,
                correlationid=known.correlation or None,
                traceparent=known.traceparent or None,
            )
            await self.answer_outcome(cause, found.contract)

    def _event(
        self, data: EventData, cause: Envelope, task_id: str | None = None, routes: tuple[str, ...] = ()
    ) -> NewEvent:
        metadata = Metadata(
            service="gateway",
            code_version=self._code_version,
            correlation=cause.correlationid or cause.id,
            causation=cause.id,
            traceparent=cause.traceparent or "",
        )
        return event_of(data, metadata, task_id=task_id, routes=routes)


def _session(channel: str, message: InboundMessage) -> SessionCreated:
    return SessionCreated(
        channel=channel,
        account=message.account,
        conversation=message.conversation,
        thread=message.thread,
        sender=message.sender if message.direct else None,
    )
