"""Passwords, kept as scrypt hashes (RFC 7914) that hold their own parameters. Pure but for salts."""

import base64
import hashlib
import hmac
import secrets
from typing import Final

from shared.errors import ArreioError

SHORTEST: Final = 12
"""Characters of a password that a person chooses."""
LONGEST: Final = 1024
_COST, _BLOCK, _PARALLEL = 1 << 15, 8, 1
_MEMORY: Final = 64 << 20
_NOBODY: Final = f"scrypt${_COST}${_BLOCK}${_PARALLEL}${'A' * 22}==${'A' * 43}="


class BadPassword(ArreioError):
    """A password that is too short or too long to be one."""


def new_password() -> str:
    """A password of 144 random bits."""
    return secrets.token_urlsafe(18)


def password_hash(password: str) -> str:
    """What is kept of a password: `scrypt$N$r$p$salt$hash`. Takes 0.1 s and 32 MiB.

    Raises:
        BadPassword: it has fewer than 12 characters, or more than 1024.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadPassword(f"a password has {SHORTEST} to {LONGEST} characters", "choose another one")
    salt = secrets.token_bytes(16)
    derived = _derived(password, salt, _COST, _BLOCK, _PARALLEL)
    return f"scrypt${_COST}${_BLOCK}${_PARALLEL}${_text(salt)}${_text(derived)}"


def is_password(password: str, kept: str | None) -> bool:
    """Whether it is the one that was kept. None (there is no such user) takes as long, and is never right."""
    _, cost, block, parallel, salt, expected = (kept or _NOBODY).split("$")
    if len(password) > LONGEST:
        return False
    derived = _derived(password, base64.b64decode(salt), int(cost), int(block), int(parallel))
    return hmac.compare_digest(derived, base64.b64decode(expected)) and kept is not None


def _derived(password: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    given = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(given, salt=salt, n=cost, r=block, p=parallel, maxmem=_MEMORY, dklen=32)


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()
