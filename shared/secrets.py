"""Masks the secrets that this process knows, before anything is recorded or sent."""

import os
import re
from functools import lru_cache

MASK = "***"
_SECRET_NAME = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:$|_)", re.IGNORECASE)
_SHORTEST = 8


def mask_known(text: str) -> str:
    """The text without the values of the environment's variables whose names say that they are secret."""
    for secret in _known(tuple(sorted(os.environ.items()))):
        text = text.replace(secret, MASK)
    return text


@lru_cache(maxsize=4)
def _known(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    found = {value for name, value in environment if len(value) >= _SHORTEST and _SECRET_NAME.search(name)}
    return tuple(sorted(found, key=len, reverse=True))
