"""`run/http.json` and `run/console.json`: where the HTTP API and the console of a data directory listen."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.engine.paths import write_private
from shared.processes import is_alive, start_time


@contextmanager
def announced(place: Path, url: str) -> Iterator[None]:
    """Tell in the file `place` where this process serves, as long as it does."""
    pid = os.getpid()
    write_private(place, json.dumps({"pid": pid, "started": start_time(pid), "url": url}) + "\n")
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def http_url(place: Path) -> str | None:
    """The address that the file `place` tells; None while nothing is served there."""
    try:
        raw = json.loads(place.read_text())
        return str(raw["url"]) if is_alive(int(raw["pid"]), raw["started"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
