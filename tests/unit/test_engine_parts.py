"""The engine's small pure parts: back-off, NATS configuration, processes, masks, and the command line's manners."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arreio.__main__ import COMMANDS, LazyGroup, app, main
from arreio.service_process import SERVICES, service_name
from shared.backoff import Backoff
from shared.engine import errors
from shared.engine.cluster import why_unusable
from shared.engine.nats_config import render
from shared.engine.paths import DataDir
from shared.errors import ArreioError
from shared.processes import is_alive, owner_id, owner_is_dead, start_time
from shared.telemetry import mask_passwords


@given(st.lists(st.floats(min_value=0, max_value=100), max_size=200))
def test_a_restart_never_waits_longer_than_the_most_nor_shorter_than_the_first(lives: list[float]) -> None:
    backoff = Backoff(first=0.1, most=10.0, healthy=30.0)
    assert all(0.1 <= backoff.delay(lived) <= 10.0 for lived in lives)


def test_delays_double_and_begin_anew_after_a_healthy_life() -> None:
    backoff = Backoff(first=0.1, most=1.0, healthy=30.0)
    assert [backoff.delay(lived) for lived in (1, 1, 1, 1, 1, 1)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert [backoff.delay(lived) for lived in (31, 1)] == [0.1, 0.2]


def permissions(user: str) -> dict[str, dict[str, list[str]]]:
    text = render(port=1, store=Path("/s"), pid_file=Path("/p"), users={user: "pw"}, service_consumers=["learning_x"])
    (entry,) = json.loads(text)["authorization"]["users"]
    found: dict[str, dict[str, list[str]]] = entry.get("permissions", {})
    return found


def test_nats_is_durable_on_loopback_only_and_knows_no_anonymous_user() -> None:
    config = json.loads(render(port=4222, store=Path("/s"), pid_file=Path("/p"), users={"services": "pw"}))
    assert config["listen"] == "127.0.0.1:4222"
    assert config["jetstream"]["sync_interval"] == "always"
    assert "no_auth_user" not in config
    assert "http" not in config


def test_a_subscriber_may_publish_nothing_but_questions_about_events() -> None:
    allowed = permissions("subscriber")["publish"]["allow"]
    assert all(subject.startswith("$JS.") for subject in allowed)
    assert all("ARREIO_EVENTS" in subject for subject in allowed if subject.count(".") > 3)
    assert "$JS.ACK.ARREIO_EVENTS.learning_x.>" in permissions("subscriber")["publish"]["deny"]


def test_a_subscriber_makes_and_deletes_its_own_durable_alone() -> None:
    allowed = permissions("subscriber")["publish"]["allow"]
    makes = [one.removeprefix("$JS.API.CONSUMER.") for one in allowed if ".CREATE." in one or ".DELETE." in one]
    assert sorted(makes) == [
        "CREATE.ARREIO_EVENTS",
        "CREATE.ARREIO_EVENTS.subscriber",
        "CREATE.ARREIO_EVENTS.subscriber.>",
        "DELETE.ARREIO_EVENTS.subscriber",
        "DURABLE.CREATE.ARREIO_EVENTS.subscriber",
    ]


def test_a_user_without_a_rule_may_do_nothing() -> None:
    assert permissions("stranger") == {"publish": {"deny": [">"]}, "subscribe": {"deny": [">"]}}


def test_a_process_is_told_from_another_with_its_id() -> None:
    started = start_time(os.getpid())
    assert is_alive(os.getpid(), started)
    assert not is_alive(os.getpid(), (started or 0) + 1)
    child = subprocess.Popen(["true"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not is_alive(child.pid)  # a zombie has ended
    child.wait()


def test_an_owner_is_dead_only_when_that_is_certain() -> None:
    host, space, pid, started = owner_id().split("/")
    boot = space.partition(".")[0]
    assert not owner_is_dead(owner_id())
    assert owner_is_dead(f"{host}/{space}/{pid}/{int(started) + 1}")
    assert owner_is_dead(f"{host}/another/{pid}/{started}")
    assert owner_is_dead(f"{host}/another.1/{pid}/{started}")
    assert not owner_is_dead(f"elsewhere/{space}/{pid}/1")
    assert not owner_is_dead("no owner at all")
    # Process 1 of another container of this host is not our process 1.
    assert not owner_is_dead(f"{host}/{boot}.1/{pid}/{int(started) + 1}")


def test_passwords_in_addresses_are_masked() -> None:
    masked = mask_passwords("nats://a:hunter2@h postgresql://u:hunter2@h/d host='x' password='hun\\'ter2' user=y")
    assert "hunter2" not in masked
    assert "ter2" not in masked
    assert "nats://a:***@h" in masked
    assert masked.endswith("user=y")


@given(st.text(), st.text())
def test_an_error_is_always_one_line(message: str, hint: str) -> None:
    assert len(ArreioError(message, hint).line().splitlines()) <= 1


def test_the_public_names_of_the_engines_errors() -> None:
    names = {name for name, value in vars(errors).items() if isinstance(value, type) and issubclass(value, ArreioError)}
    assert names == {
        "ArreioError",
        "BinaryMissing",
        "DataDirError",
        "DiskFull",
        "EngineDown",
        "EngineError",
        "EngineHeld",
        "NoUserNamespace",
        "PortTaken",
        "StartFailed",
        "WrongVersion",
    }


def test_a_service_may_be_written_with_a_dash() -> None:
    assert service_name("Tool-Loop") == "tool_loop"
    with pytest.raises(ArreioError, match="gateway, context_builder"):
        service_name("gate way")
    assert list(SERVICES) == ["gateway", "context_builder", "tool_loop", "gate_runner", "learning"]


@pytest.mark.parametrize(
    "arguments",
    [["--nonsense"], ["nonsense"], ["up", "--nonsense"], ["up", "extra"], ["serve"], ["up", "--only", "nobody"], []],
)
def test_misuse_is_exit_status_one(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err
    if arguments:
        assert err.count("\n") == 1


def test_every_command_of_the_table_can_be_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    import typer

    group = typer.main.get_command(app)
    assert isinstance(group, LazyGroup)
    for name in group.list_commands(None):
        assert name in COMMANDS
        assert main([name, "--help"]) == 0
        assert f"Usage: arreio {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--help"], ["up", "--help"], ["doctor", "--help"]])
def test_help_needs_none_of_the_heavy_modules(arguments: list[str]) -> None:
    script = (
        "import sys; from arreio.__main__ import main; main(sys.argv[1:]);"
        "heavy = {'litellm', 'faststream', 'nats', 'psycopg', 'sqlalchemy', 'pydantic_settings', 'rich'};"
        "sys.exit(' '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (["bwrap: No permissions to create new namespace"], errors.NoUserNamespace),
        (["x FATAL:  could not extend file", "x HINT:  Check free disk space."], errors.DiskFull),
        (["x FATAL:  database files are incompatible with server"], errors.WrongVersion),
        (["x PANIC:  could not locate a valid checkpoint record"], errors.StartFailed),
        ([], errors.StartFailed),
    ],
)
def test_why_postgres_ended_is_read_from_its_log(lines: list[str], kind: type[errors.EngineError]) -> None:
    error = why_unusable(DataDir(Path("/d")), lines, Path("/d/log"), 1)
    assert type(error) is kind
    assert error.hint
