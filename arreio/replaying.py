"""Replaying one session: its chain, its contracts, its decisions and its prompts, checked in this order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arreio_contracts.errors import ContractError

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
    problem, read = await _problem(session, blobs)
    decisions = sum(event.data.decision for event in read)
    differing: tuple[Otherwise, ...] = ()
    if heuristics and read:
        found = await blobs.get_many(cut_texts(read))
        differing = tuple(otherwise(read, {name: content.decode() for name, content in found.items()}))
    return Finding(session.session_id, len(session.events), decisions, session.base.seq, problem, differing)


async def _problem(session: StoredSession, blobs: Blobs) -> tuple[Problem | None, list[Recorded]]:
    bad = session.first_bad_seq
    if bad is not None:
        return Problem(bad, "hash", "the row or the tail does not fit the hash chain", None), []
    read = []
    for event in session.events:
        try:
            read.append(to_recorded(event))
        except ContractError as error:
            return Problem(event.seq, "contract", f"{event.type}: {error}", None), []
    divergence = verify(session.session_id, read)
    if divergence is not None:
        return Problem(divergence.seq, "decision", divergence.recorded, divergence.recomputed), read
    try:
        prompt = await check_prompts(blobs, read)
    except MissingBlob as error:
        return Problem(session.events[-1].seq, "blob", error.sha256, None), read
    if prompt is not None:
        return Problem(prompt.seq, "prompt", prompt.recorded, prompt.rebuilt), read
    return None, read
