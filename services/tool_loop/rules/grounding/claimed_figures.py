"""What a final text says was measured or counted: its figures must have been printed, or follow from what was.

Settings are none (`the timeout is 30 s`), nor is what the text itself calls an estimate.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Final

from .statements import statements

_UNIT: Final = (
    r"(?:%|percent|por cento|x\b|×|times\b|vezes\b|ns|[uµμ]s|ms|s\b|secs?\b|seconds?|segundos?|min\b|minutes?|minutos?|"
    r"[kKMGT]i?B\b|bytes?|req(?:uests)?/s|ops/s|qps|fps|rows?|records?|lines? of output|linhas|registros|documents?"
    r"|items|users|entries|images|events)"
)
_FIGURE: Final = re.compile(
    rf"(?<![\w.,#/-])(?P<number>\d{{1,3}}(?:[,.]\d{{3}})+(?![\d.,]\d)|\d+(?:[.,]\d+)?)[ -]?(?P<unit>{_UNIT})(?!\w)",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    r"\b(?:improv|dropp|fell|falls|decreas|reduc|shr[aiu]nk|rose|rises|grew|climb|sp[e]+d[- ]?(?:s|up)|went (?:down|up)"
    r"|goes (?:down|up)|measur|benchmark|averag|mean|median|p9\d|throughput|latency|runtime|run time|peak|memory us"
    r"|(?:is|are) (?:down|up) (?:by|to|from)|went from|smaller|larger|faster|slower|quicker|took|takes|coverage"
    r"|accuracy|speed-?up|cut (?:the )?\w* ?(?:by|from|to)"
    r"|cobertura|latência|mediana|média|caiu|subiu|melhorou|reduzi|levou|leva agora|mais rápid|mais lent|precisão)\w*",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"\b(?:processed|imported|migrated|scanned|indexed|downloaded|converted|inserted|loaded|exported|crawled"
    r"|deduplicated"
    r"|processei|importei|migrei|converti|inseri|carreguei|exportei|processad[oa]s|importad[oa]s|migrad[oa]s)\b",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(
    r"\b(?:time-?outs?|limit\w*|delays?|intervals?|retr\w+|thresholds?|max\w*|min(?:imum)?\b|at (?:most|least)"
    r"|up to"
    r"|(?:chunk|page|batch|pool|buffer|block|window|font|queue|heap) sizes?|batch\w*|default\w*|discount\w*"
    r"|backoff|quota\w*|budgets?|every|schedul\w+|ttl|expir\w+|cach\w+|per page"
    r"|targets?"
    r"|goals?|requires?|asks?|asked|wants?|above|below|under|more than|less than|within|between|each|chunk\w*|window"
    r"|limite\w*|no máximo|pelo menos|até|a cada|intervalo|padrão|desconto|meta)\b",
    re.IGNORECASE,
)
_HEDGED: Final = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|some|estimat\w+|expect\w*|typically|theoretical\w*|up to"
    r"|likely|probably|in theory|cerca de|aproximadamente|quase|uns|umas|estim\w+|esper\w+)\b|[~≈])",
    re.IGNORECASE,
)
_REPORTED: Final = re.compile(
    r"\b(?:says|said|according to|reports?|reported|claims?|promises?|as stated|segundo|diz)\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?![\d,])|(?<![\w.])\d+(?:\.\d+)?")
_WITH_UNIT: Final = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|[kKMG]i?B|bytes)\b")
_RATIOS: Final = frozenset(["%", "percent", "por cento", "x", "×", "times", "vezes"])
_SCALES: Final = {
    "time": (
        "ns µs us μs ms s sec secs second seconds segundo segundos min minute minutes minuto minutos",
        (1000, 60, 1e6),
    ),
    "bytes": ("b kb mb gb tb kib mib gib tib byte bytes", (1000, 1024, 1e6, 1024**2)),
    "share": ("% percent por cento", (100,)),
}
"""By what a figure in one unit is the same in another, for the units of a kind."""
_MOST_NUMBERS: Final = 400
_PAIRED: Final = 40
_NEAR: Final = 0.02
"""What is rounded is not another figure."""


def unmeasured(text: str, printed: Iterable[str]) -> Iterator[str]:
    """The figures of measurements and counts that nothing printed, with their units. `printed`: all that was seen."""
    claimed = dict.fromkeys(found for each in statements(text) for found in _figures(each.text.replace("`", "")))
    if not claimed:
        return
    seen = list(printed)
    known = _numbers(seen)
    measured = len({found for one in seen for found in _WITH_UNIT.findall(one)}) > 1
    for said, number, unit in claimed:
        if unit in _RATIOS and measured:
            continue  # It may well follow from the two that were measured.
        if not (number in known or _is_sum(number, known) or (not _counts(unit) and _is_near(number, known, unit))):
            yield said


def is_no_measurement(statement: str) -> bool:
    """Whether the figures of a statement are settings, estimates, or somebody else's."""
    return any(pattern.search(statement) for pattern in (_REPORTED, _SETTING, _HEDGED))


def _figures(statement: str) -> Iterator[tuple[str, float, str]]:
    measures, tallies = _MEASURED.search(statement) is not None, _COUNTED.search(statement) is not None
    if not (measures or tallies) or is_no_measurement(statement):
        return
    for found in _FIGURE.finditer(statement):
        counts = _counts(found["unit"].lower())
        if counts != measures or (counts and tallies):
            yield found[0].strip(), _value(found["number"]), found["unit"].lower()


_OF_THINGS: Final = frozenset(
    ["row", "record", "document", "item", "user", "entrie", "image", "event", "linha", "registro"]
)


def _value(number: str) -> float:
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", number):
        return float(re.sub(r"[,.]", "", number))
    return float(number.replace(",", "."))


def _numbers(printed: list[str]) -> list[float]:
    found = dict.fromkeys(number.replace(",", "") for one in printed for number in _NUMBER.findall(one))
    return [float(number) for number in list(found)[-_MOST_NUMBERS:]]


def _scales(unit: str) -> tuple[float, ...]:
    return (1, *(scale for units, scales in _SCALES.values() if unit in units.split() for scale in scales))


def _counts(unit: str) -> bool:
    return unit.rstrip("s") in _OF_THINGS


def _is_sum(number: float, known: list[float]) -> bool:
    return any(number in (one + other, abs(one - other)) for one, other in combinations(known[-_PAIRED:], 2))


def _is_near(number: float, known: list[float], unit: str) -> bool:
    """Whether it is one of those known, rounded or in another unit."""
    return any(_near(number * scale, each) or _near(number, each * scale) for each in known for scale in _scales(unit))


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= _NEAR * max(abs(one), abs(other)) if one and other else one == other
