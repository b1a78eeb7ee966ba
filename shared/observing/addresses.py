"""`run/metrics/<service>.<pid>.json`: where each service process of a data directory shows its health and metrics."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from shared.engine.paths import DataDir, write_private
from shared.processes import is_alive, start_time


@contextmanager
def announced(data_dir: DataDir, service: str, url: str) -> Iterator[None]:
    """Tell where this process is watched, as long as it can be."""
    pid = os.getpid()
    data_dir.metrics.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir.metrics / f"{service}.{pid}.json"
    said = {"service": service, "pid": pid, "started": start_time(pid), "url": url}
    write_private(path, json.dumps(said) + "\n")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def metrics_urls(data_dir: DataDir) -> list[tuple[str, int, str]]:
    """Service, process id and URL of each process that is served now, by port. What the dead left is removed."""
    found = []
    for path in data_dir.metrics.glob("*.json"):
        try:
            raw = json.loads(path.read_text())
            if is_alive(int(raw["pid"]), raw["started"]):
                found.append((str(raw["service"]), int(raw["pid"]), str(raw["url"])))
            else:
                path.unlink(missing_ok=True)
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return sorted(found, key=lambda one: (int(one[2].rpartition(":")[2]), one))
