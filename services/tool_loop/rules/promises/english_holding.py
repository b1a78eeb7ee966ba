"""Requests to wait: `one moment`, `hold on`."""

from . import english_phrases as fixed
from .candidates import word_at
from .phrases import Words, vocabulary

_AFTER_HOLDING = vocabulary(
    """
    , and as but here i i'll i'm let minute minutes moment moments more now please seconds secs so then to while
    with
    """
)


def holding(words: Words, start: int) -> bool:
    """Whether a request to wait stands here: it promises what the wait is for."""
    length = fixed.HOLDING.at(words, start)
    if not length or words[start : start + 3] == ("hold", "on", "to"):
        return False
    following = word_at(words, start + length)
    return not following or following in _AFTER_HOLDING or following.endswith("ing")
