"""Context-builder and gate-runner as processes: they answer over NATS, and a stop signal ends them in order."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import nats
from arreio_contracts import events, subjects
from arreio_contracts.messages import AssembleContext, ContextManifest, ProbeCriteria, ProbeResult
from arreio_contracts.task import TaskContract, parse_criterion
from nats.aio.client import Client

from shared import prompt
from shared.bus.rpc import RpcUnavailable, call
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.events import event_of
from tests.support.store import connect, fresh, store_of
from tests.support.waiting import eventually

RULE = ("tests_first", "Escreva o teste antes.")


@asynccontextmanager
async def serving(settings: Settings, service: str) -> AsyncIterator[Client]:
    """The service in a process of its own, and a client."""
    environment = {**os.environ, "ARREIO_HOME": str(settings.home)}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "arreio", "serve", service, env=environment)
    client = await nats.connect(**settings.nats_options("services"))
    try:
        yield client
    finally:
        await client.close()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 15) == 0


async def test_a_prompt_is_assembled_over_rpc_and_rebuilt_from_its_blobs(engine: Settings, tmp_path: Path) -> None:
    session, task = f"s_{fresh()}", f"t_{fresh()}"
    (tmp_path / "AGENTS.md").write_text("Seja breve.")
    with connect(engine, "learning") as connection:
        connection.execute("INSERT INTO learning.rules (name, version, body, active) VALUES (%s, 1, %s, true)", RULE)
    with connect(engine, "gateway") as connection:
        connection.execute(
            "INSERT INTO gateway.agent_instructions (agent, text) VALUES ('developer', 'Diga por favor.')"
        )
    created = events.TaskCreated(goal="Conserte.", contract=TaskContract(), channel="test", message_id="m", at_ms=0)
    async with store_of(engine, "gateway") as (store, pool), serving(engine, "context_builder") as client:
        event = event_of(created, events.Metadata(service="gateway"), task_id=task)
        appended = await store.append_fact(session, [event])
        assert appended is not None
        asked = AssembleContext(
            session_id=session, task_id=task, seq=appended.seq, workspace=str(tmp_path), agent="developer"
        )
        manifest = ContextManifest()

        async def answered() -> bool:
            nonlocal manifest
            try:
                manifest = await call(client, subjects.RPC_ASSEMBLE, asked, ContextManifest)
            except RpcUnavailable:
                return False
            return True

        await eventually(answered)
        found = await BlobStore(pool).get_many(prompt.hashes(manifest))
        messages = prompt.messages(manifest, {name: content.decode() for name, content in found.items()})
        assert prompt.prompt_sha256(messages) == manifest.prompt_sha256
        system = messages[0]["content"]
        assert system.index("Seja breve.") < system.index("Diga por favor.") < system.index(RULE[1])
        assert [layer.name for layer in manifest.layers if layer.tokens] == [
            "identity",
            "instruction_files",
            "project_context",
            "business_rules",
            "task_state",
        ]
        assert messages[-1] == {"role": "user", "content": "Conserte."}
    with connect(engine, "admin") as connection:
        connection.execute("DELETE FROM learning.rules")
        connection.execute("DELETE FROM gateway.agent_instructions")


async def test_cheap_criteria_are_probed_over_rpc(engine: Settings, tmp_path: Path) -> None:
    asked = ProbeCriteria(workspace=str(tmp_path), criteria=(parse_criterion("file_exists: a.txt"),))
    async with serving(engine, "gate_runner") as client:
        result = ProbeResult(verdicts=())

        async def answered() -> bool:
            nonlocal result
            try:
                result = await call(client, subjects.RPC_PROBE, asked, ProbeResult)
            except RpcUnavailable:
                return False
            return True

        await eventually(answered)
        assert result.verdicts == ("FAIL",)
