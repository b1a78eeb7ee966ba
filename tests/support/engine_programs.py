"""An `arreio up` with fake services, for the engine's tests."""

from __future__ import annotations

from pathlib import Path

from tests.support.programs import Program, start

ROOT = Path(__file__).resolve().parents[2]


def start_fakes(place: Path, *names: str, **more: str) -> Program:
    """Start it on the data directory; `more` are variables of its environment."""
    return start(["-m", "tests.support.engine_fakes", *names], place, {"PYTHONPATH": str(ROOT), **more})
