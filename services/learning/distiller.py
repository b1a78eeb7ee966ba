"""Distils a rule of thumb from how a task went, with the events that it rests on.

What the environment or a provider did wrong teaches nothing about the work, and is left out. So is everything that a
tool printed: only what the harness itself asserted is used.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arreio_contracts.events import CompletionRefused, EventData, TaskBlocked, TaskCompleted, TaskCreated, TaskFailed

_NOT_ABOUT_THE_WORK = frozenset(
    {
        "cancelled",
        "unsatisfiable_gate",
        "hook_unavailable",
        "input_expired",
        "gate_environment",
        "provider_auth",
        "provider_rejected",
        "provider_unavailable",
        "unknown_model",
        "workspace_unavailable",
        "sandbox_unavailable",
        "crash_loop",
    }
)


@dataclass(frozen=True)
class Candidate:
    """A rule that may be worth keeping; `provenance` are the ids of the events that it rests on."""

    title: str
    text: str
    provenance: tuple[str, ...]


def distil(events: Sequence[tuple[str, EventData]]) -> Candidate | None:
    """The rule that one task's events (id, data) suggest, or None."""
    created = next((data for _, data in events if isinstance(data, TaskCreated)), None)
    if created is None:
        return None
    goal = _line(created.goal)
    refused = [(event_id, data) for event_id, data in events if isinstance(data, CompletionRefused)]
    ended = next(
        ((event_id, data) for event_id, data in events if isinstance(data, TaskCompleted | TaskBlocked | TaskFailed)),
        None,
    )
    if ended is None:
        return None
    event_id, data = ended
    match data:
        case TaskCompleted() if refused:
            return Candidate(
                f"Check before claiming: {goal}",
                f"Completion was claimed {len(refused)} time(s) too early for “{goal}”. "
                f"The gates had found: {_line(refused[-1][1].nudge, 400)} Check this before claiming.",
                (*(found for found, _ in refused), event_id),
            )
        case TaskBlocked() | TaskFailed() if data.reason.code not in _NOT_ABOUT_THE_WORK:
            return Candidate(
                f"{data.reason.code}: {goal}",
                f"“{goal}” ended with {data.reason.code}: {_line(data.reason.text, 400)}",
                (event_id, *data.reason.evidence),
            )
        case _:
            return None


def _line(text: str, limit: int = 120) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
