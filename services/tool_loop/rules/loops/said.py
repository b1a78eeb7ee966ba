"""What was said to somebody: the same again in other words, or something else."""

from collections import defaultdict, deque
from typing import Final, NamedTuple

from arreio_contracts.events import StepDigest

from ..wording import alike

_REMEMBERED: Final = 8
_SHARE: Final = 1 / 3
_SHARE_OF_BRIEF: Final = 1 / 2
"""A yes may answer many questions, and many messages are taken with an ok: then more words must be common."""


class _Wording(NamedTuple):
    words: frozenset[str]
    names: frozenset[str]
    forms: frozenset[str]
    call: str

    def says(self, words: frozenset[str], names: frozenset[str], forms: frozenset[str], share: float) -> bool:
        """Whether other words say the same: enough of them, and not of somebody or something else."""
        mine, others = self.words - words, words - self.words
        of_another = bool(self.names & mine) and bool(names & others)
        # One word in the place of another, all others as they were: the same form for the next thing.
        next_one = bool(mine and others and self.forms & forms)
        return alike(self.words, words, share) and not (of_another or next_one)


class Said:
    """Names what is said by the first wording of it. The names and numbers in it are in the call's fingerprint."""

    def __init__(self) -> None:
        self._wordings: defaultdict[str, deque[_Wording]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))

    def call(self, seen: StepDigest) -> str:
        """The call that a step is: one that was made before where it says the same."""
        words, names, forms = frozenset(seen.said), frozenset(seen.named), frozenset(seen.forms)
        known = self._wordings[seen.call]
        share = _SHARE if seen.worded is None else _SHARE_OF_BRIEF
        call = next((one.call for one in known if one.says(words, names, forms, share)), None)
        call = call or (seen.call if not known else f"{seen.call}/{'.'.join(seen.said)}")
        if (wording := _Wording(words, names, forms, call)) not in known:
            known.append(wording)
        return call
