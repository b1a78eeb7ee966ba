"""What newer code would have written: recorded data with a field more, which this version does not know, everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arreio_contracts.events import Metadata
from pydantic import BaseModel

from shared.canonical import canonical_json, parse_json
from shared.store.events import RecordedEvent
from shared.store.exports import Export
from shared.store.hashing import Anchor, event_hash

FIELD = "of_newer_code"


def newer(data: Mapping[str, Any], contract: BaseModel) -> dict[str, Any]:
    """The data with an invented field in every object that is a contract; `contract` is what is read of the data."""
    return {**{name: _newer(value, getattr(contract, name, None)) for name, value in data.items()}, FIELD: {"a": 1}}


def _newer(value: Any, read: Any) -> Any:
    if isinstance(value, dict):
        if isinstance(read, BaseModel):
            return newer(value, read)
        if isinstance(read, dict):
            return {name: _newer(one, read.get(name)) for name, one in value.items()}
    if isinstance(value, list) and isinstance(read, list | tuple):
        return [_newer(one, other) for one, other in zip(value, read, strict=True)]
    return value


def newer_session(export: Export) -> Export:
    """A session as newer code would have recorded it: each event's data and metadata with fields more, chained anew."""
    prev, events = export.session.base.hash, list[RecordedEvent]()
    for event in export.session.events:
        raised = _newer_event(event)
        events.append(replace(raised, prev=prev, hash=event_hash(prev, raised)))
        prev = events[-1].hash
    anchor = Anchor(events[-1].seq, events[-1].hash)
    return Export(replace(export.session, events=events, anchor=anchor), export.blobs)


def _newer_event(event: RecordedEvent) -> RecordedEvent:
    metadata = parse_json(event.metadata_text)
    return replace(
        event,
        data_text=canonical_json(newer(parse_json(event.data_text), event.contract)),
        metadata_text=canonical_json(newer(metadata, Metadata.known_of(metadata))),
    )
