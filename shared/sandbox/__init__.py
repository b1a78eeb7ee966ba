"""Runs a command of the model's in bubblewrap: the workspace writable, the rest read-only or hidden, all bounded.

`run` is the one way in. A result says how the command ended; a sandbox that cannot start raises `SandboxUnavailable`.
"""

from shared.sandbox.command import SandboxKind, confined, orphans_ended, run, sandbox_works
from shared.sandbox.limits import CommandResult, KilledBy, Limits, SandboxUnavailable
from shared.sandbox.orphans import end_orphans
from shared.sandbox.view import environment
from shared.sandbox.watch import exceeded

__all__ = [
    "CommandResult",
    "KilledBy",
    "Limits",
    "SandboxKind",
    "SandboxUnavailable",
    "confined",
    "end_orphans",
    "environment",
    "exceeded",
    "orphans_ended",
    "run",
    "sandbox_works",
]
