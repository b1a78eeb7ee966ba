"""Tests that a goal calls by names which are no words of their own (`test "adds two numbers"`, `TestAdd`)."""

import re
from collections.abc import Collection
from typing import Final

_WORD: Final = (
    r"(?i:tests?|testes?|specs?|(?:test )?cases?|casos?(?: de teste)?|suites?|su[ií]tes?|describe|it|classe?)(?:\.\w+)*"
)
_ARTICLE: Final = r"(?i:(?:the|this|that|our|o|a|os|este|esse|nosso)\s+)?"
_CALLED: Final = r"(?i:\s+(?:called|named|chamad[oa]))?"
_OPENS, _CLOSES = "[\"'`“‘]", "[\"'`”’]"
_PLAIN: Final = re.compile(r"Test[A-Z]\w*|\w+Tests?(?:Case)?")
"""A name that no other word is like."""
_LEAST: Final = 2


def with_pseudonyms(goal: str, names: Collection[str]) -> tuple[str, dict[str, str]]:
    """The goal with each such test called `test_called_N`, and which name that stands for; the longest names first."""
    found: dict[str, str] = {}
    for name in sorted(names, key=lambda one: (-len(one), one)):
        if len(name) < _LEAST or name not in goal:
            continue
        pseudonym = f"test_called_{len(found)}"
        goal, count = _mention(name).subn(f" {pseudonym} ", goal)
        if count:
            found[pseudonym] = name
    return goal, found


def _mention(name: str) -> re.Pattern[str]:
    plain = rf"(?<![\w.-]){re.escape(name)}(?![\w-]|\.\w)"
    quoted = rf"{_OPENS}{re.escape(name)}{_CLOSES}"
    forms = [
        rf"{_ARTICLE}\b{_WORD}{_CALLED}(?:\s+|\s*\(\s*)(?:{quoted}|{plain})(?:\s*\))?",
        rf"{_ARTICLE}(?:{quoted}|{plain})\s+{_WORD}\b",
    ]
    if " " in name:
        forms.append(quoted)
    if _PLAIN.fullmatch(name):
        forms += [quoted, plain]
    return re.compile("|".join(forms))
