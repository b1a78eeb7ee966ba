"""A prompt and its parts: a manifest names the units, their texts are blobs, and together they are messages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arreio_contracts.messages import ContextManifest, LayerManifest

from shared.canonical import canonical_json, parse_json, sha256_hex

TASK_STATE: Final = "task_state"
"""The layer whose units are messages of the conversation; the layers before it are the system message."""

HEADING: Final = "heading"
"""The id of the unit that holds a layer's heading; it is a unit so that a prompt is rebuilt from its blobs alone."""

SUMMARY: Final = "summary:"
"""How the id of a unit begins that stands for history which was summed up and left out."""

SKILL: Final = "skill:"
"""How the id of a unit begins that holds a forced skill whole: a prompt with it is the proof that it was loaded."""

SKILLS: Final = "skills"
"""The id of the unit that lists the skills which can be loaded."""

SEPARATOR: Final = "\n\n"
"""What stands behind each piece of a layer."""

Message = dict[str, Any]


class MissingUnit(LookupError):
    """A manifest names a unit whose text was not given."""

    def __init__(self, layer: str, unit: str, sha256: str) -> None:
        super().__init__(f"the text of unit {unit!r} of layer {layer} (blob {sha256}) is missing")
        self.sha256 = sha256


def hashes(manifest: ContextManifest) -> list[str]:
    """The blobs that a prompt is made of, each once, in order."""
    return list(dict.fromkeys(unit.sha256 for layer in manifest.layers for unit in layer.units))


def messages(manifest: ContextManifest, texts: Mapping[str, str]) -> list[Message]:
    """Rebuild the messages of a prompt from the texts of its units, by hash.

    They are OpenAI's, whatever the model: `system`, `user`, `assistant` (with `tool_calls`) and `tool`. What the
    harness says is a user message of the name `harness` that begins with `[harness]`.

    Raises:
        MissingUnit: a text was not given.
    """
    system = "".join(
        layer_text([_text(layer, number, texts) for number in range(len(layer.units))])
        for layer in manifest.layers
        if layer.name != TASK_STATE
    ).strip()
    found: list[Message] = [{"role": "system", "content": system}] if system else []
    for layer in manifest.layers:
        if layer.name == TASK_STATE:
            # Each text is a canonical list; one list of them all is read several times faster.
            lists = (_text(layer, number, texts)[1:-1] for number in range(len(layer.units)))
            found.extend(parse_json(f"[{','.join(filter(None, lists))}]"))
    return found


def prompt_sha256(found: Sequence[Message]) -> str:
    """The hash that `context.built` records: SHA-256 of the messages' canonical JSON."""
    return sha256_hex(canonical_json(list(found)))


def layer_text(pieces: Sequence[str]) -> str:
    """A layer in the prompt: each piece, its heading first, with a blank line after it."""
    return SEPARATOR.join((*pieces, ""))


def _text(layer: LayerManifest, number: int, texts: Mapping[str, str]) -> str:
    unit = layer.units[number]
    try:
        return texts[unit.sha256]
    except KeyError:
        raise MissingUnit(layer.name, unit.id, unit.sha256) from None
