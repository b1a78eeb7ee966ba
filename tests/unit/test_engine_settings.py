"""What the environment can change, and how a wrong value is told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from shared.engine.credentials import Credentials, ensure_credentials, load_credentials
from shared.engine.errors import DataDirError, EngineDown
from shared.engine.paths import DataDir
from shared.engine.state import new_state, write_state
from shared.settings import Settings, SettingsError, environment, load_settings


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("ARREIO_")]:
        monkeypatch.delenv(name)


def up(home: Path, socket_dir: str = "/run/x") -> Settings:
    """Settings of a data directory on which this process claims to run an engine."""
    data_dir = DataDir(home)
    data_dir.prepare()
    ensure_credentials(data_dir)
    write_state(
        data_dir,
        new_state(background=False, socket_dir=socket_dir, postgres_port=5432, nats_port=4333, phase="ready"),
    )
    return Settings(home=home)


def test_the_option_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARREIO_HOME", "/somewhere")
    assert load_settings().data_dir == Path("/somewhere")
    assert load_settings(tmp_path).data_dir == tmp_path


def test_a_relative_home_becomes_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings(home=Path("x")).data_dir == tmp_path / "x"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARREIO_LEASE_TTL", "soon"),
        ("ARREIO_LEASE_TTL", "-1"),
        ("ARREIO_NATS_PORT", "70000"),
        ("ARREIO_LOG_LEVEL", "loud"),
        ("ARREIO_DATABASE_URL", "mysql://x"),
        ("ARREIO_NATS_URL", "http://x"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert name in caught.value.line()
    assert "\n" not in caught.value.line()


def test_a_misspelt_variable_is_named_with_the_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_MODLE", "x")
    with pytest.raises(SettingsError, match="did you mean ARREIO_MODEL"):
        load_settings()


def test_a_variable_of_others_that_resembles_nothing_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_GATEWAY_SERVICE_HOST", "10.0.0.1")
    load_settings()


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_MODEL", "")
    assert load_settings().model is None


def test_one_external_server_without_the_other_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_DATABASE_URL", "postgresql://h/d")
    with pytest.raises(SettingsError, match="ARREIO_NATS_URL"):
        load_settings()


def test_every_node_of_a_cluster_may_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_DATABASE_URL", "postgresql://h/d")
    monkeypatch.setenv("ARREIO_NATS_URL", "nats://u:p@a:4222,nats://u:p@b:4223")
    monkeypatch.setenv("ARREIO_NATS_REPLICAS", "3")
    assert load_settings().nats_options()["servers"] == ["nats://u:p@a:4222", "nats://u:p@b:4223"]
    monkeypatch.setenv("ARREIO_NATS_URL", "nats://u:p@a:4222,b:4223")
    with pytest.raises(SettingsError, match="with commas between"):
        load_settings()


def test_the_one_embedded_server_keeps_no_replicas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_NATS_REPLICAS", "3")
    with pytest.raises(SettingsError, match="needs a cluster"):
        load_settings()


def test_secrets_of_addresses_are_not_repeated_in_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_DATABASE_URL", "mysql://me:hunter2@h/d")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert "hunter2" not in str(caught.value)


def test_another_process_loads_the_same_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, model="m", idle_stop=3.5)
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)
    assert load_settings() == settings


def test_each_role_logs_in_with_its_own_password(tmp_path: Path) -> None:
    settings = up(tmp_path / "data")
    known = settings.credentials()
    assert len(set(known.postgres.values())) == len(known.postgres)
    for role, name in (
        ("gateway", "arreio_gateway"),
        ("arreio_operator", "arreio_operator"),
        ("admin", "arreio_admin"),
    ):
        parts = conninfo_to_dict(settings.database_dsn(role))
        assert (parts["user"], parts["password"], parts["host"]) == (name, known.postgres[name], "/run/x")
        assert "role=" not in str(parts.get("options"))


def test_a_service_that_stops_inside_a_transaction_is_cut_off_and_a_persons_command_is_not(tmp_path: Path) -> None:
    settings = up(tmp_path / "data")
    external = Settings(database_url="postgresql://h/d", nats_url="nats://h", lease_ttl=20)
    for role in ("gateway", "arreio_tool_loop"):
        assert conninfo_to_dict(settings.database_dsn(role))["options"] == (
            "-c idle_in_transaction_session_timeout=10000"
        )
        assert "-c idle_in_transaction_session_timeout=20000 " in str(
            conninfo_to_dict(external.database_dsn(role))["options"]
        )
    for role in ("operator", "maintenance", "admin", "owner"):
        assert "idle_in_transaction" not in settings.database_dsn(role) + external.database_dsn(role)


def test_the_owner_has_no_login_and_is_reached_through_the_admin(tmp_path: Path) -> None:
    parts = conninfo_to_dict(up(tmp_path / "data").database_dsn("owner"))
    assert (parts["user"], parts["options"]) == ("arreio_admin", "-c role=arreio_owner")


def test_a_directory_with_quotes_and_spaces_survives_the_connection_string(tmp_path: Path) -> None:
    odd = "/tmp/it's a \\ place"
    assert conninfo_to_dict(up(tmp_path / "data", odd).database_dsn("gateway"))["host"] == odd


def test_external_servers_get_the_role_as_an_option() -> None:
    settings = Settings(database_url="postgresql://me:pw@h:1/d?sslmode=require", nats_url="nats://a:b@h:2")
    parts = conninfo_to_dict(settings.database_dsn("tool_loop"))
    assert (parts["user"], parts["sslmode"]) == ("me", "require")
    assert str(parts["options"]).endswith(" -c role=arreio_tool_loop")
    with_options = Settings(database_url="postgresql://h/d?options=-c%20jit%3Doff", nats_url="nats://h")
    dsn = with_options.database_dsn("gateway")
    assert str(conninfo_to_dict(dsn)["options"]).endswith(
        " -c jit=off -c idle_in_transaction_session_timeout=10000 -c role=arreio_gateway"
    )
    assert "role" not in settings.database_dsn("admin")
    assert settings.nats_options("subscriber")["servers"] == ["nats://a:b@h:2"]


def test_both_sides_of_an_external_connection_notice_silence_in_the_time_that_is_set() -> None:
    settings = Settings(database_url="postgresql://me:pw@h/d", nats_url="nats://h:2", link_timeout=6)
    parts = conninfo_to_dict(settings.database_dsn("gateway"))
    assert parts["tcp_user_timeout"] == "6000"
    idle, interval, count = (int(str(parts[f"keepalives_{name}"])) for name in ("idle", "interval", "count"))
    assert idle + interval * count <= 6
    options = str(parts["options"])
    assert "-c tcp_user_timeout=6000 " in options and f"-c tcp_keepalives_idle={idle} " in options
    pings = settings.nats_options("gateway")
    assert pings["ping_interval"] * (pings["max_outstanding_pings"] + 1) == 6


def test_what_an_external_url_says_of_its_keepalives_stays() -> None:
    url = "postgresql://h/d?keepalives_idle=77&tcp_user_timeout=5&options=-c%20tcp_user_timeout%3D9"
    parts = conninfo_to_dict(Settings(database_url=url, nats_url="nats://h").database_dsn("admin"))
    assert (parts["keepalives_idle"], parts["tcp_user_timeout"]) == ("77", "5")
    # The last one counts.
    assert str(parts["options"]).rpartition("-c ")[2] == "tcp_user_timeout=9"


def test_the_embedded_engine_is_reached_as_before(tmp_path: Path) -> None:
    settings = up(tmp_path / "data")
    assert "tcp_user_timeout" not in settings.database_dsn("gateway")
    assert "ping_interval" not in settings.nats_options("gateway")


def test_nats_options_name_the_user_and_a_private_inbox(tmp_path: Path) -> None:
    options = up(tmp_path / "data").nats_options("operator")
    assert options["servers"] == ["nats://127.0.0.1:4333"]
    assert (options["user"], options["inbox_prefix"]) == ("operator", b"_INBOX_operator")


def test_without_an_engine_the_error_says_how_to_have_one(tmp_path: Path) -> None:
    with pytest.raises(EngineDown, match="arreio up"):
        Settings(home=tmp_path).database_dsn("gateway")


def test_the_state_of_a_dead_engine_is_no_state(tmp_path: Path) -> None:
    settings = up(tmp_path / "data")
    state = DataDir(settings.home).state
    raw = json.loads(state.read_text())
    state.write_text(json.dumps(raw | {"pid_started": 1}))
    with pytest.raises(EngineDown):
        settings.nats_options()


def test_credentials_are_private_made_once_and_completed(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "data")
    data_dir.prepare()
    first = ensure_credentials(data_dir)
    assert data_dir.credentials.stat().st_mode & 0o777 == 0o600
    assert ensure_credentials(data_dir) == first
    raw = json.loads(data_dir.credentials.read_text())
    del raw["postgres"]["arreio_learning"]
    data_dir.credentials.write_text(json.dumps(raw))
    again = ensure_credentials(data_dir)
    assert again.postgres["arreio_learning"] != first.postgres["arreio_learning"]
    assert again.postgres["arreio_gateway"] == first.postgres["arreio_gateway"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"postgres": {"a": 1}, "nats": {}}', '{"postgres": [], "nats": {}}'])
def test_a_broken_credentials_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "credentials.json").write_text(text)
    with pytest.raises(DataDirError, match=r"credentials\.json"):
        load_credentials(DataDir(tmp_path))


def test_passwords_are_never_in_a_repr() -> None:
    assert "hunter2" not in repr(Credentials(postgres={"a": "hunter2"}, nats={"b": "hunter2"}))
