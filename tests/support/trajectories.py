"""Recorded runs of other harnesses, with their labels; the file is not part of the project."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from arreio.trajectories import recorded_steps
from services.tool_loop.rules.loops.trajectory import RecordedStep

STUCK = Path(__file__).parents[1] / "data/loops/stuck.jsonl"
VARIABLE = "ARREIO_TRAJECTORIES"
"""The environment variable that names the file for tests."""


@dataclass(frozen=True)
class Run:
    """One run: whether it solved its task (None: not known), and whether it is labelled stuck."""

    id: str
    steps: list[RecordedStep]
    resolved: bool | None
    stuck: bool

    @property
    def half(self) -> Literal["tuning", "held out"]:
        """Whether the rules were written with a look at this run; told by its id, before anybody looked."""
        return "held out" if hashlib.sha256(self.id.encode()).digest()[0] % 2 else "tuning"


def recorded_runs(path: Path) -> list[Run]:
    """The runs of a file of JSON lines."""
    stuck = {json.loads(line)["id"] for line in STUCK.read_text("utf-8").splitlines()}
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [Run(line["id"], recorded_steps(line)[0], line.get("resolved"), line["id"] in stuck) for line in lines]


def recorded() -> Path | None:
    """The file of recorded runs: the one that the environment names, or the one beside the project; None: not here."""
    named = Path(os.environ.get(VARIABLE) or Path(__file__).parents[3] / "shared/cases/trajectories.jsonl")
    return named if named.exists() else None
