"""SHA-256 of one long list after the other, each of which begins like the one before."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

STRIDE: Final = 32
"""After so many texts each the hash is kept, so that the next list goes on from where it begins to differ."""


class ListHashes:
    """Hashes lists that are given as the JSON texts of shorter lists, none of them empty."""

    def __init__(self) -> None:
        self._texts: Sequence[str] = ()
        self._marks = [hashlib.sha256(b"[")]

    def sha256(self, texts: Sequence[str]) -> str:
        """64 hexadecimal digits: of the one list of what stands in all of `texts`."""
        kept = self._kept(texts)
        del self._marks[kept + 1 :]
        found = self._marks[kept].copy()
        for start in range(kept * STRIDE, len(texts), STRIDE):
            several = texts[start : start + STRIDE]
            inner = ",".join([text[1:-1] for text in several])
            found.update((f",{inner}" if start else inner).encode())
            if len(several) == STRIDE:
                self._marks.append(found.copy())
        self._texts = texts
        found.update(b"]")
        return found.hexdigest()

    def _kept(self, texts: Sequence[str]) -> int:
        """How many of the marks hold for `texts`, too."""
        for number in range(len(self._marks) - 1):
            place = slice(number * STRIDE, (number + 1) * STRIDE)
            if self._texts[place] != texts[place]:
                return number
        return len(self._marks) - 1
