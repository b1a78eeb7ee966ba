"""Cuts a reply into sentences and their parts, each a row of lower-case words that know where they stand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .phrases import vocabulary
from .shown import THING

_TOKEN = re.compile(
    rf"""
      {THING}+(?:[\w.%/-]*\w)?
    | (?:https?://|www\.)[^\s{THING}]+
    | \d+(?:[.,:h]\d+)+
    | [.]{{2,}}
    | (?:[\w@#%$&+~]|(?<=\s)[./](?=[\w./]))[\w@#%$&+=~]*(?:(?:['’ʼ´/\\:&=-]+(?=[\w/])|\.(?=[a-z0-9_]))[\w@#%$&+=~]+)*
    | [^\s\w]
    """,
    re.VERBOSE,
)
_MARKER = re.compile(
    r"[ \t]*(?:(?P<heading>\#{1,6})[ \t]+|(?:[-+*•–—▪◦·‣►➜✔✓☑✅☐]|\(?\d{1,3}[.):]|\(?[a-zA-Z][.)])[ \t]+)"
    r"(?:\[(?P<box>[ xX])\][ \t]+|(?P<tick>[✔✓☑✅][ \t]*))?"
)
_RULED = re.compile(r"[ \t]*([=~^\"'#*+-])\1{2,}[ \t]*")
_LONGEST_PART = 160
_DONE_MARKS = "✔✓☑✅"
_ENDING = frozenset(".!?…:;")
_ENDS = frozenset(".!?…")
_PARTING = frozenset(";:()[]{}|—–")
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_ABBREVIATED = vocabulary("al approx aprox cf dr dra e.g etc ex fig i.e mr mrs ms nº p.ex sr sra vs")

_CLITICS = vocabulary("a as la las lhe lhes lo los me na no nos o os se te vos")
_RESTORED = {"a": "ar", "e": "er", "á": "ar", "ê": "er", "í": "ir", "i": "ir", "ô": "or"}
_UNACCENTED = {
    "amanha": "amanhã", "codigo": "código", "comeco": "começo", "entao": "então", "faco": "faço", "ja": "já",
    "modulo": "módulo", "nao": "não", "proxima": "próxima", "proximo": "próximo", "rapido": "rápido",
    "relatorio": "relatório", "tambem": "também", "ultimo": "último", "usuario": "usuário", "voce": "você",
    "voces": "vocês",
}  # fmt: skip
"""Words of Portuguese as they are typed in haste; none is another word."""
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "´": "'"})


class Word(NamedTuple):
    """A word or a mark in lower case with straight apostrophes, and where it stands in the shown text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a sentence between semicolons, colons, dashes and parentheses; commas stay within."""

    words: tuple[str, ...]
    places: tuple[Word, ...]
    lead: str
    """The mark before it; empty at the start of the sentence."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the words from start to before end stand in the shown text."""
        return self.places[start].start, self.places[max(start, end - 1)].end


@dataclass(frozen=True, slots=True)
class Line:
    """What stands between two line breaks that end a sentence."""

    start: int
    end: int
    item: bool = False
    heading: bool = False
    done: bool = False
    """A list item ticked off."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: its parts, how it ends, and the line it stands on."""

    parts: tuple[Part, ...]
    asks: bool
    open: bool
    """Ends with a colon: what it announces follows."""
    trails: bool
    """Ends with dots."""
    line: Line = field(repr=False)
    aside: bool = False
    """Stood in parentheses within the sentence before it."""

    def words(self) -> tuple[str, ...]:
        """All its words in a row."""
        return tuple(word for part in self.parts for word in part.words)


def sentences(text: str) -> list[Sentence]:
    """All sentences of a shown text, in order."""
    return [sentence for line in _lines(text) for sentence in _sentences_of(text, line)]


def _lines(text: str) -> Iterator[Line]:
    """Lines without their markers; one that merely wraps is joined to the line before it."""
    rows: list[Line] = []
    gap = True
    at = 0
    for raw in text.split("\n"):
        end = at + len(raw)
        if _RULED.fullmatch(raw):
            if rows and not gap and text[rows[-1].start : rows[-1].end].rstrip()[-1:] not in _ENDING:
                rows.append(replace(rows.pop(), heading=True))
        elif raw.strip():
            marker = _MARKER.match(text, at, end)
            start = marker.end() if marker else at
            if not marker and not gap and rows and _wraps(text, rows[-1], raw.lstrip()):
                rows.append(replace(rows.pop(), end=end))
            else:
                rows.append(_line(marker, start, end))
        gap = not raw.strip()
        at = end + 1
    return iter(rows)


def _line(marker: re.Match[str] | None, start: int, end: int) -> Line:
    if marker is None:
        return Line(start, end)
    ticked = (
        (marker["box"] or " ") in "xX" or bool(marker["tick"]) or any(mark in marker.group() for mark in _DONE_MARKS)
    )
    heading = marker["heading"] is not None
    return Line(start, end, item=not heading, heading=heading, done=ticked)


def _wraps(text: str, before: Line, row: str) -> bool:
    """Whether a row goes on with the sentence of the line before it."""
    goes_on = row[0].islower() or row[0] in (THING, "(")
    return not before.heading and goes_on and text[before.start : before.end].rstrip()[-1:] not in _ENDING


def _sentences_of(text: str, line: Line) -> Iterator[Sentence]:
    words: list[Word] = []
    ends: list[str] = []
    for word in _words(text, line):
        if ends and word.text not in _ENDS:
            yield from _sentence(words, ends, line)
            words, ends = [], []
        if word.text in _ENDS and not _abbreviates(text, words, word):
            ends.append(word.text)
        else:
            words.append(word)
    yield from _sentence(words, ends, line)


def _abbreviates(text: str, words: Sequence[Word], dot: Word) -> bool:
    return dot.text == "." and bool(words) and words[-1].text in _ABBREVIATED and words[-1].end == dot.start


def _words(text: str, line: Line) -> Iterator[Word]:
    """Words and marks; pictures count as the end of a sentence, clitics stand apart from their verb."""
    for found in _TOKEN.finditer(text, line.start, line.end):
        raw = found.group()
        if raw.isalpha():
            yield Word(_accented(raw.lower()), found.start(), found.end())
        elif raw[0] == THING:
            yield Word(THING, found.start(), found.end())
        elif raw[0].isalnum():
            for part in _apart(raw.lower().translate(_APOSTROPHES)):
                yield Word(part, found.start(), found.end())
        elif raw[0] == ".":
            yield Word("…" if raw.strip(".") == "" and len(raw) > 1 else raw.lower(), found.start(), found.end())
        elif len(raw) > 1 or raw in ".!?…,;:()[]{}|—–":
            yield Word(raw.lower(), found.start(), found.end())
        elif raw == "-":
            yield Word("—", found.start(), found.end())
        elif raw >= "\u2190" and not "\ufe00" <= raw <= "\ufe0f":
            yield Word("—" if raw in "→⇒➡➜" else "…", found.start(), found.end())


def _accented(word: str) -> str:
    """The word with the accents that haste left out, where there is only one way to put them."""
    if word.endswith(("cao", "coes")):
        return word[:-3] + "ção" if word.endswith("cao") else word[:-4] + "ções"
    return _UNACCENTED.get(word, word)


def _apart(word: str) -> tuple[str, ...]:
    """`deixe-me` → deixe, me; `corrigi-lo` → corrigir, o; `enviar-lhe-ei` → enviarei, lhe; `re-run` → rerun."""
    if "-" not in word:
        return (word,)
    first, *rest = word.split("-")
    if rest[-1] in {"ei", "emos"} and len(rest) == 2 and rest[0] in _CLITICS:
        cut = rest[0] in {"lo", "la", "los", "las"}
        return ((first[:-1] + _RESTORED.get(first[-1:], first[-1:]) if cut else first) + rest[-1], rest[0])
    if not set(rest) <= _CLITICS:
        return (first + rest[0],) if first == "re" and len(rest) == 1 else (word,)
    if rest[0] in {"lo", "la", "los", "las"}:
        first = first[:-1] + _RESTORED.get(first[-1:], first[-1:])
        rest[0] = rest[0][1:]
    return (first, *rest)


def _sentence(words: Sequence[Word], ends: Sequence[str], line: Line) -> Iterator[Sentence]:
    """The sentence, and after it each of its parentheses as one of its own: they do not cut the clause around them."""
    parts: list[Part] = []
    asides: list[Part] = []
    around: list[tuple[list[Word], str]] = []
    row: list[Word] = []
    lead = ""
    for word in words:
        if word.text not in _PARTING:
            row.append(word)
        elif word.text in _OPENING:
            around.append((row, lead))
            row, lead = [], word.text
        elif word.text in _CLOSING and around:
            asides += _parts(row, lead)
            row, lead = around.pop()
        else:
            (asides if around else parts).extend(_parts(row, lead))
            row, lead = [], word.text
    for unclosed, before in (*around, (row, lead)):
        parts += _parts(unclosed, before)
    if parts:
        announces = words[-1].text == ":"
        yield Sentence(tuple(parts), asks="?" in ends, open=announces, trails="…" in ends, line=line)
    for part in asides:
        yield Sentence((part,), asks=False, open=False, trails=False, line=line, aside=True)


def _parts(row: Sequence[Word], lead: str) -> list[Part]:
    """A row of words as a part; one beyond all measure in several, so that no rule looks further than that."""
    cuts = range(0, len(row), _LONGEST_PART)
    pieces = [tuple(row[cut : cut + _LONGEST_PART]) for cut in cuts]
    return [Part(tuple(w.text for w in piece), piece, "," if n else lead) for n, piece in enumerate(pieces)]
