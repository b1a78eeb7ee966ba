"""Arreio on several hosts: one has the engine, as a deployment has it, each other one a replica of every service."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Self

import psycopg

from shared.outbox.relay import LOCK
from tests.support.deployment import Deployed, settings_of
from tests.support.host_services import Plan
from tests.support.house import SERVICES, House
from tests.support.network import Network
from tests.support.programs import Program, start


class Hosts(House):
    """The services on every host of a network, within a `with` block; who looks, does so from the engine's host."""

    def __init__(self, deployed: Deployed, network: Network, logs: Path, **more: str) -> None:
        super().__init__(deployed.home, **deployed.secrets_of("operator"))
        self.settings = settings_of(deployed)
        self._network = network
        self._admin = deployed.admin
        variables = {
            name: {"ARREIO_HOME": str(deployed.home), **deployed.secrets_of(name), **more} for name in SERVICES
        }
        files = {name: host.file for name, host in network.hosts.items()}
        self._plan = Plan(files, variables, str(logs)).write(logs / "plan.json")
        self._services: Program | None = None

    def __enter__(self) -> Self:
        self._services = start(["-m", "tests.support.host_services", str(self._plan)], self.place)
        try:
            said = self._services.line(lambda line: line == "ready" or " ended " in line)
            assert said == "ready", said
        except BaseException:
            self.end()
            raise
        return self

    def end(self) -> None:
        """Stop the services in good order; fails where one failed."""
        services, self._services = self._services, None
        self._disconnect()
        if services is not None:
            try:
                status = services.end()
            except subprocess.TimeoutExpired:
                services.process.kill()
                raise
            assert status == 0, services.lines

    def relaying(self) -> str | None:
        """The host of the active relay; None while there is none."""
        query = (
            "SELECT host(client_addr) FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE locktype = 'advisory' AND objid = %s AND granted"
        )
        with psycopg.connect(self._admin) as connection:
            found = connection.execute(query, (LOCK,)).fetchone()
        names = {host.address: name for name, host in self._network.hosts.items()}
        return names.get(found[0]) if found else None

    def on(self, host: str) -> set[str]:
        """The sessions whose task a host has under lease now."""
        rows = self.rows(
            "SELECT t.session_id FROM arreio.leases l JOIN arreio.tasks t ON t.task_id = l.id "
            "WHERE l.kind = 'task' AND l.owner LIKE %s",
            f"{host}%",
        )
        return {session for (session,) in rows}
