"""Which pages of a workspace a change can be seen on: those that changed, and those whose styles or scripts did."""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

from shared.walk import Walker

from .taste import Taste, is_page, texts_of

MOST_PAGES: Final = 5
_MOST_READ: Final = 200
_LOOKS: Final = (".css", ".js", ".mjs", ".svg", ".png", ".jpg", ".jpeg", ".webp")


def pages_of(taste: Taste, workspace: Path, changed: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """The pages that are to be rendered, at most `MOST_PAGES`: those that the rules name come first."""
    named = [page for page in taste.pages if (workspace / page).is_file()]
    own = [path for path in texts if is_page(path)]
    found = dict.fromkeys([*named, *own])
    turned = {PurePosixPath(path).name for path in changed if PurePosixPath(path).suffix.lower() in _LOOKS}
    if turned and len(found) < MOST_PAGES:
        found |= dict.fromkeys(_leading_to(turned, workspace))
    return [*found][:MOST_PAGES]


def _leading_to(names: set[str], workspace: Path) -> list[str]:
    """The pages of the workspace that speak of one of these files."""
    pages = [
        directory.child(name) for directory in Walker(workspace, "").walk() for name in directory.files if is_page(name)
    ]
    found: list[str] = []
    for page in sorted(pages, key=lambda path: (path.count("/"), path))[:_MOST_READ]:
        text = texts_of(workspace, [page]).get(page, "")
        if any(name in text for name in names):
            found.append(page)
    return found
