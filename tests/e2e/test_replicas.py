"""A second process of every service beside the first: work is shared, taken over, and never done twice."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest
from arreio_contracts import envelope, subjects
from arreio_contracts.messages import OutboundMessage

from arreio.client import connected
from tests.support.house import SERVICES, Event, House, file_writes
from tests.support.programs import until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, answering_late, by_goal, call, steps

TASKS = 12
SURE = ["file_contains: made.txt :: ^made$", "command: test -s effects.log"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Leases of two seconds, so that a process that stands still is soon replaced."""
    with House(tmp_path_factory.mktemp("house"), ARREIO_LEASE_TTL="2", ARREIO_SWEEP_INTERVAL="0.5") as running:
        yield running


def making(command: str) -> Script:
    """A command that leaves a mark, a file, and the claim."""
    return steps(
        call("run_command", command=f"echo mark >> effects.log; {command}"),
        call("write_file", path="made.txt", content="made\n"),
        call("task_complete", reply="Made."),
    )


def place_for(folder: Path, name: str) -> Path:
    place = folder / name
    place.mkdir()
    (place / "hold").write_text("wait")
    return place


def assert_made(house: House, session_id: str, place: Path) -> None:
    assert house.wait_for_end(session_id).type == "task.completed"
    assert (place / "effects.log").read_text() == "mark\n"
    assert (place / "made.txt").read_text() == "made\n"
    assert file_writes(house.events(session_id)) == ["made.txt"]


def is_command(event: Event) -> bool:
    return event.type == "tool.started" and event.data["effect"] == "command"


def test_a_process_that_stands_still_is_replaced_and_its_effects_are_not_done_again(
    house: House, tmp_path: Path
) -> None:
    held, asked = place_for(tmp_path, "held"), place_for(tmp_path, "asked")
    answer = threading.Event()
    scripts = {"held": making("until grep -q go hold; do sleep 0.05; done"), "asked": making("true")}
    scripts["asked"] = answering_late(scripts["asked"], 1, answer)
    with ScriptedServer(by_goal(scripts)) as server:
        sessions = [house.submit(place.name, place, server.url, SURE).session_id for place in (held, asked)]
        house.wait_for(sessions[0], is_command)
        house.wait_for(sessions[1], "model.requested", count=2)
        until(lambda: (held / "effects.log").exists(), what="the mark")
        (stopped,) = house.pids("tool_loop")
        house.serve("tool_loop")
        os.kill(stopped, signal.SIGSTOP)
        try:
            for session_id in sessions:
                resumed = house.wait_for(session_id, "task.resumed")
                assert resumed.data["cause"] == "takeover"
        finally:
            answer.set()
            (held / "hold").write_text("go")
        assert_made(house, sessions[0], held)
        assert_made(house, sessions[1], asked)
        assert stopped not in house.pids("tool_loop")
    house.line("tool_loop ended (signal SIGKILL)")
    house.line("tool_loop ready")
    house.assert_sound(*sessions)


def test_two_processes_of_each_service_share_twelve_tasks_and_nothing_is_done_twice(
    house: House, tmp_path: Path
) -> None:
    for service in SERVICES:
        if len(house.pids(service)) < 2:
            house.serve(service)
    until(lambda: asyncio.run(waiting_workers(house)) == 4, what="both tool-loops waiting for work")
    places = [place_for(tmp_path, f"place{number}") for number in range(TASKS)]
    with ScriptedServer(making("until grep -q go hold; do sleep 0.1; done")) as server:
        sent = [house.submit(f"goal {place.name}", place, server.url, SURE) for place in places]
        for task in sent:
            house.wait_for(task.session_id, is_command)
        owners = house.owner_pids()
        shared = Counter(owners[str(task.task_id)] for task in sent)
        for place in places:
            (place / "hold").write_text("go")
        for task, place in zip(sent, places, strict=True):
            assert_made(house, task.session_id, place)
    assert set(shared) == set(house.pids("tool_loop"))
    house.assert_sound(*(task.session_id for task in sent))
    replies = asyncio.run(replies_on_the_channel(house, len(sent)))
    assert Counter(reply.task_id for reply in replies) == Counter({task.task_id: 1 for task in sent})


async def waiting_workers(house: House) -> int:
    """The open requests for work on the tool-loop's durable, two of each process."""
    client = await nats.connect(**house.settings.nats_options("services"))
    try:
        found = await client.jetstream().consumer_info(subjects.STREAM_COMMANDS, subjects.CONSUMER_TOOL_LOOP_RUN)
        return found.num_waiting or 0
    finally:
        await client.close()


async def replies_on_the_channel(house: House, count: int) -> list[OutboundMessage]:
    """What the channel's adapter reads: every reply of the stream up to its end."""
    async with connected(house.settings) as client:
        stream = client.connection.jetstream()
        subscription = await stream.subscribe(
            subjects.outbound("cli"), stream=subjects.STREAM_OUTBOUND, ordered_consumer=True
        )
        found: list[OutboundMessage] = []
        waiting = (await subscription.consumer_info()).num_pending or 0
        while waiting > 0 or len(found) < count:
            message = await subscription.next_msg(timeout=20)
            waiting = message.metadata.num_pending or 0
            _, data = envelope.read(message.headers, message.data)
            if isinstance(data, OutboundMessage) and data.kind == "reply" and "place" in data.conversation:
                found.append(data)
        return found
