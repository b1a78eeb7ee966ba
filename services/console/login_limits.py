"""How often one may try to sign in: few failures for a name from one address, more for an address. Pure."""

from collections import deque
from typing import Final

WINDOW: Final = 300.0
"""Seconds for which a failure counts."""
PER_NAME: Final = 5
PER_ADDRESS: Final = 20
MOST_KEPT: Final = 10_000
"""Names and addresses that are remembered; beyond it the oldest go."""


class LoginLimits:
    """Failures of the last five minutes. A name is counted for each address, so that nobody can lock out another."""

    def __init__(self) -> None:
        self._failures: dict[tuple[str, str], deque[float]] = {}

    def wait(self, name: str, address: str, now: float) -> float:
        """Seconds until another try may be made; 0: now."""
        limits = (((address, name), PER_NAME), ((address, ""), PER_ADDRESS))
        return max(self._wait(key, limit, now) for key, limit in limits)

    def failed(self, name: str, address: str, now: float) -> None:
        """A password was wrong."""
        for key in ((address, name), (address, "")):
            failures = self._failures.pop(key, deque())
            failures.append(now)
            self._failures[key] = failures
        while len(self._failures) > MOST_KEPT:
            self._failures.pop(next(iter(self._failures)))

    def succeeded(self, name: str, address: str) -> None:
        """The last one was none after all; the name's earlier failures from there count no more, the address's do."""
        self._failures.pop((address, name), None)
        if failures := self._failures.get((address, "")):
            failures.pop()

    def _wait(self, key: tuple[str, str], limit: int, now: float) -> float:
        failures = self._failures.get(key)
        if failures is None:
            return 0.0
        while failures and failures[0] <= now - WINDOW:
            failures.popleft()
        if not failures:
            del self._failures[key]
        return failures[-limit] + WINDOW - now if len(failures) >= limit else 0.0
