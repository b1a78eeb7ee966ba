"""Which messages are words of control, and not a person's text. Pure.

A message is one only where it says nothing else: `/cancel`, `/cancel TASK`, `/status`, `/help`, in any case, also with
the name of a bot behind it (`/cancel@helper`) and with what nobody sees around it. `/cancel the order 12` and
`/help me` are what a person wants done, or answers.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

Word = Literal["cancel", "status", "help"]
_CONTROL: Final = re.compile(
    r"/(?:(?P<cancel>cancel)(?:@\w+)?(?:\s+(?P<task>t_[A-Za-z0-9_-]+))?|(?P<status>status)(?:@\w+)?"
    r"|(?P<help>help)(?:@\w+)?)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Control:
    """A word of control; `task`: of `/cancel`, the one that is named."""

    word: Word
    task: str | None = None


def control(text: str) -> Control | None:
    """The word of control that a text is; None: it is none."""
    seen = "".join(one for one in text if unicodedata.category(one) != "Cf").strip()
    found = _CONTROL.fullmatch(seen)
    if found is None:
        return None
    if found["cancel"]:
        return Control("cancel", found["task"])
    return Control("status" if found["status"] else "help")
