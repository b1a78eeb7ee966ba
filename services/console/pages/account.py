"""Signing in and out."""

import asyncio
import time
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from shared.telemetry import get_logger

from .. import cookies
from ..guard import COOKIE, VisitorOf, find_visitor, read_form, session_of
from ..passwords import is_password
from ..rendering import page
from ..site import Site, SiteOf
from ..users import User, end_sessions, find_user

router = APIRouter()
log = get_logger(__name__)
HOME: Final = "/tasks"
KNOWN: Final = "arreio_console_known"
"""How the cookies begin by which a browser is known, one for each person; only signing in reads them."""
Next = Annotated[str, Query(max_length=2000)]


@router.get("/login")
async def login_form(request: Request, site: SiteOf, next: Next = HOME) -> Response:
    """The form, with a session that only says: this form was shown to this browser."""
    if await find_visitor(request, site) is not None:
        return RedirectResponse(_inside(next), 303)
    return await _form(request, site, next)


@router.post("/login")
async def login(request: Request, site: SiteOf, next: Next = HOME) -> Response:
    """Sign in."""
    form = await read_form(request, await session_of(request, site), await site.key())
    name, address = form.get("name", "")[:64], request.client.host if request.client else ""
    key, user = await site.key(), await find_user(site.pool, name)
    place = f"{KNOWN}_{cookies.mark_name(name, key)}"
    mark, browser = request.cookies.get(place, ""), ""
    if user is not None and mark:
        browser = cookies.known_browser(mark, _person(user), key, now=time.time())
    wait = site.limits.wait(name, address, time.monotonic(), browser)
    if wait > 0:
        said = f"too many tries; the next one may be made in {int(wait) + 1} seconds"
        refused = await _form(request, site, next, name=name, problem=said, status=429)
        refused.headers["Retry-After"] = str(int(wait) + 1)
        return refused
    # Counted before the slow look at the password: tries at once are tries, too.
    site.limits.failed(name, address, time.monotonic(), browser)
    async with site.hashing:
        right = await asyncio.to_thread(
            is_password, form.get("password", ""), None if user is None else user.password_hash
        )
    if user is None or not right:
        log.warning("sign-in refused", address=address)
        said = "no user of this name has this password"
        return await _form(request, site, next, name=name, problem=said, status=401)
    site.limits.succeeded(name, address, browser)
    log.info("signed in", user=user.name, role=user.role)
    answer = RedirectResponse(_inside(next), 303)
    # A new id: what was known of this browser before it signed in is worth nothing afterwards.
    await _give(answer, request, site, cookies.new_session(user.name, user.epoch, now=time.time()))
    mark = cookies.browser_mark(_person(user), key, now=time.time(), browser=browser)
    _set(answer, request, place, mark, seconds=cookies.KNOWN, path="/login")
    return answer


@router.post("/logout")
async def logout(request: Request, site: SiteOf, visitor: VisitorOf) -> Response:
    """Sign out, here and in every other browser of this person."""
    await read_form(request, visitor.session, await site.key())
    await end_sessions(site.pool, visitor.user.name)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE, path="/")
    return answer


def _person(user: User) -> cookies.Person:
    return cookies.Person(user.name, user.password_hash)


async def _form(
    request: Request, site: Site, next: str, *, name: str = "", problem: str = "", status: int = 200
) -> Response:
    session = await session_of(request, site)
    if session is None or session.user:
        session = cookies.new_session(now=time.time())
    token = cookies.form_token(session, await site.key())
    shown = page(
        request, "login.html", None, status=status, token=token, next=_inside(next), name=name, problem=problem
    )
    await _give(shown, request, site, session)
    return shown


async def _give(answer: Response, request: Request, site: Site, session: cookies.Session) -> None:
    value = cookies.sealed(session, await site.key())
    _set(answer, request, COOKIE, value, seconds=cookies.LIFETIME, path="/")


def _set(answer: Response, request: Request, name: str, value: str, *, seconds: int, path: str) -> None:
    secure = request.url.scheme == "https"
    answer.set_cookie(name, value, max_age=seconds, path=path, httponly=True, samesite="strict", secure=secure)


def _inside(next: str) -> str:
    """Where to go on: a page of the console, whatever the address says."""
    outside = not next.startswith("/") or next.startswith(("//", "/\\")) or not next.isprintable()
    return HOME if outside or next.startswith("/login") else next
