"""Cuts texts into words and stems: PostgreSQL's full text search, in its English and its Portuguese configuration."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from shared.canonical import clean
from shared.store.connection import Pool, connected

from .relevance import Word, plain

MOST_CHARACTERS: Final = 4_000
"""Of one text; what is behind does not count."""
_KEPT: Final = 2_000
_STEMS: Final = """
SELECT number, config, lexeme, positions
FROM unnest(%b::text[]) WITH ORDINALITY AS texts (content, number),
    (VALUES ('english'), ('portuguese')) AS configs (config),
    LATERAL unnest(to_tsvector(config::regconfig, content)) AS found (lexeme, positions, weights)
"""
_LEFT_OUT: Final = re.compile(r"\b(\w{2,})(c)(ao|oes)\b", re.I)
_ACCENTS: Final = {"ao": "ão", "oes": "ões"}
_JOINED: Final = re.compile(r"[-_/.:#]+")


class Lexemes:
    """The words of texts, with a memory of those that were cut before: of a catalogue little changes."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._known: OrderedDict[str, tuple[Word, ...]] = OrderedDict()

    async def of(self, texts: Sequence[str]) -> list[tuple[Word, ...]]:
        """The words of each text, in order.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached.
        """
        wanted = [_as_written(text) for text in texts]
        new = [text for text in dict.fromkeys(wanted) if text not in self._known]
        if new:
            self._known.update(zip(new, await self._cut(new), strict=True))
        found = [self._known[text] for text in wanted]
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found

    async def _cut(self, texts: Sequence[str]) -> list[tuple[Word, ...]]:
        async with connected(self._pool) as connection:
            rows = await (await connection.execute(_STEMS, (list(texts),))).fetchall()
        stems: list[dict[int, dict[str, str]]] = [{} for _ in texts]
        for number, config, lexeme, positions in rows:
            for position in positions:
                stems[number - 1].setdefault(position, {})[config] = plain(lexeme)
        return [
            tuple(Word(one.get("english"), one.get("portuguese")) for _, one in sorted(words.items()))
            for words in stems
        ]


def _as_written(text: str) -> str:
    """The text with joined words apart, and the accents that people leave out of -ção and -ções."""
    apart = _JOINED.sub(" ", clean(text[:MOST_CHARACTERS]))
    return _LEFT_OUT.sub(lambda found: f"{found[1]}ç{_ACCENTS[found[3].lower()]}", apart)
