"""What it costs to ask in each call mode, beside bare litellm on the same server, and to read calls out of texts.

CPU time of this process alone; the scripted server is another one. The candidates take turns.
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from benchmarks.running import scratch, scripted
from services.tool_loop.models.call_modes import Hints, ToolSpec, call_mode
from services.tool_loop.models.capability import ToolCallMode
from services.tool_loop.models.checking import check
from services.tool_loop.models.client import ModelClient, ModelRequest, load_litellm
from services.tool_loop.tools import registry
from shared.prompt import Message
from tests.support.scripted_server import Reply

ROUNDS = 40
GOAL = "Write hello into a.txt or b.txt"
ARGUMENTS = {"path": "a.txt", "content": "hello\n"}
SCRIPTS: Mapping[ToolCallMode, Sequence[Reply]] = {
    "native": [{"tool_calls": [{"name": "write_file", "arguments": ARGUMENTS}]}],
    "json_schema": [{"content": {"tool": "write_file", "args": ARGUMENTS}}],
    "text": ['<tool_call>{"name": "write_file", "arguments": {"path": "a.txt", "content": "hello"}}</tool_call>'],
    "slots": [
        {"content": {"tool": "write_file"}},
        {"content": {"path": "a.txt"}},
        {"content": {"content": "hello\n"}},
    ],
}


def main() -> None:
    """Print both tables."""
    with scratch() as folder, ExitStack() as servers:
        urls = {}
        for mode, replies in SCRIPTS.items():
            place = folder / mode
            place.mkdir()
            urls[mode] = servers.enter_context(scripted(place, replies))
        found = asyncio.run(_asked(urls))
    bare = found["bare"]
    sys.stdout.write("mode          CPU ms a turn   requests   over bare litellm\n")
    sys.stdout.write(f"{'bare':<13} {bare:>13.2f} {1:>10}\n")
    for mode in SCRIPTS:
        requests = len(SCRIPTS[mode])
        over = found[mode] - requests * bare
        sys.stdout.write(f"{mode:<13} {found[mode]:>13.2f} {requests:>10} {over:>+15.2f} ms\n")
    sys.stdout.write("\na message to read              microseconds\n")
    for name, message in MESSAGES.items():
        sys.stdout.write(f"{name:<30} {_microseconds(message):>12,.0f}\n")


async def _asked(urls: Mapping[ToolCallMode, str]) -> dict[str, float]:
    """The median of the CPU milliseconds of each candidate's turn."""
    client, transcript, tools = ModelClient(), _transcript(), _tools()
    completion = load_litellm().acompletion
    functions = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
        }
        for tool in tools
    ]

    async def bare() -> None:
        await completion(
            model="openai/scripted", api_base=urls["native"], api_key="none", messages=transcript, tools=functions
        )

    def asking(mode: ToolCallMode) -> Callable[[], Awaitable[object]]:
        base = ModelRequest("openai/scripted", api_base=urls[mode], temperature=0.2, max_tokens=1024, timeout=60)
        hints = Hints(goal=GOAL, paths=("a.txt", "b.txt"))
        return lambda: call_mode(mode).ask(client, base, transcript, tools, hints, prefix="call-1")

    candidates: dict[str, Callable[[], Awaitable[object]]] = {"bare": bare, **{mode: asking(mode) for mode in urls}}
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(ROUNDS + 3):
        for name, ask in candidates.items():
            began = time.process_time()
            await ask()
            if number >= 3:
                times[name].append(1000 * (time.process_time() - began))
    await client.close()
    return {name: statistics.median(found) for name, found in times.items()}


def _transcript() -> list[Message]:
    """Twenty turns of a task."""
    messages: list[Message] = [
        {"role": "system", "content": "You are a careful developer. " * 20},
        {"role": "user", "content": GOAL},
    ]
    for number in range(20):
        function = {"name": "read_file", "arguments": json.dumps({"path": f"file{number}.py"})}
        called = [{"id": f"c-{number}", "type": "function", "function": function}]
        messages.append({"role": "assistant", "content": "", "tool_calls": called})
        messages.append({"role": "tool", "tool_call_id": f"c-{number}", "content": "a line of the file\n" * 20})
    return messages


def _tools() -> list[ToolSpec]:
    return [ToolSpec(tool.name, tool.description, tool.parameters) for tool in registry().values()]


def _call(arguments: str) -> dict[str, Any]:
    return {"tool_calls": [{"id": "1", "type": "function", "function": {"name": "write_file", "arguments": arguments}}]}


_PROSE = "The handler reads the session from the cookie and answers `401` if (and only if) that fails.\n"

MESSAGES: Mapping[str, str | dict[str, Any]] = {
    "a native call": _call(json.dumps(ARGUMENTS)),
    "a native call of 200 KB": _call(json.dumps({**ARGUMENTS, "content": "line\n" * 40_000})),
    "the same with single quotes": _call(repr({**ARGUMENTS, "content": "line\n" * 40_000})),
    "a block in the text": str(SCRIPTS["text"][0]),
    "2 KB of prose": (_PROSE * 30)[:2_000],
    "20 KB of prose": (_PROSE * 300)[:20_000],
    "20 KB of prose and a block": (_PROSE * 300)[:20_000] + "\n" + str(SCRIPTS["text"][0]),
    "20 KB of opening marks": ("<tool_call>" * 2_000)[:20_000],
    "200 KB of opening marks": ("<tool_call>" * 20_000)[:200_000],
    "100,000 brackets": _call("[" * 100_000),
}


def _microseconds(message: str | dict[str, Any]) -> float:
    """The best of three rounds, each of at least 0.1 s or one call."""
    tools, best = _tools(), float("inf")
    for _ in range(3):
        calls, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < 0.1 or not calls:
            check(message, tools)
            calls += 1
        best = min(best, spent / calls)
    return best * 1e6
