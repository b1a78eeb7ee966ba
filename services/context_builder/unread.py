"""Results that the model has not read yet, where they are too large: few of them shrink, and no more than they must."""

from collections.abc import Mapping, Sequence
from typing import Final

from .entries import STUB_KEEPS, Entry
from .tokenizers import Tokenizer

_STEP: Final = 64
"""Characters by which excerpts differ: the closest fit would cost more counting than it is worth."""

_Output = tuple[int, str]
"""An output by the number of its entry and the id of its call."""


def shrunk(entries: Sequence[Entry], room: int, tokenizer: Tokenizer) -> list[Entry]:
    """The entries, whose short forms together fit `room` (a weight) if anything does.

    The largest outputs shrink first, of equal ones the oldest, and no more of them than needed; those that shrink are
    excerpts of one length, as long as fits.
    """
    sizes = {(number, call): size for number, entry in enumerate(entries) for call, size in entry.outputs.items()}
    order = sorted(sizes, key=lambda output: -sizes[output])

    def fits(found: Sequence[Entry]) -> bool:
        return sum(entry.cost(tokenizer, short=True) for entry in found) <= room

    count = next((count for count in range(len(order)) if fits(_keeping(entries, order[:count], STUB_KEEPS))), None)
    if count is None:
        count = len(order)
    least = _keeping(entries, order[:count], STUB_KEEPS)
    if not count or not fits(least):
        return least
    best, low, high = least, 0, max(sizes.values()) // _STEP
    while low < high:
        middle = (low + high + 1) // 2
        tried = _keeping(entries, order[:count], STUB_KEEPS + middle * _STEP)
        if fits(tried):
            best, low = tried, middle
        else:
            high = middle - 1
    return best


def _keeping(entries: Sequence[Entry], outputs: Sequence[_Output], length: int) -> list[Entry]:
    """The entries with these outputs shrunk to a length; those of the others are whole."""
    kept: list[Mapping[str, int]] = [
        {call: length for place, call in outputs if place == number} for number in range(len(entries))
    ]
    return [entry.keeping(which) for entry, which in zip(entries, kept, strict=True)]
