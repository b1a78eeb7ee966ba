"""Where learning records: one stream of its own, which no session of people has."""

from typing import Final

STREAM: Final = "learning_proposals"
