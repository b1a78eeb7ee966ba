"""Texts of others in the prompt speak for nobody else: a line that reads like a heading or label of ours is marked."""

import re
import unicodedata
from typing import Final

FILE_NAME: Final = "AGENTS.md"

INSTRUCTIONS: Final = "# Instructions"
PROJECT: Final = "# The project"
RULES: Final = "# Rules that a person approved"
"""The headings of the layers."""
OPERATOR: Final = "[Instructions of the operator"
"""How the label of what the operator says begins."""

_HEADINGS: Final = frozenset(heading.lower() for heading in (INSTRUCTIONS, PROJECT))
_BEGINNINGS: Final = (RULES.lower(), OPERATOR.lower())
_FILE_LABEL: Final = f"{FILE_NAME.lower()}: for "
_WORDS: Final = ("instructions", "project", "rules", FILE_NAME.lower())
"""Without one of these no line is like ours."""
_BREAKS: Final = re.compile(r"([\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+)")


def marked(text: str) -> str:
    """The text with a backslash before each line that a reader, human or model, could take for ours."""
    seen = _as_seen(text)
    if not any(word in seen for word in _WORDS):
        return text
    return "".join(f"\\{part}" if _like_ours(part) else part for part in _BREAKS.split(text))


def _like_ours(line: str) -> bool:
    if not line or line.isspace():
        return False
    seen = " ".join(_as_seen(line).split())
    if seen.rstrip(" #:.") in _HEADINGS or seen.startswith(_BEGINNINGS):
        return True
    return seen.startswith("[") and _FILE_LABEL in seen


def _as_seen(text: str) -> str:
    """The text without what nobody sees, and its characters as they read."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKC", text)
    return "".join(one for one in plain if unicodedata.category(one) not in ("Cf", "Mn", "Cc") or one == "\t").lower()
