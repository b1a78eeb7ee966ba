"""What is told of a regular expression without running it, so that most files are passed over quickly. Pure."""

import re
from typing import Final

_QUANTIFIER: Final = re.compile(r"\{\d*,?\d*\}")
_NOT_LITERAL: Final = frozenset("wWdDsSbB")
_PUNCTUATION: Final = re.compile(r"[^\w\s]")
_BEYOND_THE_LINE: Final = re.compile(r"\(\?|\\[AZzGKNpPX]|[*+?}]\+|\{[^\d,}]")
"""What may fail in a whole text though it matches one of its lines: looking around, anchors of the text, possession."""


def finds_lines_in_text(pattern: str) -> bool:
    """Whether the expression, run over a whole text with MULTILINE, matches it if it matches one of its lines."""
    return _BEYOND_THE_LINE.search(pattern) is None


def required_literals(pattern: str) -> tuple[str, ...]:
    """Texts that stand in whatever the expression matches; none where that is not plain to see."""
    found: list[str] = []
    run = ""
    at = 0

    def flush() -> None:
        nonlocal run
        if run:
            found.append(run)
        run = ""

    while at < len(pattern):
        character = pattern[at]
        at += 1
        if character in "(|)]}":
            return ()
        if character == "[":
            end = _end_of_class(pattern, at)
            if end is None:
                return ()
            flush()
            at = end
        elif character in ".^$":
            flush()
        elif character in "*?+{":
            if character == "{":
                quantifier = _QUANTIFIER.match(pattern, at - 1)
                if quantifier is None:
                    return ()
                at = quantifier.end()
            if character != "+":
                run = run[:-1]
            flush()
            at += pattern[at : at + 1] in ("?", "+")
        elif character == "\\":
            escaped = pattern[at : at + 1]
            at += 1
            if escaped in _NOT_LITERAL:
                flush()
            elif _PUNCTUATION.fullmatch(escaped):
                run += escaped
            else:
                return ()
        else:
            run += character
    flush()
    return tuple(found)


def _end_of_class(pattern: str, at: int) -> int | None:
    """Where a set of characters ends; None where it is no simple one."""
    if pattern[at : at + 1] == "^":
        at += 1
    start = at
    while at < len(pattern):
        if pattern[at] == "]" and at > start:
            return at + 1
        if pattern[at] == "[":
            return None
        at += 2 if pattern[at] == "\\" else 1
    return None
