"""Text of others on the terminal of a person: nothing in it can move the cursor, colour, hide or reorder anything."""

from __future__ import annotations

import re
import sys
from typing import TextIO

_ESCAPED = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_CONTROLS = re.compile(f"[{_ESCAPED}]")
_CONTROLS_AND_BREAKS = re.compile(rf"[{_ESCAPED}\t\n\u2028\u2029]")


def visible(text: str) -> str:
    """The text with control characters, overrides of direction and lone surrogates as escapes; lines and tabs stay."""
    return _CONTROLS.sub(_escape, text)


def visible_line(text: str) -> str:
    """The same on one line: line ends and tabs are escapes too."""
    return _CONTROLS_AND_BREAKS.sub(_escape, text)


def never_fail(*streams: TextIO | None) -> None:
    """Have streams write what their encoding cannot hold as escapes, where they can be told to."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def holds_unicode() -> bool:
    """Whether standard output takes every character."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "backslashreplace").decode()
