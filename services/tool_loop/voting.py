"""The vote on several samples of one reply: what more than half of them would do is done; else nothing is."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from arreio_contracts.events import Vote

from .models.call_modes import Answer
from .rules.fingerprint import fingerprint
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
    """The calls in their order; one that cannot be read is like no other of its tool that can."""
    calls = (
        f"{call.name}:unread" if call.arguments is None else fingerprint(call.name, call.arguments)
        for call in sample.calls
    )
    return " ".join(calls) or _NOTHING
