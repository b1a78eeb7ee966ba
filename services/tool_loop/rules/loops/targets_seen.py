"""Whether what is tried is another thing each time, as in a batch, or one thing in other spellings."""

from typing import Final

from arreio_contracts.events import TargetSeen

_REMEMBERED: Final = 256
_KIN: Final = 1 / 2
"""Of its words a thing shares so many with those before it that is one of them in another spelling."""
_STRANGERS: Final = 2 / 3
"""So large a share of all must be no kin of those before."""


class Targets:
    """The things that calls were about. What differs in figures alone is counted through: that is a batch."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._shapes: set[str] = set()
        self._words: set[str] = set()
        self._parts: set[str] = set()
        self._strangers = 0
        self._all = True

    def add(self, target: TargetSeen | None) -> None:
        """One more; None: it cannot be told what the call was about."""
        if target is None or target.value in self._values or len(self._values) >= _REMEMBERED:
            self._all = False
            return
        # Who tries one card after the other for one order is about the order.
        self._all = self._all and not self._parts & set(target.parts)
        self._parts |= set(target.parts)
        words = set(target.words)
        self._values.add(target.value)
        self._shapes.add(target.shape)
        self._strangers += not words or len(words & self._words) < _KIN * len(words)
        if len(self._words) < _REMEMBERED:
            self._words |= words

    @property
    def counted(self) -> bool:
        """Whether every call was about another thing, and they differ in their figures alone."""
        return self._all and len(self._values) > 1 and len(self._shapes) == 1

    @property
    def differ(self) -> bool:
        """Whether every call was about another thing, and few are spellings of those before."""
        return self._all and len(self._values) > 1 and self._strangers >= _STRANGERS * len(self._values)
