"""Secrets by reference: read where they are used, known to the masking from then on, and never recorded."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from shared.errors import ArreioError
from shared.secrets import remember

_MOST_BYTES: Final = 64 * 1024


class NoSecret(ArreioError):
    """What a reference names cannot be had; the text names the reference and never a value."""


def resolve(reference: str) -> str:
    """The secret that `env:NAME` or `file:PATH` names. A file's last line end is not part of it.

    Raises:
        NoSecret: there is none, or it is empty.
    """
    kind, _, place = reference.partition(":")
    value = os.environ.get(place, "") if kind == "env" else _file(place)
    if not value.strip() or "\0" in value:
        raise NoSecret(f"the secret {reference} is not there or is empty", "set it where the services run")
    remember(value)
    return value


def resolve_all(references: Mapping[str, str]) -> dict[str, str]:
    """The secrets by the names of their variables. Raises NoSecret for the first that cannot be had."""
    return {name: resolve(reference) for name, reference in references.items()}


def mask_from_now(references: Iterable[str]) -> None:
    """Have the masking know these secrets, as far as they can be had here: what a task wrote may show them again."""
    for reference in references:
        with contextlib.suppress(NoSecret):
            resolve(reference)


def _file(place: str) -> str:
    try:
        with Path(place).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise NoSecret(
            f"the secret file:{place} cannot be read: {error.strerror}", "correct it, or its rights"
        ) from error
    if len(data) > _MOST_BYTES:
        raise NoSecret(f"the secret file:{place} is longer than {_MOST_BYTES} bytes", "name a file that holds it alone")
    try:
        return data.decode().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError:
        raise NoSecret(f"the secret file:{place} is not UTF-8", "name a file that holds text") from None
