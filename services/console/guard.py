"""Who is asking: nothing is shown to those who have not signed in, and nothing is done for those who only read."""

import time
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from . import cookies
from .cookies import Session
from .site import Site, SiteOf
from .users import User, find_user
from .workings import Asker

COOKIE: Final = "arreio_console"
LARGEST_FORM: Final = 64 * 1024
"""Bytes of a form."""


class NotSignedIn(Exception):
    """The page is for those who have signed in."""


@dataclass(frozen=True)
class Visitor:
    """A person who has signed in, and the token of the forms that are shown to them."""

    user: User
    session: Session
    token: str

    @property
    def acts(self) -> bool:
        """Whether this person may do more than look."""
        return self.user.role == "operator"


def asker_of(visitor: Visitor, topic: str = "") -> Asker:
    """In whose name long work is asked for."""
    return Asker(visitor.user.name, topic)


@dataclass(frozen=True)
class Acting:
    """A person who may act, and what they filled in."""

    by: str
    form: dict[str, str]


async def session_of(request: Request, site: Site) -> Session | None:
    """The session of the request's cookie, signed in or not."""
    return cookies.opened(request.cookies.get(COOKIE, ""), await site.key(), now=time.time())


async def find_visitor(request: Request, site: Site) -> Visitor | None:
    """Who has signed in; asked of the database each time, so that a person who was taken away is out at once."""
    session = await session_of(request, site)
    if session is None or not session.user:
        return None
    user = await find_user(site.pool, session.user)
    if user is None or user.epoch != session.epoch:
        return None
    return Visitor(user, session, cookies.form_token(session, await site.key()))


async def _visitor(request: Request, site: SiteOf) -> Visitor:
    found = await find_visitor(request, site)
    if found is None:
        raise NotSignedIn
    return found


VisitorOf = Annotated[Visitor, Depends(_visitor)]


async def read_form(request: Request, session: Session | None, key: bytes) -> dict[str, str]:
    """The fields of a form that this very session was shown.

    Raises:
        HTTPException: it is too large (413), or another site's (403).
    """
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, f"a form has at most {LARGEST_FORM} bytes")
    try:
        form = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=50, errors="replace"))
    except ValueError as error:
        raise HTTPException(400, "this is no form") from error
    if session is None or not cookies.is_form_token(form.pop("token", ""), session, key):
        raise HTTPException(403, "this form is not of your session any more; go back, load the page again, and retry")
    return form


async def _acting(request: Request, site: SiteOf, visitor: VisitorOf) -> Acting:
    form = await read_form(request, visitor.session, await site.key())
    if not visitor.acts:
        raise HTTPException(403, f"{visitor.user.name} may only look; an operator can give another role")
    return Acting(visitor.user.name, form)


ActingOf = Annotated[Acting, Depends(_acting)]
