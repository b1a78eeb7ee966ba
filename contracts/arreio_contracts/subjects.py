"""Names on NATS: subjects, streams and the durable consumers that read them."""

import re
from functools import lru_cache
from typing import Final

from .errors import InvalidSubject

ROOT: Final = "arreio.v1"

STREAM_INBOUND: Final = "ARREIO_INBOUND"
STREAM_OUTBOUND: Final = "ARREIO_OUTBOUND"
STREAM_COMMANDS: Final = "ARREIO_COMMANDS"
STREAM_EVENTS: Final = "ARREIO_EVENTS"
STREAM_DEAD: Final = "ARREIO_DEAD"

ALL_INBOUND: Final = f"{ROOT}.inbound.*"
ALL_OUTBOUND: Final = f"{ROOT}.outbound.*"
ALL_COMMANDS: Final = f"{ROOT}.commands.*.*"
ALL_EVENTS: Final = f"{ROOT}.events.*.*"
ALL_DEAD: Final = f"{ROOT}.dead.*"

STREAM_SUBJECTS: Final[dict[str, str]] = {
    STREAM_INBOUND: ALL_INBOUND,
    STREAM_OUTBOUND: ALL_OUTBOUND,
    STREAM_COMMANDS: ALL_COMMANDS,
    STREAM_EVENTS: ALL_EVENTS,
    STREAM_DEAD: ALL_DEAD,
}

COMMAND_RUN_TASK: Final = f"{ROOT}.commands.tool_loop.run"
COMMAND_JUDGE: Final = f"{ROOT}.commands.gate_runner.judge"
RPC_ASSEMBLE: Final = f"{ROOT}.rpc.context_builder.assemble"
RPC_INSTRUCTIONS: Final = f"{ROOT}.rpc.gateway.set_instructions"
RPC_PROPOSALS: Final = f"{ROOT}.rpc.learning.decide_proposal"
RPC_ASK: Final = f"{ROOT}.rpc.tool_loop.ask"
RPC_PROBE: Final = f"{ROOT}.rpc.gate_runner.probe"

CONSUMER_GATEWAY_INBOUND: Final = "gateway_inbound"
CONSUMER_GATEWAY_OUTCOMES: Final = "gateway_outcomes"
CONSUMER_TOOL_LOOP_RUN: Final = "tool_loop_run"
CONSUMER_GATE_RUNNER_JUDGE: Final = "gate_runner_judge"
CONSUMER_LEARNING_OUTCOMES: Final = "learning_outcomes"

TOKEN_PATTERN: Final = r"^[A-Za-z0-9_-]{1,128}$"
"""What one token of a subject, and so a channel and an id, looks like."""
_TOKEN = re.compile(TOKEN_PATTERN.strip("^$"))


def token(name: str, field: str = "name") -> str:
    """Return `name` if it can be one token of a subject: 1 to 128 of `A-Z a-z 0-9 _ -`.

    Raises:
        InvalidSubject: it cannot.
    """
    if not is_token(name):
        raise InvalidSubject(field, f"{name!r} is not 1 to 128 of A-Z a-z 0-9 _ -")
    return name


def is_token(name: str) -> bool:
    """Whether a name can be one token of a subject."""
    return _TOKEN.fullmatch(name) is not None


@lru_cache(maxsize=1024)
def wire_type(event_type: str) -> str:
    """The type as one subject token: `task.completed` becomes `task_completed`."""
    return token(event_type.replace(".", "_"), "type")


def inbound(channel: str) -> str:
    """Where the adapter of `channel` publishes the messages of its users."""
    return f"{ROOT}.inbound.{token(channel, 'channel')}"


def outbound(channel: str) -> str:
    """Where the adapter of `channel` reads receipts and replies."""
    return f"{ROOT}.outbound.{token(channel, 'channel')}"


@lru_cache(maxsize=4096)
def event(session_id: str, event_type: str) -> str:
    """Where an event of a session is published."""
    return f"{ROOT}.events.{token(session_id, 'session_id')}.{wire_type(event_type)}"


def session_events(session_id: str) -> str:
    """All events of one session."""
    return f"{ROOT}.events.{token(session_id, 'session_id')}.*"


def events_of_type(event_type: str) -> str:
    """The events of one type, of every session."""
    return f"{ROOT}.events.*.{wire_type(event_type)}"


def dead(consumer: str) -> str:
    """Where the messages that `consumer` gave up are published."""
    return f"{ROOT}.dead.{token(consumer, 'consumer')}"


def channel_of(subject: str) -> str:
    """The channel that an inbound or outbound subject names.

    Raises:
        InvalidSubject: it is neither.
    """
    parts = subject.split(".")
    if len(parts) != 4 or parts[:2] != ROOT.split(".") or parts[2] not in ("inbound", "outbound"):
        raise InvalidSubject("subject", f"{subject!r} names no channel")
    return token(parts[3], "channel")
