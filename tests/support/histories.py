"""The recorded histories, read from their files without a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from services.tool_loop.log import to_recorded
from services.tool_loop.replay import Recorded
from shared.store.errors import MissingBlob
from shared.store.exports import Export, read_exports

HISTORIES = Path(__file__).parents[1] / "data" / "histories"
NAMES = sorted(path.stem for path in HISTORIES.glob("*.ndjson"))


class BlobsInMemory:
    """The blobs of an export."""

    def __init__(self, blobs: Mapping[str, bytes]) -> None:
        self._blobs = blobs

    async def get_many(self, hashes: Sequence[str]) -> Mapping[str, bytes]:
        """The contents by hash. Raises MissingBlob where there is none."""
        for name in hashes:
            if name not in self._blobs:
                raise MissingBlob(name)
        return {name: self._blobs[name] for name in hashes}


def history_lines(name: str) -> list[str]:
    """The lines of a history's file, each with its line break."""
    return HISTORIES.joinpath(f"{name}.ndjson").read_text(encoding="utf-8").splitlines(keepends=True)


def history(name: str) -> Export:
    """A recorded history, checked."""
    (found,) = read_exports(history_lines(name))
    return found


def first_seq(name: str, kind: str) -> int:
    """The seq of a history's first event of a type."""
    return next(event.seq for event in history(name).session.events if event.type == kind)


def recorded(export: Export) -> list[Recorded]:
    """Its events, read as their contracts."""
    return [to_recorded(event) for event in export.session.events]
