"""Where learning records: one stream of its own, which no session of people has."""

from typing import Final

from shared.store import own_streams

STREAM: Final = own_streams.LEARNING
