"""Streams in which a service records what it did itself: one each, which no session of people has."""

from __future__ import annotations

from typing import Final

LEARNING: Final = "learning_proposals"
CONSOLE: Final = "console_acts"
