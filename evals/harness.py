"""Runs a task of the suite through a real Arreio: engine, services and command-line client, as a person would."""

import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from arreio_contracts.events import TaskBlocked, TaskCompleted, TaskFailed
from arreio_contracts.messages import InboundMessage
from arreio_contracts.subscribe import Received
from arreio_contracts.task import Budgets, TaskContract, parse_criterion

from arreio.client import Client, connected
from arreio.following import follow
from benchmarks.running import up
from shared.settings import Settings

from .bare import Ended
from .task import MAX_SECONDS, MAX_STEPS, Task


class Harness:
    """A running Arreio; `run` gives it one task and follows it to its end."""

    def __init__(self, settings: Settings, client: Client) -> None:
        self._settings = settings
        self._client = client

    async def run(self, task: Task, workspace: Path, seed: int, model: str, capability: str | None) -> Ended:
        """Let the harness do a task with a model."""
        contract = TaskContract(
            goal=task.goal,
            criteria=tuple(parse_criterion(text) for text in task.criteria),
            workspace=str(workspace),
            model=model,
            capability=capability,
            seed=seed,
            budgets=Budgets(max_steps=MAX_STEPS, max_wall_clock=MAX_SECONDS),
        )
        name = f"eval-{task.name}-{seed}-{secrets.token_hex(4)}"
        message = InboundMessage(
            conversation=name, message_id=name, sender="operator", text=task.goal, contract=contract
        )
        tokens = 0

        def show(received: Received) -> None:
            nonlocal tokens
            match received.data:
                case TaskCompleted() | TaskBlocked() | TaskFailed():
                    totals = received.data.totals
                    tokens = totals.prompt_tokens + totals.completion_tokens

        started = time.monotonic()
        submitted = await self._client.submit("cli", message)
        assert submitted.task_id is not None
        outcome = await follow(self._settings, self._client, submitted.session_id, submitted.task_id, show)
        seconds = time.monotonic() - started
        how = outcome.state.value if outcome.reason is None else f"{outcome.state.value} {outcome.reason['code']}"
        return Ended(how, outcome.steps, tokens, seconds, outcome.reply or "")


@asynccontextmanager
async def running(home: Path) -> AsyncIterator[Harness]:
    """An Arreio on a data directory of its own, for as long as it is used."""
    settings = Settings(home=home, database_url=None, nats_url=None)
    with up(home):
        async with connected(settings) as client:
            yield Harness(settings, client)
