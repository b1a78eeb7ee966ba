"""The exact list of what a claim lacks, as the model is told it, in the task's language."""

from collections.abc import Sequence
from typing import Final, Literal

from arreio_contracts.messages import CriterionResult

_LIMIT: Final = 1_200

_WORDS: Final = {
    "en": {
        "head": "Not complete yet. What is missing:",
        "expected": "expected",
        "seen": "seen",
        "NOT_RUN": "could not be checked",
        "FAIL": "does not hold",
    },
    "pt": {
        "head": "Ainda não está completo. O que falta:",
        "expected": "esperado",
        "seen": "visto",
        "NOT_RUN": "não pôde ser verificado",
        "FAIL": "não vale",
    },
}


def missing(results: Sequence[CriterionResult], language: Literal["en", "pt"]) -> str:
    """The criteria that do not hold: each with what was expected and what was seen; empty where all hold."""
    words = _WORDS[language]
    lines = []
    for result in results:
        if result.verdict == "PASS":
            continue
        parts = [f"- {result.criterion} — {words[result.verdict]}"]
        if result.expected:
            parts.append(f"{words['expected']}: {result.expected}")
        if result.seen:
            seen = result.seen if len(result.seen) <= _LIMIT else f"{result.seen[:_LIMIT]} […]"
            parts.append(f"{words['seen']}: " + seen.replace("\n", "\n    "))
        lines.append("\n  ".join(parts))
    return "\n".join([words["head"], *lines]) if lines else ""
