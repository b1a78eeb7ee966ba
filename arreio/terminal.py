"""Writing to the terminal of a person, whatever it can hold."""

from __future__ import annotations

import sys
from typing import TextIO

from shared.visible_text import visible as visible
from shared.visible_text import visible_line as visible_line


def never_fail(*streams: TextIO | None) -> None:
    """Have streams write what their encoding cannot hold as escapes, where they can be told to."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def holds_unicode() -> bool:
    """Whether standard output takes every character."""
    return (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "").startswith("utf")
