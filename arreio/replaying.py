"""Replaying one session: its chain, its contracts, its decisions and its prompts, checked in this order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arreio_contracts.errors import ContractError
from arreio_contracts.events import EVENTS

from services.tool_loop.heuristics import Otherwise, cut_texts, otherwise
from services.tool_loop.log import to_recorded
from services.tool_loop.prompts import Blobs, check_prompts
from services.tool_loop.replay import Recorded, verify
from shared.store.errors import MissingBlob
from shared.store.events import StoredSession


@dataclass(frozen=True)
class Problem:
    """The first thing that does not come out as it was recorded."""

    seq: int
    kind: str
    recorded: Any
    recomputed: Any


@dataclass(frozen=True)
class Finding:
    """The result of one session: None of `problem` means that it verifies. `otherwise` is information."""

    session_id: str
    events: int
    decisions: int
    pruned: int
    problem: Problem | None
    otherwise: tuple[Otherwise, ...] = ()

    def as_json(self) -> Mapping[str, Any]:
        """The finding for programs."""
        problem = self.problem
        return {
            "session_id": self.session_id,
            "events": self.events,
            "decisions": self.decisions,
            "pruned": self.pruned,
            "verified": problem is None,
            "divergence": None if problem is None else {"session_id": self.session_id, **vars(problem)},
            **({"otherwise": [vars(one) for one in self.otherwise]} if self.otherwise else {}),
        }


async def replay(session: StoredSession, blobs: Blobs, *, heuristics: bool = False) -> Finding:
    """Replay one session. With `heuristics`, today's rules are run on what was recorded, too."""
    problem = _problem(session) or await _prompts(session, blobs)
    decisions = sum(event.type in EVENTS and EVENTS[event.type].decision for event in session.events)
    differing: tuple[Otherwise, ...] = ()
    if heuristics and (problem is None or problem.kind not in ("hash", "contract")):
        read = [to_recorded(event) for event in session.events]
        found = await blobs.get_many(cut_texts(read))
        differing = tuple(otherwise(read, {name: content.decode() for name, content in found.items()}))
    return Finding(session.session_id, len(session.events), decisions, session.base.seq, problem, differing)


def _problem(session: StoredSession) -> Problem | None:
    """What does not come out as it was recorded, prompts apart."""
    bad = session.first_bad_seq
    if bad is not None:
        return Problem(bad, "hash", "the row or the tail does not fit the hash chain", None)
    reading = session.base.seq

    def read() -> Iterator[Recorded]:
        # One by one: a session that was kept whole in memory would be read at half the speed.
        nonlocal reading
        for event in session.events:
            reading = event.seq
            yield to_recorded(event)

    try:
        divergence = verify(session.session_id, read())
    except ContractError as error:
        return Problem(reading, "contract", str(error), None)
    if divergence is None:
        return None
    return Problem(divergence.seq, "decision", divergence.recorded, divergence.recomputed)


async def _prompts(session: StoredSession, blobs: Blobs) -> Problem | None:
    """The first prompt that is not rebuilt as it was recorded."""
    built = [to_recorded(event) for event in session.events if event.type == "context.built"]
    try:
        prompt = await check_prompts(blobs, built)
    except MissingBlob as error:
        return Problem(session.events[-1].seq, "blob", error.sha256, None)
    return None if prompt is None else Problem(prompt.seq, "prompt", prompt.recorded, prompt.rebuilt)
