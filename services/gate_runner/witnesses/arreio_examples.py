"""Tells which examples of doctest were run in a process of Python, whatever ran them: `sitecustomize` loads it.

Their texts are left in `PID.examples` in the folder for reports as a list in JSON. It keeps to what Python 3.8 has.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from typing import Any

PLACE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - nothing more is imported
MOST = 100_000
ran: list[str] = []


def see(event: str, given: tuple[Any, ...]) -> None:
    """Note an example as doctest compiles it; what others compile under such a name is none."""
    if event != "compile" or not isinstance(given[1], str) or not given[1].startswith("<doctest "):
        return
    code = sys._getframe(1).f_code
    if code.co_name.endswith("__run") and os.path.basename(code.co_filename) == "doctest.py" and len(ran) < MOST:  # noqa: PTH119
        ran.append(given[0].decode("utf-8", "replace") if isinstance(given[0], bytes) else str(given[0]))


def leave() -> None:
    if ran:
        with open(f"{PLACE}/{os.getpid()}.examples", "w") as file:  # noqa: PTH123 - nothing more is imported
            json.dump(ran, file)


sys.addaudithook(see)
atexit.register(leave)
