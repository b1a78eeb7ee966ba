"""What an adapter needs of a platform: messages from it, and sending one text after the other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

from arreio_contracts.messages import InboundMessage

from shared.backoff import Backoff

from .saying import Saying

HandIn = Callable[[InboundMessage], Awaitable[None]]
"""Hands a message to Arreio; returns when the broker has stored it."""


LONGEST_SAID: Final = 3600.0
"""Seconds; a platform that wants us to wait longer is asked then all the same."""


class Away(Exception):
    """The platform cannot be had now.

    `delay`: the seconds after which it wants to be asked again, or None. `unknown`: what was sent may have arrived all
    the same, since it was heard and not answered.
    """

    def __init__(self, why: str, delay: float | None = None, *, unknown: bool = False) -> None:
        super().__init__(why)
        self.delay = delay
        self.unknown = unknown

    def pause(self, backoff: Backoff, lived: float = 0.0) -> float:
        """Seconds to wait: what the platform says, or `backoff`'s where it says nothing, or to come at once."""
        if self.delay is None or self.delay <= 0:
            return backoff.delay(lived)
        return min(self.delay, LONGEST_SAID)


class Undeliverable(Exception):
    """The platform will never take this text: the conversation is gone, or nobody may write there."""


class Platform(Protocol):
    """A place where people speak. It repeats what was not handed in when the process died, and may repeat more."""

    async def begin(self) -> str:
        """Prove who we are and return our name there.

        Raises:
            Away: it cannot be reached now.
            Undeliverable: it does not let us in for another reason.
            ArreioError: it refuses our credentials.
        """

    async def listen(self, hand_in: HandIn) -> None:
        """Hand in every message meant for us, for ever. The platform is told only of what was handed in.

        Raises:
            Away: it cannot be reached; listening may be begun again.
            Undeliverable: it does not let us read.
            ArreioError: it refuses us.
        """

    def parts(self, saying: Saying) -> Sequence[str]:
        """The texts to send one after the other, as the platform writes them and none longer than it takes. Pure."""

    async def send(self, saying: Saying, number: int, text: str) -> None:
        """Send the part `number` (from 0); returns when the platform said that it has it.

        Raises:
            Away: it did not take it.
            Undeliverable: it never will.
            ArreioError: it refuses our credentials.
        """

    async def close(self) -> None:
        """Let connections go."""
