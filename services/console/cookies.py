"""Cookies of sessions and of known browsers, and tokens of forms, signed with one key. Pure but for random ids."""

import base64
import hmac
import json
import secrets
from dataclasses import asdict, dataclass
from typing import Final

LIFETIME: Final = 12 * 3600
"""Seconds after which one signs in again."""


KNOWN: Final = 90 * 24 * 3600
"""Seconds for which a browser is known as one in which somebody signed in, since they last did."""


@dataclass(frozen=True)
class Session:
    """What a browser's cookie says: who signed in (empty: nobody yet), when, and as of which epoch of that user."""

    id: str
    user: str
    epoch: int
    since: int


def new_session(user: str = "", epoch: int = 0, *, now: float) -> Session:
    """A session with an id that nobody can guess; `now` in seconds since 1970."""
    return Session(secrets.token_urlsafe(18), user, epoch, int(now))


def sealed(session: Session, key: bytes) -> str:
    """The session as a cookie's value."""
    body = base64.urlsafe_b64encode(json.dumps(asdict(session)).encode()).decode().rstrip("=")
    return f"{body}.{_mac(key, 'session', body)}"


def opened(value: str, key: bytes, *, now: float) -> Session | None:
    """The session that a cookie holds; None where it was not sealed with this key, or is too old."""
    body, _, mac = value.partition(".")
    if not value.isascii() or not hmac.compare_digest(mac, _mac(key, "session", body)):
        return None
    try:
        found = Session(**json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))))
    except (ValueError, TypeError):  # sealed by another version
        return None
    return found if 0 <= now - found.since < LIFETIME else None


def form_token(session: Session, key: bytes) -> str:
    """What every form of this session carries, and no other site can know."""
    return _mac(key, "form", session.id)


def is_form_token(token: str, session: Session, key: bytes) -> bool:
    """Whether a form was made for this session."""
    return token.isascii() and hmac.compare_digest(token, form_token(session, key))


@dataclass(frozen=True)
class Person:
    """Whose marks are made: a name, and what is kept of the password, so that another password ends them all."""

    name: str
    password_hash: str


def mark_name(name: str, key: bytes) -> str:
    """The name of the cookie that holds a person's mark: one browser may be several people's."""
    return _mac(key, "mark of", name)[:16]


def browser_mark(person: Person, key: bytes, *, now: float, browser: str = "") -> str:
    """A cookie for a browser in which this person has signed in: one that is known already keeps its id.

    It lets nobody in: tries from there are counted apart.
    """
    about = f"{browser or secrets.token_urlsafe(18)}.{int(now)}"
    return f"{about}.{_mark_mac(about, person, key)}"


def known_browser(mark: str, person: Person, key: bytes, *, now: float) -> str:
    """The id of the browser that a mark names, where it was made for this person and is not too old; else empty."""
    about, _, mac = mark.rpartition(".")
    if not mark.isascii() or not hmac.compare_digest(mac, _mark_mac(about, person, key)):
        return ""
    browser, _, since = about.partition(".")
    return browser if 0 <= now - int(since) < KNOWN else ""


def _mark_mac(about: str, person: Person, key: bytes) -> str:
    return _mac(key, "browser", f"{person.name}\0{person.password_hash}\0{about}")


def _mac(key: bytes, what: str, text: str) -> str:
    return hmac.digest(key, f"{what}\0{text}".encode(), "sha256").hex()
