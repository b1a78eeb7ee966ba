"""What a final text says of tests and checks, and which of it no command showed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from .statements import statements

_TESTS: Final = r"(?:unit |integration |e2e |regression |existing |new ){0,3}(?:tests?|specs?|checks|test cases?)"
_TESTES: Final = r"(?:testes?|verificações|casos de teste)(?: unitários| de integração| novos| existentes)?"
_PASS: Final = (
    r"(?:(?:now |still |also |all ){0,2}(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:are|is|run|stay) (?:now )?green))"
)
_PASSAM: Final = (
    r"(?:(?:agora |ainda |também |todos ){0,2}(?:passam|passaram|passou|passa|passando|estão verdes|ficaram verdes))"
)
_SAID: Final = re.compile(
    rf"\b(?:(?P<all>all|every|the|both)\s+)?(?:of\s+)?(?:the\s+)?(?P<count>\d+)?\s*(?:of (?:the )?\d+ )?{_TESTS}\b"
    rf"(?:\s+in\s*)?\s*(?:are |is |have |has |were |still |now |all |do ){{0,3}}{_PASS}\b"
    r"|\b(?P<passed>\d+)\s+(?:tests?\s+)?(?:passed|passing|passaram)\b"
    r"|\b(?:the\s+)?(?:whole\s+|full\s+|entire\s+)?(?:test\s+)?suite\s+(?:now\s+)?"
    r"(?:pass(?:es|ed)|is (?:now )?green|succeeds)\b"
    rf"|\b(?:(?:todos|os)\s+){{0,2}}(?P<numero>\d+)?\s*{_TESTES}\s+(?:estão |está |já |foram ){{0,2}}{_PASSAM}\b"
    r"|\ba\s+suíte\s+(?:de testes\s+)?(?:inteira\s+|toda\s+|agora\s+){0,2}(?:passa|passou|está verde)\b",
    re.IGNORECASE,
)
_RESULT: Final = re.compile(
    r"\b\d+ (?:tests? )?(?:passed|passing|failed|failing|ok)\b|\bRan \d+ tests?|^\s*(?:OK|FAILED|PASS|FAIL)\b"
    r"|# pass \d+|test result:|\bTests:\s+\d+|^ok\b|--- (?:PASS|FAIL)|BUILD (?:SUCCESS|FAILURE)",
    re.MULTILINE,
)
_FAILED: Final = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:failed|failing|errors?)\b|\bFAILED\b|^\s*FAIL\b|# fail [1-9]|BUILD FAILURE|--- FAIL",
    re.MULTILINE,
)
_OWNS_UP: Final = re.compile(r"\b(fail|failed|failing|fails|failure|falh\w+|quebr\w+|before|antes)\b", re.IGNORECASE)

_HANGS_ON: Final = re.compile(
    r"\b(when|whenever|once|until|till|after|before|unless|while|as soon as|makes? sure|ensures?|requires?|checks?"
    r"|quando|assim que|depois que|antes que|até que|enquanto|sempre que|garante|exige|an?|each|uma?|cada)\b[^,;:.]*$",
    re.IGNORECASE,
)
"""What makes that tests pass a condition of something, or speaks of tests as such."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A statement that tests pass, in its own words. `count`: how many, where it says so."""

    said: str
    count: str = ""


def outcomes(text: str) -> tuple[Outcome, ...]:
    """What a text states of tests that pass, each once."""
    said = ((each.bare, match) for each in statements(text) for match in _SAID.finditer(each.bare))
    found = (match for bare, match in said if not _HANGS_ON.search(bare[: match.start()]))
    told = (Outcome(match[0].strip(), match["count"] or match["passed"] or match["numero"] or "") for match in found)
    return tuple(dict.fromkeys(told))


def unshown(text: str, ran: Sequence[str]) -> Iterator[str]:
    """What a text states of tests and no command showed. `ran`: what the task's commands printed, oldest first.

    A number must have been printed. Without one some command must have run, and the last that tells of tests must not
    tell that some failed, unless the text itself speaks of failures.
    """
    results = [printed for printed in ran if _RESULT.search(printed)]
    failed = bool(results) and _FAILED.search(results[-1]) is not None and not _OWNS_UP.search(text)
    for outcome in outcomes(text):
        counted = re.compile(rf"(?<![\w.]){outcome.count}(?![\w.]*\d)") if outcome.count else None
        shown = any(counted.search(printed) for printed in ran) if counted is not None else bool(ran)
        if not shown or failed:
            yield outcome.said
