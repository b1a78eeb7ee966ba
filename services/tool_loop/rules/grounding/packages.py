"""The verdict on a package that is to be installed or imported, by what its registry answered."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from arreio_contracts.grounding import SOME_NAME, Package, PackageVerdict

from .near_miss import POPULAR, alike, near_misses

DAYS_OLD: Final = timedelta(days=14)
"""A package whose first release is younger is new: nobody can have vouched for it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a registry answered; `created`: the first release, where the client tells; `new`: it only tells so much."""

    standing: Literal["found", "not_found", "unreachable"]
    created: datetime | None = None
    new: bool = False


def judge_package(package: Package, answer: Answer, now: datetime) -> PackageVerdict:
    """EXISTS, MISSING or UNKNOWN, and whether a person should say yes first."""
    if package.name == SOME_NAME:
        return PackageVerdict(package=package, verdict="UNKNOWN", why="only running the command tells its name")
    near = near_misses(package.ecosystem, package.name)
    doubt: Literal["near_miss", "new"] | None = "near_miss" if near else None
    match answer.standing:
        case "not_found":
            candidates = near or alike(package.name, POPULAR[package.ecosystem])
            return PackageVerdict(package=package, verdict="MISSING", why="no such package", candidates=candidates)
        case "unreachable":
            why = "the registry could not be reached"
            return PackageVerdict(package=package, verdict="UNKNOWN", why=why, candidates=near, doubt=doubt)
    if near:
        why = f"its name is one slip away from {', '.join(near)}"
        return PackageVerdict(package=package, verdict="EXISTS", why=why, candidates=near, doubt="near_miss")
    if answer.new or (answer.created is not None and now - answer.created < DAYS_OLD):
        why = f"its first release is less than {DAYS_OLD.days} days old"
        return PackageVerdict(package=package, verdict="EXISTS", why=why, doubt="new")
    return PackageVerdict(package=package, verdict="EXISTS", why="the registry has it")
