"""Results that the model has not read yet, where they are too large: few of them shrink, and no more than they must."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from .entries import STUB_KEEPS, Entry
from .tokenizers import Tokenizer

_STEP: Final = 64
"""Bytes by which excerpts differ: the closest fit would cost more counting than it is worth."""

_Output = tuple[int, str]
"""An output by the number of its entry and the id of its call."""


def shrunk(entries: Sequence[Entry], room: int, tokenizer: Tokenizer) -> list[Entry]:
    """The entries, whose short forms together fit `room` (a weight) if anything does.

    The largest outputs shrink first, of equal ones the oldest, and no more of them than needed; those that shrink are
    excerpts of one length, as long as fits. Where not even the stubs of all large ones fit, small ones shrink too.
    """
    sizes = {(number, call): size for number, entry in enumerate(entries) for call, size in entry.outputs.items()}
    order = sorted(sizes, key=lambda output: -sizes[output])

    def fits(found: Sequence[Entry]) -> bool:
        return sum(entry.cost(tokenizer, short=True) for entry in found) <= room

    count = next((count for count in range(len(order)) if fits(_keeping(entries, order[:count], STUB_KEEPS))), None)
    if count is None:
        count = len(order)
    least = _keeping(entries, order[:count], STUB_KEEPS)
    if not fits(least):
        every = [(number, call) for number, entry in enumerate(entries) for call in entry.every_output]
        return _longest(lambda length: _keeping(entries, every, length), fits, range(0, STUB_KEEPS, _STEP // 4))
    lengths = range(STUB_KEEPS, STUB_KEEPS + max(sizes.values(), default=0), _STEP)
    return _longest(lambda length: _keeping(entries, order[:count], length), fits, lengths) if count else least


def _longest(
    keeping: Callable[[int], list[Entry]], fits: Callable[[list[Entry]], bool], lengths: Sequence[int]
) -> list[Entry]:
    """The entries with excerpts of the greatest length with which they fit; with the least where none does."""
    number = bisect_left(lengths, True, key=lambda length: not fits(keeping(length)))
    return keeping(lengths[max(0, number - 1)])


def _keeping(entries: Sequence[Entry], outputs: Sequence[_Output], length: int) -> list[Entry]:
    """The entries with these outputs shrunk to a length; those of the others are whole."""
    kept: list[Mapping[str, int]] = [
        {call: length for place, call in outputs if place == number} for number in range(len(entries))
    ]
    return [entry.keeping(which) for entry, which in zip(entries, kept, strict=True)]
