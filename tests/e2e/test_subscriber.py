"""Another team's subscriber: a virtual environment with `arreio-contracts` and `nats-py`, and nothing else of ours."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from tests.support.house import House, last_json
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script

CONTRACTS = Path(__file__).parents[2] / "contracts"
UV = Path(sys.executable).with_name("uv")

READ = """
import asyncio, importlib.util, json, sys
import nats
from arreio_contracts.subscribe import subscribe

assert not any(map(importlib.util.find_spec, ("arreio", "services", "shared", "psycopg", "faststream")))

async def main(url, password, session, then):
    refused = []
    async def failed(error):
        refused.append(str(error))
    client = await nats.connect(url, user="subscriber", password=password, error_cb=failed)
    after = 0
    async for received in subscribe(client, session_id=session, after=int(then)):
        print(json.dumps({
            "type": received.data.type,
            "contract": type(received.data).__name__,
            "task": received.envelope.subject,
            "seq": received.envelope.seq,
            "stream_seq": received.stream_seq,
        }))
        if received.data.type == "task.completed":
            break
    await client.publish("arreio.v1.inbound.cli", b"{}")
    await client.publish(f"arreio.v1.events.{session}.task_completed", b"{}")
    await client.flush()
    while len(refused) < 2:
        await asyncio.sleep(0.01)
    print(json.dumps(refused))
    await client.close()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a virtual environment that holds the wheel of the contracts, nats-py and what they need."""
    place = tmp_path_factory.mktemp("elsewhere")
    source = shutil.copytree(CONTRACTS, place / "contracts", ignore=shutil.ignore_patterns("build", "*.egg-info"))
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = place.glob("arreio_contracts-*.whl")
    python = place / "venv" / "bin" / "python"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, place / "venv"], check=True)
    wanted = [f"{name}=={version(name)}" for name in ("nats-py", "pydantic")]
    subprocess.run([UV, "pip", "install", "--quiet", "--python", python, wheel, *wanted], check=True)
    return python


def test_a_subscriber_reads_task_events_and_is_refused_to_publish(
    house: House, elsewhere: Path, repository: Path, mending: Script
) -> None:
    with ScriptedServer(mending) as server:
        named = ("-w", str(repository), "--model", "openai/scripted", "--api-base", server.url)
        done = house.arreio("run", *named, "-c", "tests: pytest -q", "--json", "Mend it.")
    outcome = last_json(done.stdout)
    info = json.loads(house.arreio("info", "--json").stdout)
    assert "subscriber" in info["nats"]["users"]
    password = json.loads(Path(info["credentials"]).read_text())["nats"]["subscriber"]

    def read(after: int) -> list[Any]:
        command = [elsewhere, "-c", READ, info["nats"]["url"], password, outcome["session_id"], str(after)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", env={}, check=False)
        assert ran.returncode == 0, ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]

    *events, refused = read(0)
    logged = [event for event in house.events(outcome["session_id"]) if event.seq <= len(events)]
    assert [event["type"] for event in events] == [event.type for event in logged]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert events[-1]["contract"] == "TaskCompleted"
    assert events[-1]["task"] == outcome["task_id"]
    assert len(refused) == 2
    assert all("permissions violation" in line.lower() for line in refused)
    assert read(events[2]["stream_seq"])[:-1] == events[3:]
