"""A rival's side of a benchmark: each line on standard input is one round, and is answered by its figure."""

import json
import sys
from collections.abc import Callable, Iterator


def rounds() -> Iterator[int]:
    """How much is to be done, round by round, until standard input ends."""
    _say("ready")
    for line in sys.stdin:
        yield json.loads(line)


def answer(figure: object) -> None:
    """What a round came to."""
    _say(figure)


def serve(run: Callable[[int], object]) -> None:
    """Do each round with `run` and answer what it returns."""
    for amount in rounds():
        answer(run(amount))


def _say(what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()
