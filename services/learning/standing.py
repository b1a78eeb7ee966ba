"""Whether a version in force has shown its worth, or its harm. Pure.

Tasks that had it before them are compared with tasks that it would have been meant for and that had it not. Both
success rates are unknown; `worse` is the probability that the first is the lower one, given what was seen (Beta
distributions, compared exactly). `python -m benchmarks learning` tells how often a harmless version is demoted.
"""

from collections.abc import Iterable
from math import exp, lgamma, log
from typing import Final, Literal

from arreio_contracts.events import Learnt, Score

RULE: Final = "standing@2"
PROMOTE_AFTER: Final = 3
"""Successes, each of another task, before a version on trial is established."""
DEMOTE_AFTER: Final = 3
"""Uses, each by another task, before a version can be demoted."""
DEMOTE_MIXED_AFTER: Final = 5
"""Uses before one can be demoted of which at least one ended well."""
LEAST_FAILURES: Final = 2
DOUBT: Final = 0.3
"""What may be doubted of the harm, over the number of uses: each task is another look, and could mislead."""
MOST_WITHOUT: Final = 200
"""Tasks without it that are looked at, the latest."""
ESTABLISHED_DAYS: Final = 180
"""How long an established version stays in force without another success."""

_WITH: Final = (1, 1)
_WITHOUT: Final = (2, 1)
"""What is taken for known before anything was seen; tasks mostly succeed, or nobody would run them."""


def verdict(score: Score) -> Literal["promote", "demote"] | None:
    """What follows from a version's score."""
    harm = worse(score)
    if _harmful(score, harm):
        return "demote"
    if score.successes >= PROMOTE_AFTER and (not score.failures or harm < 1 / 2):
        return "promote"
    return None


def _harmful(score: Score, harm: float) -> bool:
    uses = score.successes + score.failures
    if score.failures < LEAST_FAILURES or uses < (DEMOTE_MIXED_AFTER if score.successes else DEMOTE_AFTER):
        return False
    # Where nothing has ever succeeded, with it or without, nothing speaks for it.
    fruitless = not score.successes and not score.successes_without
    return fruitless or harm >= 1 - DOUBT / uses


def most_to_blame(harmful: Iterable[tuple[Learnt, Score]]) -> Learnt | None:
    """The one version to demote of those that the rule says harm; None: there is none.

    Tasks that failed had several versions, and each looks as bad as the one that spoilt them. So the blame goes to what
    was most bound to failure: the lowest share of successes, then the most failures. Where that is the same, a skill
    was loaded for these tasks and a rule stands in every prompt. The failures that this one had then speak against
    no other (`tables.scored`), so what is innocent stays, and what is not fails on without it.
    """

    def bound(one: tuple[Learnt, Score]) -> tuple[float, int, bool, float, str, int]:
        learnt, score = one
        share = score.successes / (score.successes + score.failures)
        return share, -score.failures, learnt.kind != "skill", -worse(score), learnt.name, -learnt.version

    first = min(harmful, key=bound, default=None)
    return first[0] if first is not None else None


def worse(score: Score) -> float:
    """The probability that tasks with it succeed less often than those without."""
    a, b = score.successes + _WITH[0], score.failures + _WITH[1]
    c, d = score.successes_without + _WITHOUT[0], score.failures_without + _WITHOUT[1]
    return sum(exp(_beta(a + i, b + d) - log(d + i) - _beta(1 + i, d) - _beta(a, b)) for i in range(c))


def _beta(a: int, b: int) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
