"""How long to wait before something that ended is started again. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Backoff:
    """Delays that double from `first` to `most` seconds, and begin anew after `healthy` seconds of life."""

    first: float = 0.1
    most: float = 10.0
    healthy: float = 30.0
    failures: int = 0

    def delay(self, lived: float) -> float:
        """Seconds to wait after a life of `lived` seconds."""
        self.failures = 1 if lived >= self.healthy else self.failures + 1
        return min(self.first * 2.0 ** min(self.failures - 1, 30), self.most)
