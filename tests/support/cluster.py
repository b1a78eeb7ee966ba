"""A JetStream cluster of three servers on loopback, each of which may be killed."""

from __future__ import annotations

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shared.engine.child import nats_binary, spawn

NODES = ("one", "two", "three")


@dataclass(frozen=True)
class Cluster:
    """The running servers by name; `url` names them all."""

    servers: dict[str, subprocess.Popen[bytes]]
    url: str

    def kill(self, node: str) -> None:
        """SIGKILL a server."""
        self.servers[node].kill()
        self.servers[node].wait()


@contextmanager
def running_cluster(place: Path) -> Iterator[Cluster]:
    """Three servers with their stores below `place`; they end with the block."""
    ports = _free_ports(2 * len(NODES))
    clients, routes = ports[: len(NODES)], ports[len(NODES) :]
    servers = {}
    try:
        for node, client, route in zip(NODES, clients, routes, strict=True):
            config = {
                "server_name": node,
                "listen": f"127.0.0.1:{client}",
                "jetstream": {"store_dir": str(place / node), "max_file_store": 8 << 30},
                "cluster": {
                    "name": "arreio",
                    "listen": f"127.0.0.1:{route}",
                    "routes": [f"nats://127.0.0.1:{port}" for port in routes],
                },
            }
            file = place / f"{node}.conf"
            file.write_text(json.dumps(config))
            servers[node] = spawn([str(nats_binary()), "-c", str(file)], place / f"{node}.log")
        yield Cluster(servers, ",".join(f"nats://127.0.0.1:{port}" for port in clients))
    finally:
        for server in servers.values():
            server.kill()
            server.wait()


def _free_ports(count: int) -> list[int]:
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [int(probe.getsockname()[1]) for probe in probes]
    for probe in probes:
        probe.close()
    return ports
