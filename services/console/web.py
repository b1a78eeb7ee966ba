"""The console as an application: its pages, what every answer carries, and how it says that something is wrong."""

import contextlib
from pathlib import Path
from typing import Final
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shared.errors import ArreioError
from shared.store.errors import StoreUnavailable
from shared.telemetry import get_logger

from .guard import NotSignedIn, find_visitor
from .pages import account, copies, dead, engine, events, find, moments, proposals, sessions, tasks
from .presence import Left
from .rendering import page
from .site import Site
from .workings import Busy

log = get_logger(__name__)

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Nothing but our own files runs, whatever text of others a page holds."""


class _Careful:
    """Gives every answer the headers above."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, sending)


def create(site: Site) -> FastAPI:
    """The application."""
    app = FastAPI(title="Arreio's console", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.site = site
    for module in (account, tasks, sessions, events, moments, copies, dead, proposals, engine, find):
        app.include_router(module.router)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    app.add_middleware(_Careful)
    _errors(app)
    return app


def _errors(app: FastAPI) -> None:
    @app.exception_handler(NotSignedIn)
    async def not_signed_in(request: Request, _: NotSignedIn) -> Response:
        if request.method != "GET":
            return await _said(request, 401, "you are not signed in any more", "sign in, and do it again")
        wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/login?next={quote(wanted, safe='/')}", 303)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        return await _said(request, error.status_code, str(error.detail), "")

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return await _said(request, 422, f"{first['loc'][-1]}: {first['msg']}", "correct the address")

    @app.exception_handler(StoreUnavailable)
    async def away(request: Request, error: StoreUnavailable) -> Response:
        return await _said(request, 503, error.message, "load the page again in a moment")

    @app.exception_handler(Busy)
    async def busy(request: Request, error: Busy) -> Response:
        answer = await _said(request, 503, error.message, error.hint or "")
        answer.headers["Retry-After"] = str(error.again_after)
        return answer

    @app.exception_handler(Left)
    async def left(request: Request, _: Left) -> Response:
        return Response(status_code=503)  # which nobody reads

    @app.exception_handler(ArreioError)
    async def impossible(request: Request, error: ArreioError) -> Response:
        # What is only looked at and cannot be shown is not there; what was to be done cannot be done as things are.
        status = 404 if request.method in ("GET", "HEAD") else 409
        return await _said(request, status, error.message, error.hint or "")

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> Response:
        log.error("a page failed", path=request.url.path, reason=repr(error), exc_info=error)
        answer = await _said(request, 500, "something is wrong with the console itself", "its log tells more")
        # This one is answered outside of what gives the others their headers.
        answer.headers.update(HEADERS)
        return answer


async def _said(request: Request, status: int, problem: str, hint: str) -> Response:
    visitor = None
    with contextlib.suppress(Exception):  # what is wrong can be said to anybody, also while the store is away
        visitor = await find_visitor(request, request.app.state.site)
    return page(request, "error.html", visitor, status=status, problem=problem, hint=hint)
