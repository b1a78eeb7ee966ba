"""What an outbox row says on the wire: the CloudEvent for its subject, built from the event it points to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from arreio_contracts import subjects
from arreio_contracts.envelope import SOURCE_ROOT, Envelope, dataschema, envelope, headers, sequence
from arreio_contracts.messages import JudgeClaim, OutboundMessage, Receipt, RunTask
from pydantic import BaseModel, ValidationError

from shared.bus.streams import stream_of
from shared.canonical import parse_json
from shared.errors import ArreioError

MESSAGE_ID_HEADER: Final = "Nats-Msg-Id"
_HEADER: Final = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}")
"""What a header may be called: a token of RFC 7230."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SHOWN: Final = 160


class Unpublishable(ArreioError):
    """A row that no retry can publish."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(problem)
        self.code = code


@dataclass(frozen=True)
class OutboxRow:
    """A row of the outbox with the event it points to, or with `headers` and `body` of a dead letter sent again."""

    id: int
    session_id: str
    seq: int
    event_id: str
    n: int
    subject: str
    sending: int
    type: str
    schema_version: int
    task_id: str | None
    data_text: str
    metadata_text: str
    recorded_at: datetime
    headers: dict[str, str] | None = None
    body: bytes | None = None

    @property
    def message_id(self) -> str:
        """The id by which the broker knows what it has: `event_id/n`, and `event_id/n#2` when resent on purpose."""
        suffix = f"#{self.sending}" if self.sending > 1 else ""
        return f"{self.event_id}/{self.n}{suffix}"


@dataclass(frozen=True)
class Publication:
    """A message ready for the broker."""

    subject: str
    headers: dict[str, str]
    body: bytes

    @property
    def size(self) -> int:
        """Bytes that count against the broker's payload limit: headers and body."""
        lengths = (len(f"{name}{value}".encode("utf-8", "replace")) + 4 for name, value in self.headers.items())
        return len(self.body) + 12 + sum(lengths)


def check_carried(subject: str, headers: Mapping[str, str]) -> None:
    """Check that a message can be sent at all, whatever its size: at others the server ends the connection.

    Raises:
        Unpublishable: it has a subject that no stream takes, or a header that no client sends.
    """
    if stream_of(subject) is None:
        raise Unpublishable("no_stream", f"no stream takes the subject {_shortened(subject)}")
    for name, value in headers.items():
        if not _HEADER.fullmatch(name):
            raise Unpublishable("bad_header", f"no header can be called {_shortened(name)}")
        if _SURROGATE.search(value):
            raise Unpublishable("bad_header", f"the header {name} has the value {_shortened(value)}")


def _shortened(text: str) -> str:
    shown = ascii(text)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}… ({len(text)} characters)"


def publication(row: OutboxRow) -> Publication:
    """The message of a row.

    Raises:
        Unpublishable: the event does not hold what its subject promises.
    """
    try:
        return _publication(row)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        # Whatever it stumbles over it meets again, and meanwhile nothing of any session would be published.
        raise Unpublishable("unreadable", f"{row.type} on {row.subject}: {' '.join(str(error).split())}") from error


def sent_again(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers of a dead letter as it is sent again: what the broker added is its own to add."""
    return {name: value for name, value in headers.items() if not name.lower().startswith("nats-")}


def _publication(row: OutboxRow) -> Publication:
    if row.body is not None:
        return Publication(row.subject, {MESSAGE_ID_HEADER: row.message_id, **sent_again(row.headers or {})}, row.body)
    metadata = json.loads(row.metadata_text)
    attributes: dict[str, Any] = {
        "time": row.recorded_at,
        "subject": row.task_id,
        "partitionkey": row.session_id,
        "sequence": sequence(row.seq),
        "correlationid": metadata.get("correlation") or None,
        "traceparent": metadata.get("traceparent") or None,
    }
    source = str(metadata.get("service", "unknown"))
    family = row.subject.removeprefix(f"{subjects.ROOT}.").partition(".")[0]
    if family == "events":
        found = Envelope(
            id=row.event_id,
            source=f"{SOURCE_ROOT}/{source}",
            type=f"arreio.{row.type}",
            dataschema=dataschema(row.type, row.schema_version),
            causationid=metadata.get("causation") or None,
            **attributes,
        )
        body = row.data_text.encode()
    else:
        kind, message = _message(family, row)
        found = envelope(kind, id=f"{row.event_id}/{row.n}", source=source, causationid=row.event_id, **attributes)
        # A lone surrogate cannot be sent in UTF-8; to a person a question mark says as much.
        body = json.dumps(message.model_dump(mode="json"), ensure_ascii=False).encode("utf-8", "replace")
    return Publication(row.subject, {MESSAGE_ID_HEADER: row.message_id, **headers(found)}, body)


def _message(family: str, row: OutboxRow) -> tuple[str, BaseModel]:
    build = _BUILDERS.get((family, row.subject)) or _BUILDERS.get((family, row.type))
    if build is None:
        raise Unpublishable("no_body", f"there is no message for an event {row.type} on {row.subject}")
    try:
        return build(row, parse_json(row.data_text))
    except (ValidationError, KeyError) as error:
        problem = error.errors()[0] if isinstance(error, ValidationError) else {"loc": error.args, "msg": "is missing"}
        field = ".".join(map(str, problem["loc"]))
        raise Unpublishable("invalid_body", f"{row.type} on {row.subject}: {field}: {problem['msg']}") from error


def _run_task(row: OutboxRow, _data: dict[str, Any]) -> tuple[str, BaseModel]:
    return "command.run_task", RunTask.model_validate({"session_id": row.session_id, "task_id": row.task_id})


def _judge_claim(row: OutboxRow, data: dict[str, Any]) -> tuple[str, BaseModel]:
    claim = {"session_id": row.session_id, "task_id": row.task_id, "claim_id": data["claim_id"]}
    return "command.judge_claim", JudgeClaim.model_validate(claim)


def _reply(row: OutboxRow, data: dict[str, Any]) -> tuple[str, BaseModel]:
    known = {name: data[name] for name in OutboundMessage.model_fields if name in data}
    message = OutboundMessage.model_validate({**known, "session_id": row.session_id, "task_id": row.task_id})
    return "outbound.message", message


def _receipt(row: OutboxRow, data: dict[str, Any]) -> tuple[str, BaseModel]:
    message = data["message"]
    receipt = Receipt(
        conversation=message["conversation"],
        message_id=message["message_id"],
        status="accepted",
        session_id=row.session_id,
        task_id=row.task_id,
    )
    return "outbound.receipt", receipt


_BUILDERS: Final[dict[tuple[str, str], Callable[[OutboxRow, dict[str, Any]], tuple[str, BaseModel]]]] = {
    ("commands", subjects.COMMAND_RUN_TASK): _run_task,
    ("commands", subjects.COMMAND_JUDGE): _judge_claim,
    ("outbound", "reply.queued"): _reply,
    ("outbound", "message.received"): _receipt,
}
