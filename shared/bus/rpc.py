"""Request and reply between services: contracts over plain NATS subjects, with typed errors."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import nats.errors
from arreio_contracts.envelope import parse_body
from arreio_contracts.errors import ContractError
from nats.aio.client import Client
from nats.aio.msg import Msg
from pydantic import BaseModel

from shared.bus.broker import Broker
from shared.errors import ArreioError
from shared.observing.tracing import current, span
from shared.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

Request = TypeVar("Request", bound=BaseModel)
Reply = TypeVar("Reply", bound=BaseModel)
ERROR_HEADER: Final = "arreio-error"
TRACE_HEADER: Final = "traceparent"
_UNAVAILABLE: Final = "unavailable"


class RpcError(ArreioError):
    """The other service answered that it cannot; `code` says why in one word."""

    def __init__(self, subject: str, code: str, problem: str) -> None:
        super().__init__(f"{subject}: {problem}")
        self.code = code


class RpcUnavailable(ArreioError):
    """No answer came: nobody serves the subject now, or not in time, or PostgreSQL is away. Asking again is right."""


def serve(
    broker: Broker,
    subject: str,
    contract: type[Request],
    handler: Callable[[Request], Awaitable[BaseModel]],
    *,
    workers: int = 8,
) -> None:
    """Answer requests on `subject` with what `handler` returns, `workers` at once; replicas share the requests.

    A request that breaks its contract, and whatever the handler raises, is answered as an error.
    """

    async def answer(message: Msg) -> None:
        if not message.reply:
            return
        headers: dict[str, str] | None = None
        try:
            with span(_operation(subject), (message.headers or {}).get(TRACE_HEADER, ""), "server"):
                body = (await handler(_read(contract, message.data))).model_dump_json().encode()
        except ContractError as error:
            headers, body = _error(error.code, f"{error.field}: {error.problem}")
        except StoreUnavailable as error:
            headers, body = _error(_UNAVAILABLE, error.message)
        except Exception as error:
            log.warning("%s failed", subject, exc_info=error)
            headers, body = _error("failed", f"{type(error).__name__}: {error}")
        await broker.client.publish(message.reply, body, headers=headers)

    broker.answer(subject, answer, workers)


async def call(
    client: Client, subject: str, request: BaseModel, contract: type[Reply], *, timeout: float = 30.0
) -> Reply:
    """Ask the service that serves `subject`; seconds until `timeout`.

    Raises:
        RpcUnavailable: nobody answered in time, or the one who did cannot reach PostgreSQL.
        RpcError: the answer is an error, or breaks its contract.
    """
    try:
        message = await client.request(
            subject, request.model_dump_json().encode(), timeout=timeout, headers=_trace_headers()
        )
    except nats.errors.NoRespondersError as error:
        raise RpcUnavailable(f"nobody serves {subject} now") from error
    except (nats.errors.Error, TimeoutError, OSError) as error:
        raise RpcUnavailable(f"no answer on {subject}: {error or type(error).__name__}") from error
    if message.headers and ERROR_HEADER in message.headers:
        problem = json.loads(message.data)
        if problem["code"] == _UNAVAILABLE:
            raise RpcUnavailable(f"{subject}: {problem['problem']}")
        raise RpcError(subject, problem["code"], problem["problem"])
    try:
        return _read(contract, message.data)
    except ContractError as error:
        raise RpcError(subject, error.code, f"{error.field}: {error.problem}") from error


def _read(contract: type[Request], data: bytes) -> Request:
    found = parse_body(contract, data, exact=False)  # the other side may be newer
    assert isinstance(found, contract)
    return found


def _trace_headers() -> dict[str, str] | None:
    around = current()
    return {TRACE_HEADER: around} if around else None


def _operation(subject: str) -> str:
    return ".".join(subject.split(".")[-2:])


def _error(code: str, problem: str) -> tuple[dict[str, str], bytes]:
    return {ERROR_HEADER: code}, json.dumps({"code": code, "problem": problem}).encode()
