"""`arreio replay SESSION…`: fold the log, make its decisions again, and say whether they come out the same."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from arreio.options import LARGEST_SEQ, DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from arreio.replaying import Finding
    from services.tool_loop.state import LoopState
    from shared.store.connection import Pool
    from shared.store.events import RecordedEvent

DIVERGED = 5
"""Exit status when a session does not verify."""


def replay(
    sessions: Annotated[list[str] | None, typer.Argument(help="Sessions to replay.")] = None,
    check: Annotated[bool, typer.Option("--verify", help="Only say whether they verify.")] = False,
    at: Annotated[
        int | None, typer.Option("--at", metavar="SEQ", min=1, max=LARGEST_SEQ, help="Show the state after this event.")
    ] = None,
    heuristics: Annotated[
        bool, typer.Option("--heuristics", help="Also list what today's rules would judge otherwise; no failure.")
    ] = False,
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
        if not sessions or len(sessions) != 1 or everything or since:
            raise ArreioError("--at wants exactly one session")
        if (check or heuristics) and not asyncio.run(
            _replay(settings, sessions, False, None, heuristics, True, as_json)
        ):
            raise typer.Exit(DIVERGED)
        _show_state(asyncio.run(_states(settings, sessions[0], at)), sessions[0], at, as_json)
        return
    moment = None if since is None else since.astimezone()
    chosen = list(sessions or [])
    if not asyncio.run(_replay(settings, chosen, everything, moment, heuristics, check or heuristics, as_json)):
        raise typer.Exit(DIVERGED)


async def _replay(
    settings: Settings,
    named: list[str],
    everything: bool,
    since: datetime | None,
    heuristics: bool,
    quiet: bool,
    as_json: bool,
) -> bool:
    """Replay and report each session; whether all verify."""
    from shared.store.sessions import list_sessions, stray_sessions

    verified = True
    async with reading(settings) as pool:
        if everything or since:
            heads = await list_sessions(pool, since=since)
            # What was pruned whole has nothing left to replay.
            named = [*named, *(head.session_id for head in heads if head.pruned_seq < head.seq)]
            # When these were last written to nothing says, so they belong to every time.
            named += await stray_sessions(pool)
        for session_id in dict.fromkeys(named):
            finding = await _one(pool, session_id, heuristics=heuristics, narrate=not (quiet or as_json))
            verified = verified and finding.problem is None
            if as_json:
                say_json(finding.as_json())
                continue
            say(_line(finding))
            if heuristics:
                _say_otherwise(finding)
    return verified


async def _one(pool: Pool, session_id: str, *, heuristics: bool, narrate: bool) -> Finding:
    from arreio.replaying import UNREAD, replay_stored

    session, finding = await replay_stored(pool, session_id, heuristics=heuristics)
    if narrate and session is not None and (finding.problem is None or finding.problem.kind not in UNREAD):
        _narrate(session.events)
    return finding


def _line(finding: Finding) -> str:
    problem = finding.problem
    if problem is None:
        pruned = f" (those up to {finding.pruned} were pruned)" if finding.pruned else ""
        return (
            f"session {finding.session_id} verifies: {finding.events} events{pruned}, "
            f"{finding.decisions} decisions made again, hash chain and prompts intact{_unknown(finding)}"
        )
    return (
        f"session {finding.session_id} DIVERGES at seq {problem.seq} ({problem.kind}): "
        f"recorded {json.dumps(problem.recorded, ensure_ascii=False)}, "
        f"recomputed {json.dumps(problem.recomputed, ensure_ascii=False)}"
    )


def _unknown(finding: Finding) -> str:
    """What newer code wrote that this version does not know."""
    if not finding.unknown:
        return ""
    places = ", ".join(f"{place} ({events})" for place, events in finding.unknown.items())
    return f"; passed over, since only newer code knows it: {places}"


def _say_otherwise(finding: Finding) -> None:
    for one in finding.otherwise:
        recorded, today = (json.dumps(value, ensure_ascii=False) for value in (one.recorded, one.today))
        say(f"  seq {one.seq}: {one.rule}: recorded {recorded}, today {today}")
    if not finding.otherwise:
        say("  today's rules judge everything as it was recorded")


def _narrate(events: list[RecordedEvent]) -> None:
    from rich.console import Console

    from arreio.live import Narrator

    console, narrator = Console(highlight=False), Narrator()
    for event in events:
        for line in narrator.lines(event.contract):
            console.print(f"{event.seq:>5} ", line, soft_wrap=True, end="\n", sep="")


async def _states(settings: Settings, session_id: str, at: int) -> dict[str, LoopState]:
    from arreio.state_view import states_at

    async with reading(settings) as pool:
        return await states_at(pool, session_id, at)


def _show_state(states: dict[str, LoopState], session_id: str, at: int, as_json: bool) -> None:
    from arreio.state_view import state_row

    rows = [state_row(state) for state in states.values()]
    if as_json:
        say_json({"session_id": session_id, "seq": at, "tasks": rows})
        return
    say(f"session {session_id} after event {at}")
    for row in rows:
        for name, value in row.items():
            if value not in (None, "", [], {}):
                say(f"  {name:<14} {value}")
