"""The embedded engine by itself: starts, recovers, refuses, and touches nothing that is not its own."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import nats
import nats.errors
import psycopg
import pytest

from shared.engine.child import in_user_namespace, postgres_binary, spawn
from shared.engine.credentials import load_credentials, save_credentials
from shared.engine.engine import Engine, running_engine
from shared.engine.errors import (
    DataDirError,
    DiskFull,
    EngineDown,
    EngineError,
    EngineHeld,
    PortTaken,
    StartFailed,
    WrongVersion,
)
from shared.engine.locks import engine_holder
from shared.engine.paths import DataDir
from shared.engine.state import read_state
from shared.settings import Settings
from tests.support.engine_programs import start_fakes
from tests.support.programs import call, processes_of, until


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data"
    until(lambda: not processes_of(tmp_path))


def answer(settings: Settings, role: str = "operator") -> str:
    with psycopg.connect(settings.database_dsn(role)) as connection:
        row = connection.execute("SELECT current_user").fetchone()
    assert row is not None
    return str(row[0])


def test_starts_serves_stops_and_starts_again_at_the_same_port(place: Path) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        assert answer(settings, "gateway") == "arreio_gateway"
        assert answer(settings, "owner") == "arreio_owner"
        port = settings.nats_options()["servers"]
        assert engine_holder(DataDir(place)) is not None
    assert engine_holder(DataDir(place)) is None
    with pytest.raises(EngineDown):
        settings.database_dsn("gateway")
    with running_engine(settings):
        assert settings.nats_options()["servers"] == port


def test_everything_that_it_makes_is_private(place: Path) -> None:
    with running_engine(Settings(home=place)):
        for path in [place, *place.rglob("*")]:
            mode = path.lstat().st_mode
            assert not mode & 0o077 or path.is_symlink() or not _reachable(path, place), path


def _reachable(path: Path, place: Path) -> bool:
    """Whether another user could come to a path through the directories below `place`."""
    return all(one.stat().st_mode & 0o001 for one in path.parents if one.is_relative_to(place))


def test_changes_no_mode_and_no_owner_of_a_directory_that_was_there(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a").chmod(0o711)
    inner.chmod(0o750)
    above = [inner, *inner.parents]
    before = [(path, path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in above]
    with running_engine(Settings(home=inner)):
        pass
    assert [(path, path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in above] == before


def test_a_path_too_long_for_a_socket_gets_a_short_private_directory(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / ("long" * 30))
    with running_engine(settings):
        assert answer(settings) == "arreio_operator"
        state = read_state(DataDir(settings.home))
        assert state is not None
        short = Path(state.socket_dir)
        assert len(str(short)) < 80
        assert short.stat().st_mode & 0o777 == 0o700
    with running_engine(settings):
        state = read_state(DataDir(settings.home))
        assert state is not None
        assert Path(state.socket_dir) == short
    shutil.rmtree(short)


def test_strangers_are_refused_by_both_servers(place: Path) -> None:
    settings = Settings(home=place)

    async def knock(**login: str) -> None:
        client = await nats.connect(settings.nats_options()["servers"], allow_reconnect=False, error_cb=_quiet, **login)
        await client.close()

    async def _quiet(_error: Exception) -> None:
        return None

    with running_engine(settings):
        state = read_state(DataDir(place))
        assert state is not None
        for password in ("", "guess"):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(
                    host=state.socket_dir, port=5432, user="arreio_gateway", password=password, dbname="arreio"
                )
        import asyncio

        for login in ({}, {"user": "services", "password": "guess"}):
            with pytest.raises(nats.errors.Error, match="Authorization"):
                asyncio.run(knock(**login))


def test_a_second_engine_is_told_who_holds_the_directory(place: Path) -> None:
    with running_engine(Settings(home=place)), pytest.raises(EngineHeld, match=rf"pid {os.getpid()}, since 20"):
        Engine(Settings(home=place))


def test_killing_the_holder_ends_both_servers_and_the_next_start_recovers(place: Path) -> None:
    settings = Settings(home=place)
    up = start_fakes(place)
    up.line("ready")
    with psycopg.connect(settings.database_dsn("admin"), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        connection.execute("INSERT INTO kept VALUES (1)")
    up.end(signal.SIGKILL)
    until(lambda: not processes_of(place))
    with running_engine(settings), psycopg.connect(settings.database_dsn("admin")) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (1,)


def test_starts_at_once_after_a_kill_without_waiting_for_the_old_servers(place: Path) -> None:
    settings = Settings(home=place)
    for _ in range(3):
        up = start_fakes(place)
        up.line("ready")
        up.end(signal.SIGKILL)
    with running_engine(settings):
        assert answer(settings) == "arreio_operator"


def test_an_orphaned_server_on_our_directory_is_ended(place: Path) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        pass
    data_dir = DataDir(place)
    command = [str(postgres_binary("postgres")), "-D", str(data_dir.postgres), "-c", "listen_addresses="]
    command += ["-c", f"unix_socket_directories={data_dir.run}"]
    orphan = spawn(in_user_namespace(command, data_dir, needs_passwd=False), data_dir.logs / "orphan.log")
    pid_file = data_dir.postgres / "postmaster.pid"
    until(lambda: pid_file.exists() and "ready" in pid_file.read_text())
    with running_engine(settings):
        assert answer(settings) == "arreio_operator"
        assert orphan.wait(10) is not None


def test_a_foreign_pid_in_a_stale_pid_file_is_left_alone(place: Path) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        pass
    bystander = subprocess.Popen(["sleep", "60"], cwd="/")
    (place / "pg" / "postmaster.pid").write_text(f"{bystander.pid}\n{place / 'pg'}\n1\n5432\n\n\n\n\n")
    (place / "run" / "nats.pid").write_text(str(bystander.pid))
    try:
        with running_engine(settings):
            assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_lost_credentials_are_made_anew(place: Path) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        pass
    before = load_credentials(DataDir(place))
    DataDir(place).credentials.unlink()
    with running_engine(settings):
        assert answer(settings) == "arreio_operator"
    after = load_credentials(DataDir(place))
    assert not set(before.postgres.values()) & set(after.postgres.values())


def test_a_changed_password_is_taken_over_at_the_next_start(place: Path) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        pass
    known = load_credentials(DataDir(place))
    known.postgres["arreio_operator"] = "another"
    save_credentials(DataDir(place), known)
    with running_engine(settings):
        assert answer(settings) == "arreio_operator"


def test_a_port_that_is_taken_is_named(place: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match=f"port {port}"), running_engine(Settings(home=place, nats_port=port)):
            pass


def test_a_remembered_port_that_is_taken_is_replaced(place: Path) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        state = read_state(DataDir(place))
    assert state is not None
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", state.nats_port))
        other.listen()
        with running_engine(settings):
            now = read_state(DataDir(place))
            assert now is not None
            assert now.nats_port != state.nats_port


def test_a_data_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataDirError, match="not a directory"):
        Engine(Settings(home=tmp_path / "file"))


def test_a_data_directory_that_every_user_can_write_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(DataDirError, match="every user"):
        Engine(Settings(home=tmp_path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_another_users_data_directory_is_refused(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12345)
    with pytest.raises(DataDirError, match="belongs to another user"):
        Engine(Settings(home=tmp_path))


def test_a_data_directory_that_cannot_be_made_is_refused() -> None:
    with pytest.raises(DataDirError, match="/proc"):
        Engine(Settings(home=Path("/proc/arreio")))


def test_a_cluster_of_another_version_is_refused(place: Path) -> None:
    (place / "pg").mkdir(parents=True)
    (place / "pg" / "PG_VERSION").write_text("15\n")
    with pytest.raises(WrongVersion, match="PostgreSQL 15"), running_engine(Settings(home=place)):
        pass


def test_something_else_in_the_clusters_place_is_refused(place: Path) -> None:
    (place / "pg").mkdir(parents=True)
    (place / "pg" / "holiday.jpg").write_text("")
    with pytest.raises(DataDirError, match="no PostgreSQL cluster"), running_engine(Settings(home=place)):
        pass
    assert engine_holder(DataDir(place)) is None


@pytest.mark.parametrize("victim", ["global/pg_control", "postgresql.conf", "PG_VERSION"])
def test_a_damaged_cluster_is_one_line_that_names_the_way_out(place: Path, victim: str) -> None:
    settings = Settings(home=place)
    with running_engine(settings):
        pass
    (place / "pg" / victim).write_bytes(b"\0rubbish = \n")
    with pytest.raises(EngineError) as caught, running_engine(settings):
        pass
    assert isinstance(caught.value, StartFailed | WrongVersion)
    assert caught.value.hint
    assert "\n" not in caught.value.line()
    assert len(caught.value.line()) < 500
    assert engine_holder(DataDir(place)) is None


def test_a_broken_credentials_file_is_one_line(place: Path) -> None:
    place.mkdir()
    (place / "credentials.json").write_text("{")
    with pytest.raises(DataDirError, match=r"credentials\.json is broken"):
        Engine(Settings(home=place))
    assert engine_holder(DataDir(place)) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="a small file system needs root")
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=20m,mode=0700", "arreio-test", str(small)], check=True)
    try:
        with pytest.raises(DiskFull, match="no space left"), running_engine(Settings(home=small)):
            pass
    finally:
        until(lambda: subprocess.run(["umount", str(small)], check=False).returncode == 0)


def test_the_command_line_says_in_one_line_who_holds_the_directory(place: Path) -> None:
    with running_engine(Settings(home=place)):
        second = call(["up"], place)
    assert second.returncode == 1
    assert second.stdout == ""
    assert second.stderr.count("\n") == 1
    assert f"pid {os.getpid()}" in second.stderr
