"""Prompts out of the log: rebuilt from the manifest and the blobs, and checked byte for byte."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from arreio_contracts.events import ContextBuilt
from arreio_contracts.messages import ContextManifest

from shared.prompt import Message, PromptHashes, messages, prompt_sha256

from .replay import Recorded

_KEPT_TEXTS: Final = 16_384


class Blobs(Protocol):
    """The part of the blob store that is read here; a test's may be a mapping in memory."""

    async def get_many(self, hashes: Sequence[str]) -> Mapping[str, bytes]:
        """The contents by hash. Raises MissingBlob where there is none."""
        ...


@dataclass(frozen=True)
class PromptDiffers:
    """A prompt that does not come out as it was recorded."""

    seq: int
    recorded: str
    rebuilt: str


async def rebuild(blobs: Blobs, manifest: ContextManifest) -> list[Message]:
    """The messages of a recorded prompt.

    Raises:
        MissingBlob: the text of a unit is gone.
    """
    texts: dict[str, str] = {}
    await _add_texts(blobs, manifest, texts)
    return messages(manifest, texts)


async def _add_texts(blobs: Blobs, manifest: ContextManifest, texts: dict[str, str]) -> None:
    """Read the texts of a prompt's units that are not known yet.

    Raises:
        MissingBlob: one is gone.
    """
    if len(texts) > _KEPT_TEXTS:
        texts.clear()
    missing = {unit.sha256 for layer in manifest.layers for unit in layer.units if unit.sha256 not in texts}
    if missing:
        found = await blobs.get_many(sorted(missing))
        texts.update((name, content.decode()) for name, content in found.items())


class PromptCheck:
    """Checks one prompt after the other, and keeps the texts of their units."""

    def __init__(self, blobs: Blobs) -> None:
        self._blobs = blobs
        self._texts: dict[str, str] = {}
        self._hashes = PromptHashes()

    async def differs(self, event: Recorded) -> PromptDiffers | None:
        """The event's prompt, where it has one that does not come out as it was recorded.

        Raises:
            MissingBlob: the text of a unit is gone.
        """
        if not isinstance(event.data, ContextBuilt) or event.data.manifest.unfittable:
            return None
        manifest = event.data.manifest
        await _add_texts(self._blobs, manifest, self._texts)
        if self._hashes.sha256(manifest, self._texts) == manifest.prompt_sha256:
            return None
        # It may hold a text that says the same in another form; only reading it tells.
        rebuilt = prompt_sha256(messages(manifest, self._texts))
        if rebuilt == manifest.prompt_sha256:
            return None
        return PromptDiffers(event.seq, manifest.prompt_sha256, rebuilt)
