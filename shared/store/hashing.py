"""The hash chain of a session, as pure functions; `arreio.event_hash` computes the same in the database."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

GENESIS: Final = bytes(32)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Hashed(Protocol):
    """What of a recorded event its hash covers, and the two hashes that stand beside it."""

    @property
    def session_id(self) -> str: ...
    @property
    def seq(self) -> int: ...
    @property
    def event_id(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def schema_version(self) -> int: ...
    @property
    def task_id(self) -> str | None: ...
    @property
    def data_text(self) -> str: ...
    @property
    def metadata_text(self) -> str: ...
    @property
    def recorded_at(self) -> datetime: ...
    @property
    def prev(self) -> bytes: ...
    @property
    def hash(self) -> bytes: ...


@dataclass(frozen=True)
class Anchor:
    """The head of a session as it is kept apart from its events."""

    seq: int
    hash: bytes

    def shown(self) -> dict[str, object]:
        """The anchor for people and programs."""
        return {"seq": self.seq, "hash": self.hash.hex()}


START: Final = Anchor(0, GENESIS)
"""Before the first event."""


def event_hash(prev: bytes, event: Hashed) -> bytes:
    """SHA-256 over the hash before, the data's text and the envelope, a line each."""
    microseconds = (event.recorded_at - _EPOCH) // _MICROSECOND
    lines = (
        event.data_text,
        event.session_id,
        str(event.seq),
        event.event_id,
        event.type,
        str(event.schema_version),
        event.task_id or "",
        event.metadata_text,
        str(microseconds),
    )
    return hashlib.sha256(prev + "\n".join(lines).encode()).digest()


@dataclass(frozen=True)
class ChainBreak:
    """Where a session first differs from its chain or its anchor: what stands there, and what belongs there."""

    seq: int
    recorded: Mapping[str, object]
    recomputed: Mapping[str, object]


def first_bad_seq(events: Iterable[Hashed], anchor: Anchor | None, base: Anchor = START) -> int | None:
    """The seq at which a whole session first differs from its chain and its anchor; None when it is sound."""
    found = chain_break(events, anchor, base)
    return None if found is None else found.seq


def chain_break(events: Iterable[Hashed], anchor: Anchor | None, base: Anchor = START) -> ChainBreak | None:
    """Where a whole session first differs from its chain and its anchor; None when it is sound.

    `base` is the last event that was pruned, on whose hash the chain goes on. A seq behind the last event stands for
    what was cut off.
    """
    prev, expected = base.hash, base.seq + 1
    for event in events:
        if event.seq != expected:
            return ChainBreak(expected, {"seq": event.seq}, {"seq": expected})
        if event.prev != prev:
            return ChainBreak(expected, {"prev": event.prev.hex()}, {"prev": prev.hex()})
        made = event_hash(prev, event)
        if event.hash != made:
            return ChainBreak(expected, {"hash": event.hash.hex()}, {"hash": made.hex()})
        prev, expected = event.hash, expected + 1
    last = expected - 1
    if anchor == Anchor(last, prev) or (anchor is None and not last):
        return None
    seq = last if anchor is None or anchor.seq == last else min(anchor.seq, last) + 1
    return ChainBreak(seq, {"head": anchor and anchor.shown()}, {"head": Anchor(last, prev).shown()})
