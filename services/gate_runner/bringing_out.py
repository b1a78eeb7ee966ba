"""Brings the reports of test runners out of a sandbox whose overlay is gone when the command has ended.

The folder for reports has a name that nobody can guess, lies outside the workspace and is empty at first, so what lies
in it was written by this run. Of the workspace only what was made since the start is taken, by the time of its last
change of status, which no program can set back. What is brought out is written after the command's end.
"""

import contextlib
import os
import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from .reports import Found
from .runners import Told

MOST_BYTES: Final = 16 << 20
MOST_FILES: Final = 2_000
STDOUT: Final = "stdout"
"""The name under which a command's output is found, where that is the report."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A command as it is run: `descriptors` are those that it inherits, of one file in memory."""

    command: str
    env: Mapping[str, str]
    descriptors: tuple[int, int]

    def found(self) -> tuple[Found, ...]:
        """What was brought out so far."""
        return tuple(_read(os.pread(self.descriptors[1], MOST_BYTES, 0)))


@contextlib.contextmanager
def wrapped(command: str, tell: Callable[[str, str], Told]) -> Iterator[Wrapped]:
    """The command so that what its test runner leaves can be read, as long as the context is held."""
    place = f"/tmp/arreio-{secrets.token_hex(12)}"
    told = tell(command, place)
    file = os.memfd_create("report", 0)
    held = os.dup(file)
    try:
        yield Wrapped(_script(told, place, file), told.env, (held, file))
    finally:
        os.close(held)
        os.close(file)


def _script(told: Told, place: str, file: int) -> str:
    """Each report goes out as a line `SIZE PATH` and its bytes. The pause parts the start from what follows."""
    redirected = f" > {place}/{STDOUT}" if told.stdout_is_report else ""
    lines = [
        f"mkdir -m 700 {place} && : > {place}/.begun; sleep 0.01",
        f"sh -c {shlex.quote(told.command)}{redirected}",
        "status=$?",
        f"{{ for report in {place}/*; do printf '%s\\n' \"$report\"; done",
        *([_search(told.leaves, place)] if told.leaves else []),
        '} | while IFS= read -r report; do [ -f "$report" ] && [ ! -L "$report" ] || continue',
        'size=$(wc -c < "$report"); printf "%s %s\\n" $size "$report"; head -c $size "$report"',
        f"done > /proc/self/fd/{file}",
        f"rm -rf {place}",
        "exit $status",
    ]
    return "\n".join(lines)


def _search(leaves: tuple[str, ...], place: str) -> str:
    paths = " -o ".join(f"-path {shlex.quote(f'./{pattern}')}" for pattern in leaves)
    new = f"-newer {place}/.begun -cnewer {place}/.begun"
    skipped = "\\( -name node_modules -o -name .git -o -name .venv \\) -prune"
    return f"find . {skipped} -o -type f \\( {paths} \\) {new} -print 2>/dev/null | head -n {MOST_FILES}"


def _read(content: bytes) -> Iterator[Found]:
    """The files that were brought out; one that was cut off is left out."""
    while content:
        head, _, content = content.partition(b"\n")
        size, _, name = head.partition(b" ")
        if not size.isdigit() or int(size) > len(content):
            return
        path = os.fsdecode(name)
        short = path.removeprefix("./") if path.startswith("./") else PurePosixPath(path).name
        yield Found(short, content[: int(size)])
        content = content[int(size) :]
