"""The base of every error that a person reads: what was wrong, and the way out."""

from __future__ import annotations


class ArreioError(Exception):
    """A failure that ends in one line on stderr and exit status 1.

    `message` says what was wrong, `hint` what to do about it; both are kept to one line each.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = " ".join(message.split())
        self.hint = " ".join(hint.split())
        super().__init__(self.line())

    def line(self) -> str:
        """The whole error as one line: `message: hint` without a line break."""
        return f"{self.message}; {self.hint}" if self.hint else self.message
