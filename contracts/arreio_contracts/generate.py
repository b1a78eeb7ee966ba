"""Write the JSON Schemas and the AsyncAPI document: `python -m arreio_contracts.generate FOLDER`."""

import json
import sys
from pathlib import Path
from typing import Any

from . import subjects
from .envelope import CONTENT_TYPE, EXACT, MESSAGES, Envelope, dataschema
from .events import EVENTS

_CHANNELS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "inbound": (
        "arreio.v1.inbound.{channel}",
        "Messages from people, published by a channel's adapter.",
        ("inbound.message",),
    ),
    "outbound": (
        "arreio.v1.outbound.{channel}",
        "Receipts, replies and questions for a channel's adapter.",
        ("outbound.message", "outbound.receipt"),
    ),
    "run": (subjects.COMMAND_RUN_TASK, "Wake-ups for the tool-loop.", ("command.run_task",)),
    "judge": (subjects.COMMAND_JUDGE, "Wake-ups for the gate-runner.", ("command.judge_claim",)),
    "events": (
        "arreio.v1.events.{session}.{type}",
        "Every event of every session, in order within one.",
        tuple(EVENTS),
    ),
    "dead": ("arreio.v1.dead.{consumer}", "Messages that a consumer gave up.", ("dead.letter",)),
}
_PARAMETERS = {
    "channel": "The channel's name, one subject token.",
    "session": "The session's id, one subject token.",
    "type": "The event's type with `_` for `.`, one subject token.",
    "consumer": "The durable consumer's name.",
}
_RECEIVED = ("inbound", "run", "judge")
"""The channels that Arreio reads; on the others it publishes."""


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schema (2020-12) of every contract, by file name.

    What Arreio writes may get more fields before its version changes, so only what others write is closed to them.
    """
    found: dict[str, dict[str, Any]] = {
        "envelope.json": _schema(Envelope.model_json_schema(), "arreio:schema:envelope:1")
    }
    for kind, (contract, version) in MESSAGES.items():
        found[f"{kind}.v{version}.json"] = _schema(
            contract.model_json_schema() if kind in EXACT else _open(contract.model_json_schema()),
            dataschema(kind, version),
        )
    return found


def _open(schema: Any) -> Any:
    if isinstance(schema, dict):
        closed = ("additionalProperties", False)
        return {name: _open(value) for name, value in schema.items() if (name, value) != closed}
    return [_open(one) for one in schema] if isinstance(schema, list) else schema


def _schema(schema: dict[str, Any], name: str) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": name, **schema}


def asyncapi() -> dict[str, Any]:
    """The AsyncAPI 3.0 document of the subjects and of what travels on them."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Arreio",
            "version": "1.0.0",
            "description": "CloudEvents in NATS binary mode: attributes in `ce-` headers, JSON in the body.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": CONTENT_TYPE,
        "channels": {name: _channel(*about) for name, about in _CHANNELS.items()},
        "operations": {name: _operation(name) for name in _CHANNELS},
        "components": {"messages": {kind: _message(kind) for kind in MESSAGES}},
    }


def _channel(address: str, description: str, kinds: tuple[str, ...]) -> dict[str, Any]:
    channel: dict[str, Any] = {
        "address": address,
        "description": description,
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in kinds},
    }
    parameters = {name: {"description": text} for name, text in _PARAMETERS.items() if f"{{{name}}}" in address}
    return {**channel, "parameters": parameters} if parameters else channel


def _operation(name: str) -> dict[str, Any]:
    return {
        "action": "receive" if name in _RECEIVED else "send",
        "channel": {"$ref": f"#/channels/{name}"},
        "summary": _CHANNELS[name][1],
    }


def _message(kind: str) -> dict[str, Any]:
    contract, version = MESSAGES[kind]
    return {
        "name": f"arreio.{kind}",
        "summary": " ".join((contract.__doc__ or "").split("\n\n")[0].split()),
        "headers": _headers(),
        "payload": {"$ref": f"./schemas/{kind}.v{version}.json"},
    }


def _headers() -> dict[str, Any]:
    fields = Envelope.model_fields
    names = {name: f"ce-{name}" for name in fields if name != "datacontenttype"}
    return {
        "type": "object",
        "properties": {
            "content-type": {"const": CONTENT_TYPE},
            **{header: {"type": "string"} for header in names.values()},
        },
        "required": ["ce-specversion", *(names[name] for name, field in fields.items() if field.is_required())],
    }


def files() -> dict[str, str]:
    """Every generated file: its path below the contracts' folder, and its text."""
    found = {f"schemas/{name}": schema for name, schema in schemas().items()}
    found["asyncapi.json"] = asyncapi()
    return {
        path: json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True) + "\n" for path, value in found.items()
    }


def write(folder: Path) -> None:
    """Write every generated file below `folder`, and remove schemas that are no longer made."""
    made = files()
    for stale in (folder / "schemas").glob("*.json"):
        if f"schemas/{stale.name}" not in made:
            stale.unlink()
    for path, text in made.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m arreio_contracts.generate FOLDER")
    write(Path(sys.argv[1]))
