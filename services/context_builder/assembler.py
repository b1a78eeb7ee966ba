"""The prompt assembler: five ordered layers, each cut to its budget by its own rule. Pure, and blind to its sources.

Source: seeds/adr-0006-context-assembly.pt.txt and spec/context.md.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final

import regex

from shared.prompt import HEADING, layer_text

from .tokenizers import Tokenizer

MARKER: Final = "[… truncado …]"
_GRAPHEME = regex.compile(r"\X")


class Strategy(StrEnum):
    """What happens to a layer that is larger than its budget."""

    KEEP_OR_DROP = "keep_or_drop"
    DROP_WHOLE_UNITS = "drop_whole_units"
    TRUNCATE_TAIL = "truncate_tail"


class LayerName(StrEnum):
    """The layers, in the order of the prompt: what is stable comes first, so that providers' prompt caches hit."""

    IDENTITY = "identity"
    INSTRUCTION_FILES = "instruction_files"
    PROJECT_CONTEXT = "project_context"
    BUSINESS_RULES = "business_rules"
    TASK_STATE = "task_state"


STRATEGIES: Final[dict[LayerName, Strategy]] = {
    LayerName.IDENTITY: Strategy.KEEP_OR_DROP,
    LayerName.INSTRUCTION_FILES: Strategy.DROP_WHOLE_UNITS,
    LayerName.PROJECT_CONTEXT: Strategy.TRUNCATE_TAIL,
    LayerName.BUSINESS_RULES: Strategy.DROP_WHOLE_UNITS,
    LayerName.TASK_STATE: Strategy.DROP_WHOLE_UNITS,
}
_POSITION: Final = {name: position for position, name in enumerate(LayerName)}

OrderKey = int | float | str | Sequence["OrderKey"] | None


class ContextUnfittable(Exception):
    """What may not be left out of a layer is larger than the layer's budget."""

    code = "context_unfittable"

    def __init__(self, layer: str, budget: int, tokens: int) -> None:
        super().__init__(
            f"what {layer} must hold takes {tokens} tokens and its budget is {budget}; raise it, or shorten the goal"
        )
        self.layer = layer
        self.budget = budget
        self.tokens = tokens


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a layer that is kept or dropped whole.

    `order` gives its place: units with a smaller key come first in the prompt and are dropped first. `label`, if any,
    is printed on the line before the text. A pinned unit is never dropped.
    """

    id: str
    text: str
    order: OrderKey = 0
    pinned: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer before the cut: its units in any order, and its budget in tokens. A blob is a layer of one unit."""

    name: LayerName
    units: tuple[Unit, ...]
    budget: int
    heading: str = ""

    @property
    def strategy(self) -> Strategy:
        """The cut is a property of the layer, never of a call."""
        return STRATEGIES[self.name]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A unit that was left out, with its label and separators counted."""

    id: str
    tokens: int
    why: str


@dataclass(frozen=True, slots=True)
class LayerReport:
    """What became of one layer. `tokens` counts the layer's text as it stands in the prompt."""

    name: LayerName
    strategy: Strategy
    budget: int
    tokens: int
    estimated: bool
    kept: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class AssembledLayer:
    """A layer after the cut: its report, its text in the prompt, and the pieces (id and text) that this is made of."""

    report: LayerReport
    text: str
    pieces: tuple[tuple[str, str], ...]


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
    return Assembled(tuple(_cut(layer, tokenizer) for layer in ordered))


def ordered_units(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units by their order key; what has the same key, by id and text."""
    return tuple(sorted((_clean(unit) for unit in units), key=_unit_key))


def _unit_key(unit: Unit) -> tuple[Any, ...]:
    return (_total_order(unit.order), unit.id, unit.text, unit.label, unit.pinned)


def _total_order(key: OrderKey) -> tuple[Any, ...]:
    """Numbers before texts before sequences, so that keys of different kinds compare too."""
    if key is None:
        return (0,)
    if isinstance(key, int | float):
        return (1, key) if key == key else (0, 1)
    if isinstance(key, str):
        return (2, key)
    return (3, tuple(_total_order(part) for part in key))


def _clean(unit: Unit) -> Unit:
    """Replace lone surrogates, which have no UTF-8 form, by U+FFFD."""
    if _has_utf8(unit.text) and _has_utf8(unit.label) and _has_utf8(unit.id):
        return unit
    return Unit(_replaced(unit.id), _replaced(unit.text), unit.order, unit.pinned, _replaced(unit.label))


def _has_utf8(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _replaced(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _cut(layer: Layer, tokenizer: Tokenizer) -> AssembledLayer:
    layer = replace(layer, budget=max(layer.budget, 0))
    units = ordered_units(layer.units)
    match layer.strategy:
        case Strategy.KEEP_OR_DROP:
            return _keep_or_drop(layer, [unit for unit in units if unit.text], tokenizer)
        case Strategy.DROP_WHOLE_UNITS:
            return _drop_whole_units(layer, units, tokenizer)
        case Strategy.TRUNCATE_TAIL:
            return _truncate_tail(layer, [unit for unit in units if unit.text], tokenizer)


def _piece(unit: Unit) -> str:
    return f"{unit.label}\n{unit.text}" if unit.label else unit.text


def _cost(unit: Unit, tokenizer: Tokenizer) -> int:
    return tokenizer.count(f"{_piece(unit)}\n\n").tokens


def _result(
    layer: Layer,
    tokenizer: Tokenizer,
    kept: Sequence[Unit],
    dropped: Sequence[Dropped] = (),
    *,
    truncated: bool = False,
) -> AssembledLayer:
    head = [(HEADING, layer.heading)] if layer.heading and kept else []
    pieces = (*head, *((unit.id, _piece(unit)) for unit in kept))
    text = layer_text([piece for _, piece in pieces])
    count = tokenizer.count(text)
    report = LayerReport(
        name=layer.name,
        strategy=layer.strategy,
        budget=layer.budget,
        tokens=count.tokens,
        estimated=count.estimated,
        kept=tuple(unit.id for unit in kept),
        dropped=tuple(dropped),
        truncated=truncated,
    )
    return AssembledLayer(report, text, pieces)


def _drop_all(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer, why: str) -> AssembledLayer:
    return _result(layer, tokenizer, (), [Dropped(unit.id, _cost(unit, tokenizer), why) for unit in units])


def _keep_or_drop(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer) -> AssembledLayer:
    whole = _result(layer, tokenizer, units)
    if whole.report.tokens <= layer.budget:
        return whole
    why = f"{whole.report.tokens} tokens do not fit the budget of {layer.budget}; it is kept whole or not at all"
    return _drop_all(layer, units, tokenizer, why)


def _drop_whole_units(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer) -> AssembledLayer:
    """Drop units from the head until the rest fits; the pinned ones stay, each in its place."""
    whole = _result(layer, tokenizer, units)
    if whole.report.tokens <= layer.budget:
        return whole
    free = [position for position, unit in enumerate(units) if not unit.pinned]
    why = f"over the budget of {layer.budget}: the oldest go first"

    def after_dropping(count: int) -> AssembledLayer:
        gone = set(free[:count])
        kept = [unit for position, unit in enumerate(units) if position not in gone]
        return _result(layer, tokenizer, kept)

    def fits(count: int) -> bool:
        return after_dropping(count).report.tokens <= layer.budget

    count = _smallest_that_fits(fits, _guess(layer, units, free, whole.report.tokens, tokenizer), len(free))
    cut = after_dropping(count)
    if cut.report.tokens > layer.budget:
        raise ContextUnfittable(layer.name, layer.budget, cut.report.tokens)
    dropped = tuple(Dropped(units[position].id, _cost(units[position], tokenizer), why) for position in free[:count])
    return replace(cut, report=replace(cut.report, dropped=dropped))


def _guess(layer: Layer, units: Sequence[Unit], free: Sequence[int], tokens: int, tokenizer: Tokenizer) -> int:
    """How many units to drop, by the sum of their single costs."""
    excess = tokens - layer.budget
    for count, position in enumerate(free):
        if excess <= 0:
            return count
        excess -= _cost(units[position], tokenizer)
    return len(free)


def _smallest_that_fits(fits: Callable[[int], bool], guess: int, limit: int) -> int:
    """The smallest number in 1..limit that fits while the one before does not; `limit` if none does. 0 does not fit."""
    low, high, step = 0, limit, 1
    probe = min(max(guess, 1), limit)
    if fits(probe):
        high = probe
        while high - step > low and fits(high - step):
            high, step = high - step, step * 2
        low = max(low, high - step)
    else:
        low = probe
        while low + step < high and not fits(low + step):
            low, step = low + step, step * 2
        high = min(high, low + step)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            high = middle
        else:
            low = middle
    return high


def _truncate_tail(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer) -> AssembledLayer:
    """Keep the longest prefix, cut between grapheme clusters, that fits with the marker behind it."""
    whole = _result(layer, tokenizer, units)
    if whole.report.tokens <= layer.budget:
        return whole
    blob = "\n\n".join(_piece(unit) for unit in units)
    first = units[0]

    def prefix(end: int) -> AssembledLayer:
        cut = Unit(first.id, blob[:end] + MARKER, first.order)
        return _result(layer, tokenizer, (cut,), truncated=True)

    best = prefix(0)
    if best.report.tokens > layer.budget:
        return _drop_all(layer, units, tokenizer, f"the budget of {layer.budget} is smaller than the marker")
    ends = _grapheme_ends(blob, lambda end: prefix(end).report.tokens <= layer.budget)
    low, high = 0, len(ends)
    while low < high:
        middle = (low + high) // 2
        candidate = prefix(ends[middle])
        if candidate.report.tokens <= layer.budget:
            best, low = candidate, middle + 1
        else:
            high = middle
    return best


def _grapheme_ends(text: str, fits: Callable[[int], bool]) -> list[int]:
    """The ends of the grapheme clusters of `text`, up to some way past the last one that fits."""
    ends: list[int] = []
    check = 64
    for cluster in _GRAPHEME.finditer(text):
        ends.append(cluster.end())
        if len(ends) == check:
            if not fits(ends[-1]):
                break
            check *= 2
    return ends
