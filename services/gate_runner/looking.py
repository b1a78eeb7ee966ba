"""Looks at pages in a browser, on a screen and on a phone, by the rules of taste that need one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shared.sandbox import SandboxKind

from .browser import PHONE, SCREEN, BrowserFailed, BrowserUnavailable, Browsing, Shown
from .taste import Taste, Violation
from .taste.rendered import needs_its_styles, shown_violations


@dataclass(slots=True)
class Looked:
    """What was seen of pages; `unseen` are those that could not be shown, each with the reason."""

    violations: list[Violation] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    shown: list[tuple[str, Shown]] = field(default_factory=list)
    unseen: list[tuple[str, str]] = field(default_factory=list)


async def look_at(taste: Taste, workspace: Path, pages: Sequence[str], sandbox: SandboxKind = "bubblewrap") -> Looked:
    """What the rules have against the pages; without a browser a note says what is missing, and nothing else."""
    looked = Looked()
    found: list[Violation] = []
    async with Browsing(sandbox) as browsing:
        for page in pages:
            try:
                looked.shown += [(page, one) for one in await browsing.render(workspace, page, (SCREEN, PHONE))]
            except BrowserUnavailable as error:
                looked.notes.append(f"not looked at in a browser: {error}")
                looked.unseen.append((page, str(error)))
                break
            except BrowserFailed as error:
                looked.notes.append(f"{page} was not looked at: {error}")
                looked.unseen.append((page, str(error)))
    for page in dict.fromkeys(page for page, _ in looked.shown):
        shown = [one for name, one in looked.shown if name == page]
        elsewhere = list(dict.fromkeys(host for one in shown for host in one.measures.elsewhere))
        if elsewhere:
            hosts = ", ".join(elsewhere)
            looked.notes.append(f"the look of {page} was not judged: it has styles or scripts from {hosts}")
        rules = [rule for rule in taste.rendered if not (elsewhere and needs_its_styles(rule))]
        for one in shown:
            found += shown_violations(page, one.screen.width, one.screen.phone, one.measures, rules)
    looked.violations = _once(found)
    return looked


def _once(found: Sequence[Violation]) -> list[Violation]:
    """What is wrong on both screens is said once."""
    once: dict[tuple[str, str, str], Violation] = {}
    for one in found:
        once.setdefault((one.place.partition(" at ")[0], one.rule, one.said), one)
    return [*once.values()]
