"""`arreio up|serve|provision|status|stop|info|doctor`: the engine and the service processes."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arreio.options import DataDirOption, JsonOption, say
from shared.errors import ArreioError

if TYPE_CHECKING:
    from arreio.service_process import LiveService
    from shared.engine.paths import DataDir
    from shared.settings import Settings

_STOP_PATIENCE = 60.0
_SCHEMA_PATIENCE = 60.0


def up(
    only: Annotated[str, typer.Option("--only", metavar="NAME,…", help="Run these services only.")] = "",
    data_dir: DataDirOption = None,
    background: Annotated[bool, typer.Option("--background", hidden=True)] = False,
    keep: Annotated[bool, typer.Option("--keep", hidden=True)] = False,
    report_fd: Annotated[int, typer.Option("--report-fd", hidden=True)] = -1,
) -> int:
    """Start the engine, provision it, run the services and keep them alive until Ctrl-C or `arreio stop`.

    With ARREIO_DATABASE_URL and ARREIO_NATS_URL set, those servers are used and none is started.
    """
    from arreio.service_process import CONSOLE, SERVICES, service_name
    from arreio.supervisor import Supervisor
    from services.tool_loop.models.capability import check_profiles
    from shared.engine.errors import EngineHeld
    from shared.settings import load_settings

    report = os.fdopen(report_fd, "w") if report_fd >= 0 else None
    try:
        settings = load_settings(data_dir)
        usual = [*SERVICES, *(CONSOLE if settings.console is not None else ())]
        names = [service_name(name) for name in only.split(",") if name.strip()] or usual
        services = {name: entry for name, entry in {**SERVICES, **CONSOLE}.items() if name in names}
        check_profiles(settings.capabilities)
        return Supervisor(settings, services, background=background, keep=keep, report=report).run()
    except ArreioError as error:
        if report is not None and not report.closed:
            held = {"held": True} if isinstance(error, EngineHeld) else {}
            report.write(json.dumps({"error": error.message, "hint": error.hint, **held}) + "\n")
            report.close()
        raise


def serve(
    service: Annotated[
        str, typer.Argument(help="gateway, context_builder, tool_loop, gate_runner, learning or console.")
    ],
    data_dir: DataDirOption = None,
) -> int:
    """Run one service in the foreground against a provisioned engine; its log goes to standard error.

    Beside a running `arreio up` this is how a replica is added. It waits a minute for the schema of its version.
    """
    from arreio.launcher import attach
    from arreio.service_process import CONSOLE, SERVICES, run_service, service_name
    from services.tool_loop.models.capability import check_profiles
    from shared.engine.paths import DataDir
    from shared.settings import load_settings

    name = service_name(service)
    settings = load_settings(data_dir)
    check_profiles(settings.capabilities)
    _await_schema(settings, name)
    place = DataDir(settings.home)
    place.prepare()
    attach(place)
    return run_service(name, {**SERVICES, **CONSOLE}[name], settings)


def _await_schema(settings: Settings, name: str, patience: float = _SCHEMA_PATIENCE) -> None:
    """Wait until the engine is provisioned for this version: in an upgrade a replica may start before that is done."""
    from shared.engine.child import wait_until
    from shared.provision import is_current

    if is_current(settings, name):
        return
    typer.echo("waiting for `arreio provision` of this version", err=True)
    if not wait_until(lambda: is_current(settings, name), patience):
        raise ArreioError("the engine is not provisioned for this version", "run `arreio provision`")


def provision(data_dir: DataDirOption = None) -> None:
    """Make schema, roles, streams and consumers, on the running engine or on one started for it; safe to repeat."""
    from shared.engine.engine import running_engine
    from shared.engine.state import read_state
    from shared.provision import provision as provision_now
    from shared.settings import load_settings

    settings = load_settings(data_dir)
    if not settings.embedded or read_state(_place(settings.home)) is not None:
        provision_now(settings)
    else:
        with running_engine(settings):
            provision_now(settings)
    say("provisioned")


def status(data_dir: DataDirOption = None, as_json: JsonOption = False) -> None:
    """Show what runs on the data directory: the engine and every service process."""
    from arreio.hanging import hanging
    from arreio.service_process import live_services
    from shared.engine.locks import engine_holder
    from shared.engine.state import read_state
    from shared.settings import load_settings

    settings = load_settings(data_dir)
    place = _place(settings.home)
    holder, state, services = engine_holder(place), read_state(place), live_services(place)
    stuck = hanging(place)
    phase = (state.phase if state else "starting") if holder else "down"
    if as_json:
        answer: dict[str, Any] = {
            "data_dir": str(settings.home),
            "phase": phase,
            "pid": holder.pid if holder else None,
            "since": holder.since if holder else None,
            "background": bool(state and state.background),
            "services": [{"name": one.name, "pid": one.pid, "since": one.since} for one in services],
            "hanging": stuck,
        }
        say(json.dumps(answer))
        return
    if holder is None:
        say(f"nothing is up on {settings.home}")
    else:
        kind = " in the background" if state and state.background else ""
        say(f"{phase}{kind} on {settings.home} (pid {holder.pid}, since {holder.since})")
    for one in services:
        say(f"{one.name:<16} pid {one.pid}, since {one.since}")
    for name, what in stuck.items():
        say(f"{name} {what}: tasks wait for it; see `arreio doctor`")


def stop(data_dir: DataDirOption = None) -> None:
    """End what runs on the data directory: the services hand over, then the engine stops.

    Those of other machines and containers that share it are ended there.
    """
    from shared.engine.child import wait_until
    from shared.engine.locks import engine_holder
    from shared.processes import end_process
    from shared.settings import load_settings

    settings = load_settings(data_dir)
    place = _place(settings.home)
    holder, services = engine_holder(place), _live_here(place)
    if holder is None and not services:
        say(f"nothing is up on {settings.home}")
        return
    if holder is not None and holder.pid is not None:
        end_process(holder.pid, None, signal.SIGTERM)
    for one in services:
        end_process(one.pid, None, signal.SIGTERM)
    if not wait_until(lambda: engine_holder(place) is None and not _live_here(place), _STOP_PATIENCE):
        pid = holder.pid if holder else services[0].pid
        raise ArreioError(f"it is still stopping after {_STOP_PATIENCE:.0f} s", f"`kill -9 {pid}` ends it hard")
    say("stopped")


def _live_here(place: DataDir) -> list[LiveService]:
    from arreio.service_process import live_services

    return [one for one in live_services(place) if one.here]


def info(data_dir: DataDirOption = None, as_json: JsonOption = False) -> None:
    """Show addresses and where the credentials lie, for adapters and subscribers. No password is shown."""
    from shared.engine.errors import EngineDown
    from shared.engine.http_address import http_url
    from shared.engine.state import read_state
    from shared.observing.addresses import metrics_urls
    from shared.settings import load_settings
    from shared.telemetry import mask_passwords

    settings = load_settings(data_dir)
    place = _place(settings.home)
    if settings.database_url is not None and settings.nats_url is not None:
        answer: dict[str, Any] = {
            "data_dir": str(settings.home),
            "nats": {"url": mask_passwords(settings.nats_url)},
            "postgres": {"url": mask_passwords(settings.database_url)},
            "credentials": "in ARREIO_DATABASE_URL and ARREIO_NATS_URL",
        }
    else:
        state = read_state(place)
        if state is None:
            raise EngineDown(settings.home)
        known = settings.credentials()
        answer = {
            "data_dir": str(settings.home),
            "nats": {"url": state.nats_url, "users": sorted(known.nats)},
            "postgres": {
                "host": state.socket_dir,
                "port": state.postgres_port,
                "database": "arreio",
                "roles": sorted(known.postgres),
            },
            "credentials": str(place.credentials),
        }
    answer["http"] = {"url": http_url(place.http)}
    answer["console"] = {"url": http_url(place.console)}
    answer["metrics"] = [{"service": service, "pid": pid, "url": url} for service, pid, url in metrics_urls(place)]
    if as_json:
        say(json.dumps(answer))
        return
    for name in ("nats", "postgres"):
        parts = (
            f"{key} {', '.join(value) if isinstance(value, list) else value}" for key, value in answer[name].items()
        )
        say(f"{name:<12} {'; '.join(parts)}")
    say(f"{'http':<12} {answer['http']['url'] or 'not served: there is no channel yet, or ARREIO_HTTP=off'}")
    say(f"{'console':<12} {answer['console']['url'] or 'not served: see docs/console.md'}")
    for one in answer["metrics"]:
        say(f"{'metrics':<12} {one['url']} ({one['service']}, pid {one['pid']})")
    if not answer["metrics"]:
        say(f"{'metrics':<12} not served: ARREIO_METRICS is not set")
    say(f"{'credentials':<12} {answer['credentials']}")
    say(f"{'data':<12} {answer['data_dir']}")


def doctor(data_dir: DataDirOption = None, as_json: JsonOption = False) -> int:
    """Check everything that a first user can get wrong; each finding comes with the way out."""
    from arreio.doctor import examine

    checks = examine(data_dir)
    if as_json:
        for check in checks:
            say(json.dumps(check._asdict()))
    else:
        for check in checks:
            mark = {"ok": "ok   ", "note": "note ", "wrong": "WRONG"}[check.verdict]
            say(f"{mark} {check.name:<14} {check.detail}{f'; {check.hint}' if check.hint else ''}")
    return 1 if any(check.verdict == "wrong" for check in checks) else 0


def _place(home: Path) -> Any:
    from shared.engine.paths import DataDir

    return DataDir(home)
