"""Labelled sentences that promise and that do not, and how the reconciler fares on them."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from services.tool_loop.rules.reconciler import reconcile

DATA = Path(__file__).parents[1] / "data/promises"
TUNING = DATA / "tuning.jsonl"
HELD_OUT = DATA / "held_out.jsonl"
SHARED = Path(__file__).parents[3] / "shared/cases/sentences.jsonl"
"""Sentences that are not part of the project; absent outside its workplace."""


class Labelled(NamedTuple):
    """A reply, its language, and whether it is a PROMISE or a NOT_PROMISE, of which kind."""

    text: str
    lang: str
    label: str
    kind: str = ""
    round: int = 0
    """Of a held-out sentence: when it was written."""


class Confusion(NamedTuple):
    """How many promises were seen and missed, and how many replies that are none raised an alarm or passed."""

    seen: int
    missed: int
    alarms: int
    passed: int

    @property
    def recall(self) -> float:
        """The share of promises that were seen."""
        return self.seen / max(1, self.seen + self.missed)

    @property
    def false_alarm_rate(self) -> float:
        """The share of other replies that raised an alarm."""
        return self.alarms / max(1, self.alarms + self.passed)


def labelled(path: Path) -> list[Labelled]:
    """The sentences of a file of JSON lines."""
    return [Labelled(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def mistakes(sentences: Iterable[Labelled]) -> list[Labelled]:
    """The sentences that the rule judges otherwise than their label."""
    return [sentence for sentence in sentences if reconcile(sentence.text).label != sentence.label]


def confusion(sentences: Iterable[Labelled]) -> Confusion:
    """Counts over all sentences."""
    counts = Counter((sentence.label, reconcile(sentence.text).label) for sentence in sentences)
    return Confusion(
        seen=counts["PROMISE", "PROMISE"],
        missed=counts["PROMISE", "NOT_PROMISE"],
        alarms=counts["NOT_PROMISE", "PROMISE"],
        passed=counts["NOT_PROMISE", "NOT_PROMISE"],
    )
