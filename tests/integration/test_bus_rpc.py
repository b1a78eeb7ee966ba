"""Request and reply on a real NATS."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from arreio_contracts.errors import InvalidBody
from arreio_contracts.messages import RunTask, UnitRef

from shared.bus.broker import Broker
from shared.bus.rpc import RpcError, RpcUnavailable, call, serve
from shared.settings import Settings
from shared.store.errors import StoreUnavailable
from tests.support.store import fresh
from tests.support.waiting import eventually


@pytest.fixture
async def broker(engine: Settings) -> AsyncIterator[Broker]:
    found = Broker(engine, "test")
    yield found
    await found.stop()


async def answer(request: RunTask) -> UnitRef:
    match request.task_id:
        case "refuse":
            raise InvalidBody("data.task_id", "unknown")
        case "fail":
            raise RuntimeError("broken")
        case "store":
            raise StoreUnavailable("PostgreSQL went away")
        case _:
            return UnitRef(id=request.session_id, sha256=request.task_id)


async def start(broker: Broker) -> str:
    subject = f"arreio.v1.rpc.test.{fresh('r')}"
    serve(broker, subject, RunTask, answer)
    await broker.start()

    async def ready() -> bool:
        try:
            await call(broker.client, subject, RunTask(session_id="s", task_id="t"), UnitRef)
        except RpcUnavailable:
            return False
        return True

    await eventually(ready)
    return subject


async def test_a_request_is_answered(broker: Broker) -> None:
    subject = await start(broker)
    reply = await call(broker.client, subject, RunTask(session_id="s_1", task_id="t_1"), UnitRef)
    assert reply == UnitRef(id="s_1", sha256="t_1")


@pytest.mark.parametrize(("task", "code"), [("refuse", "invalid_body"), ("fail", "failed")])
async def test_what_the_handler_raises_reaches_the_asker(broker: Broker, task: str, code: str) -> None:
    subject = await start(broker)
    with pytest.raises(RpcError) as refused:
        await call(broker.client, subject, RunTask(session_id="s", task_id=task), UnitRef)
    assert refused.value.code == code


async def test_one_who_cannot_reach_postgresql_is_as_good_as_not_there(broker: Broker) -> None:
    subject = await start(broker)
    with pytest.raises(RpcUnavailable, match="PostgreSQL went away"):
        await call(broker.client, subject, RunTask(session_id="s", task_id="store"), UnitRef)


async def test_a_request_that_breaks_its_contract_is_refused_by_field(broker: Broker) -> None:
    subject = await start(broker)
    with pytest.raises(RpcError, match=r"data\.session_id"):
        await call(broker.client, subject, UnitRef(id="x", sha256="y"), UnitRef)


async def test_nobody_there_is_told_at_once(broker: Broker) -> None:
    await broker.start()
    with pytest.raises(RpcUnavailable):
        await call(broker.client, "arreio.v1.rpc.test.nobody", RunTask(session_id="s", task_id="t"), UnitRef)
