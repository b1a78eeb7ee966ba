"""`run/http.json`: where the gateway's HTTP API of a data directory listens."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from shared.engine.paths import DataDir, write_private
from shared.processes import is_alive, start_time


@contextmanager
def announced(data_dir: DataDir, url: str) -> Iterator[None]:
    """Tell where this process serves the API, as long as it does."""
    pid = os.getpid()
    write_private(data_dir.http, json.dumps({"pid": pid, "started": start_time(pid), "url": url}) + "\n")
    try:
        yield
    finally:
        data_dir.http.unlink(missing_ok=True)


def http_url(data_dir: DataDir) -> str | None:
    """The address of the API; None while it is not served."""
    try:
        raw = json.loads(data_dir.http.read_text())
        return str(raw["url"]) if is_alive(int(raw["pid"]), raw["started"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
