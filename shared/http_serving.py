"""An HTTP server inside a service: it listens where a setting says, and leaves signals to its service."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from shared.errors import ArreioError

# uvicorn takes long to import, which a service that serves nothing shall not wait for.
if TYPE_CHECKING:
    from uvicorn import Server

LAST_ANSWERS: Final = 2
"""Seconds that requests under way get when the service stops; streams end at once."""


def quiet_server(app: Any) -> Server:
    """A server of an ASGI application that logs no access and takes no signal.

    What X-Forwarded-For and X-Forwarded-Proto say is believed of the proxies in FORWARDED_ALLOW_IPS alone. uvicorn
    would believe every program of this machine unless told otherwise.
    """
    import uvicorn

    class InService(uvicorn.Server):
        """A server whose signals are its service's own."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    proxies = os.environ.get("FORWARDED_ALLOW_IPS", "").strip()
    config = uvicorn.Config(
        app,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        log_config=None,
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=LAST_ANSWERS,
    )
    return InService(config)


def address(setting: str) -> tuple[str, int]:
    """Host and port of a setting HOST:PORT; without a host it is loopback."""
    host, _, port = setting.rpartition(":")
    return host.strip("[]") or "127.0.0.1", int(port)


def listen(host: str, port: int, *, what: str, variable: str) -> socket.socket:
    """A listening socket; port 0 is any that is free.

    Raises:
        ArreioError: it cannot listen there; `variable` is the setting to change.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        raise ArreioError(
            f"{what} cannot listen on {host}:{port}: {error}", f"set {variable} to another HOST:PORT"
        ) from error


def url_of(listening: socket.socket) -> str:
    """The address of a listening socket as a URL."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
