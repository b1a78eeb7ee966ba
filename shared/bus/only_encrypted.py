"""A NATS client that was told to speak TLS logs in by TLS or not at all.

nats-py begins TLS where the server's first line, which is plaintext, says that it must; whoever stands between the
two can take that out, and would be sent the password.
"""

from __future__ import annotations

import logging
from functools import cache

import nats.errors
from nats.aio.client import Client

log = logging.getLogger(__name__)

_ENCRYPTED = ("tls", "wss")


class PlaintextRefused(nats.errors.Error):
    """The server, or somebody before it, offers no TLS."""

    def __str__(self) -> str:
        return "nats: the server offers no TLS, which ARREIO_NATS_URL or ARREIO_NATS_CA asks for"


@cache
def refuse_plaintext() -> None:
    """Have every client of this process that has certificates, or a `tls:` or `wss:` address, refuse plaintext.

    Such a client raises PlaintextRefused, as it does any other error of connecting, before it sends a login.
    """
    login = Client._connect_command

    def guarded(client: Client) -> bytes:
        if _must(client) and not _is(client):
            _tell()
            raise PlaintextRefused
        return login(client)

    setattr(Client, login.__name__, guarded)


@cache
def _tell() -> None:
    """Say it once: clients try again for ever."""
    log.critical("%s; nothing was sent", PlaintextRefused())


def _must(client: Client) -> bool:
    server = client._current_server
    return client.options.get("tls") is not None or (server is not None and server.uri.scheme in _ENCRYPTED)


def _is(client: Client) -> bool:
    server, transport = client._current_server, client._transport
    if server is not None and server.uri.scheme in ("ws", "wss"):
        return server.uri.scheme == "wss" or bool(getattr(transport, "_using_tls", False))
    writer = getattr(transport, "_io_writer", None)
    return writer is not None and writer.get_extra_info("ssl_object") is not None
