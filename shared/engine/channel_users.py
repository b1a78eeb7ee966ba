"""NATS users of adapters on the embedded engine: made and taken away while it runs."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
from collections.abc import Iterator

from arreio_contracts import adapters

from shared.engine.child import wait_until
from shared.engine.credentials import Credentials, load_credentials, save_credentials
from shared.engine.locks import lock
from shared.engine.nats import answers, write_config
from shared.engine.paths import DataDir
from shared.engine.state import read_state

_PATIENCE = 10.0


def set_user(data_dir: DataDir, channel: str) -> str:
    """Give the channel's NATS user a new password, make the user where there is none, and return the password.

    The server disconnects whoever is logged in as that user.

    Raises:
        EngineDown: the data directory has no credentials yet.
    """
    password = secrets.token_urlsafe(24)
    with _credentials(data_dir) as known:
        users = {**known.nats, adapters.nats_user(channel): password}
        _use(data_dir, Credentials(postgres=known.postgres, nats=users))
    state = read_state(data_dir)
    if state is not None:
        # The server reads its users again a moment after it was told to.
        wait_until(lambda: _lets_in(state.nats_port, adapters.nats_user(channel), password), _PATIENCE)
    return password


def remove_user(data_dir: DataDir, channel: str) -> None:
    """Take the channel's NATS user away; whoever is logged in as that user is disconnected."""
    with _credentials(data_dir) as known:
        users = {name: password for name, password in known.nats.items() if name != adapters.nats_user(channel)}
        _use(data_dir, Credentials(postgres=known.postgres, nats=users))


@contextlib.contextmanager
def _credentials(data_dir: DataDir) -> Iterator[Credentials]:
    """The credentials, which nobody else changes meanwhile."""
    fd = lock(data_dir.credentials_lock, wait=True)
    assert fd is not None
    try:
        yield load_credentials(data_dir)
    finally:
        os.close(fd)


def _use(data_dir: DataDir, credentials: Credentials) -> None:
    save_credentials(data_dir, credentials)
    state = read_state(data_dir)
    if state is None:
        return  # the next start writes the configuration
    write_config(data_dir, credentials, state.nats_port)
    with contextlib.suppress(OSError, ValueError):
        os.kill(int(data_dir.nats_pid.read_text()), signal.SIGHUP)


def _lets_in(port: int, user: str, password: str) -> bool:
    with contextlib.suppress(OSError):
        return answers(port, user, password)
    return False
