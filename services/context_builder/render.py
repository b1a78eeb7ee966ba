"""From the assembler's result to what crosses the wire: the manifest, the texts by hash, and the hash of the prompt."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from arreio_contracts.messages import (
    ContextManifest,
    DroppedUnit,
    InstructionChange,
    LayerManifest,
    SkippedFile,
    UnitRef,
)

from shared.canonical import canonical_json, sha256_hex

from .assembler import Assembled
from .cutting import cut
from .imitation import INSTRUCTIONS, PROJECT, RULES
from .instruction_files import Skipped
from .layers import AssembledLayer, Dropped, Layer, LayerName, LayerReport, Unit
from .tokenizers import Tokenizer

HEADINGS: Final[dict[LayerName, str]] = {
    LayerName.IDENTITY: "",
    LayerName.INSTRUCTION_FILES: INSTRUCTIONS,
    LayerName.PROJECT_CONTEXT: PROJECT,
    LayerName.BUSINESS_RULES: RULES,
    LayerName.TASK_STATE: "",
}
"""What stands over each layer; the task's state is a conversation and has none."""

DEFAULT_BUDGETS: Final[dict[LayerName, int]] = {
    LayerName.IDENTITY: 1_000,
    LayerName.INSTRUCTION_FILES: 4_000,
    LayerName.PROJECT_CONTEXT: 1_500,
    LayerName.BUSINESS_RULES: 1_500,
    LayerName.TASK_STATE: 24_000,
}
"""Tokens of each layer where neither the capability profile nor the call says otherwise."""


def cut_off(
    name: LayerName, budgets: Mapping[LayerName, int], tokenizer: Tokenizer, units: Sequence[Unit]
) -> frozenset[str]:
    """The ids of the units that the layer's cut leaves out."""
    layer = cut(Layer(name, tuple(units), budgets[name], HEADINGS[name]), tokenizer)
    return frozenset(unit.id for unit in layer.report.left_out.units)


@lru_cache(maxsize=8192)
def text_sha256(text: str) -> str:
    """The hash of a unit's text; remembered, since most units of a turn were there in the last one."""
    return sha256_hex(text)


@lru_cache(maxsize=8192)
def _reference(name: str, text: str) -> UnitRef:
    return UnitRef(id=name, sha256=text_sha256(text))


def manifest(
    assembled: Assembled,
    skipped: Iterable[Skipped],
    before: Iterable[Dropped] = (),
    *,
    kept: Mapping[str, str] = MappingProxyType({}),
    changed: tuple[InstructionChange, ...] = (),
    tokenizer: str = "",
) -> ContextManifest:
    """The manifest of a prompt.

    `before` is what was left out of the task's state before the assembler saw it, `kept` the hashes of texts by unit,
    which are blobs whether or not the prompt shows them whole.
    """
    layers = []
    for layer in assembled.layers:
        report = layer.report
        dropped = [*(before if report.name is LayerName.TASK_STATE else ()), *report.dropped]
        layers.append(
            LayerManifest(
                name=report.name,
                strategy=report.strategy,
                budget=report.budget,
                tokens=report.tokens,
                estimated=report.estimated,
                units=tuple(_reference(name, text) for name, text in layer.pieces),
                dropped=tuple(
                    DroppedUnit(id=unit.id, tokens=unit.tokens, why=unit.why, sha256=kept.get(unit.id))
                    for unit in dropped
                ),
                truncated=report.truncated,
                whole=_whole(report, kept) if report.truncated else None,
            )
        )
    return ContextManifest(
        layers=tuple(layers),
        skipped=tuple(SkippedFile(path=file.path, why=file.why) for file in skipped),
        changed=changed,
        tokenizer=tokenizer,
        prompt_sha256=_prompt_sha256(assembled.layers),
        tokens=assembled.tokens,
        estimated=any(layer.report.estimated for layer in assembled.layers),
    )


def _whole(report: LayerReport, kept: Mapping[str, str]) -> UnitRef | None:
    return next((UnitRef(id=name, sha256=kept[name]) for name in report.kept if name in kept), None)


def texts(assembled: Assembled) -> dict[str, str]:
    """The text of every piece of the prompt, by hash."""
    return {text_sha256(text): text for layer in assembled.layers for _, text in layer.pieces}


def _prompt_sha256(layers: Iterable[AssembledLayer]) -> str:
    """What `shared.prompt.prompt_sha256` gives, without reading the units again: each is a canonical list already."""
    system = "".join(layer.text for layer in layers if layer.report.name is not LayerName.TASK_STATE).strip()
    parts = [canonical_json({"role": "system", "content": system})] if system else []
    parts.extend(
        text[1:-1]
        for layer in layers
        if layer.report.name is LayerName.TASK_STATE
        for _, text in layer.pieces
        if text != "[]"
    )
    digest = hashlib.sha256(b"[")
    digest.update(",".join(parts).encode())
    digest.update(b"]")
    return digest.hexdigest()
