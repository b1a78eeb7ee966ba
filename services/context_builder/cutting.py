"""How a layer is cut to its budget: kept or dropped whole, whole units from the head, or its tail. Pure.

Source: seeds/adr-0006-context-assembly.pt.txt and spec/context.md.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import attrgetter
from typing import Final, cast

import regex

from shared.prompt import HEADING, SEPARATOR, layer_text

from .layers import (
    NOTHING_LEFT_OUT,
    AssembledLayer,
    ContextUnfittable,
    Layer,
    LayerName,
    LayerReport,
    LeftOut,
    Strategy,
    Unit,
    ordered_units,
)
from .tokenizers import TokenCount, Tokenizer, Weigher

MARKER: Final = "[… truncado …]"
_GRAPHEME: Final = regex.compile(r"\X")
_PIECE, _PINNED = attrgetter("piece"), attrgetter("pinned")


def cut(layer: Layer, tokenizer: Tokenizer) -> AssembledLayer:
    """The layer as it stands in the prompt.

    Raises:
        ContextUnfittable: its pinned units alone are over its budget.
    """
    if layer.budget < 0:
        layer = replace(layer, budget=0)
    units = ordered_units(layer.units)
    match layer.strategy:
        case Strategy.KEEP_OR_DROP:
            return _keep_or_drop(layer, [unit for unit in units if unit.text], tokenizer)
        case Strategy.DROP_WHOLE_UNITS:
            return _drop_whole_units(layer, units, tokenizer)
        case Strategy.TRUNCATE_TAIL:
            return _truncate_tail(layer, [unit for unit in units if unit.text], tokenizer)


def _result(
    layer: Layer,
    tokenizer: Tokenizer,
    kept: Sequence[Unit],
    left_out: LeftOut = NOTHING_LEFT_OUT,
    *,
    count: TokenCount | None = None,
    truncated: bool = False,
) -> AssembledLayer:
    units = (*_heading(layer), *kept) if kept else ()
    text = layer_text(tuple(map(_PIECE, units)))
    tokens, estimated = count or tokenizer.count(text)
    report = LayerReport(layer.name, layer.strategy, layer.budget, tokens, estimated, kept, left_out, truncated)
    return AssembledLayer(report, text, units)


def _largest_pinned(units: Sequence[Unit]) -> str:
    return max((unit for unit in units if unit.pinned), key=lambda unit: unit.octets, default=Unit("", "")).id


def _first_to_go(layer: Layer) -> str:
    return "the root's goes first" if layer.name is LayerName.INSTRUCTION_FILES else "the oldest go first"


def _heading(layer: Layer) -> tuple[Unit, ...]:
    return (Unit(HEADING, layer.heading),) if layer.heading else ()


def _drop_all(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer, why: str) -> AssembledLayer:
    return _result(layer, tokenizer, (), LeftOut(units, _each(units, tokenizer), why))


def _each(units: Sequence[Unit], tokenizer: Tokenizer) -> list[int]:
    return [tokenizer.count(f"{unit.piece}{SEPARATOR}").tokens for unit in units]


def _keep_or_drop(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer) -> AssembledLayer:
    whole = _result(layer, tokenizer, units)
    if whole.report.tokens <= layer.budget:
        return whole
    why = f"{whole.report.tokens} tokens do not fit the budget of {layer.budget}; it is kept whole or not at all"
    return _drop_all(layer, units, tokenizer, why)


def _drop_whole_units(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer) -> AssembledLayer:
    """Drop units from the head until the rest fits; the pinned ones stay, each in its place."""
    if hasattr(tokenizer, "weigh"):
        weigher = cast(Weigher, tokenizer)
        weights = weigher.weigh((*_heading(layer), *units))
        if weights is not None:
            return _drop_by_weight(layer, units, weigher, weights)
    return _drop_by_counting(layer, units, tokenizer)


def _drop_by_weight(layer: Layer, units: Sequence[Unit], weigher: Weigher, weights: Sequence[int]) -> AssembledLayer:
    """`weights` are those of the heading, if there is one, and of the units."""
    each = weights[-len(units) :] if units else ()
    total, room = sum(weights) if units else 0, weigher.room(layer.budget)
    if total <= room:
        return _result(layer, weigher, units, count=TokenCount(weigher.tokens((total,))[0], weigher.estimated))
    free = [number for number, unit in enumerate(units) if not unit.pinned] if any(map(_PINNED, units)) else None
    order = each if free is None else [each[number] for number in free]
    gone = bisect_left(list(accumulate(order)), total - room) + 1
    if gone > len(order):
        gone = len(order)
        if free is not None and gone < len(units):
            pinned = weigher.tokens((total - sum(order),))[0]
            raise ContextUnfittable(layer.name, layer.budget, pinned, _largest_pinned(units))
    if free is None:
        kept, left = units[gone:], units[:gone]
    else:
        out = frozenset(free[:gone])
        kept = [unit for number, unit in enumerate(units) if number not in out]
        left = [units[number] for number in free[:gone]]
    total = total - sum(order[:gone]) if kept else 0
    why = f"over the budget of {layer.budget}: {_first_to_go(layer)}"
    left_out = LeftOut(left, weigher.tokens(order[:gone]), why)
    return _result(layer, weigher, kept, left_out, count=TokenCount(weigher.tokens((total,))[0], weigher.estimated))


def _drop_by_counting(layer: Layer, units: Sequence[Unit], tokenizer: Tokenizer) -> AssembledLayer:
    """The same with a tokenizer that can only count texts: the cut is searched for, from a guess on."""
    whole = _result(layer, tokenizer, units)
    excess = whole.report.tokens - layer.budget
    if excess <= 0:
        return whole
    free = [position for position, unit in enumerate(units) if not unit.pinned]
    each = _each([units[position] for position in free], tokenizer)

    def after_dropping(count: int) -> AssembledLayer:
        gone = frozenset(free[:count])
        return _result(layer, tokenizer, [unit for position, unit in enumerate(units) if position not in gone])

    def fits(count: int) -> bool:
        return after_dropping(count).report.tokens <= layer.budget

    count = _smallest_that_fits(fits, bisect_left(list(accumulate(each)), excess) + 1, len(free))
    cut = after_dropping(count)
    if cut.report.tokens > layer.budget:
        raise ContextUnfittable(layer.name, layer.budget, cut.report.tokens, _largest_pinned(units))
    why = f"over the budget of {layer.budget}: {_first_to_go(layer)}"
    left_out = LeftOut([units[position] for position in free[:count]], each[:count], why)
    return replace(cut, report=replace(cut.report, left_out=left_out))


def _smallest_that_fits(fits: Callable[[int], bool], guess: int, limit: int) -> int:
    """A number in 1..limit that fits while the one before does not; `limit` if none does. 0 does not fit."""
    low, high, step = 0, limit, 1
    probe = min(max(guess, 1), limit)
    if limit and fits(probe):
        high = probe
        while high - step > low and fits(high - step):
            high, step = high - step, step * 2
        low = max(low, high - step)
    else:
        low = min(probe, limit)
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
    blob = SEPARATOR.join(map(_PIECE, units))

    def prefix(end: int) -> AssembledLayer:
        cut = Unit(units[0].id, blob[:end] + MARKER, units[0].order)
        return _result(layer, tokenizer, (cut,), truncated=True)

    def fits(end: int) -> bool:
        pieces = [layer.heading, blob[:end] + MARKER] if layer.heading else [blob[:end] + MARKER]
        return tokenizer.count(layer_text(pieces)).tokens <= layer.budget

    if not fits(0):
        return _drop_all(layer, units, tokenizer, f"the budget of {layer.budget} is smaller than the marker")
    low, high = 0, min(len(blob), 4 * layer.budget)
    while high < len(blob) and fits(high):
        low, high = high, min(len(blob), 2 * high)
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    end = _grapheme_end(blob, low)
    while not fits(end):  # only with a counter under which a shorter text may cost more
        end = _grapheme_end(blob, end // 2)
    return prefix(end)


def _grapheme_end(text: str, end: int) -> int:
    """The last place up to `end` between two grapheme clusters.

    Clusters are told apart from their beginning on, so the look begins at a place before that is surely between two:
    in front of an ASCII character that follows another.
    """
    if end >= len(text):
        return len(text)
    start = end
    while start > 0 and not (text[start - 1 : start + 1].isascii() and text[start - 1 : start + 1] != "\r\n"):
        start -= 1
    for cluster in _GRAPHEME.finditer(text, start):
        if cluster.end() > end:
            return max(start, cluster.start())
    return end
