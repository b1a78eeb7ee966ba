"""Fixed phrases, looked up at a place among words."""

from collections.abc import Iterable

Words = tuple[str, ...]
Vocabulary = frozenset[str]


def vocabulary(text: str) -> Vocabulary:
    """The words of a text as a set."""
    return frozenset(text.split())


class Phrases:
    """A set of phrases of one or more words. `/` in the text parts them where lines do not."""

    def __init__(self, text: str) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for line in text.replace("/", "\n").splitlines():
            if words := tuple(line.split()):
                self._by_first.setdefault(words[0], []).append(words)
        for phrases in self._by_first.values():
            phrases.sort(key=len, reverse=True)

    def at(self, words: Words, place: int) -> int:
        """How many words the longest phrase at this place has; 0 where there is none."""
        if not 0 <= place < len(words):
            return 0
        for phrase in self._by_first.get(words[place], ()):
            if words[place : place + len(phrase)] == phrase:
                return len(phrase)
        return 0

    def skip(self, words: Words, place: int) -> int:
        """The first place from here on at which no phrase starts."""
        while length := self.at(words, place):
            place += length
        return place

    def first(self, words: Words, places: Iterable[int]) -> int | None:
        """The first of the places at which a phrase starts."""
        return next((place for place in places if self.at(words, place)), None)

    def within(self, words: Words, start: int, end: int) -> int | None:
        """The first place from start, before end, at which a phrase starts that ends before end too."""
        return next((place for place in range(max(start, 0), end) if 0 < self.at(words, place) <= end - place), None)
