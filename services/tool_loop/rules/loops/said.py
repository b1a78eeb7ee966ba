"""What was said to somebody: the same again in other words, or something else."""

from collections import defaultdict, deque
from typing import Final

from arreio_contracts.events import StepDigest

from ..wording import alike

_REMEMBERED: Final = 8
_SHARE: Final = 1 / 3
_SHARE_OF_BRIEF: Final = 1 / 2
"""A yes may answer many questions, and many messages are taken with an ok: then more words must be common."""


class Said:
    """Names what is said by the first wording of it. The names and numbers in it are in the call's fingerprint."""

    def __init__(self) -> None:
        self._wordings: defaultdict[str, deque[tuple[frozenset[str], str]]] = defaultdict(
            lambda: deque(maxlen=_REMEMBERED)
        )

    def call(self, seen: StepDigest) -> str:
        """The call that a step is: one that was made before where it says the same."""
        words = frozenset(seen.said)
        known = self._wordings[seen.call]
        share = _SHARE if seen.worded is None else _SHARE_OF_BRIEF
        name = next((name for said, name in known if alike(said, words, share)), None)
        name = name or (seen.call if not known else f"{seen.call}/{'.'.join(seen.said)}")
        if (words, name) not in known:
            known.append((words, name))
        return name
