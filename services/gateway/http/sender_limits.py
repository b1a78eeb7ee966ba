"""How often one sender may speak: a bucket of messages that fills again as time goes by."""

from collections import OrderedDict
from typing import Final

REMEMBERED: Final = 10_000
"""Senders that are remembered; the one that was silent longest is forgotten first."""


class SenderLimits:
    """The buckets of all senders of this process. `rate`: messages a minute; a third of them may come at once."""

    def __init__(self, rate: int) -> None:
        self._per_second = rate / 60
        self._size = max(1.0, rate / 3)
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def wait(self, channel: str, sender: str, now: float) -> float:
        """Take one message; 0 when it may pass, else after how many seconds one may. `now`: a monotonic clock's."""
        key = (channel, sender)
        left, at = self._buckets.pop(key, (self._size, now))
        left = min(self._size, left + max(0.0, now - at) * self._per_second)
        passes = left >= 1
        self._buckets[key] = (left - 1 if passes else left, now)
        while len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return 0.0 if passes else (1 - left) / self._per_second
