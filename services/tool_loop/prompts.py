"""Prompts out of the log: rebuilt from the manifest and the blobs, and checked byte for byte."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from arreio_contracts.events import ContextBuilt
from arreio_contracts.messages import ContextManifest

from shared.prompt import Message, hashes, messages, prompt_sha256

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


async def rebuild(blobs: Blobs, manifest: ContextManifest, texts: dict[str, str] | None = None) -> list[Message]:
    """The messages of a recorded prompt; `texts` are those of units already read, and are added to.

    Raises:
        MissingBlob: the text of a unit is gone.
    """
    texts = {} if texts is None else texts
    wanted = hashes(manifest)
    if len(texts) > _KEPT_TEXTS:
        texts.clear()
    found = await blobs.get_many([name for name in wanted if name not in texts])
    texts.update((name, content.decode()) for name, content in found.items())
    return messages(manifest, texts)


async def check_prompts(blobs: Blobs, events: Iterable[Recorded]) -> PromptDiffers | None:
    """The first prompt that differs from its recorded hash, or None.

    Raises:
        MissingBlob: the text of a unit is gone.
    """
    texts: dict[str, str] = {}
    for event in events:
        if isinstance(event.data, ContextBuilt) and not event.data.manifest.unfittable:
            manifest = event.data.manifest
            rebuilt = prompt_sha256(await rebuild(blobs, manifest, texts))
            if rebuilt != manifest.prompt_sha256:
                return PromptDiffers(event.seq, manifest.prompt_sha256, rebuilt)
    return None
