"""Judges changed files by the rules of taste. Violations are returned a bounded number of times, then only recorded."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from arreio_contracts.messages import TASTE, CriterionResult, Verdict

from shared.workspace import PathRefused, confine, read_regular

from .markup import Broken, Page, broken_markdown
from .rules import Rule, Taste
from .styles import Block, blocks_of, broken_in

MOST_RETURNS: Final = 2
"""Claims of one task that taste alone may send back."""
_MOST_FILES: Final = 50
_MOST_BYTES: Final = 1 << 20
_MOST_LINES: Final = 20


def returned_before(judgements: Iterable[Sequence[dict[str, Any]]]) -> int:
    """How many earlier judgements of a task, each given as its results, taste sent back."""
    return sum(any(one["criterion"] == TASTE and one["verdict"] == "FAIL" for one in results) for results in judgements)


def tasted(taste: Taste, workspace: Path, paths: Iterable[str], returned: int) -> CriterionResult | None:
    """The critic's result on the files that a task changed; None where it has nothing to say.

    FAIL while taste has sent back fewer than `MOST_RETURNS` claims, then PASS, with the same violations to see.
    """
    lines = [*_violations(taste, workspace, sorted(paths)[:_MOST_FILES])]
    if not lines:
        return None
    more = len(lines) - _MOST_LINES
    seen = "\n".join([*lines[:_MOST_LINES], *([f"… and {more} more"] if more > 0 else [])])
    broken = {rule.name for rule in taste.rules if any(f" [{rule.name}] " in line for line in lines)}
    expected = "; ".join(_told(rule) for rule in taste.rules if rule.name in broken)
    verdict: Verdict = "FAIL" if returned < MOST_RETURNS else "PASS"
    return CriterionResult(criterion=TASTE, verdict=verdict, expected=expected, seen=seen)


def _violations(taste: Taste, workspace: Path, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        text = _text(workspace, path)
        if text is None:
            continue
        broken, blocks = looked_at(path, text)
        for rule in taste.rules:
            found = [(one.line, one.text) for one in broken if one.check == rule.check]
            found += [(block.line, said) for block in blocks for said in broken_in(block, rule)]
            yield from (f"{path}:{line} [{rule.name}] {said}" for line, said in sorted(found))


def looked_at(path: str, text: str) -> tuple[Sequence[Broken], Sequence[Block]]:
    """What is wrong with a file's markup, and the styles in it; a file of another kind has neither."""
    match PurePosixPath(path).suffix.lower():
        case ".html" | ".htm":
            page = Page(text)
            return page.broken, page.blocks
        case ".css":
            return (), [*blocks_of(text)]
        case ".md" | ".markdown":
            return [*broken_markdown(text)], ()
        case _:
            return (), ()


def _text(workspace: Path, path: str) -> str | None:
    try:
        content = read_regular(confine(workspace, path).real, most_bytes=_MOST_BYTES)
        return None if content is None else content.decode("utf-8")
    except (OSError, PathRefused, UnicodeDecodeError):
        return None


def _told(rule: Rule) -> str:
    """A rule as the model is told it: its name, what it is for, and an example."""
    example = f" (as {rule.good})" if rule.good else f" (not as {rule.bad})" if rule.bad else ""
    return f"{rule.name}{': ' if rule.why else ''}{rule.why}{example}"
