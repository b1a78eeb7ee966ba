"""How well the router picks skills: precision and recall on labelled requests in English and Portuguese.

Run: `python -m benchmarks skills`. The requests of the half `held` were never looked at while the rule was made.
"""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.running import scratch
from services.gateway.lexemes import Lexemes
from services.gateway.relevance import RULE, Stems, Word, relevant, scores, told_for
from shared.engine.engine import running_engine
from shared.provision import provision
from shared.settings import Settings
from shared.store.connection import open_pool
from shared.yaml_text import load_yaml

TEXTS = Path(__file__).parent / "texts" / "skills.yaml"


class Counts(NamedTuple):
    """Skills that were rightly picked, wrongly picked, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def line(self, name: str, requests: int) -> str:
        """Precision and recall, as printed."""
        picked, wanted = self.right + self.wrong, self.right + self.missed
        precision = self.right / picked if picked else 1.0
        recall = self.right / wanted if wanted else 1.0
        return (
            f"  {name:<24}{requests:>4} requests  precision {precision:.3f} ({self.right} of {picked})  "
            f"recall {recall:.3f} ({self.right} of {wanted})"
        )


def main(*, verbose: bool = False) -> None:
    """Print the figures of both halves; `verbose`: and what went wrong in the tuned one."""
    labelled = load_yaml(TEXTS.read_text("utf-8"))
    asked = {half: labelled[half] for half in ("tuned", "held")}
    picked = _picked(labelled["skills"], [one["ask"] for half in asked.values() for one in half])
    sys.stdout.write(f"  {RULE}, {len(labelled['skills'])} skills\n")
    for half, requests in asked.items():
        own = [one for one in requests if not one.get("cross")]
        other = [one for one in requests if one.get("cross")]
        for name, part in ((f"{half}, one language", own), (f"{half}, across", other), (f"{half}, all", requests)):
            sys.stdout.write(_counted(part, picked).line(name, len(part)) + "\n")
        if verbose and half == "tuned":
            _differences(requests, picked)


def _counted(requests: Sequence[dict[str, Any]], picked: dict[str, frozenset[str]]) -> Counts:
    pairs = [(picked[one["ask"]], frozenset(one["wants"])) for one in requests]
    return Counts(
        sum(len(found & wants) for found, wants in pairs),
        sum(len(found - wants) for found, wants in pairs),
        sum(len(wants - found) for found, wants in pairs),
    )


def _differences(requests: Sequence[dict[str, Any]], picked: dict[str, frozenset[str]]) -> None:
    for one in requests:
        found = picked[one["ask"]]
        if found != frozenset(one["wants"]):
            sys.stdout.write(f"    {one['ask']}\n      wants {one['wants']}, picked {sorted(found)}\n")


def _picked(skills: dict[str, str], requests: Sequence[str]) -> dict[str, frozenset[str]]:
    """What the router picks for each request, on an engine of its own."""
    with scratch() as folder:
        settings = Settings(home=folder, database_url=None, nats_url=None)
        with running_engine(settings):
            provision(settings)
            words = asyncio.run(_words(settings, [*requests, *skills, *map(told_for, skills.values())]))
    return _by_request(skills, requests, words)


async def _words(settings: Settings, texts: Sequence[str]) -> list[tuple[Word, ...]]:
    async with open_pool(settings.database_dsn("gateway"), name="benchmark", size=1) as pool:
        return await Lexemes(pool).of(texts)


def _by_request(
    skills: dict[str, str], requests: Sequence[str], words: Sequence[tuple[Word, ...]]
) -> dict[str, frozenset[str]]:
    names, told = words[len(requests) : -len(skills)], words[-len(skills) :]
    stems = {name: (Stems.of(names[at]), Stems.of(told[at])) for at, name in enumerate(skills)}
    return {ask: relevant(scores(words[at], stems)) for at, ask in enumerate(requests)}


if __name__ == "__main__":
    main(verbose=True)
