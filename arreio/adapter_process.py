"""The process of an adapter: its secrets out of the environment, its line to Arreio, and one of it for a channel."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arreio_contracts import adapters, subjects

from arreio.options import say
from arreio.platform_options import http_address, nats_addresses
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from services.gateway.adapters.fitting import Upload
    from services.gateway.adapters.link import Access
    from services.gateway.adapters.platform import Platform

PASSWORD: Final = "ARREIO_CHANNEL_PASSWORD"
TOKEN: Final = "ARREIO_CHANNEL_TOKEN"


@dataclass(frozen=True)
class Reach:
    """Which channel is served, and how Arreio is reached. The `…_env` are names of variables.

    What is None is taken from the data directory, or from ARREIO_NATS_URL.
    """

    channel: str
    nats_url: str | None
    password_env: str
    url: str | None
    token_env: str
    data_dir: Path | None


def secret(variable: str, what: str, otherwise: str = "") -> str:
    """What a variable of the environment holds, or the file of its name in ARREIO_SECRETS_DIR.

    Raises:
        ArreioError: it holds nothing.
    """
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", variable):
        # Perhaps the secret itself: it is not repeated.
        raise ArreioError(f"what stands for {what} is no name of a variable", "name the variable that holds it")
    found = _held(variable)
    if not found:
        raise ArreioError(f"{variable} is not set: it holds {what}", otherwise or f"set {variable} to it")
    return found


def need(module: str, extra: str) -> None:
    """Say how a platform's library is had, where it is missing."""
    if importlib.util.find_spec(module) is None:
        raise ArreioError(f"the library for {extra} is not installed", f"pip install 'arreio[{extra}]'")


def serve(reach: Reach, make: Callable[[], Platform]) -> None:
    """Serve the channel until Ctrl-C or SIGTERM; `make` is called in the running loop.

    Raises:
        ArreioError: a secret is missing or refused, or the channel is served by another process here.
    """
    from services.gateway.adapters.running import run_adapter
    from shared.engine.locks import lock
    from shared.telemetry import configure_logging

    subjects.token(reach.channel, "channel")
    if reach.url is not None:
        http_address("--url", reach.url)
    settings = load_settings(reach.data_dir)
    access, upload = _access(reach, settings), _upload(reach, settings)
    place = settings.home / "adapters"
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    held = lock(place / f"{reach.channel}.lock")
    if held is None:
        raise ArreioError(f"the channel {reach.channel!r} is served by another process here", "end that one first")
    configure_logging("adapter", settings.log_level)

    def ready(name: str) -> None:
        say(f"ready: {name} on the channel {reach.channel}")

    async def run() -> None:
        journal = place / f"{reach.channel}.json"
        await run_adapter(access, make(), journal, upload=upload, ready=ready)

    try:
        asyncio.run(run())
    finally:
        os.close(held)


def _access(reach: Reach, settings: Settings) -> Access:
    from services.gateway.adapters.link import Access
    from shared.engine.paths import DataDir

    servers = reach.nats_url or settings.nats_url
    password = _held(reach.password_env)
    if servers is None:
        from arreio.launcher import ensure_up

        ensure_up(settings, keep=False)
        servers = settings.nats_options("operator")["servers"][0]
        password = password or settings.credentials().nats.get(adapters.nats_user(reach.channel), "")
        if not password:
            raise ArreioError(
                f"there is no channel {reach.channel!r} on {DataDir(settings.home).root}",
                f"'arreio channels add {reach.channel}' makes it",
            )
    addresses = nats_addresses("--nats-url" if reach.nats_url else "ARREIO_NATS_URL", servers)
    password = password or secret(reach.password_env, "the channel's NATS password")
    return Access(addresses, reach.channel, password, settings.nats_tls())


def _upload(reach: Reach, settings: Settings) -> Upload | None:
    from services.gateway.adapters.uploading import uploading
    from shared.engine.http_address import http_url
    from shared.engine.paths import DataDir

    token = _held(reach.token_env)
    if not token:
        return None
    return uploading(reach.channel, token, lambda: reach.url or http_url(DataDir(settings.home).http))


def _held(variable: str) -> str:
    found, folder = os.environ.get(variable, "").strip(), load_settings().secrets_dir
    if not found and folder is not None:
        with contextlib.suppress(OSError):
            return (folder / variable).read_text(encoding="utf-8").strip()
    return found
