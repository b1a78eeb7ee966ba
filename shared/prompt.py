"""A prompt and its parts: a manifest names the units, their texts are blobs, and together they are messages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arreio_contracts.messages import ContextManifest, LayerManifest

from shared.canonical import canonical_json, parse_json, sha256_hex
from shared.list_hashes import ListHashes

TASK_STATE: Final = "task_state"
"""The layer whose units are messages of the conversation; the layers before it are the system message."""

HEADING: Final = "heading"
"""The id of the unit that holds a layer's heading; it is a unit so that a prompt is rebuilt from its blobs alone."""

SUMMARY: Final = "summary:"
"""How the id of a unit begins that stands for history which was summed up and left out."""

RULE: Final = "rule:"
"""How the id of a unit begins that holds a rule which a person approved."""

SKILL: Final = "skill:"
"""How the id of a unit begins that holds a forced skill whole: a prompt with it is the proof that it was loaded."""

SKILLS: Final = "skills"
"""The id of the unit that lists the skills which can be loaded."""

SEPARATOR: Final = "\n\n"
"""What stands behind each piece of a layer."""

_EMPTY_LIST: Final = len("[]")

Message = dict[str, Any]


class MissingUnit(LookupError):
    """A manifest names a unit whose text was not given."""

    def __init__(self, layer: str, unit: str, sha256: str) -> None:
        super().__init__(f"the text of unit {unit!r} of layer {layer} (blob {sha256}) is missing")
        self.sha256 = sha256


def hashes(manifest: ContextManifest) -> list[str]:
    """The blobs that a prompt is made of, each once, in order."""
    return list(dict.fromkeys([unit.sha256 for layer in manifest.layers for unit in layer.units]))


def messages(manifest: ContextManifest, texts: Mapping[str, str]) -> list[Message]:
    """Rebuild the messages of a prompt from the texts of its units, by hash.

    They are OpenAI's, whatever the model: `system`, `user`, `assistant` (with `tool_calls`) and `tool`. What the
    harness says is a user message of the name `harness` that begins with `[harness]`.

    Raises:
        MissingUnit: a text was not given.
    """
    system = _system(manifest, texts)
    found: list[Message] = [{"role": "system", "content": system}] if system else []
    # Each text is a canonical list; one list of them all is read several times faster.
    found.extend(parse_json(f"[{','.join([text[1:-1] for text in _lists(manifest, texts)])}]"))
    return found


def prompt_sha256(found: Sequence[Message]) -> str:
    """The hash that `context.built` records: SHA-256 of the messages' canonical JSON."""
    return sha256_hex(canonical_json(list(found)))


class PromptHashes:
    """`prompt_sha256` of rebuilt messages without reading them, where every text is canonical, as ours are.

    A prompt mostly begins like the one before, which is then not hashed again.
    """

    def __init__(self) -> None:
        self._hashes = ListHashes()
        self._system = ""
        self._head = ""

    def sha256(self, manifest: ContextManifest, texts: Mapping[str, str]) -> str:
        """The hash of the prompt.

        Raises:
            MissingUnit: a text was not given.
        """
        system = _system(manifest, texts)
        if system != self._system:
            self._system, self._head = system, canonical_json([{"role": "system", "content": system}])
        return self._hashes.sha256([*([self._head] if system else []), *_lists(manifest, texts)])


def layer_text(pieces: Sequence[str]) -> str:
    """A layer in the prompt: each piece, its heading first, with a blank line after it."""
    return SEPARATOR.join((*pieces, ""))


def _system(manifest: ContextManifest, texts: Mapping[str, str]) -> str:
    layers = (layer_text(_texts(layer, texts)) for layer in manifest.layers if layer.name != TASK_STATE)
    return "".join(layers).strip()


def _lists(manifest: ContextManifest, texts: Mapping[str, str]) -> list[str]:
    """The lists of messages, as JSON; lists of none are left out."""
    layers = (layer for layer in manifest.layers if layer.name == TASK_STATE)
    return [text for layer in layers for text in _texts(layer, texts) if len(text) > _EMPTY_LIST]


def _texts(layer: LayerManifest, texts: Mapping[str, str]) -> list[str]:
    try:
        return [texts[unit.sha256] for unit in layer.units]
    except KeyError:
        unit = next(unit for unit in layer.units if unit.sha256 not in texts)
        raise MissingUnit(layer.name, unit.id, unit.sha256) from None
