"""Text of others before the eyes of a person: nothing in it can move the cursor, colour, hide or reorder anything."""

from __future__ import annotations

import re

_INVISIBLE = (
    r"\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Format characters (category Cf), tags and overrides of direction among them; not the few that are drawn."""
_ESCAPED = rf"\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{_INVISIBLE}"
_CONTROLS = re.compile(f"[{_ESCAPED}]")
_CONTROLS_AND_BREAKS = re.compile(rf"[{_ESCAPED}\t\n\u2028\u2029]")


def visible(text: str) -> str:
    """The text with control and invisible format characters and lone surrogates as escapes; lines and tabs stay."""
    return _CONTROLS.sub(_escape, text)


def visible_line(text: str) -> str:
    """The same on one line: line ends and tabs are escapes too."""
    return _CONTROLS_AND_BREAKS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "backslashreplace").decode()
