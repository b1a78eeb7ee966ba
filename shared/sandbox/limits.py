"""What bounds a sandboxed command, how it ended, and the one error of the sandbox."""

from dataclasses import dataclass
from typing import Literal

KilledBy = Literal["time", "memory", "output", "processes", "disk", "cancelled"]

MIB = 1024 * 1024


class SandboxUnavailable(Exception):
    """The sandbox could not start; nothing of the command ran. The text names the reason in one line."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one command; every one ends the whole namespace when it is passed, except `kept_output_bytes`."""

    seconds: float = 600.0
    kept_output_bytes: int = 64 * 1024
    """Head and tail kept of the output together; what lies between is counted and dropped."""
    output_bytes: int = 64 * MIB
    """Output beyond which the command is ended."""
    memory_bytes: int = 4096 * MIB
    """Resident memory of all processes together, shared pages counted once."""
    processes: int = 512
    written_bytes: int = 4096 * MIB
    """Bytes written to disk by all processes, the ended ones included."""
    temporary_bytes: int = 1024 * MIB
    """Size of each private file system in memory (`/tmp`, the home directory)."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """How a command ended. `exit_status` is None where the harness ended it; 128 + N where signal N did."""

    exit_status: int | None
    output: str
    """Standard output and error in the order written, decoded with replacement, the middle dropped beyond the limit."""
    truncated: bool
    timed_out: bool
    killed_by: KilledBy | None
    seconds: float
    dropped_bytes: int = 0
