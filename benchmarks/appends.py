"""Durable appends with their outbox rows, beside the same rows by bare psycopg and beside eventsourcing's recorder."""

import asyncio
from typing import Any

import uvloop
from arreio_contracts.events import Metadata, ToolFinished

from benchmarks.beside import Looped, engine, in_turn, line, opened_store, per_second, ratio, rival, rivals_dsn
from shared.store.events import EventStore, NewEvent, event_of
from tests.support.store import fresh

AMOUNT = 96
ROUNDS = 40
GOAL_BARE, GOAL_EVENTSOURCING = 0.7, 1.0
_RESULT = ToolFinished(call_id="call-1", tool="noop", status="ok", text="x" * 1000)


def main() -> None:
    """Print appends a second of one writer, and of eight at once."""
    for writers in (1, 8):
        _compare(writers)


def _compare(writers: int) -> None:
    with (
        engine() as settings,
        rival("bare_appends", rivals_dsn(settings), str(writers)) as bare,
        rival("eventsourcing_appends", rivals_dsn(settings), str(writers)) as recorder,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        # One connection more than writers, since the relay is told over one of its own, as in the services.
        opened_store(runner, settings, writers + 1) as (store, _),
    ):
        ours = _Ours(runner, store, writers)
        found = in_turn({"bare": bare, "ours": ours, "eventsourcing": recorder}, AMOUNT, ROUNDS)
    line(f"{writers} at once: an event of 1 KB and its outbox row, each committed", "")
    per_second("  ours", found["ours"], "appends")
    per_second("  bare psycopg, one statement", found["bare"], "appends")
    per_second("  eventsourcing, database functions", found["eventsourcing"], "appends")
    line("  ours to bare psycopg", f"{ratio(found['ours'], found['bare']):>9.2f}   (goal: at least {GOAL_BARE})")
    against = ratio(found["ours"], found["eventsourcing"])
    line("  ours to eventsourcing", f"{against:>9.2f}   (goal: at least {GOAL_EVENTSOURCING})")


class _Ours(Looped):
    """Writers that append to a session each, in one process."""

    def __init__(self, runner: asyncio.Runner, store: EventStore, writers: int) -> None:
        super().__init__(runner)
        self._store = store
        self._heads = {fresh(): 0 for _ in range(writers)}

    async def work(self, amount: int) -> Any:
        loop = asyncio.get_running_loop()
        began = loop.time()
        await asyncio.gather(*(self._append(session, amount // len(self._heads)) for session in self._heads))
        return amount / (loop.time() - began)

    async def _append(self, session: str, amount: int) -> None:
        for _ in range(amount):
            done = await self._store.append_decision(
                session, expected_seq=self._heads[session], events=[_event()], lease=None
            )
            self._heads[session] = done.seq


def _event() -> NewEvent:
    return event_of(_RESULT, Metadata(service="tool_loop"))
