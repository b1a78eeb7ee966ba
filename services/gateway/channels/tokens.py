"""Tokens of channels: made, and known again by their hash alone."""

import hashlib
import secrets
from typing import Final

PREFIX: Final = "arreio_"
SIGNING_PREFIX: Final = "whsec_"


def new_token() -> str:
    """A token of 256 random bits, whose prefix says what it is to whoever finds it."""
    return PREFIX + secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """What is stored of a token. It is random, so that no salt and no slow hash would make it safer."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def new_signing_secret() -> str:
    """A secret for signing webhooks, as Standard Webhooks writes it: `whsec_` and base64 of 24 bytes or more."""
    return SIGNING_PREFIX + secrets.token_hex(32)  # hexadecimal digits are base64 too
