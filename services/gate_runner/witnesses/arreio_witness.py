"""Signs what a witness saw of a session of tests, with a key that no test has.

These modules are written below the folder for the reports of a run, stand alone, and keep to what Python 3.7 has. The
key is taken before anything of the workspace is imported and lies nowhere until the session was signed; the next one
gets its hash alone, so nothing can be signed again in the name of an earlier one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types

PLACE = Path(__file__).resolve().parent.parent
KEY = PLACE / "witness.key"
UNSIGNED = PLACE / "beside.unsigned"
NESTED = "ARREIO_WITNESSED"
MOST_NAMES = 50
SKIPPING = ("unittest/case.py", "_pytest/outcomes.py")
"""Files of the runners themselves, in which a test asks to be skipped."""


class Book:
    """What one session did. `odd` are the lines on what no honest run does, `agreeing` classes that equal everything.

    A session inside another one, in a process that a test started, has no key: nobody asks for its report.
    """

    def __init__(self) -> None:
        self.number, self.key = _taken_key()
        self.process = os.getpid()
        self.started = False
        self.odd: list[str] = []
        self.skippers: set[str] = set()
        self.agreeing: list[tuple[list[str], str]] = []

    @property
    def open(self) -> bool:
        return self.key is not None and self.process == os.getpid()

    def note(self, line: str) -> None:
        if line not in self.odd:
            self.odd.append(line)

    def sign(self, passed: int, skipped: int, failures: Iterable[tuple[str, str]], names: Iterable[str] = ()) -> None:
        """Write the report, and leave the key for the next session; `names` are those of tests that were skipped."""
        if self.key is None or not self.open:
            return
        said = {
            "passed": passed,
            "skipped": skipped,
            "failures": list(failures),
            "odd": self.odd,
            "names": list(names)[:MOST_NAMES],
            "skippers": sorted(self.skippers)[:MOST_NAMES],
            "agreeing": self.agreeing[:MOST_NAMES],
        }
        body = json.dumps(said)
        mark = hmac.new(self.key, body.encode(), hashlib.sha256).hexdigest()
        _write(PLACE / f"{self.number}.signed", f"{mark}\n{body}")
        self._leave(self.number + 1, hashlib.sha256(self.key).digest())

    def watch_skips(self, *kinds: type[BaseException]) -> None:
        """Note the file of whatever code makes one of these exceptions, which skip a test."""
        for kind in kinds:
            self._watch(kind, kind.__init__)

    def _watch(self, kind: Any, original: Any) -> None:
        def made(one: Any, *given: Any, **named: Any) -> None:
            frame: types.FrameType | None = sys._getframe(1)
            while frame is not None and frame.f_code.co_filename.endswith(SKIPPING):
                frame = frame.f_back
            if frame is not None:
                self.skippers.add(frame.f_code.co_filename)
            original(one, *given, **named)

        kind.__init__ = made

    def give_back(self) -> None:
        """Leave the key as it was found: no test was begun."""
        if self.key is not None and self.open:
            self._leave(self.number, self.key)

    def _leave(self, number: int, key: bytes) -> None:
        self.key = None
        os.environ.pop(NESTED, None)
        _write(KEY, f"{number} {key.hex()}")


def _taken_key() -> tuple[int, bytes | None]:
    try:
        number, key = KEY.read_text().split()
        KEY.unlink()
    except (OSError, ValueError):
        if NESTED not in os.environ:
            _write(UNSIGNED, "")
        return 0, None
    os.environ[NESTED] = "1"
    return int(number), bytes.fromhex(key)


def _write(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)
