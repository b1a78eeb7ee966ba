"""Seconds from `arreio run` to the first request that reaches the model, on a data directory that was used before."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.running import environment, scratch
from tests.support.scripted_server import ScriptedServer

RUNS = 5


def main() -> None:
    """One cold run that makes the data directory, then warm ones, each with an engine of its own."""
    with scratch() as folder:
        cold = _seconds(folder)
        warm = [_seconds(folder) for _ in range(RUNS)]
    shown = ", ".join(f"{one:.2f}" for one in warm)
    sys.stdout.write(
        f"arreio run to first model request: cold {cold:.2f} s; warm median {statistics.median(warm):.2f} s "
        f"({shown}; goal: under 5)\n"
    )


def _seconds(folder: Path) -> float:
    workspace = folder / "workspace"
    workspace.mkdir(exist_ok=True)
    reply = {"tool_calls": [{"name": "task_blocked", "arguments": {"reason": "measured"}}]}
    env = environment(folder / "home")
    arreio = [sys.executable, "-m", "arreio"]
    with ScriptedServer([reply]) as server:
        run = [*arreio, "run", "--model", "openai/scripted", "--api-base", server.url, "-w", str(workspace), "measure"]
        began = time.monotonic()
        process = subprocess.Popen(run, env=env, stdout=subprocess.DEVNULL)
        if not server.wait_for_requests(1, timeout=120):
            raise SystemExit("no request reached the model in two minutes")
        seconds = time.monotonic() - began
        process.wait(60)
    subprocess.run([*arreio, "stop"], env=env, stdout=subprocess.DEVNULL, check=True)
    return seconds
