"""SIGKILL in the middle of tasks: of each service, of all of them, of PostgreSQL, of NATS and of the whole tree.

Three tasks are under way at the moment of the kill: one runs a command, one waits for the model's answer, one is
being judged. All must end by themselves, with every effect at most once and every file write exactly once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.house import SERVICES, Event, House, file_writes, last_json
from tests.support.programs import Program, kill, until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, answering_late, by_goal, call, steps

COMMAND, MODEL, GATES = "Run a command.", "Ask the model.", "Let the gates judge."
HELD = "until grep -q go hold; do sleep 0.05; done"
"""What a command or gate does until the test writes `go` into the file `hold`, which it had before."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that only these tests set fire to."""
    with House(tmp_path_factory.mktemp("house")) as running:
        yield running


def working(command: str) -> Script:
    """Two files and two commands that each leave a mark, then the claim."""
    return steps(
        call("write_file", path="first.txt", content="one\n"),
        call("run_command", command=f"echo first >> effects.log; {command}"),
        call("write_file", path="second.txt", content="two\n"),
        call("run_command", command="echo second >> effects.log"),
        call("task_complete", reply="Both files are there."),
    )


LONG_MEMORY = "openai/gpt-scripted"
"""A name whose capability profile keeps the whole history in the prompt, from which the script counts turns."""


@dataclass(frozen=True)
class Work:
    """Three tasks under way, each at its moment."""

    sessions: tuple[str, ...]
    places: tuple[Path, ...]
    following: Program
    release: Callable[[], None]


@pytest.fixture
def work(house: House, tmp_path: Path) -> Iterator[Work]:
    """Begins the three tasks; the one whose command runs is followed by `arreio run`."""
    places = {goal: tmp_path / name for goal, name in ((COMMAND, "command"), (MODEL, "model"), (GATES, "gates"))}
    for place in places.values():
        place.mkdir()
        (place / "hold").write_text("wait")
    answer = threading.Event()

    def release() -> None:
        answer.set()
        for place in places.values():
            (place / "hold").write_text("go")

    scripts = {
        COMMAND: working(HELD),
        MODEL: answering_late(working("true"), 2, answer),
        GATES: working("true"),
    }
    with ScriptedServer(by_goal(scripts)) as server:
        following = house.start(
            *("run", "--json", "-w", str(places[COMMAND]), "-c", "file_contains: second.txt :: ^two$"),
            *("--model", "openai/scripted", "--api-base", server.url, COMMAND),
        )
        sure = ["file_contains: second.txt :: ^two$"]
        asked = house.submit(MODEL, places[MODEL], server.url, sure)
        judged = house.submit(GATES, places[GATES], server.url, [*sure, f"command: {HELD}"])
        first = following.line("task.created")
        sessions = (last_json(first)["partitionkey"], asked.session_id, judged.session_id)
        house.wait_for(sessions[0], runs_a_command)
        house.wait_for(sessions[1], "model.requested", count=3)
        house.wait_for(sessions[2], "gate.started")
        until(lambda: marks(places[COMMAND]) == ["first"], what="the command's first mark")
        try:
            yield Work(sessions, tuple(places.values()), following, release)
        finally:
            release()


def runs_a_command(event: Event) -> bool:
    return event.type == "tool.started" and event.data["effect"] == "command"


def writes_a_file(event: Event) -> bool:
    return event.type == "tool.started" and event.data["effect"] == "file"


def marks(place: Path) -> list[str]:
    """What the commands have left, in order."""
    log = place / "effects.log"
    return log.read_text().split() if log.exists() else []


def assert_done(house: House, work: Work) -> None:
    """Every task is COMPLETE, nothing was done twice, and the one who followed was told."""
    for session_id, place in zip(work.sessions, work.places, strict=True):
        ended = house.wait_for_end(session_id)
        assert ended.type == "task.completed", ended
        assert marks(place) == ["first", "second"]
        assert file_writes(house.events(session_id)) == ["first.txt", "second.txt"]
        assert (place / "first.txt").read_text() == "one\n"
        assert (place / "second.txt").read_text() == "two\n"
        assert sorted(file.name for file in place.iterdir()) == ["effects.log", "first.txt", "hold", "second.txt"]
    assert work.following.wait() == 0
    assert last_json(work.following.lines[-1])["state"] == "COMPLETE"
    house.assert_sound(*work.sessions)


@pytest.mark.parametrize("service", SERVICES)
def test_a_killed_service_comes_back_and_every_task_ends_complete(house: House, work: Work, service: str) -> None:
    (pid,) = house.pids(service)
    kill(pid)
    house.line(f"{service} ready")
    work.release()
    assert_done(house, work)
    interrupted = [event for event in house.events(work.sessions[0]) if event.data.get("status") == "interrupted"]
    assert len(interrupted) == (1 if service == "tool_loop" else 0)


def test_all_services_killed_at_once_come_back_and_every_task_ends_complete(house: House, work: Work) -> None:
    for service in SERVICES:
        for pid in house.pids(service):
            kill(pid)
    for _ in SERVICES:
        house.line(" ready (")
    work.release()
    assert_done(house, work)


@pytest.mark.parametrize("server", ["postgres", "nats-server"])
def test_tasks_wait_for_a_killed_server_and_end_complete(house: House, work: Work, server: str) -> None:
    kill(house.server_pid(server))
    house.line(" ended (")
    work.release()
    assert_done(house, work)


def test_after_the_whole_tree_was_killed_the_next_up_takes_every_task_to_its_end(house: House, work: Work) -> None:
    house.kill_tree()
    house.begin()
    work.release()
    assert_done(house, work)


def test_an_orderly_stop_hands_every_task_over_and_the_next_up_goes_on(house: House, work: Work) -> None:
    house.end()
    house.begin()
    work.release()
    assert_done(house, work)
    resumed = [event for event in house.events(work.sessions[0]) if event.type == "task.resumed"]
    assert [event.data["cause"] for event in resumed] == ["handover"]


def test_a_tool_loop_that_dies_while_it_writes_files_writes_each_exactly_once(house: House, tmp_path: Path) -> None:
    names = [f"file{number}.txt" for number in range(12)]
    writing = [call("write_file", path=name, content=f"{name}\n" * 500) for name in names]
    places = [tmp_path / name for name in ("one", "two", "three")]
    with ScriptedServer(steps(*writing, call("task_complete", reply="Written."))) as server:
        sessions = []
        for place in places:
            place.mkdir()
            sure = [f"file_exists: {names[-1]}"]
            sessions.append(house.submit(place.name, place, server.url, sure, model=LONG_MEMORY).session_id)
        for number in (3, 7):
            house.wait_for(sessions[number % 3], writes_a_file, count=number)
            for pid in house.pids("tool_loop"):
                kill(pid)
            house.line("tool_loop ready")
        for place, session_id in zip(places, sessions, strict=True):
            assert house.wait_for_end(session_id).type == "task.completed"
            assert file_writes(house.events(session_id)) == names
            assert {file.name: file.read_text() for file in place.iterdir()} == {
                name: f"{name}\n" * 500 for name in names
            }
    house.assert_sound(*sessions)
