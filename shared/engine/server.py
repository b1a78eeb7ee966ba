"""What a server of the engine offers to whoever keeps it alive."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class Server(Protocol):
    """One server process at a time, started by and ending with the thread that calls `spawn`."""

    name: str
    log: Path

    def spawn(self) -> None:
        """Start it; at the same address every time. Returns at once."""

    def poll(self) -> int | None:
        """The exit status once it has ended, as of `subprocess` (negative: the signal)."""

    def is_ready(self) -> bool:
        """Whether it serves."""

    def is_stuck(self) -> bool:
        """Whether it runs, but has met something that only a new start mends."""

    def stop(self) -> None:
        """End it in good order, or at all."""
