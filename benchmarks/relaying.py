"""The relay, from commit to the broker's acknowledgement and to a subscriber, beside what others do for it."""

import asyncio
import contextlib
import json
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, cast

import nats
import uvloop
from arreio_contracts import subjects
from arreio_contracts.events import Metadata, ToolFinished
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy

from benchmarks.beside import Looped, engine, in_turn, line, per_second, ratio, rival, rivals_dsn
from shared.outbox.relay import run_relay
from shared.settings import Settings
from shared.store.connection import Connection, Pool
from shared.store.events import EventStore, NewEvent, event_of
from tests.support.engines import all_published
from tests.support.store import fresh, store_of

AMOUNT = 1_000
ROUNDS = 7
SESSIONS = 20
RATE = 200
LATE_AMOUNT = 1_000
LATE_ROUNDS = 4
WARM_UP = 200
GOAL_BARE, GOAL_FASTSTREAM = 0.7, 3.0
LOOK_AGAIN = 0.01
_RESULT = ToolFinished(call_id="call-1", tool="noop", status="ok", text="x" * 1000)


def main() -> None:
    """Print messages a second, and how long a single row takes."""
    with engine() as settings, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        options = json.dumps(_plain(settings))
        with (
            rival("bare_publishing", options) as bare,
            rival("faststream_outbox_relay", rivals_dsn(settings), options) as faststream,
        ):
            ours = _Ours(runner, settings)
            found = in_turn({"ours": ours, "bare": bare, "faststream": faststream}, AMOUNT, ROUNDS)
        line(f"{AMOUNT:,} rows of 1 KB in {SESSIONS} sessions, from their commit to the last acknowledgement", "")
        per_second("  our relay", found["ours"], "messages")
        per_second("  nats-py alone, 64 in flight", found["bare"], "messages")
        per_second("  faststream-outbox, tuned", found["faststream"], "messages")
        line("  ours to nats-py", f"{ratio(found['ours'], found['bare']):>9.2f}   (goal: at least {GOAL_BARE})")
        against = ratio(found["ours"], found["faststream"])
        line("  ours to faststream-outbox", f"{against:>9.2f}   (goal: at least {GOAL_FASTSTREAM:g})")
        with rival("unordered_relay", rivals_dsn(settings), options, str(RATE)) as unordered:
            late = in_turn({"ours": _Late(runner, settings), "unordered": unordered}, LATE_AMOUNT, LATE_ROUNDS)
    line(f"commit to delivery at {RATE} rows a second in {SESSIONS} sessions, p50 and p99", "")
    line("  our relay", _cuts(late["ours"]))
    line("  a relay of the fewest lines, without order", _cuts(late["unordered"]))
    by_round = [[_cut(one, at) for one in late[name]] for at in (50, 99) for name in ("ours", "unordered")]
    line("  ours to that", f"{ratio(*by_round[:2]):>9.2f}, {ratio(*by_round[2:]):.2f}")


def _cut(milliseconds: Sequence[float], percent: int) -> float:
    return statistics.quantiles(milliseconds, n=100)[percent - 1]


def _cuts(rounds: Sequence[Sequence[float]]) -> str:
    together = [one for found in rounds for one in found]
    return f"{_cut(together, 50):>9.1f} ms, {_cut(together, 99):.1f} ms"


class _Ours(Looped):
    """The relay in this process, and sessions whose rows all become visible at one commit."""

    def __init__(self, runner: asyncio.Runner, settings: Settings) -> None:
        super().__init__(runner)
        self._settings = settings

    async def work(self, amount: int) -> Any:
        loop = asyncio.get_running_loop()
        async with store_of(self._settings, "owner", size=2) as (_, pool), _relaying(self._settings):
            async with pool.connection() as connection, connection.transaction():
                for session in [fresh() for _ in range(SESSIONS)]:
                    events = [_event() for _ in range(amount // SESSIONS)]
                    await _inside(connection).append_fact(session, events)
            began = loop.time()
            while not await all_published(pool):  # noqa: ASYNC110 - the relay tells nobody
                await asyncio.sleep(LOOK_AGAIN)
            return amount / (loop.time() - began)


class _Late(Looped):
    """How long a single row takes while so many are written each second."""

    def __init__(self, runner: asyncio.Runner, settings: Settings) -> None:
        super().__init__(runner)
        self._settings = settings

    async def work(self, amount: int) -> list[float]:
        """Milliseconds from each commit until a subscriber of the stream has the message."""
        clock = time.monotonic  # the loop's own has whole milliseconds only
        committed: dict[str, float] = {}
        received: dict[str, float] = {}

        async def heard(message: Msg) -> None:
            received[(message.headers or {})["ce-id"]] = clock()

        async def write(store: EventStore, place: int) -> None:
            session, began = fresh(), clock() + place / RATE
            for number in range((amount + WARM_UP) // SESSIONS):
                await asyncio.sleep(began + number * SESSIONS / RATE - clock())
                event = _event()
                await store.append_fact(session, [event])
                committed[event.event_id] = clock()

        client = await nats.connect(**self._settings.nats_options("services"))
        async with store_of(self._settings, "owner", size=8) as (store, _), _relaying(self._settings):
            # What the broker has from before the first row is nobody's here.
            await client.jetstream().subscribe(
                subjects.ALL_EVENTS, cb=heard, ordered_consumer=True, deliver_policy=DeliverPolicy.NEW
            )
            await asyncio.gather(*(write(store, place) for place in range(SESSIONS)))
            while not committed.keys() <= received.keys():  # noqa: ASYNC110 - no place for more signals
                await asyncio.sleep(LOOK_AGAIN)
        await client.close()
        # Store and relay are opened anew each round, where the other's stay open, so the first rows warm them up.
        # What is delivered before the writer hears of its commit took no time at all.
        return [max(0.0, 1000 * (received[name] - at)) for name, at in list(committed.items())[WARM_UP:]]


@asynccontextmanager
async def _relaying(settings: Settings) -> AsyncIterator[None]:
    active = asyncio.Event()
    relay = asyncio.create_task(run_relay(settings, service="gateway", standby=0.05, active=active.set))
    await active.wait()
    try:
        yield
    finally:
        relay.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await relay


def _inside(connection: Connection) -> EventStore:
    """A store whose appends all belong to this connection's transaction."""

    class Only:
        async def getconn(self) -> Connection:
            return connection

        async def putconn(self, connection: Connection) -> None:
            """It stays the transaction's."""

    return EventStore(cast(Pool, Only()))


def _event() -> NewEvent:
    return event_of(_RESULT, Metadata(service="tool_loop"))


def _plain(settings: Settings) -> dict[str, Any]:
    """How NATS is reached, as another program is told."""
    found = settings.nats_options("services")
    return {name: value.decode() if isinstance(value, bytes) else value for name, value in found.items()}
