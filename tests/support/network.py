"""Several machines on one: network namespaces whose links hang on a bridge of this one, and can be cut."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import subprocess
from dataclasses import dataclass
from types import TracebackType
from typing import Self

_NET = "198.18"
"""A range that is kept for measuring networks (RFC 2544): no machine has it otherwise."""


@dataclass(frozen=True)
class Host:
    """A network namespace with one link; `port` is the other end of it, here."""

    namespace: str
    port: str
    address: str

    @property
    def file(self) -> str:
        """What a process enters to be on this host."""
        return f"/run/netns/{self.namespace}"


class Network:
    """A bridge on this machine, which has the address `address` there, and a host for each name, within `with`.

    Who is cut off sends and is sent to as before, and nothing arrives: no address is unknown and no link is down, so
    that nobody is told.
    """

    def __init__(self, *names: str) -> None:
        token, third = secrets.token_hex(2), secrets.randbelow(254) + 1
        self.address = f"{_NET}.{third}.1"
        self._bridge = f"arb{token}"
        self.hosts = {
            name: Host(f"ar{token}{name}", f"arv{token}{number}", f"{_NET}.{third}.{number}")
            for number, name in enumerate(names, 2)
        }

    def __enter__(self) -> Self:
        try:
            ip("link", "add", self._bridge, "address", _mac(1), "type", "bridge")
            ip("addr", "add", f"{self.address}/24", "dev", self._bridge)
            ip("link", "set", self._bridge, "up")
            for number, host in enumerate(self.hosts.values(), 2):
                self._join(host, number)
        except BaseException:
            self._remove()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._remove()

    def cut(self, name: str) -> None:
        """Let every packet from and to a host vanish."""
        ip("link", "set", self.hosts[name].port, "nomaster")

    def heal(self, name: str) -> None:
        """Let them pass again."""
        ip("link", "set", self.hosts[name].port, "master", self._bridge)

    def _join(self, host: Host, number: int) -> None:
        inside = ("-n", host.namespace)
        ip("netns", "add", host.namespace)
        peer = ("peer", "name", "eth0", "address", _mac(number), "netns", host.namespace)
        ip("link", "add", host.port, "type", "veth", *peer)
        ip(*inside, "link", "set", "lo", "up")
        ip(*inside, "addr", "add", f"{host.address}/24", "dev", "eth0")
        ip(*inside, "link", "set", "eth0", "up")
        ip("link", "set", host.port, "up", "master", self._bridge)
        # Known for good: an address that nobody answers to is soon refused, and a lost packet is not.
        ip(*inside, "neigh", "replace", self.address, "lladdr", _mac(1), "dev", "eth0", "nud", "permanent")
        ip("neigh", "replace", host.address, "lladdr", _mac(number), "dev", self._bridge, "nud", "permanent")

    def _remove(self) -> None:
        for host in self.hosts.values():
            for command in (("netns", "del", host.namespace), ("link", "del", host.port)):
                with contextlib.suppress(subprocess.CalledProcessError):
                    ip(*command)
        with contextlib.suppress(subprocess.CalledProcessError):
            ip("link", "del", self._bridge)


def ip(*arguments: str) -> None:
    """Run `ip` of iproute2. Raises CalledProcessError where it fails."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


def _mac(number: int) -> str:
    return f"02:00:5e:10:00:{number:02x}"


def lacking() -> str | None:
    """Why no network can be made here; None where it can."""
    if os.geteuid() != 0:
        return "only root makes network namespaces"
    if shutil.which("ip") is None:
        return "no `ip` is installed (apt-get install iproute2)"
    try:
        with Network("a"):
            return None
    except subprocess.CalledProcessError as error:
        return f"no network can be made here: {str(error.stderr).strip()}"
