"""Judges changed files by the rules of taste. Violations are returned a bounded number of times, then only recorded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from arreio_contracts.messages import TASTE, CriterionResult, Verdict

from shared.workspace import PathRefused, confine, read_regular

from .documents import broken_markdown
from .markup import Broken, Page, skipping
from .rules import Rule, Taste
from .style_rules import broken_styles
from .styles import Block, blocks_of

_MOST_FILES: Final = 50
_MOST_BYTES: Final = 1 << 20
_MOST_CHARACTERS: Final = 2 << 20
"""Of all files together."""
_MOST_LINES: Final = 20
_PAGES: Final = (".html", ".htm", ".xhtml")
_MARKDOWN: Final = (".md", ".markdown")
_GENERATED: Final = ("node_modules", "vendor", "bower_components", ".venv", "__pycache__")


class Violation(NamedTuple):
    """What breaks a rule: where (`PATH:LINE`, or more), and what is wrong."""

    place: str
    rule: str
    said: str

    def __str__(self) -> str:
        return f"{self.place} [{self.rule}] {self.said}"


def returned_before(judgements: Iterable[Sequence[dict[str, Any]]]) -> int:
    """How many earlier judgements of a task, each given as its results, taste sent back."""
    return sum(any(one["criterion"] == TASTE and one["verdict"] == "FAIL" for one in results) for results in judgements)


def is_page(path: str) -> bool:
    """Whether a file is HTML."""
    return PurePosixPath(path).suffix.lower() in _PAGES


def texts_of(workspace: Path, paths: Iterable[str]) -> dict[str, str]:
    """The files of one's own making that taste looks at, by path; what is generated or brought in is left alone."""
    found: dict[str, str] = {}
    for path in sorted(paths):
        kind = PurePosixPath(path).suffix.lower()
        strange = ".min." in path or any(part in _GENERATED for part in PurePosixPath(path).parts)
        if kind in (*_PAGES, ".css", *_MARKDOWN) and not strange and len(found) < _MOST_FILES:
            text = _text(workspace, path)
            if text is not None and sum(map(len, found.values())) + len(text) <= _MOST_CHARACTERS:
                found[path] = text
    return found


def violations(taste: Taste, texts: Mapping[str, str]) -> Iterator[Violation]:
    """What the rules that need neither a browser nor a model have against files."""
    for path, text in texts.items():
        broken, blocks = looked_at(path, text)
        for rule in taste.rules:
            if rule.holds_for(path):
                found = [(one.line, one.text) for one in broken if one.check == rule.check]
                found += broken_styles(blocks, rule)
                yield from (Violation(f"{path}:{line}", rule.name, said) for line, said in sorted(found))


def result_of(taste: Taste, found: Sequence[Violation], notes: Sequence[str], returned: int) -> CriterionResult | None:
    """The critic's result; None where it has nothing to say. `notes` tell what could not be looked at.

    FAIL while there are violations and taste has sent back fewer claims than it may; then they are let pass, which is
    said, with the same to see.
    """
    if not found and not notes:
        return None
    lines = [*map(str, found)]
    more = len(lines) - _MOST_LINES
    let_pass = bool(found) and returned >= taste.returns
    why = (
        "these rules send nothing back"
        if not taste.returns
        else f"it was sent back {returned} times, the most it may be"
    )
    head = [f"let pass, for {why}:"] if let_pass else []
    seen = "\n".join([*head, *lines[:_MOST_LINES], *([f"… and {more} more"] if more > 0 else []), *notes])
    broken = {one.rule for one in found}
    expected = "; ".join(told(rule) for rule in taste.rules if rule.name in broken)
    verdict: Verdict = "FAIL" if found and not let_pass else "PASS"
    return CriterionResult(criterion=TASTE, verdict=verdict, expected=expected, seen=seen, let_pass=let_pass)


def looked_at(path: str, text: str) -> tuple[Sequence[Broken], Sequence[Block]]:
    """What is wrong with a file's markup, and the styles in it; a file of another kind has neither."""
    kind = PurePosixPath(path).suffix.lower()
    if kind in _PAGES:
        page = Page(text)
        return [*page.broken, *skipping(page.headings)], page.blocks
    if kind == ".css":
        return (), blocks_of(text)
    return (broken_markdown(text) if kind in _MARKDOWN else ()), ()


def _text(workspace: Path, path: str) -> str | None:
    try:
        content = read_regular(confine(workspace, path).real, most_bytes=_MOST_BYTES)
        return None if content is None else content.decode("utf-8-sig")
    except (OSError, PathRefused, UnicodeDecodeError):
        return None


def told(rule: Rule) -> str:
    """A rule as the model is told it: its name, what it is for, and an example."""
    example = f" (as {rule.good})" if rule.good else f" (not as {rule.bad})" if rule.bad else ""
    return f"{rule.name}{': ' if rule.why else ''}{rule.why}{example}"
