"""`run/engine.json`: where the engine of a data directory listens, and how far it has come."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime

from shared.engine.paths import DataDir, write_private
from shared.processes import is_alive, start_time

PHASES = ("starting", "provisioned", "ready", "stopping")  # servers answer; schema and streams stand; services serve


@dataclass(frozen=True)
class EngineState:
    """Written by the process that holds the engine's lock; valid only while that process lives."""

    pid: int
    pid_started: int | None
    since: str
    phase: str  # one of PHASES
    background: bool
    socket_dir: str
    postgres_port: int
    nats_port: int

    @property
    def nats_url(self) -> str:
        return f"nats://127.0.0.1:{self.nats_port}"


def new_state(*, background: bool, socket_dir: str, postgres_port: int, nats_port: int, phase: str) -> EngineState:
    """The state of an engine that this process runs."""
    return EngineState(
        pid=os.getpid(),
        pid_started=start_time(os.getpid()),
        since=now_text(),
        phase=phase,
        background=background,
        socket_dir=socket_dir,
        postgres_port=postgres_port,
        nats_port=nats_port,
    )


def with_phase(state: EngineState, phase: str) -> EngineState:
    """The state, in another phase."""
    return dataclasses.replace(state, phase=phase)


def write_state(data_dir: DataDir, state: EngineState) -> None:
    """Replace the state file (0600)."""
    write_private(data_dir.state, json.dumps(dataclasses.asdict(state)) + "\n")


def read_state(data_dir: DataDir) -> EngineState | None:
    """The state of the engine that is up; None when none is, or when the file is a dead engine's."""
    try:
        state = EngineState(**json.loads(data_dir.state.read_text()))
    except (OSError, ValueError, TypeError):
        return None
    return state if is_alive(state.pid, state.pid_started) else None


def now_text() -> str:
    """Now, as people and programs read it: UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
