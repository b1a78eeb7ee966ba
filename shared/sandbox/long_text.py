"""Hands a command to the shell that is longer than one argument of a program may be (128 KiB on Linux)."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LONGEST_ARGUMENT: Final = 120 * 1024


@contextmanager
def long_text(command: str) -> Iterator[int | None]:
    """A descriptor of a file in memory that holds the command, open within the block; None for a short command."""
    data = command.encode()
    if len(data) <= _LONGEST_ARGUMENT:
        yield None
        return
    fd = os.memfd_create("command", os.MFD_CLOEXEC)
    try:
        os.truncate(fd, len(data))
        with open(fd, "wb", closefd=False) as file:
            file.write(data)
        yield fd
    finally:
        os.close(fd)


def text_of(fd: int) -> str:
    """The short command that runs the one in a descriptor, which the shell must inherit."""
    return f'eval "$(cat /proc/self/fd/{fd})"'
