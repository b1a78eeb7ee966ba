"""Exported sessions: NDJSON of CloudEvents in structured mode, which says of itself whether it is whole and unchanged.

A session is one line `arreio.session.exported` (its first and last seq and the hashes before and at its end), then its
blobs (`arreio.blob`: `id` is the SHA-256; text in `data`, anything else in `data_base64`), then its events in order. An
event's `data` is the text that its hash covers, `metadata` is that text as a string, and `hash` is in hexadecimal. A
file may hold several sessions, one after the other. Pure: nothing here reads or writes a database.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from arreio_contracts.envelope import SOURCE_ROOT, dataschema, sequence

from shared.canonical import sha256_hex
from shared.errors import ArreioError
from shared.store.blob_names import ALWAYS, blobs_in
from shared.store.events import RecordedEvent, StoredSession
from shared.store.hashing import Anchor

HEADER: Final = "arreio.session.exported"
BLOB: Final = "arreio.blob"
_SOURCE: Final = f"{SOURCE_ROOT}/operator"
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DATASCHEMA = re.compile(r"arreio:schema:([a-z_.]+):([0-9]{1,9})")


class BadExport(ArreioError):
    """A file that is not an export, or not a whole and unchanged one."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line_number = line
        self.problem = problem


class NotCanonicalText(ArreioError):
    """An event whose text in the log is not canonical JSON, so that its hash could not be checked elsewhere."""


class Blob(NamedTuple):
    """A blob out of a file; `name` is its SHA-256."""

    name: str
    content: bytes


@dataclass
class Export:
    """One session out of a file."""

    session: StoredSession
    blobs: dict[str, bytes] = field(default_factory=dict)


def named_blobs(events: Iterable[RecordedEvent]) -> list[str]:
    """The blobs that events name, in the order in which they do."""
    return list(dict.fromkeys(name for one in events for name in blobs_in(one.type, json.loads(one.data_text))))


def write_export(session: StoredSession, blobs: Mapping[str, bytes]) -> Iterator[str]:
    """The lines of a session that is sound, each with its line break.

    Raises:
        NotCanonicalText: an event's text could not be checked by whoever reads the file.
    """
    assert session.anchor is not None
    yield _line(_header(session.session_id, session.base, session.anchor, len(blobs)))
    for name, content in blobs.items():
        yield _line(_blob(name, content))
    for event in session.events:
        yield _event_line(event)


def _header(session_id: str, base: Anchor, anchor: Anchor, blobs: int) -> dict[str, Any]:
    return {
        "specversion": "1.0",
        "id": f"{session_id}/{anchor.seq}",
        "source": _SOURCE,
        "type": HEADER,
        "partitionkey": session_id,
        "sequence": sequence(anchor.seq),
        "data": {
            "first_seq": base.seq + 1,
            "prev": base.hash.hex(),
            "seq": anchor.seq,
            "hash": anchor.hash.hex(),
            "blobs": blobs,
        },
    }


def _blob(name: str, content: bytes) -> dict[str, Any]:
    return {"specversion": "1.0", "id": name, "source": _SOURCE, "type": BLOB, **_content(content)}


def _content(content: bytes) -> dict[str, str]:
    try:
        return {"datacontenttype": "text/plain; charset=utf-8", "data": content.decode()}
    except UnicodeDecodeError:
        return {
            "datacontenttype": "application/octet-stream",
            "data_base64": base64.b64encode(content).decode(),
        }


def _event_line(event: RecordedEvent) -> str:
    if _canonical(json.loads(event.data_text)) != event.data_text:
        raise NotCanonicalText(f"event {event.seq} of {event.session_id} is not stored as canonical JSON")
    return f'{_line(_attributes(event))[:-2]},"data":{event.data_text}}}\n'


def _attributes(event: RecordedEvent) -> dict[str, Any]:
    """Everything of an event's line but its data."""
    metadata = json.loads(event.metadata_text)
    attributes = {
        "specversion": "1.0",
        "id": event.event_id,
        "source": f"{SOURCE_ROOT}/{metadata.get('service', 'unknown')}",
        "type": f"arreio.{event.type}",
        "time": event.recorded_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "datacontenttype": "application/json",
        "dataschema": dataschema(event.type, event.schema_version),
        "subject": event.task_id,
        "partitionkey": event.session_id,
        "sequence": sequence(event.seq),
        "correlationid": metadata.get("correlation") or None,
        "causationid": metadata.get("causation") or None,
        "traceparent": metadata.get("traceparent") or None,
        "hash": event.hash.hex(),
        "metadata": event.metadata_text,
    }
    return {name: value for name, value in attributes.items() if value is not None}


def read_exports(lines: Iterable[str]) -> Iterator[Export]:
    """The sessions of a file and their blobs, each checked: nothing is missing, and every event and blob fits its hash.

    Raises:
        BadExport: it is not so; the line is named.
    """
    blobs: dict[str, bytes] = {}
    for part in read_parts(lines):
        if isinstance(part, Blob):
            blobs[part.name] = part.content
        else:
            yield Export(part, blobs)
            blobs = {}


def read_parts(lines: Iterable[str]) -> Iterator[Blob | StoredSession]:
    """The same, of which no more than one session without its blobs is kept: each blob as it comes, then its session.

    Raises:
        BadExport: as above; what came before the line may be right, or belong to a session that is not.
    """
    reading: _Reading | None = None
    sessions: set[str] = set()
    number = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        found = _object(number, text)
        if found.get("type") == HEADER:
            if reading is not None:
                yield reading.whole()
            reading = _Reading(number, found)
            if reading.session_id in sessions:
                raise BadExport(number, f"session {reading.session_id} stands twice in the file")
            sessions.add(reading.session_id)
        elif reading is None:
            raise BadExport(number, f"the file does not begin with {HEADER}")
        elif (blob := reading.take(number, found)) is not None:
            yield blob
    if reading is None:
        raise BadExport(number or 1, "the file holds no session")
    yield reading.whole()


class _Reading:
    """A session while its lines come."""

    def __init__(self, number: int, found: dict[str, Any]) -> None:
        try:
            data = found["data"]
            self._base = Anchor(_whole(data["first_seq"], 1) - 1, bytes.fromhex(data["prev"]))
            anchor = Anchor(_whole(data["seq"], self._base.seq), bytes.fromhex(data["hash"]))
            session_id = _text(found["partitionkey"])
            self._blobs = _whole(data["blobs"], 0)
        except (KeyError, TypeError, ValueError) as error:
            raise BadExport(number, f"the session's line is malformed: {error!r}") from error
        _only(number, found, _header(session_id, self._base, anchor, self._blobs), "the session")
        self._session = StoredSession(session_id, [], anchor, self._base)
        self._names: set[str] = set()
        self._number = number
        self._lines: list[int] = []

    @property
    def session_id(self) -> str:
        """The session that it is."""
        return self._session.session_id

    def take(self, number: int, found: dict[str, Any]) -> Blob | None:
        """Take a line that belongs to the session; the blob that it is."""
        try:
            if found["type"] == BLOB:
                return self._blob(number, found)
            self._take_event(number, found)
            self._lines.append(number)
            return None
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise BadExport(number, f"the line is malformed: {error!r}") from error

    def _blob(self, number: int, found: dict[str, Any]) -> Blob:
        name = _text(found["id"])
        content = (
            base64.b64decode(_text(found["data_base64"]), validate=True)
            if "data_base64" in found
            else _text(found["data"]).encode()
        )
        if sha256_hex(content) != name:
            raise BadExport(number, f"the blob does not fit its hash {name}")
        if name in self._names:
            raise BadExport(number, f"the blob {name} stands twice")
        _only(number, found, _blob(name, content), "its blob")
        self._names.add(name)
        return Blob(name, content)

    def _take_event(self, number: int, found: dict[str, Any]) -> None:
        named = _DATASCHEMA.fullmatch(str(found["dataschema"]))
        if not named or found["type"] != f"arreio.{named[1]}":
            raise ValueError(f"the type {found['type']!r} has the schema {found['dataschema']!r}")
        events = self._session.events
        event = RecordedEvent(
            session_id=_text(found["partitionkey"]),
            seq=int(_text(found["sequence"])),
            event_id=_text(found["id"]),
            type=named[1],
            schema_version=int(named[2]),
            task_id=found.get("subject"),
            data_text=_canonical(found["data"]),
            metadata_text=_text(found["metadata"]),
            recorded_at=datetime.fromisoformat(_text(found["time"])),
            prev=events[-1].hash if events else self._base.hash,
            hash=bytes.fromhex(found["hash"]),
        )
        # What says the same a second time is in no hash.
        _only(number, found, {**_attributes(event), "data": found["data"]}, "its event")
        events.append(event)

    def whole(self) -> StoredSession:
        """The session, if it is whole and unchanged."""
        session = self._session
        bad = session.first_bad_seq
        if bad is not None:
            place = bad - self._base.seq - 1
            line = self._lines[place] if place < len(self._lines) else self._number
            why = "does not fit the hash chain" if place < len(self._lines) else "is missing"
            raise BadExport(line, f"event {bad} of {session.session_id} {why}")
        if any(event.session_id != session.session_id for event in session.events):
            raise BadExport(self._number, "an event belongs to another session")
        missing = [name for one in session.events for name in _always(one) if name not in self._names]
        if missing or len(self._names) != self._blobs:
            raise BadExport(
                self._number, f"a blob is missing: {missing[0] if missing else f'{self._blobs} were written'}"
            )
        return session


def _always(event: RecordedEvent) -> Iterator[str]:
    return blobs_in(event.type, json.loads(event.data_text), ALWAYS)


def _only(number: int, found: Mapping[str, Any], written: Mapping[str, Any], what: str) -> None:
    """Refuse a line that is not what would be written of what was read from it."""
    for name in sorted(found.keys() | written.keys()):
        if found.get(name) != written.get(name):
            raise BadExport(number, f"{name} is {found.get(name)!r}, which does not fit {what}")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _whole(value: object, least: int) -> int:
    """A whole number of at least `least`; true is none."""
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    if value < least:
        raise ValueError(f"{value} is less than {least}")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no key stands twice: of two values each reader would take another."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found


def _object(number: int, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise BadExport(number, f"it cannot be read as JSON: {error}") from error
    if not isinstance(found, dict) or found.get("specversion") != "1.0" or not isinstance(found.get("type"), str):
        raise BadExport(number, "it is not a CloudEvent 1.0")
    return found


def _canonical(value: Any) -> str:
    """The text of a stored value, whose replaced characters stay replaced (see `shared.canonical`)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n"
