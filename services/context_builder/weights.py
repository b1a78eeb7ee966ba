"""What one unit adds to a layer, so that sums over units are exact: single counts are rounded up, each for itself."""

from typing import cast

from shared.prompt import SEPARATOR

from .layers import Unit
from .tokenizers import Tokenizer, Weigher


def weight(text: str, tokenizer: Tokenizer) -> int:
    """The weight of a unit with its separator, in tokens where the tokenizer does not weigh it."""
    found = cast(Weigher, tokenizer).weigh((Unit("", text),)) if hasattr(tokenizer, "weigh") else None
    return tokenizer.count(f"{text}{SEPARATOR}").tokens if found is None else found[0]


def tokens(weight: int, tokenizer: Tokenizer) -> int:
    """The tokens of a weight, or of a sum of weights."""
    return cast(Weigher, tokenizer).tokens((weight,))[0] if hasattr(tokenizer, "tokens") else weight


def room(budget: int, tokenizer: Tokenizer) -> int:
    """The largest weight that a budget in tokens holds."""
    return cast(Weigher, tokenizer).room(max(0, budget)) if hasattr(tokenizer, "room") else budget
