"""How the HTTP API refuses: one form for every error, with the field, the reason and, where waiting helps, how long."""

import math
from typing import Any

from arreio_contracts.errors import ContractError
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from shared.store.errors import StoreUnavailable

from .models import Refused


class Refusal(Exception):
    """A request that is not carried out. `retry_after`: seconds after which it may be asked again."""

    def __init__(self, status: int, reason: str, field: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.body = Refused(field=field, reason=reason)
        self.headers = {} if retry_after is None else {"Retry-After": str(max(1, math.ceil(retry_after)))}
        if status == 401:
            self.headers["WWW-Authenticate"] = 'Bearer realm="arreio"'


_MEANINGS = {
    401: "There is no token, or it is not valid.",
    403: "The token is another channel's, or the sender is not allowed.",
    404: "There is no such thing on this channel.",
    409: "It cannot be done in the state that it is in.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    422: "Something of the request is wrong.",
    429: "The sender speaks too often; `Retry-After` says when again.",
    503: "The database is away; `Retry-After` says when to try again.",
}
_NO_HTTP: dict[str, Any] = {
    "description": "The request is not valid HTTP: a `Content-Length` that is no number, say.",
    "content": {"text/plain": {"schema": {"type": "string"}}},
}


def answers(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The refusals of an operation, as its OpenAPI description names them."""
    refusals: dict[int | str, dict[str, Any]] = {
        status: {"model": Refused, "description": _MEANINGS[status]} for status in (*statuses, 503)
    }
    return {400: _NO_HTTP, **refusals}


def install(app: FastAPI) -> None:
    """Have every error of `app` answered in the one form."""

    @app.exception_handler(Refusal)
    async def refused(_: Request, error: Refusal) -> JSONResponse:
        return _answer(error)

    @app.exception_handler(ContractError)
    async def broken(_: Request, error: ContractError) -> JSONResponse:
        return _answer(Refusal(422, error.problem, error.field))

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return _answer(Refusal(422, str(first["msg"]), ".".join(map(str, first["loc"]))))

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, error: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody reads it: the client hung up before its body had come

    @app.exception_handler(StoreUnavailable)
    async def away(_: Request, error: StoreUnavailable) -> JSONResponse:
        return _answer(Refusal(503, "the database cannot be reached now; try again", retry_after=2))

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> JSONResponse:
        answer = _answer(Refusal(error.status_code, str(error.detail)))
        answer.headers.update(error.headers or {})
        return answer


def _answer(refusal: Refusal) -> JSONResponse:
    return JSONResponse(refusal.body.model_dump(mode="json"), refusal.status, refusal.headers)
