"""Runs a command of the model's in bubblewrap: the workspace writable, the rest read-only or hidden, all bounded.

`run` is the one way in. A result says how the command ended; a sandbox that cannot start raises `SandboxUnavailable`.
"""

from shared.sandbox.command import SandboxKind, orphans_ended, run, sandbox_works
from shared.sandbox.limits import CommandResult, KilledBy, Limits, SandboxUnavailable

__all__ = [
    "CommandResult",
    "KilledBy",
    "Limits",
    "SandboxKind",
    "SandboxUnavailable",
    "orphans_ended",
    "run",
    "sandbox_works",
]
