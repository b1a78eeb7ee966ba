"""The loop to compare with: one constrained JSON call a reply, run, appended; done is what the model says.

It is what many agents are: the harness's own model client, tools, prompt texts, sampling and budgets, with the reply
constrained to one call of an offered tool. What it lacks is the harness: nothing is verified, refused or steered.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arreio_contracts.events import ToolCall
from arreio_contracts.task import TaskContract, parse_criterion

from services.context_builder.agents import identity
from services.context_builder.collectors import project_context
from services.context_builder.history import criteria_text
from services.context_builder.layers import LayerName
from services.context_builder.render import HEADINGS
from services.tool_loop.models.call_modes import Hints, ToolSpec
from services.tool_loop.models.call_modes.json_schema import JsonSchemaMode
from services.tool_loop.models.client import Client, ModelRequest
from services.tool_loop.models.errors import ProviderError
from services.tool_loop.requesting import SEEDS_APART
from services.tool_loop.state import SIGNALS
from services.tool_loop.tools import ToolContext, offered_tools, registry
from shared.canonical import canonical_json
from shared.prompt import Message
from shared.walk import Walker

from .task import MAX_SECONDS, MAX_STEPS, Task


@dataclass
class Ended:
    """How a run ended: `how` is COMPLETE where it says that the task is done."""

    how: str
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0
    reply: str = ""


@dataclass
class _Run:
    """One run under way: what was said, and what the tools have seen."""

    workspace: Path
    tools: Mapping[str, Any]
    messages: list[Message]
    seen: dict[str, str] = field(default_factory=dict)

    async def carry_out(self, call: ToolCall) -> str:
        """Run a tool, and say what came of it."""
        if call.problem is not None or call.name not in self.tools:
            return f"{call.name} was not executed: {call.problem or 'there is no such tool'}"
        done = await self.tools[call.name].run(call.arguments or {}, ToolContext(self.workspace, self.seen))
        self.seen |= done.seen
        for path, digest in done.changed.items():
            if digest is None:
                self.seen.pop(path, None)
            elif call.name != "run_command":
                self.seen[path] = digest
        return str(done.text)

    def append(self, call: ToolCall, result: str) -> None:
        """Add a call and its result to what was said."""
        function = {"name": call.name, "arguments": canonical_json(call.arguments or {})}
        self.messages.append(
            {"role": "assistant", "content": "", "tool_calls": [{"id": call.id, "function": function}]}
        )
        self.messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


async def run(task: Task, workspace: Path, seed: int, client: Client, base: ModelRequest) -> Ended:
    """Let a model do a task by itself; `base` says which model and how it is sampled."""
    started = time.monotonic()
    ended = Ended("max_steps")
    try:
        async with asyncio.timeout(MAX_SECONDS):
            await _loop(task, workspace, seed, client, base, ended)
    except TimeoutError:
        ended.how = "max_seconds"
    except ProviderError as error:
        ended.how = str(error.kind)
    ended.seconds = time.monotonic() - started
    return ended


async def _loop(task: Task, workspace: Path, seed: int, client: Client, base: ModelRequest, ended: Ended) -> None:
    offered = [tool.name for tool in offered_tools(TaskContract(workspace=str(workspace)))]
    tools = {name: tool for name, tool in registry().items() if name in offered}
    specs = [ToolSpec(tool.name, tool.description, tool.parameters) for tool in tools.values()]
    run = _Run(workspace, tools, beginning(task, workspace))
    for step in range(1, MAX_STEPS + 1):
        request = replace(base, seed=seed * SEEDS_APART + step)
        answer = await JsonSchemaMode().ask(client, request, run.messages, specs, Hints(), prefix=f"call-{step}")
        ended.steps = step
        ended.tokens += answer.usage.prompt_tokens + answer.usage.completion_tokens
        if not answer.calls:
            run.messages.append({"role": "assistant", "content": answer.content})
            run.messages.append({"role": "user", "content": "Every turn must call a tool or end the task."})
            continue
        (call,) = answer.calls
        if call.name in SIGNALS and call.problem is None:
            ended.how = "COMPLETE" if call.name == "task_complete" else call.name
            ended.reply = str((call.arguments or {}).get("reply", ""))
            return
        run.append(call, await run.carry_out(call))


def beginning(task: Task, workspace: Path) -> list[Message]:
    """What the model is told first: the same texts as the harness's first prompt."""
    project = project_context(workspace, Walker(workspace, "").walk())
    layers = [identity("developer").text]
    if project is not None:
        layers.append(f"{HEADINGS[LayerName.PROJECT_CONTEXT]}\n{project.text}")
    told: list[Message] = [
        {"role": "system", "content": "\n\n".join(layers)},
        {"role": "user", "content": task.goal},
    ]
    criteria = criteria_text(tuple(parse_criterion(text) for text in task.criteria), task.language)
    return [*told, {"role": "user", "content": criteria}] if criteria else told
