"""Durable no-op steps of LangGraph: a graph that goes round, each super-step saved before the next (`sync`)."""

import asyncio
import sys
import time
import uuid
from typing import Any, TypedDict

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from benchmarks.rivals.rounds import answer, rounds

RESULT = "x" * 1000
SIZE = 20


class State(TypedDict):
    """What a step leaves: how many are to come, and its 1 KB, with its number so that each is written anew."""

    left: int
    result: str


async def noop(state: State) -> State:
    """Nothing, in 1 KB."""
    return {"left": state["left"] - 1, "result": f"{state['left']}{RESULT}"}


def graph(saver: AsyncPostgresSaver) -> Any:
    """One node that goes round until nothing is left."""
    found = StateGraph(State)
    found.add_node("noop", noop)
    found.add_edge(START, "noop")
    found.add_conditional_edges("noop", lambda state: "noop" if state["left"] else END)
    return found.compile(checkpointer=saver)


async def run(compiled: Any, tasks: int, steps: int) -> float:
    """Steps a second."""
    began = time.perf_counter()
    await asyncio.gather(
        *(
            compiled.ainvoke(
                {"left": steps, "result": ""},
                {"configurable": {"thread_id": uuid.uuid4().hex}, "recursion_limit": steps + 10},
                durability="sync",
            )
            for _ in range(tasks)
        )
    )
    return tasks * steps / (time.perf_counter() - began)


async def main(dsn: str, tasks: int) -> None:
    """Answer each round with steps a second."""
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    async with AsyncConnectionPool(dsn, min_size=1, max_size=min(tasks, SIZE), kwargs=options) as pool:
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        compiled = graph(saver)
        given = rounds()
        while (steps := await asyncio.to_thread(next, given, None)) is not None:
            answer(await run(compiled, tasks, steps))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
