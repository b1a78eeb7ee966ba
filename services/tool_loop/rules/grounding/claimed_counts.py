"""What a final text counts, or adds up, of data: its numbers must have been seen, or follow from what was.

Judged are numbers of ten or more with a noun of data (`412 orders`, `96 linhas`), and totals. They follow where they
are the sum, the difference or a multiple of numbers that were seen, a sum of a column, or how often something stands
in a result. Where very many numbers were seen nobody can tell, and nothing is said.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from .claimed_figures import is_no_measurement
from .shown_outcomes import Ran, only_tests
from .statements import statements

_NOUN: Final = (
    r"rows?|records?|entries|orders|customers|clients|users|accounts|invoices|payments|refunds|transactions|duplicates"
    r"|products|items|sales|bookings|reservations|documents|sessions|leads|contacts|subscriptions|purchases|complaints"
    r"|linhas|registr?os|entradas|pedidos|clientes|usuários|contas|faturas|pagamentos|reembolsos|transações"
    r"|duplicad[oa]s|duplicatas|itens|produtos|vendas|reservas|documentos|sessões|contatos|assinaturas|compras"
)
_DIGITS: Final = r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?"
_COUNT: Final = re.compile(
    rf"(?<![\w.,#/$€£:-])(?<![$€£] )(?P<number>\d{{1,3}}(?:[.,]\d{{3}})+|\d{{2,9}})(?![\w%]|[.,]\d) "
    r"(?:of (?:the |our |these |all )?|d[aoe]s? )?"
    r"(?!(?:\w+[- ])?(?:bits?|seconds?|days?|minutes?|hours?|bytes?|characters?|digits?|years?|px|ms|times"
    r"|pages?|most|first"
    rf"|last|segundos|dias|horas|vezes)\b)(?:[^\W\d][\w-]* ){{0,2}}?(?:{_NOUN})\b",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r"\b(?:total(?:s|ed|ing|led|ling)?|totais|sums?(?: up)?|adds? up|added up|amounts?|profit|revenue|soma\w*|lucro"
    rf"|receita|faturamento)\b[^\d.;:?!\n]{{0,40}}?(?:[$€£]|R\$ ?)? ?(?P<after>{_DIGITS})(?![\w%]|[.,]\d)"
    rf"|(?<![\w.,#/:-])(?P<before>{_DIGITS})(?![\w%]|[.,]\d)[^\d.;:?!\n]{{0,24}}?"
    r"\b(?:in all|altogether|combined|in total|ao todo|no total|em total)\b",
    re.IGNORECASE,
)
_MONEY: Final = re.compile(r"(?<![\w.,#/:-])(?:\d{1,3}(?:,\d{3})+\.\d{2}|\d{1,3}(?:\.\d{3})+,\d{2})(?![\w%]|[.,]\d)")
_SEEN: Final = re.compile(r"(?<![\w.,])\d[\d_]*(?:[.,]\d+)*")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*")
_WITH_PART: Final = re.compile(r"(\d{1,3}(?:[.,]\d{3})*|\d+)[.,](\d{1,2})")
_WORD: Final = re.compile(r"\w[\w-]*")
_ABLE: Final = re.compile(
    r"\b(?:handles?|supports?|accepts?|allows?|copes?|scales?|reads?|process(?:es)?|can|able|capable|at a time|at once"
    r"|per (?:batch|page|call|request|run|file)|suporta|aceita|lida|trata|consegue|de cada vez|por vez)\b",
    re.IGNORECASE,
)
"""What tells of a program what it does with any number."""
_YEARS: Final = range(1900, 2101)
_LEAST: Final = 10
_MOST_NUMBERS: Final = 300
_MOST_CHARS: Final = 200_000
_PAIRED: Final = 60
_TRIPLED: Final = 24
_MULTIPLES: Final = 12
_ROUNDED: Final = 50
"""Hundredths that an amount without any is off."""


def uncounted(text: str, ran: Sequence[Ran], told: Iterable[str]) -> Iterator[str]:
    """The counts and totals of a text that follow from nothing that was seen, in its words.

    `told`: all texts that were seen, with what was printed. Nothing is said where no command and no call printed a
    number but those of tests.
    """
    claimed = counts(text)
    if not any(re.search(r"\d", each.printed) and (each.foreign or not only_tests(each.command)) for each in ran):
        return
    seen = [*told, *(each.command for each in ran)]
    if sum(map(len, seen)) > _MOST_CHARS:
        return
    known = dict.fromkeys(value for one in seen for found in _SEEN.findall(one) for value in _values(found))
    if len(known) > _MOST_NUMBERS:
        return
    follows = _Following(list(known), seen)
    for said, number, is_count in claimed:
        values = [value for value in _values(number) if value >= _LEAST]
        if values and not any(follows(value, counts=is_count) for value in values):
            yield said


def counts(text: str) -> tuple[tuple[str, str, bool], ...]:
    """What a text counts or adds up: in its words, the number, and whether it is a count."""
    return tuple(dict.fromkeys(found for each in statements(text) for found in _claims(each.text.replace("`", ""))))


def _claims(statement: str) -> Iterator[tuple[str, str, bool]]:
    if is_no_measurement(statement) or _ABLE.search(statement):
        return
    for found in _COUNT.finditer(statement):
        if not (found["number"].isdigit() and int(found["number"]) in _YEARS):
            yield found[0].strip(), found["number"], True
    for found in _TOTAL.finditer(statement):
        yield found[0].strip(), found["after"] or found["before"], False
    yield from ((found, found, False) for found in _MONEY.findall(statement))


def _values(number: str) -> tuple[float, ...]:
    """What a number may stand for: `1.180` is more than a thousand, or little more than one."""
    number = number.replace("_", "").rstrip(".,")
    found: list[float] = []
    if _THOUSANDS.fullmatch(number):
        found.append(float(re.sub(r"[.,]", "", number)))
    if parts := _WITH_PART.fullmatch(number):
        found.append(float(f"{re.sub(r'[.,]', '', parts[1])}.{parts[2]}"))
    if re.fullmatch(r"\d+(?:[.,]\d+)?", number):
        found.append(float(number.replace(",", ".")))
    return tuple(dict.fromkeys(found)) or (0.0,)


class _Following:
    """Tells whether a number follows from those that were seen."""

    def __init__(self, known: list[float], seen: Sequence[str]) -> None:
        recent = known[-_PAIRED:]
        sums = {0.0, *known, *_tallies(seen)}
        sums.update(value for one, other in combinations(recent, 2) for value in (one + other, abs(one - other)))
        sums.update(sum(three) for three in combinations(known[-_TRIPLED:], 3))
        sums.update(total for one in seen for total in _columns(one))
        amounts = {one * times for one in recent for times in range(2, _MULTIPLES + 1)}
        self._counts = frozenset(round(value * 100) for value in sums)
        self._amounts = self._counts | {round(value * 100) for value in amounts}

    def __call__(self, value: float, *, counts: bool) -> bool:
        """Whether it is one of those that follow, rounded to what is said; a count is no multiple of another one."""
        among = self._counts if counts else self._amounts
        slack = _ROUNDED if value.is_integer() and not counts else 1
        return any(near in among for near in range(round(value * 100) - slack, round(value * 100) + slack + 1))


def _tallies(seen: Sequence[str]) -> Iterator[float]:
    """How many lines a text has, and how often each of its words stands in it."""
    for one in seen:
        lines = len([line for line in one.splitlines() if line.strip()])
        yield from (float(lines - less) for less in range(min(lines, 3)))
        yield from map(float, set(Counter(_WORD.findall(one)).values()))


def _columns(text: str) -> Iterator[float]:
    """The sums of the numbers of a text by their places in its lines, up to each line, and of all of a line."""
    totals: Counter[int] = Counter()
    sums: dict[int, float] = {}
    for line in text.splitlines():
        values = [max(_values(found)) for found in _SEEN.findall(line)]
        if len(values) > 1:
            yield sum(values)
            yield sum(values) / len(values)
        for place, value in ((at - len(values), value) for at, value in enumerate(values)):
            sums[place] = sums.get(place, 0.0) + value
            totals[place] += 1
            yield sums[place]
            yield sums[place] / totals[place]
