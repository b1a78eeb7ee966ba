"""What an adapter has sent of the reply that it holds, kept in a file so that a death does not make it say it twice.

It outlives the process, not a loss of power: the worst that an old journal does is to send a part once more.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

MOST_TRIES: Final = 2
"""How often a part is sent of which nobody knows whether it arrived: the process died, or nothing was answered."""


class Journal:
    """The place in the reply that was begun last. Written before a part is sent and after it was."""

    def __init__(self, file: Path) -> None:
        """`file` is made with its folder; one that cannot be read is as none."""
        self._file = file
        self._message = ""
        self._part = self._tries = 0
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            known = json.loads(file.read_text(encoding="utf-8"))
            self._message, self._part, self._tries = str(known["id"]), int(known["part"]), int(known["tries"])
        except (OSError, ValueError, KeyError, TypeError):
            return

    def next_part(self, message: str) -> int:
        """The number of the first part of a message that was not sent."""
        return self._part if message == self._message else 0

    def trying(self, message: str, part: int) -> bool:
        """Note that a part is about to be sent. False: it was begun so often already that it counts as sent."""
        known = (message, part) == (self._message, self._part)
        if known and self._tries >= MOST_TRIES:
            return False
        self._write(message, part, self._tries + 1 if known else 1)
        return True

    def failed(self) -> None:
        """Note that the part was not taken: that try does not count."""
        self._write(self._message, self._part, self._tries - 1)

    def sent(self, message: str, part: int) -> None:
        """Note that a part was sent."""
        self._write(message, part + 1, 0)

    def _write(self, message: str, part: int, tries: int) -> None:
        self._message, self._part, self._tries = message, part, tries
        new = self._file.with_suffix(".new")
        with open(new, "w", encoding="utf-8", opener=_ours_alone) as file:
            json.dump({"id": message, "part": part, "tries": tries}, file)
        new.replace(self._file)


def _ours_alone(path: str, flags: int) -> int:
    """Open a file that nobody else may read, also one that an earlier version left readable."""
    descriptor = os.open(path, flags, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor
