"""`cargo test`, whose stable releases have no report for machines: what it prints for people is read."""

import re
from collections.abc import Sequence
from typing import Final

from ..reports import Found, Report, read_summary
from .base import Runner, Told


def _read(_: Sequence[Found], output: str) -> Report | None:
    return read_summary(output)


CARGO: Final = Runner(
    "cargo test",
    re.compile(r"(?:^|(?<=[\s/;&|(]))cargo\s(?:[^;&|]*\s)?(?:test|nextest)(?=$|[\s;&|)])"),
    lambda command, _: Told(command, {"RUST_BACKTRACE": "0", "CARGO_TERM_COLOR": "never"}),
    _read,
    nothing=frozenset({4}),
    absent=re.compile(r"no such command: `nextest`"),
)
