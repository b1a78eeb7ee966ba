"""Changes of one token that mend small slips of code: another operator, a number one off, a turned condition. Pure.

The smallest models copy the line that they are asked to correct; among changed lines they can choose. Whether one is
right is for the criteria to judge.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from .part_edits import Part, paragraphs, single_lines

_OTHERS: Final[Mapping[str, tuple[str, ...]]] = {
    "+": ("-", "*"),
    "-": ("+", "*"),
    "*": ("+", "/", "**"),
    "/": ("*", "//"),
    "%": ("/", "*"),
    "+=": ("-=",),
    "-=": ("+=",),
    "==": ("!=", ">=", "<="),
    "!=": ("==",),
    "<": ("<=", ">", ">="),
    ">": (">=", "<", "<="),
    "<=": ("<", ">=", ">"),
    ">=": (">", "<=", "<"),
    "&&": ("||",),
    "||": ("&&",),
    "and": ("or",),
    "or": ("and",),
    "True": ("False",),
    "False": ("True",),
    "true": ("false",),
    "false": ("true",),
    "min": ("max",),
    "max": ("min",),
    "not ": ("",),
}
_TOKEN = re.compile(
    r"""(?P<left>"[^"\n]*"|'[^'\n]*'|\#.*|//.*|->|=>|\*\*|<<|>>|(?<!\w)\w++\.\w+)"""
    r"""|(?P<sign>[+-]=|[=!<>]=|&&|\|\||[-+*/%<>]|\bnot |\b(?:and|or|[Tt]rue|[Ff]alse|min|max)\b)"""
    r"""|(?P<number>\b\d{1,9}\b)"""
)
_HEAD = re.compile(r"^\s*(?:(?:import|from|def|class|func|function|package|use|using)\b|#|//|@)")
_LONGEST_LINE: Final = 1_000
"""Characters."""
_WORD = re.compile(r"[^\W_]{2,}")


def small_changes(text: str, about: str) -> list[tuple[Part, str]]:
    """Lines of a text and what each could be: first those of the paragraphs that share most words with `about`."""
    words = {*_WORD.findall(about.casefold())}
    near = sorted(paragraphs(text), key=lambda part: -len(words & {*_WORD.findall(part.text.casefold())}))
    order = {number: rank for rank, part in enumerate(near) for number in range(part.first, part.last + 1)}
    lines = sorted(single_lines(text), key=lambda line: order[line.first])
    return [(line, changed) for line in lines if _may_change(line.text) for changed in _changed(line.text)]


def _may_change(line: str) -> bool:
    """Whether a line is code, and not so long that nobody could choose among what it may become."""
    return len(line) <= _LONGEST_LINE and _HEAD.match(line) is None


def _changed(line: str) -> Iterator[str]:
    for match in _TOKEN.finditer(line):
        for other in _instead(match):
            yield line[: match.start()] + other + line[match.end() :]


def _instead(match: re.Match[str]) -> tuple[str, ...]:
    if match["number"]:
        number = int(match["number"])
        return tuple(str(other) for other in (number + 1, number - 1) if other >= 0)
    return _OTHERS.get(match["sign"] or "", ())
