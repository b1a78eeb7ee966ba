"""Sessions that are copied whole: a fork with ids of its own, and an import as it was. Pure but for new ids.

A copy runs nothing by itself. Its open tasks are parked: what was under way is recorded as interrupted, and the state
machine asks a person before the task goes on (a claim under judgement is judged first). A fork speaks on the operator's
own channel, so that nothing that it says reaches the people of the conversation that it was copied from.
"""

import base64
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arreio_contracts import messages, subjects
from arreio_contracts.events import EventData, Metadata, SessionForked, TaskParked
from arreio_contracts.messages import InboundMessage
from arreio_contracts.upcasting import read_event

from shared.canonical import canonical_json, parse_json
from shared.store.events import RecordedEvent, StoredSession, new_event_id
from shared.store.sessions import AddedEvent
from shared.store.tasks import TaskPatch

from .acting import interrupted
from .fold import evolve
from .log import to_recorded
from .projection import task_patch
from .replay import Recorded, stamped, state_at
from .state import LoopState

CHANNEL = "cli"
"""The operator's own channel, on which forks speak."""


@dataclass(frozen=True)
class Copy:
    """A session ready to be added: its events, the rows of its tasks, and the tasks that are parked."""

    session_id: str
    events: list[AddedEvent]
    tasks: list[TaskPatch]
    parked: list[LoopState]


@dataclass(frozen=True)
class ForkNames:
    """What a fork is called: its session, and the conversation in which one speaks to it."""

    session_id: str
    conversation: str


def fork_names() -> ForkNames:
    """Names that no session has."""
    conversation = f"fork-{_token()}"
    message = InboundMessage(conversation=conversation, message_id="fork", sender="operator")
    return ForkNames(messages.session_id(CHANNEL, message), conversation)


def fork(
    source: StoredSession, upto: int, names: ForkNames, workspace: str, *, now_ms: int, code_version: str = ""
) -> Copy:
    """A copy of the events up to `upto`, with ids of its own; the tasks that were open then work in `workspace`.

    Raises:
        ContractError: an event cannot be read.
    """
    events = [event for event in source.events if event.seq <= upto]
    ids = _new_ids(events)
    still_open = {state.task_id for state in _open(state_at([to_recorded(event) for event in events]))}
    copied = [
        _copied(event, ids, names.conversation, workspace if event.task_id in still_open else None) for event in events
    ]
    forked = SessionForked(
        source_session=source.session_id,
        source_seq=events[-1].seq,
        source_hash=events[-1].hash.hex(),
        workspace=workspace if still_open else None,
    )
    provenance = _new(forked, None, Metadata(service="operator", code_version=code_version))
    return _whole(names.session_id, [*copied, provenance], "forked", now_ms, code_version)


def imported(session: StoredSession, *, now_ms: int, code_version: str = "") -> Copy:
    """A session as it was exported; only where a task was open does something follow.

    Raises:
        ContractError: an event cannot be read, as one of a newer version.
    """
    events = [
        AddedEvent(
            event_id=event.event_id,
            type=event.type,
            schema_version=event.schema_version,
            task_id=event.task_id,
            data_text=event.data_text,
            metadata_text=event.metadata_text,
            recorded_at=event.recorded_at,
            hash=event.hash,
        )
        for event in session.events
    ]
    return _whole(session.session_id, events, "imported", now_ms, code_version)


def _whole(session_id: str, events: list[AddedEvent], why: str, now_ms: int, code_version: str) -> Copy:
    states = state_at(_read(events))
    tail: list[AddedEvent] = []
    for state in _open(states):
        metadata = Metadata(service="operator", code_version=code_version, causation=events[-1].event_id)
        if state.open_call is not None:
            language = state.profile.language if state.profile else "en"
            tail.append(_new(interrupted(state.open_call, language), state.task_id, metadata))
        parked = TaskParked.model_validate({"why": why, "at_ms": now_ms})
        tail.append(replace(_new(parked, state.task_id, metadata), routes=(subjects.COMMAND_RUN_TASK,)))
    for event in _read(tail):
        if event.task_id is not None:
            states[event.task_id] = evolve(states[event.task_id], stamped(event))
    events = [*events, *tail]
    rows = [_row(state, now_ms) for state in states.values() if state.created is not None]
    return Copy(session_id, events, rows, _open(states))


def _open(states: Mapping[str, LoopState]) -> list[LoopState]:
    """The tasks that have not ended. A message names its task before there is one: a copy up to there has none."""
    return [state for state in states.values() if state.created is not None and not state.state.terminal]


def _new_ids(events: Sequence[RecordedEvent]) -> dict[str, str]:
    """A new id for each event, task and claim, by the old one."""
    ids = {event.event_id: new_event_id() for event in events}
    ids |= {event.task_id: f"t_{_token()}" for event in events if event.task_id is not None}
    for event in events:
        if event.type == "completion.claimed" and event.task_id is not None:
            claim = str(event.data["claim_id"])
            ids[claim] = ids[event.task_id] + claim.removeprefix(event.task_id)
    return ids


def _copied(event: RecordedEvent, ids: Mapping[str, str], conversation: str, workspace: str | None) -> AddedEvent:
    data = _renamed(event.data, ids)
    _redirect(event.type, data, conversation, workspace)
    metadata = parse_json(event.metadata_text)
    metadata["causation"] = ids.get(metadata.get("causation", ""), metadata.get("causation", ""))
    return AddedEvent(
        event_id=ids[event.event_id],
        type=event.type,
        schema_version=event.contract.version,
        task_id=None if event.task_id is None else ids[event.task_id],
        data_text=canonical_json(data),
        metadata_text=canonical_json(metadata),
        recorded_at=event.recorded_at,
    )


def _renamed(value: Any, ids: Mapping[str, str]) -> Any:
    """The value with every string that is an id, whole, replaced by the new one."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, dict):
        return {key: _renamed(item, ids) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, ids) for item in value]
    return value


def _redirect(kind: str, data: dict[str, Any], conversation: str, workspace: str | None) -> None:
    """Speak in the fork's own conversation, and work in its own folder."""
    place = {"account": "", "conversation": conversation, "thread": ""}
    match kind:
        case "session.created":
            data |= {"channel": CHANNEL, "sender": None, **place}
        case "message.received":
            data |= {"channel": CHANNEL, "message": {**data["message"], "channel": None, "direct": False, **place}}
        case "task.created":
            data["channel"] = CHANNEL
            if workspace is not None:
                data["contract"] = {**data["contract"], "workspace": workspace}
        case "task.profiled" if workspace is not None and data["workspace"] is not None:
            data["workspace"] = workspace


def _read(events: Sequence[AddedEvent]) -> Iterator[Recorded]:
    for seq, event in enumerate(events, 1):
        yield Recorded(
            seq,
            event.event_id,
            event.task_id,
            read_event(event.type, event.schema_version, parse_json(event.data_text)),
            Metadata.known_of(parse_json(event.metadata_text)),
        )


def _new(data: EventData, task_id: str | None, metadata: Metadata) -> AddedEvent:
    return AddedEvent(
        event_id=new_event_id(),
        type=data.type,
        schema_version=data.version,
        task_id=task_id,
        data_text=canonical_json(data.model_dump(mode="json")),
        metadata_text=canonical_json(metadata.model_dump(mode="json")),
        published=True,
    )


def _row(state: LoopState, now_ms: int) -> TaskPatch:
    created = state.created
    assert created is not None
    row = TaskPatch(
        task_id=state.task_id,
        goal=created.goal,
        agent=created.contract.agent,
        workspace=created.contract.workspace,
        cancel_requested=state.cancel is not None and not state.state.terminal,
    )
    return row | task_patch(state, now_ms)


def _token() -> str:
    return base64.b32encode(os.urandom(20)).decode().lower()
