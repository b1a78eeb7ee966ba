"""Prompts out of the log: rebuilt from the manifest and the blobs, and checked byte for byte."""

from collections.abc import Iterable
from dataclasses import dataclass

from arreio_contracts.events import ContextBuilt
from arreio_contracts.messages import ContextManifest

from shared.prompt import Message, hashes, messages, prompt_sha256
from shared.store.blobs import BlobStore

from .replay import Recorded


@dataclass(frozen=True)
class PromptDiffers:
    """A prompt that does not come out as it was recorded."""

    seq: int
    recorded: str
    rebuilt: str


async def rebuild(blobs: BlobStore, manifest: ContextManifest) -> list[Message]:
    """The messages of a recorded prompt.

    Raises:
        MissingBlob: the text of a unit is gone.
    """
    found = await blobs.get_many(hashes(manifest))
    return messages(manifest, {name: content.decode() for name, content in found.items()})


async def check_prompts(blobs: BlobStore, events: Iterable[Recorded]) -> PromptDiffers | None:
    """The first prompt that differs from its recorded hash, or None."""
    for event in events:
        if isinstance(event.data, ContextBuilt) and not event.data.manifest.unfittable:
            manifest = event.data.manifest
            rebuilt = prompt_sha256(await rebuild(blobs, manifest))
            if rebuilt != manifest.prompt_sha256:
                return PromptDiffers(event.seq, manifest.prompt_sha256, rebuilt)
    return None
