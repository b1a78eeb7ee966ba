"""`arreio replay SESSION…`: fold the log, make its decisions again, and say whether they come out the same."""

import asyncio
import json
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from arreio_contracts.errors import ContractError
from arreio_contracts.events import EVENTS, EventData, ModelReplied
from pydantic import ValidationError
from rich.console import Console

from arreio.live import Narrator
from arreio.options import DataDirOption, JsonOption
from arreio.reading import reading
from services.tool_loop.log import to_recorded
from services.tool_loop.prompts import check_prompts
from services.tool_loop.replay import Divergence, state_at, verify
from services.tool_loop.state import LoopState
from shared.errors import ArreioError
from shared.settings import Settings, load_settings
from shared.store.blobs import BlobStore
from shared.store.connection import Pool
from shared.store.events import EventStore, RecordedEvent

DIVERGED = 5
"""Exit status when a session does not verify."""


@dataclass(frozen=True)
class Finding:
    """The result of one session: None of `problem` means that it verifies."""

    session_id: str
    events: int
    decisions: int
    problem: dict[str, Any] | None


def replay(
    sessions: Annotated[list[str] | None, typer.Argument(help="Sessions to replay.")] = None,
    check: Annotated[bool, typer.Option("--verify", help="Only say whether they verify.")] = False,
    at: Annotated[int | None, typer.Option("--at", min=1, help="Show the state after this seq.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every session.")] = False,
    since: Annotated[datetime | None, typer.Option(help="Every session that was written to since then.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Replay sessions from the log: no model is called and no tool run. Exit status 5 on a divergence."""
    settings = load_settings(data_dir)
    if not (sessions or everything or since):
        raise ArreioError("no session was named", "give one or more, --since TIME or --all")
    if at is not None:
        if not sessions or len(sessions) != 1:
            raise ArreioError("--at wants exactly one session")
        _show_state(asyncio.run(_state(settings, sessions[0], at)), sessions[0], at, as_json)
        return
    findings = asyncio.run(_replay(settings, sessions or [], everything, since, quiet=check or as_json))
    for finding in findings:
        _say(finding, as_json)
    if any(finding.problem for finding in findings):
        raise typer.Exit(DIVERGED)


async def _replay(
    settings: Settings, named: list[str], everything: bool, since: datetime | None, *, quiet: bool
) -> list[Finding]:
    async with reading(settings) as pool:
        found = list(named)
        if everything or since:
            found += await _sessions(pool, since)
        return [await _one(pool, session_id, quiet) for session_id in dict.fromkeys(found)]


async def _sessions(pool: Pool, since: datetime | None) -> list[str]:
    start = datetime(1970, 1, 1, tzinfo=UTC) if since is None else since.astimezone()
    async with pool.connection() as connection:
        cursor = await connection.execute(
            "SELECT session_id FROM arreio.session_heads WHERE updated_at >= %s ORDER BY created_at, session_id",
            (start,),
        )
        return [row[0] for row in await cursor.fetchall()]


async def _one(pool: Pool, session_id: str, quiet: bool) -> Finding:
    store = EventStore(pool)
    bad = await store.verify_chain(session_id)
    events = await store.read(session_id)
    if not events and bad is None:
        raise ArreioError(f"there is no session {session_id}", "see 'arreio tasks list'")
    if not quiet:
        _narrate(events)
    problem = await _problem(pool, session_id, bad, events)
    decisions = sum(event.type in EVENTS and EVENTS[event.type].decision for event in events)
    return Finding(session_id, len(events), decisions, problem)


async def _problem(pool: Pool, session_id: str, bad: int | None, events: list[RecordedEvent]) -> dict[str, Any] | None:
    if bad is not None:
        return _about(session_id, bad, "hash", "the row or the tail does not fit the hash chain", None)
    try:
        read = [to_recorded(event) for event in events]
    except (KeyError, ValidationError, ContractError) as error:
        return _about(session_id, events[0].seq, "contract", f"an event breaks its contract: {error}", None)
    divergence = verify(session_id, read)
    if divergence is not None:
        return _divergence(divergence)
    prompt = await check_prompts(BlobStore(pool), read)
    if prompt is not None:
        return _about(session_id, prompt.seq, "prompt", prompt.recorded, prompt.rebuilt)
    return None


def _divergence(found: Divergence) -> dict[str, Any]:
    return _about(found.session_id, found.seq, "decision", found.recorded, found.recomputed)


def _about(session_id: str, seq: int, kind: str, recorded: Any, recomputed: Any) -> dict[str, Any]:
    return {"session_id": session_id, "seq": seq, "kind": kind, "recorded": recorded, "recomputed": recomputed}


def _say(finding: Finding, as_json: bool) -> None:
    if as_json:
        line = {
            "session_id": finding.session_id,
            "events": finding.events,
            "decisions": finding.decisions,
            "verified": finding.problem is None,
            "divergence": finding.problem,
        }
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    elif finding.problem is None:
        sys.stdout.write(
            f"session {finding.session_id} verifies: {finding.events} events, "
            f"{finding.decisions} decisions made again, hash chain and prompts intact\n"
        )
    else:
        problem = finding.problem
        sys.stdout.write(
            f"session {finding.session_id} DIVERGES at seq {problem['seq']} ({problem['kind']}): "
            f"recorded {json.dumps(problem['recorded'], ensure_ascii=False)}, "
            f"recomputed {json.dumps(problem['recomputed'], ensure_ascii=False)}\n"
        )


def _narrate(events: list[RecordedEvent]) -> None:
    console, narrator = Console(highlight=False), Narrator()
    for event in events:
        for line in narrator.lines(event.contract):
            console.print(f"{event.seq:>5} ", line, soft_wrap=True, end="\n", sep="")


async def _state(settings: Settings, session_id: str, at: int) -> dict[str, LoopState]:
    async with reading(settings) as pool:
        events = await EventStore(pool).read(session_id, upto=at)
    if not events or events[-1].seq < at:
        last = events[-1].seq if events else 0
        raise ArreioError(f"session {session_id} has no event {at}; its last is {last}", "see 'arreio events show'")
    return state_at([to_recorded(event) for event in events])


def _show_state(states: dict[str, LoopState], session_id: str, at: int, as_json: bool) -> None:
    rows = [_state_row(state) for state in states.values()]
    if as_json:
        sys.stdout.write(json.dumps({"session_id": session_id, "seq": at, "tasks": rows}, ensure_ascii=False) + "\n")
        return
    sys.stdout.write(f"session {session_id} after event {at}\n")
    for row in rows:
        for name, value in row.items():
            if value not in (None, "", [], {}):
                sys.stdout.write(f"  {name:<14} {value}\n")


def _state_row(state: LoopState) -> dict[str, Any]:
    reply = state.reply.content if isinstance(state.reply, ModelReplied) else None
    return {
        "task_id": state.task_id,
        "state": state.state.value,
        "phase": state.phase,
        "goal": state.created.goal if state.created else None,
        "steps": state.steps,
        "tool_calls": state.tool_calls,
        "tokens": state.tokens,
        "cost_usd": state.cost_usd,
        "worked_seconds": state.worked_ms / 1000,
        "rejected_in_a_row": state.rejected_in_a_row,
        "claims": state.claims,
        "changes": state.changes,
        "open_call": state.open_call.summary if state.open_call else None,
        "last_reply": reply,
        "seen": dict(state.seen),
    }
