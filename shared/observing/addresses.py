"""`run/metrics/<service>.<pid>.<place>.json`: where each service process shows its health and metrics."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from shared.canonical import sha256_hex
from shared.engine.paths import DataDir, write_private
from shared.processes import is_alive, pid_space, start_time


@contextmanager
def announced(data_dir: DataDir, service: str, url: str) -> Iterator[None]:
    """Tell where this process is watched, as long as it can be."""
    pid = os.getpid()
    data_dir.metrics.mkdir(mode=0o700, parents=True, exist_ok=True)
    space = pid_space()
    path = data_dir.metrics / f"{service}.{pid}.{sha256_hex(space)[:8]}.json"
    said = {"service": service, "pid": pid, "started": start_time(pid), "url": url, "space": space}
    write_private(path, json.dumps(said) + "\n")
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def metrics_urls(data_dir: DataDir) -> list[tuple[str, int, str]]:
    """Service, process id and URL of each process that is served now, by port. What the dead left is removed.

    Those of other machines and containers, which may share the data directory, are neither shown nor judged.
    """
    found = []
    for path in data_dir.metrics.glob("*.json"):
        try:
            raw = json.loads(path.read_text())
            if raw.get("space", pid_space()) != pid_space():
                continue
            if is_alive(int(raw["pid"]), raw["started"]):
                found.append((str(raw["service"]), int(raw["pid"]), str(raw["url"])))
            else:
                path.unlink(missing_ok=True)
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return sorted(found, key=lambda one: (int(one[2].rpartition(":")[2]), one))
