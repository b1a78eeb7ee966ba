"""Which tool a model means by a name: spelling variants resolve, and what is only near is suggested. Pure."""

import difflib
import re
from collections.abc import Iterable
from typing import Final

MOST_CANDIDATES: Final = 5
_LONGEST: Final = 64
"""Characters of an unknown name that are looked at and told."""
_KEPT: Final = 256
"""Characters of a name that are kept at all."""
_NAMESPACE = re.compile(r"\A\s*(?:functions?|tools?)[.:/]\s*", re.IGNORECASE)
_INDEX = re.compile(r":\d+\s*\Z")
_SEPARATORS = re.compile(r"[\s_\-]+")


def resolved(name: str, offered: Iterable[str]) -> str:
    """The offered tool that a name is a spelling of (`readFile`, `read-file`, `functions.read_file:0`), else the name.

    Only case, hyphens, underscores, blanks and a namespace may differ, and only one tool may be meant.
    """
    names = list(offered)
    if name in names or len(name) > _KEPT:
        return name[:_KEPT]
    bare = _INDEX.sub("", _NAMESPACE.sub("", name))
    spelt = [known for known in names if _spelling(known) == _spelling(bare)]
    return spelt[0] if len(spelt) == 1 and bare else name


def candidates(name: str, offered: Iterable[str]) -> list[str]:
    """At most five offered tools, the nearest to a name first; the first five where none is near. Only to suggest."""
    names = list(offered)
    near = difflib.get_close_matches(name[:_LONGEST], names, n=MOST_CANDIDATES, cutoff=0.4)
    return near or names[:MOST_CANDIDATES]


def shown(name: str) -> str:
    """A name as it is told: never longer than a line."""
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def _spelling(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()
