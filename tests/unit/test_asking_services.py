"""How long the tool-loop waits for another service: the first answer may be lost, a busy one comes late."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from arreio_contracts import subjects
from arreio_contracts.messages import ContextManifest, ProbeCriteria, ProbeResult

from services.tool_loop import effects
from services.tool_loop.effects import FIRST_RPC_TIMEOUT, LONGEST_RPC_TIMEOUT, Effects
from shared.bus.rpc import RpcUnavailable
from shared.settings import Settings


async def test_a_request_that_brings_no_answer_is_asked_again_with_growing_patience(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waited: list[float] = []
    silent = 6

    async def call(*_: object, timeout: float) -> ProbeResult:
        waited.append(timeout)
        if len(waited) <= silent:
            raise RpcUnavailable("no answer")
        return ProbeResult(verdicts=(), counts=())

    monkeypatch.setattr(effects, "call", call)
    nobody: Any = SimpleNamespace(client=None)
    asking = Effects(Settings(), nobody, nobody, nobody, nobody)
    request = ProbeCriteria(workspace="/w", criteria=(), network=False, sandbox="bubblewrap")
    for _ in range(silent):
        with pytest.raises(RpcUnavailable):
            await asking._call(subjects.RPC_PROBE, request, ContextManifest)
    for _ in range(2):
        await asking._call(subjects.RPC_PROBE, request, ProbeResult)
    assert waited[:3] == [FIRST_RPC_TIMEOUT, 2 * FIRST_RPC_TIMEOUT, 4 * FIRST_RPC_TIMEOUT]
    assert waited[silent - 1 : silent + 1] == [LONGEST_RPC_TIMEOUT] * 2
    assert waited[-1] == FIRST_RPC_TIMEOUT
