"""Joining the engine of a data directory, or starting one in the background when there is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from shared.engine.locks import engine_holder, lock
from shared.engine.paths import DataDir, os_error
from shared.engine.state import read_state
from shared.errors import ArreioError
from shared.settings import Settings, environment

_JOIN_PATIENCE = 150.0  # seconds: longer than an engine may take to start
_attached: dict[Path, int] = {}
_started: list[subprocess.Popen[bytes]] = []


class BackgroundFailed(ArreioError):
    """The engine that was to run in the background could not start; the message is its own."""


def ensure_up(settings: Settings, keep: bool) -> None:
    """Have an engine with its services on the data directory, and stay attached to it while this process lives.

    Returns once it is provisioned: what is published from then on is stored, and the services are starting or there.
    `keep` makes a background engine stay when idle. With external servers nothing is started.
    Raises BackgroundFailed, or DataDirError when the data directory cannot be used.
    """
    if not settings.embedded:
        return
    data_dir = DataDir(settings.home)
    data_dir.prepare()
    attach(data_dir)
    starting = lock(data_dir.start_lock, wait=True)
    assert starting is not None
    try:
        deadline = time.monotonic() + _JOIN_PATIENCE
        while not _joined(data_dir, deadline):
            _start(settings, data_dir, keep)
        if keep:
            data_dir.keep.touch(mode=0o600)
    finally:
        os.close(starting)


def attach(data_dir: DataDir) -> None:
    """Count as a client until this process ends: a background engine does not stop for idleness meanwhile.

    Waits for one that is just stopping for idleness.
    """
    if data_dir.root not in _attached:
        fd = lock(data_dir.clients_lock, shared=True, wait=True)
        assert fd is not None
        _attached[data_dir.root] = fd


def _joined(data_dir: DataDir, deadline: float) -> bool:
    """Wait for whoever holds the engine to be provisioned; False when nobody holds it (any more)."""
    while engine_holder(data_dir) is not None:
        state = read_state(data_dir)
        if state is not None and state.phase in {"provisioned", "ready"}:
            return True
        if time.monotonic() > deadline:
            raise BackgroundFailed(
                f"the engine on {data_dir.root} is not ready after {_JOIN_PATIENCE:.0f} s", "see `arreio status`"
            )
        time.sleep(0.05)
    return False


def _start(settings: Settings, data_dir: DataDir, keep: bool) -> None:
    reader, writer = os.pipe()
    log = data_dir.logs / "up.log"
    command = [sys.executable, "-m", "arreio", "up", "--background", "--report-fd", str(writer)]
    try:
        output = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        os.close(reader)
        os.close(writer)
        raise os_error(error, log) from None
    try:
        child = subprocess.Popen(
            [*command, "--keep"] if keep else command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env=os.environ | environment(settings),
            cwd=data_dir.root,
            pass_fds=(writer,),
            start_new_session=True,
        )
        _started.append(child)  # it outlives us: not to be waited for
    finally:
        os.close(output)
        os.close(writer)
    with os.fdopen(reader) as report:
        line = report.readline()
    said = json.loads(line) if line else {}
    if "held" in said or "phase" in said:
        return
    if "error" in said:
        raise BackgroundFailed(said["error"], said["hint"])
    raise BackgroundFailed("the background engine ended while it started", f"its log is {log}")
