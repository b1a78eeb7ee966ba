"""The loop to compare with: litellm, the same no-op call, messages appended; nothing is kept and nothing checked.

`python -m benchmarks.bare URL TURNS`: each line on standard input runs it once and is answered by a JSON list: the
seconds at which every turn began.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.noop import Noop
from services.context_builder.agents import identity
from services.tool_loop.tools import ToolContext, registry

GOAL = f"Call {Noop.name} until you are told to stop."


async def loop(url: str, turns: int) -> list[float]:
    """Ask, call and append, `turns` times and once more: when each turn began, in seconds of a monotonic clock."""
    import litellm

    noop, context = Noop(), ToolContext(Path("/nonexistent"))
    tools = [
        {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": parameters}}
        for tool in registry([noop]).values()
        if (parameters := dict(tool.parameters))
    ]
    messages: list[Any] = [
        {"role": "system", "content": identity("developer").text},
        {"role": "user", "content": GOAL},
    ]
    began = []
    for _ in range(turns + 1):
        began.append(time.monotonic())
        response = await litellm.acompletion(
            model="openai/scripted", api_base=url, api_key="none", messages=messages, tools=tools
        )
        said = response.choices[0].message
        messages.append(said.model_dump(exclude_none=True))
        for call in said.tool_calls:
            result = await noop.run(json.loads(call.function.arguments), context)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})
    return began


async def main(url: str, turns: int) -> None:
    """Serve standard input until it ends; the connection to the server is kept, as a program's would be."""
    while await asyncio.to_thread(sys.stdin.readline):
        sys.stdout.write(json.dumps(await loop(url, turns)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
