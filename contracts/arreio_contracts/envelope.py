"""CloudEvents over NATS in binary mode: attributes in `ce-` headers, the contract as JSON in the body."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, ValidationError

from .errors import InvalidBody, InvalidEnvelope, UnknownType, UnknownVersion
from .events import EVENTS
from .messages import DeadLetter, InboundMessage, JudgeClaim, OutboundMessage, Receipt, RunTask
from .upcasting import read_event

SOURCE_ROOT = "arreio"
CONTENT_TYPE = "application/json"
_SCHEMA = re.compile(r"arreio:schema:([a-z_.]+):([0-9]{1,9})")

MESSAGES: dict[str, tuple[type[BaseModel], int]] = {
    "inbound.message": (InboundMessage, 1),
    "outbound.message": (OutboundMessage, 1),
    "outbound.receipt": (Receipt, 1),
    "command.run_task": (RunTask, 1),
    "command.judge_claim": (JudgeClaim, 1),
    "dead.letter": (DeadLetter, 1),
    **{kind: (contract, contract.version) for kind, contract in EVENTS.items()},
}
"""Every type that travels on a subject, with its contract and the version of it."""
EXACT = frozenset({"inbound.message"})
"""What others than Arreio write: a field that is not known there is a mistake, and its writer is told."""


def dataschema(kind: str, version: int) -> str:
    """The name of a contract in one version, as it stands in `ce-dataschema`."""
    return f"arreio:schema:{kind}:{version}"


class Envelope(BaseModel):
    """The attributes of a CloudEvent.

    `subject` is the task's id, `partitionkey` the session's, `sequence` the event's seq in its session (zero-padded, so
    that it sorts as text). A message that belongs to no task or session leaves them out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    specversion: Literal["1.0"] = "1.0"
    id: str
    source: str
    type: str
    time: datetime | None = None
    datacontenttype: str = CONTENT_TYPE
    dataschema: str
    subject: str | None = None
    partitionkey: str | None = None
    sequence: str | None = None
    correlationid: str | None = None
    causationid: str | None = None
    traceparent: str | None = None

    @property
    def seq(self) -> int | None:
        """The event's number in its session."""
        return None if self.sequence is None else int(self.sequence)


def envelope(kind: str, *, id: str, source: str, **attributes: Any) -> Envelope:
    """Make the envelope of a message of type `kind` in its current version.

    Raises:
        UnknownType: no contract describes `kind`.
    """
    if kind not in MESSAGES:
        raise UnknownType("type", f"{kind!r} is not a message of Arreio")
    version = MESSAGES[kind][1]
    return Envelope(
        id=id,
        source=f"{SOURCE_ROOT}/{source}",
        type=f"arreio.{kind}",
        dataschema=dataschema(kind, version),
        **attributes,
    )


def sequence(seq: int) -> str:
    """A seq as the attribute `sequence`: 20 digits."""
    return f"{seq:020d}"


def headers(attributes: Envelope) -> dict[str, str]:
    """The NATS headers of a binary-mode CloudEvent; values outside printable ASCII are percent-encoded."""
    found: dict[str, str] = {"content-type": attributes.datacontenttype}
    for name, value in attributes.model_dump(exclude={"datacontenttype"}, exclude_none=True).items():
        text = value.astimezone(UTC).isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else str(value)
        found[f"ce-{name}"] = quote(text, safe="!#$&'()*+,-./:;<=>?@[]^_`{|}~ ")
    return found


def read_headers(found: Mapping[str, str]) -> Envelope:
    """Read the attributes from NATS headers; header names are compared without regard to case.

    Raises:
        InvalidEnvelope: an attribute is missing or malformed.
    """
    attributes: dict[str, str] = {}
    for name, value in found.items():
        lower = name.lower()
        if lower == "content-type":
            attributes["datacontenttype"] = value
        elif lower.startswith("ce-") and lower[3:] in Envelope.model_fields:
            attributes[lower[3:]] = unquote(value)
    try:
        attributes_read = Envelope.model_validate(attributes)
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidEnvelope(f"ce-{'.'.join(map(str, first['loc']))}", first["msg"]) from error
    if attributes_read.datacontenttype.partition(";")[0].strip().lower() != CONTENT_TYPE:
        raise InvalidEnvelope("content-type", f"{attributes_read.datacontenttype!r} is not {CONTENT_TYPE}")
    if attributes_read.sequence is not None and not re.fullmatch(r"[0-9]{1,20}", attributes_read.sequence):
        raise InvalidEnvelope("ce-sequence", f"{attributes_read.sequence!r} is not a number")
    return attributes_read


def is_foreign(found: Mapping[str, str] | None) -> bool:
    """Whether a message has not one attribute of an event, and so is nothing that Arreio said.

    A broker acknowledges a publish on whatever subject the publisher names, also one that another reads: pass over it.
    """
    return not any(name.lower().startswith("ce-") for name in found or ())


def read(found: Mapping[str, str] | None, body: bytes) -> tuple[Envelope, BaseModel]:
    """Read a message: its envelope and its body as the contract that `ce-type` and `ce-dataschema` name.

    An event of an older version is brought to the current one. Of what Arreio wrote, fields that this version does not
    know are passed over: newer code wrote them.

    Raises:
        InvalidEnvelope: an attribute is missing or malformed.
        UnknownType: no contract describes the type.
        UnknownVersion: the type is known, this version of it is not.
        InvalidBody: the body is not JSON or breaks the contract; `field` names the place.
    """
    attributes = read_headers(found or {})
    kind = attributes.type.removeprefix("arreio.")
    if kind not in MESSAGES or kind == attributes.type:
        raise UnknownType("ce-type", f"{attributes.type!r} is not a message of Arreio")
    contract, version = MESSAGES[kind]
    named = _SCHEMA.fullmatch(attributes.dataschema)
    if not named or named[1] != kind:
        raise InvalidEnvelope("ce-dataschema", f"{attributes.dataschema!r} is not {dataschema(kind, version)!r}")
    if kind in EVENTS and 0 < int(named[2]) < version:
        return attributes, read_event(kind, int(named[2]), _json_object(body))
    if int(named[2]) != version:
        raise UnknownVersion("ce-dataschema", f"version {named[2]} of {kind} is not known; this side reads {version}")
    return attributes, parse_body(contract, body, exact=kind in EXACT)


def parse_body(contract: type[BaseModel], body: bytes, *, exact: bool = True) -> BaseModel:
    """Read JSON as a contract; without `exact`, fields that it does not know are passed over.

    Raises:
        InvalidBody: it is not JSON or does not fit; `field` names the first wrong place.
    """
    try:
        return contract.model_validate_json(body, extra="forbid" if exact else "ignore")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InvalidBody(".".join(("data", *map(str, first["loc"]))), first["msg"]) from error


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError as error:
        raise InvalidBody("data", f"is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidBody("data", "is not an object")
    return found


def structured(attributes: Envelope, data: Mapping[str, Any]) -> dict[str, Any]:
    """The event as one JSON object (CloudEvents structured mode)."""
    found = attributes.model_dump(mode="json", exclude_none=True)
    return {**found, "data": dict(data)}
