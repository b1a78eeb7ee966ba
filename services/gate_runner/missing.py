"""The exact list of what a claim lacks, as the model is told it, in the task's language."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from arreio_contracts.messages import CriterionResult

from .portuguese import in_portuguese

MOST_CHARACTERS: Final = 2_000
MOST_LINES: Final = 6
"""Lines on one criterion."""
_LINE: Final = 240
_FIRST_LINE: Final = 400

_TELLING: Final = re.compile(
    r"error|fail|assert|exception|panic|expected|received|undefined|unresolved|cannot|can't|not found|no such|missing"
    r"|mismatch|denied|invalid|unexpected|erro\b|falh",
    re.I,
)

_WORDS: Final = {
    "en": {
        "head": "Not complete yet. What is missing:",
        "expected": "expected",
        "seen": "seen",
        "NOT_RUN": "could not be checked",
        "FAIL": "does not hold",
        "lines": "[… {} more lines]",
        "criteria": "… and {} more criteria",
    },
    "pt": {
        "head": "Ainda não está completo. O que falta:",
        "expected": "esperado",
        "seen": "visto",
        "NOT_RUN": "não pôde ser verificado",
        "FAIL": "não vale",
        "lines": "[… mais {} linhas]",
        "criteria": "… e mais {} critérios",
    },
}

Language = Literal["en", "pt"]


def missing(results: Sequence[CriterionResult], language: Language) -> str:
    """The criteria that do not hold, each with what was expected and what was seen; empty where all hold.

    What fails comes before what could not be checked. At most `MOST_LINES` a criterion, the most telling ones, and
    `MOST_CHARACTERS` in all; `whole_list` has everything.
    """
    words = _WORDS[language]
    lacking = _lacking(results)
    text = words["head"]
    for number, result in enumerate(lacking):
        more = len(lacking) - number
        entry = _entry(_told(result, language), words, lines=MOST_LINES)
        room = MOST_CHARACTERS - len(text) - len(words["criteria"]) - 8
        if len(entry) > room and number:
            return f"{text}\n{words['criteria'].format(more)}"
        text = f"{text}\n{entry[:room]}"
    return text if lacking else ""


def whole_list(results: Sequence[CriterionResult], language: Language) -> str:
    """The same list with every line that the results have."""
    words = _WORDS[language]
    lacking = _lacking(results)
    return (
        "\n".join([words["head"], *(_entry(_told(result, language), words, lines=None) for result in lacking)])
        if lacking
        else ""
    )


def _lacking(results: Sequence[CriterionResult]) -> list[CriterionResult]:
    return sorted((result for result in results if result.verdict != "PASS"), key=lambda one: one.verdict != "FAIL")


def _told(result: CriterionResult, language: Language) -> CriterionResult:
    """The result in the task's language; judges write theirs in English."""
    if language == "en":
        return result
    kind = result.criterion.partition(":")[0]
    seen = "\n".join(in_portuguese(line, kind) for line in result.seen.splitlines())
    return result.model_copy(update={"expected": in_portuguese(result.expected, "expected"), "seen": seen})


def _entry(result: CriterionResult, words: dict[str, str], *, lines: int | None) -> str:
    cut = lines is not None
    head = f"- {_short(result.criterion, _FIRST_LINE) if cut else result.criterion} — {words[result.verdict]}"
    parts = [head.replace("\n", " ")]
    if result.expected:
        expected = f"{words['expected']}: {result.expected}".replace("\n", " ")
        parts.append(_short(expected, _FIRST_LINE) if cut else expected)
    if result.seen:
        seen = result.seen.splitlines()
        if lines is not None:
            seen = _telling(seen, lines - len(parts), words)
        parts.append(f"{words['seen']}: " + "\n    ".join(seen))
    return "\n  ".join(parts)


def _telling(lines: Sequence[str], most: int, words: dict[str, str]) -> list[str]:
    """The lines that tell most, in their order: the first, which sums up; what speaks of an error; the last."""
    lines = [line for line in lines if line.strip()]
    if len(lines) <= most:
        return [_short(line) for line in lines]
    rest = range(1, len(lines))
    speaking = [number for number in rest if _TELLING.search(lines[number])]
    chosen = sorted([0, *[*speaking, *(number for number in reversed(rest) if number not in speaking)][: most - 1]])
    shown = [_short(lines[number]) for number in chosen]
    return [*shown[:-1], f"{shown[-1]} {words['lines'].format(len(lines) - len(chosen))}"]


def _short(line: str, length: int = _LINE) -> str:
    return line if len(line) <= length else f"{line[: length - 2]} …"
