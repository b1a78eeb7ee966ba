"""Brings the reports of test runners out of a sandbox whose overlay is gone when the command has ended.

The folder for reports has a name that nobody can guess, lies outside the workspace and is empty at first, so what lies
in it was written by this run. Of the workspace only what was made since the start is taken, by the time of its last
change of status, which no program can set back. What is brought out is written after the command's end.

What a witness left counts only with its signature: session number N signs with the key of the run, hashed N times over,
which a test can neither find in a file nor in the environment. After the last session its successor's key lies there;
where it does not, a session began that never came to its end.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Final

from .reports import Found
from .runners import WITNESSES, Told

MOST_BYTES: Final = 16 << 20
MOST_FILES: Final = 2_000
_KEY: Final = "witness.key"
_OURS: Final = (".signed", ".unsigned", ".key", ".new")
_READ: Final = "./"
"""What the path of a file begins with that was to be read alone."""
_MOST_WRITTEN: Final = 200
_MODULES: Final = Path(__file__).with_name("witnesses")
STDOUT: Final = "stdout"
"""The name under which a command's output is found, where that is the report."""


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A command as it is run: `descriptors` are those that it inherits, of one file in memory and of the key.

    `witnesses` says that those see it; `key` is that of the first session of tests. `reads` are as in `Told`.
    """

    command: str
    env: Mapping[str, str]
    descriptors: tuple[int, ...]
    witnesses: bool
    key: bytes
    reads: tuple[str, ...] = ()

    def found(self) -> tuple[tuple[Found, ...], bool]:
        """What was brought out so far, and whether all sessions of tests that were seen to begin were signed."""
        found = tuple(one for one in self._all() if one.path not in self.reads and not one.path.startswith(_READ))
        return _verified(found, self.key) if self.witnesses else (found, True)

    def written(self) -> tuple[Found, ...]:
        """The files that the command was to read alone and that the run wrote, with what they held at its end."""
        read = (one for one in self._all() if one.path.startswith(_READ))
        return tuple(Found(one.path.removeprefix(_READ), one.content) for one in read)

    def _all(self) -> Iterator[Found]:
        return _read(os.pread(self.descriptors[1], MOST_BYTES, 0))


@contextlib.contextmanager
def wrapped(command: str, tell: Callable[[str, str], Told]) -> Iterator[Wrapped]:
    """The command so that what its test runner leaves can be read, as long as the context is held."""
    place = f"/tmp/arreio-{secrets.token_hex(12)}"
    told = tell(command, place)
    key = secrets.token_bytes(32)
    file = os.memfd_create("report", 0)
    # A pipe: once the script has read the key, nobody else can.
    reading, writing = os.pipe()
    descriptors = (os.dup(file), file, reading)
    try:
        with os.fdopen(writing, "w") as pipe:
            pipe.write(_key_file(0, key))
        yield Wrapped(_script(told, place, file, reading), told.env, descriptors, bool(told.witnesses), key, told.reads)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _script(told: Told, place: str, file: int, key: int) -> str:
    """Each report goes out as a line `SIZE PATH` and its bytes. The pause parts the start from what follows."""
    redirected = f" > {place}/{STDOUT}" if told.stdout_is_report else ""
    lines = [
        f"mkdir -m 700 {place} && : > {place}/.begun; sleep 0.01",
        *(_witnesses(told, place, key) if told.witnesses else []),
        f"sh -c {shlex.quote(told.command)}{redirected}",
        "status=$?",
        f"{{ for report in {place}/*; do printf '%s\\n' \"$report\"; done",
        *([_search(told.leaves, place)] if told.leaves else []),
        *([_written(told.reads, place)] if told.reads else []),
        *([_written_within(told.within, place)] if told.within else []),
        '} | while IFS= read -r report; do [ -f "$report" ] && [ ! -L "$report" ] || continue',
        'size=$(wc -c < "$report"); printf "%s %s\\n" $size "$report"; head -c $size "$report"',
        f"done > /proc/self/fd/{file}",
        f"rm -rf {place}",
        "exit $status",
    ]
    return "\n".join(lines)


def _witnesses(told: Told, place: str, key: int) -> Iterator[str]:
    yield f"mkdir {place}/{WITNESSES}; cat /proc/self/fd/{key} > {place}/{_KEY}"
    for name in told.witnesses:
        yield f"cat > {place}/{WITNESSES}/{name} <<'{place}'\n{(_MODULES / name).read_text()}{place}"


def _key_file(number: int, key: bytes) -> str:
    return f"{number} {key.hex()}"


def _verified(found: tuple[Found, ...], key: bytes) -> tuple[tuple[Found, ...], bool]:
    """The files with what is signed marked as such and what pretends to be left out; whether no session is open."""
    held = {one.path: one.content for one in found}
    left = [one for one in found if PurePosixPath(one.path).suffix not in _OURS]
    for number in count():
        mark, _, body = held.get(f"{number}.signed", b"").partition(b"\n")
        if not hmac.compare_digest(mark, hmac.new(key, body, hashlib.sha256).hexdigest().encode()):
            break
        left.append(Found(f"{number}.signed", body, signed=True))
        key = hashlib.sha256(key).digest()
    alone = "beside.unsigned" not in held
    return tuple(left), alone and held.get(_KEY) == _key_file(number, key).encode()


def _search(leaves: tuple[str, ...], place: str) -> str:
    paths = " -o ".join(f"-path {shlex.quote(f'./{pattern}')}" for pattern in leaves)
    new = f"-newer {place}/.begun -cnewer {place}/.begun"
    skipped = "\\( -name node_modules -o -name .git -o -name .venv \\) -prune"
    return f"find . {skipped} -o -type f \\( {paths} \\) {new} -print 2>/dev/null | head -n {MOST_FILES}"


def _written(paths: tuple[str, ...], place: str) -> str:
    """Which of some files were written since the start, whatever time they are given."""
    named = " ".join(shlex.quote(f"./{_READ}{path}") for path in paths)
    return f"find {named} -maxdepth 0 -type f -cnewer {place}/.begun -print 2>/dev/null"


def _written_within(folders: tuple[str, ...], place: str) -> str:
    """The same of all files in some folders, but for what compilers and installers leave there."""
    named = " ".join(shlex.quote(f"./{_READ}{folder}") for folder in folders)
    skipped = "\\( -name node_modules -o -name .git -o -name .venv -o -name __pycache__ -o -name '.*cache*' \\) -prune"
    new = f"-cnewer {place}/.begun"
    return f"find {named} {skipped} -o -type f {new} -print 2>/dev/null | head -n {_MOST_WRITTEN}"


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
