"""What a person types, or a pipe holds, as messages: of one line or of several, with the history of a conversation."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

BLOCK: Final = '"""'
"""A line of these begins a message of several lines, and ends it."""

Ask = Callable[[str], str]
"""Shows a prompt and returns the next line. Raises EOFError at the end of the input, KeyboardInterrupt at Ctrl-C."""


def next_message(ask: Ask, prompt: str) -> str | None:
    r"""The next message that is not blank; None at the end of the input.

    A line that ends in `\` goes on in the next, and so does everything between two lines of `\"""`, or to the end of
    the input.

    Raises:
        KeyboardInterrupt: Ctrl-C; what was typed is dropped.
    """
    while True:
        try:
            message = _message(ask, prompt)
        except EOFError:
            return None
        if message.strip():
            return message


def asking() -> Ask:
    """How lines are had: by `input` on a terminal, which lets them be edited, else silently."""
    # What is no text is shown as such, rather than that it ends the conversation.
    reconfigure = getattr(sys.stdin, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
    return input if sys.stdin.isatty() else _silently


@contextlib.contextmanager
def remembered(file: Path) -> Iterator[None]:
    """On a terminal, offer the lines that were typed in the conversation before, and keep those of now in a file."""
    if not sys.stdin.isatty():
        yield
        return
    try:
        import readline
    except ImportError:  # Python can be built without it
        yield
        return
    with contextlib.suppress(OSError):
        readline.read_history_file(file)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file.touch(mode=0o600)
            readline.set_history_length(1000)
            readline.write_history_file(file)


def _message(ask: Ask, prompt: str) -> str:
    line = ask(prompt)
    if line.strip() == BLOCK:
        return "\n".join(_block(ask))
    lines = []
    while line.endswith("\\"):
        lines.append(line[:-1])
        try:
            line = ask("… ")
        except EOFError:
            line = ""
    return "\n".join([*lines, line])


def _block(ask: Ask) -> Iterator[str]:
    with contextlib.suppress(EOFError):
        while (line := ask("… ")).strip() != BLOCK:
            yield line


def _silently(_: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")
