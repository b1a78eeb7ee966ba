"""The prompt assembler: five ordered layers, each cut to its budget by its own rule. Pure, and blind to its sources.

Source: seeds/adr-0006-context-assembly.pt.txt and spec/context.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Final

from .cutting import cut
from .layers import AssembledLayer, Layer, LayerName
from .tokenizers import Tokenizer

_POSITION: Final = {name: position for position, name in enumerate(LayerName)}


@dataclass(frozen=True, slots=True)
class Assembled:
    """A prompt: its layers in order, each with text and report."""

    layers: tuple[AssembledLayer, ...]

    @property
    def prompt(self) -> str:
        """The layers' texts, one after the other."""
        return "".join(layer.text for layer in self.layers)

    @property
    def sha256(self) -> str:
        """The hash of the prompt's UTF-8 bytes."""
        return sha256(self.prompt.encode()).hexdigest()

    @property
    def tokens(self) -> int:
        """The tokens of all layers together."""
        return sum(layer.report.tokens for layer in self.layers)

    def layer(self, name: LayerName) -> AssembledLayer | None:
        """The layer of that name, where there is one."""
        return next((layer for layer in self.layers if layer.report.name is name), None)


def assemble(layers: Iterable[Layer], tokenizer: Tokenizer) -> Assembled:
    """Cut every layer to its budget and put them in order. Any permutation of the inputs gives the same bytes.

    Raises:
        ContextUnfittable: a layer's pinned units alone are over its budget.
        ValueError: two layers of one name.
    """
    ordered = sorted(layers, key=lambda layer: _POSITION[layer.name])
    for one, other in pairwise(ordered):
        if one.name is other.name:
            raise ValueError(f"the layer {one.name} is given twice")
    return Assembled(tuple(cut(layer, tokenizer) for layer in ordered))
