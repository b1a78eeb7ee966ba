"""How often one may try to sign in: few failures for a name from one address, more for an address. Pure.

A browser in which somebody has signed in before has a count of its own for that name ("device cookies", OWASP): whoever
guesses from the same address, be it a proxy's or loopback, does not lock that person out. All such browsers of a name
together have as many tries as an address: marks that somebody has heaped up give them no more.
"""

from collections import deque
from typing import Final

WINDOW: Final = 300.0
"""Seconds for which a failure counts."""
PER_NAME: Final = 5
PER_ADDRESS: Final = 20
MOST_KEPT: Final = 10_000
"""Names and addresses that are remembered; beyond it the oldest go."""


class LoginLimits:
    """Failures of the last five minutes. `browser` is the id of one that is known, or empty."""

    def __init__(self) -> None:
        self._failures: dict[tuple[str, str], deque[float]] = {}

    def wait(self, name: str, address: str, now: float, browser: str = "") -> float:
        """Seconds until another try may be made; 0: now."""
        return max(self._wait(key, limit, now) for key, limit in _counts(name, address, browser))

    def failed(self, name: str, address: str, now: float, browser: str = "") -> None:
        """A password was wrong."""
        for key, _ in _counts(name, address, browser):
            failures = self._failures.pop(key, deque())
            failures.append(now)
            self._failures[key] = failures
        while len(self._failures) > MOST_KEPT:
            self._failures.pop(next(iter(self._failures)))

    def succeeded(self, name: str, address: str, browser: str = "") -> None:
        """The last one was none after all; the name's earlier failures from there count no more, the address's do."""
        own, *others = (key for key, _ in _counts(name, address, browser))
        self._failures.pop(own, None)
        for key in others:
            if failures := self._failures.get(key):
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


def _counts(name: str, address: str, browser: str) -> tuple[tuple[tuple[str, str], int], ...]:
    """What a try counts towards, each with its limit: the name from there first."""
    if browser:
        return ((f"browser {browser}", name), PER_NAME), (("known browsers", name), PER_ADDRESS)
    return ((address, name), PER_NAME), ((address, ""), PER_ADDRESS)
