"""Lays a task's attachments into its workspace, each a file of its own, and says of each what it is."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from arreio_contracts.events import LaidFile
from arreio_contracts.messages import Attachment

from shared.secrets import mask
from shared.store.blobs import BlobStore
from shared.store.connection import retrying
from shared.store.errors import MissingBlob
from shared.workspace import PathRefused, read_regular, write_atomic

from .rules.attachment_names import folder_of, numbered, safe_names

Laying: TypeAlias = Callable[[Path | None], Awaitable[tuple[LaidFile, ...]]]
"""Lays a task's attachments into the workspace that it is given."""
EXCERPT_CHARS: Final = 4_000
ALL_EXCERPTS: Final = 24_000
"""Characters that are kept of one text, and of all those of a task."""
_TRIES: Final = 9


async def lay(
    blobs: BlobStore, task_id: str, attachments: Sequence[Attachment], workspace: Path | None
) -> tuple[LaidFile, ...]:
    """Lay them, and tell of each where it lies or why it does not. Safe to repeat; nothing is ever overwritten."""
    names = safe_names([one.name for one in attachments])
    found: list[LaidFile] = []
    left = ALL_EXCERPTS
    for name, one in zip(names, attachments, strict=True):
        laid = LaidFile(name=name, media_type=mask(one.media_type)[:100])
        try:
            content = await retrying(lambda sha256=one.sha256 or "": blobs.get(sha256))  # type: ignore[misc]
        except MissingBlob:
            found.append(laid.model_copy(update={"problem": "its content is not stored"}))
            continue
        excerpt, whole = _excerpt(content, min(left, EXCERPT_CHARS)) or (None, False)
        left -= len(excerpt or "")
        placed: dict[str, Any] = {"size": len(content), "excerpt": excerpt, "whole": whole}
        placed |= await asyncio.to_thread(_placed, workspace, folder_of(task_id), name, content)
        found.append(laid.model_copy(update=placed))
    return tuple(found)


def _placed(workspace: Path | None, folder: str, name: str, content: bytes) -> dict[str, str]:
    if workspace is None:
        return {"problem": "the task has no workspace"}
    root = Path(os.path.realpath(workspace))
    try:
        for number in range(1, _TRIES + 1):
            path = f"{folder}/{name if number == 1 else numbered(name, number)}"
            there = _there(root, path)
            if there is None:
                write_atomic(root / path, content, within=root)
            if there is None or there == content:
                return {"path": path}
    except (OSError, PathRefused) as error:
        return {"problem": str(error.strerror or error) if isinstance(error, OSError) else str(error)}
    return {"problem": "other files have its name"}


def _there(root: Path, path: str) -> bytes | None:
    """What lies at a path; what is no file is there too, and never the same."""
    try:
        return read_regular(root / path, within=root)
    except IsADirectoryError:
        return b"\0 a directory"


def _excerpt(content: bytes, most: int) -> tuple[str, bool] | None:
    """The beginning of a text, and whether it is all of it; None for what is none."""
    if b"\0" in content or most <= 0:
        return None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    # Masked before it is cut, so that no secret is cut where it would not be known any more.
    return mask(text[: 2 * most])[:most], len(text) <= most
