"""A whole Arreio of a test's own: `arreio up` with its services on a data directory, and the command line on it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import nats
import psycopg
from arreio_contracts.messages import InboundMessage
from arreio_contracts.task import TaskContract, parse_criterion

from arreio.client import Submitted, connected
from arreio.reading import reaching
from arreio.replaying import Finding, replay_stored
from arreio.service_process import live_services
from shared.bus.streams import CONSUMERS, apply_consumer
from shared.engine.paths import DataDir
from shared.settings import Settings
from tests.support.programs import Program, call, descendants, kill, processes_of, start, until
from tests.support.provisioned import lay

SERVICES = ("gateway", "context_builder", "tool_loop", "gate_runner", "learning")
TERMINAL = ("task.completed", "task.blocked", "task.failed")
SIGNALS = ("task_complete", "task_blocked", "need_input")


@dataclass(frozen=True)
class Event:
    """A row of the log."""

    seq: int
    type: str
    task_id: str | None
    data: dict[str, Any]


class House:
    """`arreio up` on `place`, running within a `with` block; `more` are variables of its environment."""

    def __init__(self, place: Path, **more: str) -> None:
        self.place = place
        self.settings = Settings(home=place, database_url=None, nats_url=None)
        self._more = more
        self._up: Program | None = None
        self._beside: list[Program] = []
        self._connection: psycopg.Connection[Any] | None = None

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self.end()

    def begin(self) -> None:
        """Start the engine and all services; returns when all are ready."""
        lay(self.place)
        self._up = start(["-m", "arreio", "up"], self.place, self._more)
        said = self._up.line(lambda line: line == "ready" or " ended (" in line)
        assert said == "ready", said

    def end(self) -> None:
        """Stop everything in good order; fails when a process is left."""
        beside, self._beside = self._beside, []
        up, self._up = self._up, None
        self._disconnect()
        statuses = [program.end() for program in (*beside, *([up] if up else []))]
        assert not any(statuses), statuses
        until(lambda: not processes_of(self.place), what="the end of every process")
        assert not (refused := self.refused_to_services()), refused

    def refused_to_services(self) -> list[str]:
        """What NATS did not let our own services do: lines of its log."""
        log = DataDir(self.place).logs / "nats.log"
        mine = re.compile(rf'/user:({"|".join((*SERVICES, "console"))})" - \w+ Violation')
        return [line for line in log.read_text().splitlines() if mine.search(line)] if log.exists() else []

    def kill_tree(self) -> None:
        """SIGKILL the supervisor, the engine and the services; returns when nothing of them is left."""
        assert self._up is not None
        tree = [self._up.process.pid, *descendants(self._up.process.pid)]
        for pid in tree:
            kill(pid)
        self._up.process.wait(30)
        self._up = None
        self._disconnect()
        until(lambda: not processes_of(self.place), what="the end of every process")

    def serve(self, service: str) -> None:
        """Start one more process of a service beside the ones that are there; returns when it is registered."""
        before = len(self.pids(service))
        self._beside.append(start(["-m", "arreio", "serve", service], self.place, self._more))
        until(lambda: len(self.pids(service)) > before, what=f"a second {service}")

    def redeliver_after(self, consumer: str, seconds: float) -> None:
        """Have the broker wait so long for the word of a process that has a message, and may be dead.

        More than the third of `ack_wait` after which one that lives says so.
        """
        declared = replace(CONSUMERS[consumer], ack_wait=seconds)

        async def declare() -> None:
            client = await nats.connect(**self.settings.nats_options("services"))
            try:
                await apply_consumer(client.jetstream(), declared)
            finally:
                await client.close()

        asyncio.run(declare())

    def line(self, fits: str | Callable[[str], bool]) -> str:
        """The next line of the supervisor that fits."""
        assert self._up is not None
        return self._up.line(fits)

    def pids(self, service: str) -> list[int]:
        """The processes of a service."""
        return [one.pid for one in live_services(DataDir(self.place)) if one.name == service]

    def server_pid(self, program: str) -> int:
        """The process of `postgres` or `nats-server` itself, not of what wraps it."""
        running = processes_of(self.place).items()
        return next(pid for pid, command in running if re.match(rf"\S*/{program} ", command))

    def arreio(self, *arguments: str, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the command line to its end."""
        return call(arguments, self.place, self._more | more, cwd=cwd)

    def start(self, *arguments: str) -> Program:
        """Start a command of the command line; standard error is kept apart and dropped."""
        return start(["-m", "arreio", *arguments], self.place, self._more, errors=subprocess.DEVNULL)

    def submit(self, goal: str, workspace: Path, api_base: str, criteria: Sequence[str], **fields: Any) -> Submitted:
        """Publish a task as `arreio run --detach` does, without a process for each."""
        contract = TaskContract.model_validate(
            {
                "goal": goal,
                "workspace": str(workspace),
                "criteria": [parse_criterion(text) for text in criteria],
                "model": "openai/scripted",
                "api_base": api_base,
                **fields,
            }
        )
        key = re.sub(r"\W+", "-", f"{goal}-{workspace}")
        message = InboundMessage(conversation=key, message_id=key, sender="operator", text=goal, contract=contract)

        async def publish() -> Submitted:
            async with connected(self.settings) as client:
                return await client.submit("cli", message)

        return asyncio.run(publish())

    def rows(self, query: str, *arguments: Any) -> list[tuple[Any, ...]]:
        """The rows of a query as the operator; none while PostgreSQL is away."""
        try:
            if self._connection is None:
                self._connection = psycopg.connect(self.settings.database_dsn("operator"), autocommit=True)
            return self._connection.execute(query.encode(), arguments).fetchall()
        except psycopg.OperationalError:
            self._disconnect()
            return []

    def events(self, session_id: str) -> list[Event]:
        """The log of a session; empty while PostgreSQL is away."""
        found = self.rows(
            "SELECT seq, type, task_id, data FROM arreio.session_events WHERE session_id = %s ORDER BY seq", session_id
        )
        return [Event(seq, kind, task_id, json.loads(data)) for seq, kind, task_id, data in found]

    def wait_for(self, session_id: str, fits: Callable[[Event], bool] | str, *, count: int = 1) -> Event:
        """The `count`-th event of a session that fits (or has the type)."""

        def look() -> Event | None:
            found = [
                one for one in self.events(session_id) if (one.type == fits if isinstance(fits, str) else fits(one))
            ]
            return found[count - 1] if len(found) >= count else None

        return until(look, what=f"event {fits} of {session_id}")

    def wait_for_end(self, session_id: str) -> Event:
        """The event that ended the session's task; returns when it is answered too."""
        ended = self.wait_for(session_id, lambda event: event.type in TERMINAL)
        self.wait_for(session_id, lambda event: event.type == "reply.queued" and event.data["kind"] == "reply")
        return ended

    def owner_pids(self) -> dict[str, int]:
        """Who works on which task now: task id to process."""
        leases = self.rows("SELECT id, owner FROM arreio.leases WHERE kind = 'task' AND owner IS NOT NULL")
        return {task_id: int(owner.split("/")[2]) for task_id, owner in leases}

    def assert_sound(self, *sessions: str) -> None:
        """The promises about effects hold in these sessions, and they replay to the same decisions."""
        for session_id in sessions:
            assert_orderly(self.events(session_id))

        async def findings() -> list[Finding]:
            async with reaching(self.settings.database_dsn("operator"), size=2) as pool:
                return [(await replay_stored(pool, session_id))[1] for session_id in sessions]

        # As `arreio replay --verify` does, without a process for each.
        assert [one.as_json() for one in asyncio.run(findings()) if one.problem is not None] == []

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def assert_orderly(events: Sequence[Event]) -> None:
    """One end, one reply, one result a call, and no call started twice."""
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    kinds = Counter(event.type for event in events)
    assert sum(kinds[kind] for kind in TERMINAL) == 1
    assert sum(event.type == "reply.queued" and event.data["kind"] == "reply" for event in events) == 1
    started = Counter(event.data["call_id"] for event in events if event.type == "tool.started")
    finished = Counter(event.data["call_id"] for event in events if event.type == "tool.finished")
    refused = Counter(event.data["call_id"] for event in events if event.type == "tool.refused")
    assert all(count == 1 for counter in (started, finished, refused) for count in counter.values())
    assert started.keys() == finished.keys()
    calls = [one for event in events if event.type == "model.replied" for one in event.data["calls"]]
    for one in calls:
        results = finished[one["id"]] + refused[one["id"]]
        assert results == 1 or (one["name"] in SIGNALS and results == 0), one
    assert (finished.keys() | refused.keys()) <= {one["id"] for one in calls}


def file_writes(events: Sequence[Event]) -> list[str]:
    """The file of each write that was carried out, in order."""
    written = {
        event.data["call_id"] for event in events if event.type == "tool.finished" and event.data["status"] == "ok"
    }
    return [
        str(event.data["observed"]["path"])
        for event in events
        if event.type == "tool.started" and event.data["effect"] == "file" and event.data["call_id"] in written
    ]


def interrupt(program: Program) -> None:
    """Ctrl-C."""
    program.process.send_signal(signal.SIGINT)


def last_json(text: str) -> dict[str, Any]:
    """The last line of an output as JSON."""
    found: dict[str, Any] = json.loads(text.splitlines()[-1])
    return found
