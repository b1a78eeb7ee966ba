"""Durable no-op steps of DBOS: a workflow of so many steps, one or several at once, each returning 1 KB."""

import asyncio
import sys
import time

import psycopg
from dbos import DBOS, DBOSConfig
from psycopg.conninfo import conninfo_to_dict

from benchmarks.rivals.rounds import answer, rounds

RESULT = "x" * 1000


@DBOS.step()
async def noop(number: int) -> str:
    """Nothing, in 1 KB."""
    return RESULT


@DBOS.workflow()
async def task(steps: int) -> int:
    """So many steps, one after the other."""
    return sum([len(await noop(number)) for number in range(steps)])


async def run(tasks: int, steps: int) -> float:
    """Steps a second."""
    began = time.perf_counter()
    handles = [await DBOS.start_workflow_async(task, steps) for _ in range(tasks)]
    await asyncio.gather(*(handle.get_result(polling_interval_sec=0.005) for handle in handles))
    return tasks * steps / (time.perf_counter() - began)


async def main(dsn: str, tasks: int) -> None:
    """Answer each round with steps a second."""
    found = conninfo_to_dict(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS dbos")
        connection.execute("CREATE DATABASE dbos")
    url = f"postgresql://{found['user']}:{found['password']}@/dbos?host={found['host']}&port={found['port']}"
    config: DBOSConfig = {
        "name": "steps",
        "system_database_url": url,
        "sys_db_pool_size": 20,
        "log_level": "ERROR",
        "application_version": "1",
    }
    DBOS(config=config)
    DBOS.launch()
    given = rounds()
    while (steps := await asyncio.to_thread(next, given, None)) is not None:
        answer(await run(tasks, steps))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
