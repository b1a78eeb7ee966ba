"""The vote on several samples of one reply: what more than half of them would do is done; else nothing is."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import ToolCall, Vote

from .models.call_modes import Answer
from .rules.fingerprint import fingerprint
from .state import SIGNALS
from .summary import summary

RULE: Final = "vote/1"
_NOTHING: Final = "no call"


def vote(samples: Sequence[Answer], asked: int) -> tuple[Answer, Vote]:
    """The first sample of the most frequent kind, and how they agreed; `asked` may be more than came back."""
    names = [_fingerprint(sample) for sample in samples]
    (winner, votes), *_ = Counter(names).most_common(1)
    said = tuple("; ".join(map(summary, sample.calls)) or _NOTHING for sample in samples)
    return samples[names.index(winner)], Vote(
        fingerprints=tuple(names), said=said, votes=votes, majority=2 * votes > asked, rule=RULE
    )


def _fingerprint(sample: Answer) -> str:
    return " ".join(map(_name, sample.calls)) or _NOTHING


def _name(call: ToolCall) -> str:
    """What a call would do. Of a signal the words are no part; one that cannot be read is like no other that can."""
    if call.arguments is None:
        return f"{call.name}:unread"
    return call.name if call.name in SIGNALS else fingerprint(call.name, call.arguments)
