"""Files that a command writes where its user says: whole or not at all, and nothing but a file is ever replaced."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from shared.errors import ArreioError


@contextmanager
def written(output: Path | None) -> Iterator[IO[str]]:
    """Where to write text in UTF-8: a file for the user alone that is there whole or not at all.

    None, `-` and every name of standard output (`/dev/stdout`) are standard output. What a link points to is written
    and the link stays; a device or a pipe is written to as it is.

    Raises:
        ArreioError: it cannot be written.
    """
    if output is None or str(output) == "-" or _is_stdout(output):
        sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
        yield sys.stdout
        sys.stdout.flush()
        return
    try:
        if output.exists() and not output.is_file():
            with _into(output) as out:
                yield out
        else:
            with _replacing(output.resolve()) as out:
                yield out
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ArreioError(f"{output}: {error.strerror}", "name a file in a folder that you can write") from error


def _is_stdout(output: Path) -> bool:
    with suppress(OSError, ValueError):
        return os.path.samestat(output.stat(), os.fstat(sys.stdout.fileno()))
    return False


@contextmanager
def _into(output: Path) -> Iterator[IO[str]]:
    """What is there and no file, as it is."""
    descriptor = os.open(output, os.O_WRONLY | os.O_NOCTTY)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
        yield out


@contextmanager
def _replacing(output: Path) -> Iterator[IO[str]]:
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        _refuse_others(output)
        unfinished.replace(output)
    finally:
        unfinished.unlink(missing_ok=True)


def _refuse_others(output: Path) -> None:
    """Between the first look and the last something else may have come there."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(output.lstat().st_mode):
            raise FileExistsError(None, "something that is no file came there meanwhile")
