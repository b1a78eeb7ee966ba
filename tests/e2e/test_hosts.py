"""Several hosts: each with a replica of every service, one of them cut off in the middle of its work and healed.

The hosts are network namespaces of this machine, the services on them containers that share a volume; PostgreSQL and
NATS have the deployment's own secrets, rights and configuration. All that `make chaos` asks at its end is asked here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import pytest

from tests.chaos.findings import Findings, examine
from tests.chaos.jobs import LAST, MARKS, Job, script_of
from tests.chaos.reader import Reader
from tests.chaos.work import Work, speaking, told
from tests.support.deployment import deployment, refusals
from tests.support.hosts import Hosts
from tests.support.network import Network, lacking
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import call
from tests.support.waiting import eventually

HOSTS = ("host-a", "host-b")
TASKS, SPARE = 12, 24
LEAST = 2
"""Tasks that the host which is cut off must have then."""
QUICK = {"ARREIO_LINK_TIMEOUT": "3"}
HOLD = "hold"


def held_job(number: int, folder: Path) -> Job:
    """A file, a command that lasts until `HOLD` says go, a file, a command, a file, and the claim."""
    place = folder / f"job{number}"
    place.mkdir()
    (place / HOLD).write_text("wait")
    tokens = [f"token-{number}-{count}" for count in range(2)]
    files = {"before.txt": f"before {number}\n", "after.txt": f"after {number}\n", LAST: "done\n"}
    replies = [
        call("write_file", path="before.txt", content=files["before.txt"]),
        call("run_command", command=f"echo {tokens[0]} >> {MARKS}; until grep -q go {HOLD}; do sleep 0.1; done"),
        call("write_file", path="after.txt", content=files["after.txt"]),
        call("run_command", command=f"echo {tokens[1]} >> {MARKS}"),
        call("write_file", path=LAST, content=files[LAST]),
        call("task_complete", reply=f"Job {number} is done."),
    ]
    return Job(number, "held", place, replies, [*files], {**files, HOLD: "wait"}, tokens)


def release(job: Job) -> None:
    """Let the job's command end."""
    (job.place / HOLD).write_text("go")
    assert isinstance(job.files, dict)
    job.files[HOLD] = "go"


@pytest.mark.timeout(240)
def test_a_host_that_is_cut_off_loses_nothing_and_its_tasks_go_on_elsewhere_until_it_is_back(tmp_path: Path) -> None:
    if why := lacking():
        pytest.skip(why)
    work, logs = tmp_path / "work", tmp_path / "logs"
    work.mkdir()
    logs.mkdir()
    all_jobs = [held_job(number, work) for number in range(TASKS + SPARE)]
    with (
        Network(*HOSTS) as network,
        ScriptedServer(script_of(all_jobs), host=network.address) as model,
        deployment(tmp_path, network.address) as deployed,
        Hosts(deployed, network, logs, **QUICK) as house,
    ):
        found = asyncio.run(_cut_and_heal(house, network, all_jobs, model.url))
        print("\n".join(found.lines()))  # noqa: T201 - the counts
        assert found.broken == []
    assert not refusals(deployed.nats_log)


async def _cut_and_heal(house: Hosts, network: Network, all_jobs: Sequence[Job], api_base: str) -> Findings:
    spare = iter(all_jobs[TASKS:])
    reader = Reader(house.settings)
    async with speaking(house) as client:
        work = Work(house, client, all_jobs, api_base)
        reading = asyncio.create_task(reader.run())
        await _sent(work, all_jobs[:TASKS])
        # The host that has the relay too.
        lost = await eventually(lambda: _relaying(house))
        while len(held := _held_by(house, work, lost)) < LEAST:
            await _sent(work, [next(spare)])

        network.cut(lost)
        began, under_way = monotonic(), [*work.sent]
        for job in under_way:
            if job not in held:
                release(job)
        # The commands that are cut off wait for what does not come: their own host must end them.
        await eventually(lambda: _all_ended(work, len(under_way)), within=90)
        seconds = monotonic() - began
        relays = await eventually(lambda: _relaying(house))
        network.heal(lost)

        # The first may go to the others: the host is on its way back.
        while not _held_by(house, work, lost):
            await _sent(work, [next(spare)])
        for job in work.sent[len(under_way) :]:
            release(job)
        await work.rest()
        await told(house, reader)
        reading.cancel()
        found = await asyncio.to_thread(examine, house, work.sent, work.sessions, reader)
    assert relays != lost
    found.counts["tasks of the host that was cut off"] = len(held)
    found.counts["seconds until all had ended without it"] = f"{seconds:.1f}"
    found.counts["tasks until it had one again"] = len(work.sent) - len(under_way)
    return found


async def _sent(work: Work, some: Sequence[Job]) -> None:
    """Send them, and wait until each one's command runs."""

    async def look() -> bool:
        return all((job.place / MARKS).exists() for job in some)

    await work.send(some)
    await eventually(look, within=60)


def _held_by(house: Hosts, work: Work, host: str) -> list[Job]:
    sessions = house.on(host)
    return [job for job in work.sent if work.sessions[job.number] in sessions]


async def _all_ended(work: Work, count: int) -> bool:
    return await work.ended() >= count


async def _relaying(house: Hosts) -> str | None:
    return house.relaying()
