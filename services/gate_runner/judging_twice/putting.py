"""Puts files back inside the overlay of a gate, before its command is run: they come in by descriptors of our own."""

import contextlib
import io
import os
import shlex
import tarfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .former import Former

FAILED: Final = 243
"""The exit status where the files could not be put back: then nothing was judged."""
SAID: Final = "arreio: the files that judge could not be put back"


@dataclass(frozen=True, slots=True)
class Putting:
    """The descriptors that hold the files, and what a shell does with them before anything else."""

    descriptors: tuple[int, ...]
    script: str

    def before(self, command: str) -> str:
        """A command that is run once the files are there."""
        return f"{self.script}\n{command}"


@contextlib.contextmanager
def putting(former: Former) -> Iterator[Putting]:
    """How `former` is put back; the descriptors are held as long as the context is."""
    files, gone = os.memfd_create("former", 0), os.memfd_create("gone", 0)
    # The first descriptor is the sandbox's own, as long as it lives; the command inherits the others.
    descriptors = (os.dup(files), files, gone)
    try:
        _fill(gone, b"".join(b"./" + os.fsencode(path) + b"\0" for path in former.gone))
        _fill(files, _packed(former))
        lines = [
            f"xargs -0 -r rm -rf -- < /proc/self/fd/{gone}",
            f"tar --no-same-owner --unlink-first --recursive-unlink -xf - < /proc/self/fd/{files}",
        ]
        script = f"{{ {' && '.join(lines)}; }} || {{ echo {shlex.quote(SAID)}; exit {FAILED}; }}"
        yield Putting(descriptors, script)
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _fill(descriptor: int, content: bytes) -> None:
    with os.fdopen(os.dup(descriptor), "wb") as file:
        file.write(content)


def _packed(former: Former) -> bytes:
    """A tar of the files, with the time of now: a cache that was made of what they hide is none of theirs."""
    packed, now = io.BytesIO(), int(time.time())
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for one in former.put:
            entry = tarfile.TarInfo(f"./{one.path}")
            entry.mtime = now
            if one.is_link:
                entry.type, entry.linkname = tarfile.SYMTYPE, os.fsdecode(one.content)
                tar.addfile(entry)
                continue
            entry.mode, entry.size = one.mode & 0o777, len(one.content)
            tar.addfile(entry, io.BytesIO(one.content))
    return packed.getvalue()
