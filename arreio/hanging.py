"""What runs on a data directory and does not go on: a process that was stopped, a server that greets nobody."""

from __future__ import annotations

import socket

from arreio.service_process import live_services
from shared.engine.paths import DataDir
from shared.engine.state import read_state
from shared.processes import is_stopped

_PATIENCE = 3.0
"""Seconds within which NATS greets, also on a busy machine."""


class Hangs:
    """Looks again and again; only what so many looks in a row find is said, for a busy machine is slow to answer."""

    def __init__(self, place: DataDir, looks: int) -> None:
        self._place = place
        self._looks = looks
        self._seen: dict[str, int] = {}

    def news(self) -> list[str]:
        """Look once: a line for what is now known to hang, and for what goes on again. May take three seconds."""
        found = hanging(self._place)
        before, self._seen = self._seen, {name: self._seen.get(name, 0) + 1 for name in found}
        stuck = [f"{name} {found[name]}" for name, looks in self._seen.items() if looks == self._looks]
        goes_on = [f"{name} goes on" for name, looks in before.items() if looks >= self._looks and name not in found]
        return [*stuck, *goes_on]


def hanging(place: DataDir) -> dict[str, str]:
    """Each server and service that hangs, with what is the matter; empty while the engine starts, or is not there."""
    state = read_state(place)
    found = {one.name: "is stopped" for one in live_services(place) if one.here and is_stopped(one.pid)}
    if state is not None:
        if is_stopped(_postmaster(place)):
            found["PostgreSQL"] = "is stopped"
        if not _greets(state.nats_port):
            found["NATS"] = "does not answer"
    return found


def _postmaster(place: DataDir) -> int | None:
    try:
        return int((place.postgres / "postmaster.pid").read_text().splitlines()[0])
    except (OSError, ValueError, IndexError):
        return None


def _greets(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), _PATIENCE) as connection:
            return connection.recv(5) == b"INFO "
    except ConnectionRefusedError:
        return True  # It is not there: whoever keeps it alive says so.
    except OSError:
        return False
