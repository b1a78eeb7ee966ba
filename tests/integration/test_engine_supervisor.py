"""`arreio up` with real servers and fake services: it starts, restarts, hands over and leaves nothing behind."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import nats
import psycopg
import pytest

from arreio.launcher import BackgroundFailed
from arreio.service_process import live_services
from shared.engine.locks import engine_holder
from shared.engine.paths import DataDir
from shared.engine.state import read_state
from shared.provision import has_streams
from shared.settings import Settings
from shared.store.connection import retrying
from tests.support.engine_programs import start_fakes
from tests.support.programs import call, processes_of, start, until
from tests.support.store import event, fresh, store_of


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"
    until(lambda: not processes_of(tmp_path))


def pid_of(place: Path, name: str) -> int:
    return next(one.pid for one in live_services(DataDir(place)) if one.name == name)


def server_pid(place: Path, program: str) -> int:
    return next(pid for pid, command in processes_of(place).items() if re.match(rf"\S*/{program} ", command))


async def who(settings: Settings) -> int:
    """The pid of a fake service that answers over NATS."""
    client = await nats.connect(**settings.nats_options())
    try:
        for _ in range(100):
            try:
                return int((await client.request("test.who", timeout=0.2)).data)
            except (nats.errors.NoRespondersError, nats.errors.TimeoutError):
                await asyncio.sleep(0.05)
    finally:
        await client.close()
    raise AssertionError("nobody answers")


def test_says_when_each_service_and_all_are_ready_and_stops_in_good_order(place: Path) -> None:
    up = start_fakes(place, "one", "two")
    up.line("ready")
    until(lambda: (state := read_state(DataDir(place))) is not None and state.phase == "ready")
    services = [one.name for one in live_services(DataDir(place))]
    assert sorted(services) == ["one", "two"]
    assert up.end(signal.SIGTERM) == 0
    assert up.lines[0].startswith("PostgreSQL on ")
    assert engine_holder(DataDir(place)) is None
    assert "database system is shut down" in (place / "logs" / "postgres.log").read_text()
    last = json.loads((place / "logs" / "one.log").read_text().splitlines()[-1])
    assert (last["event"], last["service"]) == ("service ended", "one")


def test_a_killed_service_is_started_again(place: Path) -> None:
    up = start_fakes(place, "one")
    up.line("ready (")
    first = asyncio.run(who(Settings(home=place)))
    os.kill(first, signal.SIGKILL)
    assert "signal SIGKILL" in up.line("one ended")
    up.line("one ready")
    assert asyncio.run(who(Settings(home=place))) != first
    up.end()


@pytest.mark.parametrize("program", ["nats-server", "postgres", *(["bwrap"] if os.geteuid() == 0 else [])])
def test_a_killed_server_comes_back_at_the_same_address_and_services_go_on(place: Path, program: str) -> None:
    settings = Settings(home=place)
    up = start_fakes(place, "one")
    up.line("ready (")
    first, address = asyncio.run(who(settings)), settings.nats_options()["servers"]
    killed = server_pid(place, program)
    os.kill(killed, signal.SIGKILL)
    up.line(" ended (")
    assert asyncio.run(who(settings)) == first
    assert settings.nats_options()["servers"] == address

    def answers() -> bool:
        try:
            with psycopg.connect(settings.database_dsn("operator")):
                return True
        except psycopg.OperationalError:
            return False

    until(answers)
    up.end()


def test_a_nats_that_comes_back_without_its_store_has_its_streams_made_anew(place: Path, tmp_path: Path) -> None:
    settings = Settings(home=place)
    up = start_fakes(place, "one", LOOK_EVERY="0.2")
    up.line("ready (")
    DataDir(place).nats.rename(tmp_path / "lost")
    os.kill(server_pid(place, "nats-server"), signal.SIGKILL)
    up.line("NATS is back")
    until(lambda: has_streams(settings))
    up.end()


def test_killing_the_whole_tree_leaves_nothing_and_the_next_up_is_ready_again(place: Path) -> None:
    up = start_fakes(place, "one", "two")
    up.line("ready (")
    up.line("ready (")
    tree = list(processes_of(place))
    for pid in [up.process.pid, *tree]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    up.process.wait(10)
    until(lambda: not processes_of(place))
    # A killed process is seen no more a moment before the kernel lets go of its locks.
    until(lambda: not live_services(DataDir(place)))
    again = start_fakes(place, "one")
    again.line("one ready")
    again.end()


def test_killing_the_parent_alone_ends_its_services_and_servers(place: Path) -> None:
    up = start_fakes(place, "one", "stubborn")
    up.line("ready (")
    up.line("ready (")
    services = [one.pid for one in live_services(DataDir(place))]
    up.end(signal.SIGKILL)
    until(lambda: not processes_of(place))
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in services))


def test_a_service_that_fails_at_start_is_named_with_its_reason_and_tried_again(place: Path) -> None:
    up = start_fakes(place, "broken", "one")
    assert "RuntimeError: no luck today" in up.line("broken ended")
    assert "again in 0.2 s" in up.line("broken ended")
    up.end()


def test_a_service_that_hears_no_stop_is_killed_after_the_grace(place: Path) -> None:
    up = start_fakes(place, "stubborn", ARREIO_GRACE="0.3")
    up.line("stubborn ready")
    assert up.end() == 0


def test_a_second_stop_signal_does_not_wait_for_the_grace(place: Path) -> None:
    up = start_fakes(place, "stubborn", ARREIO_GRACE="600")
    up.line("stubborn ready")
    up.process.send_signal(signal.SIGINT)
    until(lambda: (state := read_state(DataDir(place))) is not None and state.phase == "stopping")
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(20) == 0


def test_a_stop_while_it_starts_leaves_nothing(place: Path) -> None:
    up = start_fakes(place, "one")
    until(lambda: (place / "run" / "nats.pid").exists())
    assert up.end() == 0
    assert engine_holder(DataDir(place)) is None


def test_stop_and_status_see_and_end_what_runs(place: Path) -> None:
    up = start_fakes(place, "gateway", "learning")
    up.line("ready (")
    up.line("ready (")
    until(lambda: json.loads(call(["status", "--json"], place).stdout)["phase"] == "ready")
    seen = json.loads(call(["status", "--json"], place).stdout)
    assert (seen["pid"], seen["background"]) == (up.process.pid, False)
    assert [one["name"] for one in seen["services"]] == ["gateway", "learning"]
    assert call(["stop"], place).stdout == "stopped\n"
    assert up.process.wait(20) == 0
    assert json.loads(call(["status", "--json"], place).stdout)["phase"] == "down"
    assert call(["stop"], place).returncode == 0


def test_an_idle_up_sleeps(place: Path) -> None:
    up = start_fakes(place, "one", "two")
    up.line("ready (")
    up.line("ready (")

    def ticks() -> int:
        fields = Path(f"/proc/{up.process.pid}/stat").read_text().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def switches() -> int:
        return sum(
            int(line.split()[1])
            for line in Path(f"/proc/{up.process.pid}/status").read_text().splitlines()
            if "ctxt_switches" in line
        )

    up.line("ready")
    before, began = (ticks(), switches()), os.times().elapsed
    until(lambda: os.times().elapsed - began > 2.0)
    assert ticks() - before[0] <= 1
    assert switches() - before[1] <= 10
    up.end()


def background(place: Path, *arguments: str, **more: str) -> str:
    """Call `ensure_up` in a process of its own, which prints what `status` sees and ends."""
    script = (
        "from arreio.launcher import ensure_up\n"
        "from shared.settings import load_settings\n"
        "from shared.errors import ArreioError\n"
        "import json, sys\n"
        "from shared.engine.state import read_state\n"
        "from shared.engine.paths import DataDir\n"
        "settings = load_settings()\n"
        "try:\n"
        f"    ensure_up(settings, keep={'--keep' in arguments})\n"
        "except ArreioError as error:\n"
        "    print('failed:', type(error).__name__, error.line()); sys.exit(1)\n"
        "print('joined', read_state(DataDir(settings.home)).pid, flush=True)\n"
        "sys.stdin.read()\n"
    )
    client = start(["-c", script], place, more)
    line = client.line(" ")
    client.process.wait(30)
    return line


def test_two_clients_at_once_join_one_background_engine_which_stops_when_idle(place: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(3) as pool:
        said = list(pool.map(lambda _: background(place, ARREIO_IDLE_STOP="2"), range(3)))
    assert len(set(said)) == 1
    assert said[0].startswith("joined ")
    until(lambda: engine_holder(DataDir(place)) is None)
    assert "idle for 2 s" in (place / "logs" / "up.log").read_text()


def test_a_kept_background_engine_stays_until_it_is_stopped(place: Path) -> None:
    background(place, "--keep", ARREIO_IDLE_STOP="0.5")
    assert (place / "run" / "keep").exists()
    began = os.times().elapsed
    until(lambda: os.times().elapsed - began > 1.5)
    assert engine_holder(DataDir(place)) is not None
    assert call(["stop"], place).returncode == 0


def test_a_background_engine_that_cannot_start_is_one_line_at_the_client(place: Path) -> None:
    (place / "pg").mkdir(parents=True)
    (place / "pg" / "PG_VERSION").write_text("9\n")
    said = background(place)
    assert said.startswith(f"failed: {BackgroundFailed.__name__} ")
    assert "PostgreSQL 9" in said


def test_serve_without_an_engine_says_how_to_have_one(place: Path) -> None:
    alone = call(["serve", "gateway"], place)
    assert alone.returncode == 1
    assert alone.stderr.startswith("arreio: no engine is up on")
    assert alone.stderr.count("\n") == 1


def test_external_servers_are_used_and_none_is_started(place: Path, engine: Settings) -> None:
    password, state = engine.credentials().postgres["arreio_admin"], read_state(DataDir(engine.home))
    assert state is not None
    external = {
        "ARREIO_DATABASE_URL": f"postgresql://arreio_admin:{password}@/arreio?host={state.socket_dir}&port=5432",
        "ARREIO_NATS_URL": engine.nats_address("services"),
    }
    up = start_fakes(place, "one", **external)
    up.line("one ready")
    assert "external" in up.lines[0]
    assert not (place / "pg").exists()
    shown = call(["info"], place, external).stdout
    assert password not in shown
    assert engine.credentials().nats["services"] not in shown
    assert call(["stop"], place).stdout == "stopped\n"
    assert up.process.wait(20) == 0


def test_external_servers_that_cannot_be_reached_are_one_line(place: Path) -> None:
    nowhere = {"ARREIO_DATABASE_URL": "postgresql://u:hunter2@127.0.0.1:9/d", "ARREIO_NATS_URL": "nats://127.0.0.1:9"}
    done = call(["up"], place, nowhere)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "PostgreSQL" in done.stderr
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("what", ["nats-server", "one"])
def test_a_server_or_a_service_that_hangs_is_named_by_status_and_on_the_screen_until_it_goes_on(
    place: Path, what: str
) -> None:
    up = start_fakes(place, "one", LOOK_EVERY="1")
    up.line("ready (")
    assert json.loads(call(["status", "--json"], place).stdout)["hanging"] == {}
    name, pid = ("NATS", server_pid(place, what)) if what != "one" else ("one", pid_of(place, "one"))
    os.kill(pid, signal.SIGSTOP)
    try:
        assert list(json.loads(call(["status", "--json"], place).stdout)["hanging"]) == [name]
        up.line("does not answer" if name == "NATS" else "one is stopped")
    finally:
        os.kill(pid, signal.SIGCONT)
    up.line(f"{name} goes on")
    assert json.loads(call(["status", "--json"], place).stdout)["hanging"] == {}
    up.end()


IMPATIENT = (
    "import sys\n"
    "from arreio import __main__, client\n"
    "client.SILENCE, client.CONNECT_TIMEOUT = 1.0, 3.0\n"
    "sys.exit(__main__.main(sys.argv[1:]))\n"
)
"""The command line with less patience."""


LOOKING_OFTEN = (
    "import sys\nfrom arreio import __main__, tailing\ntailing.POLL = 0.2\nsys.exit(__main__.main(sys.argv[1:]))\n"
)
"""The command line, whose tail does not wait long for what nobody publishes."""


def test_a_tail_outlives_both_servers_and_shows_each_event_once(place: Path) -> None:
    up = start_fakes(place, "one")
    up.line("ready (")
    session, settings = fresh(), Settings(home=place)

    async def append(*numbers: int) -> None:
        async with store_of(settings) as (store, _):
            await retrying(partial(store.append_fact, session, [event(n=n) for n in numbers]))

    asyncio.run(append(1, 2))
    tail = start(["-c", LOOKING_OFTEN, "events", "tail", "--resume", "follower", "--json"], place)
    tail.line(f"{2:020d}")
    os.kill(server_pid(place, "postgres"), signal.SIGKILL)
    tail.line("waiting for it", 30)
    tail.line("PostgreSQL is back", 30)
    asyncio.run(append(3))
    tail.line(f"{3:020d}")
    os.kill(server_pid(place, "nats-server"), signal.SIGKILL)
    tail.line("NATS went away", 30)
    tail.line("NATS is back", 30)
    asyncio.run(append(4))
    tail.line(f"{4:020d}")
    assert tail.end(signal.SIGINT) == 0
    shown = [json.loads(line)["sequence"] for line in tail.lines if line.startswith("{")]
    assert shown == [f"{seq:020d}" for seq in (1, 2, 3, 4)]
    asyncio.run(append(5))
    again = start(["-m", "arreio", "events", "tail", "--resume", "follower", "--json"], place)
    assert f"{5:020d}" in again.line("{")
    again.end()
    up.end()


def test_a_command_says_that_nats_hangs_and_gives_up(place: Path) -> None:
    up = start_fakes(place, "one")
    up.line("ready (")
    os.kill(hung := server_pid(place, "nats-server"), signal.SIGSTOP)
    try:
        tail = start(["-c", IMPATIENT, "events", "tail"], place)
        assert tail.wait() == 1
    finally:
        os.kill(hung, signal.SIGCONT)
    assert [line.partition("; ")[0] for line in tail.lines] == [
        "arreio: NATS does not answer yet",
        "arreio: NATS cannot be reached: no answer in 3 seconds",
    ]
    up.end()
