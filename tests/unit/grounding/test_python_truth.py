"""Verdicts on made-up packages, compared with what Python itself says of the same code."""

from pathlib import Path

import pytest

from tests.unit.grounding.environments import standing
from tests.unit.grounding.invented_worlds import InventedWorld, truth


@pytest.mark.parametrize("seed", range(4))
def test_what_python_finds_is_never_missing_and_what_it_does_not_find_never_exists(tmp_path: Path, seed: int) -> None:
    world = InventedWorld(tmp_path, seed)
    codes = world.questions(60)
    told = truth(world.workspace, world.site, [code.replace("()", "") for code in codes])
    judged = 0
    for code, runs in zip(codes, told, strict=True):
        for path in ("app.py", f"src/{world.own}/inner.py"):
            found = standing(tmp_path, code, path, registry={})
            if code.endswith("()"):
                # A called name is judged only if it is nowhere.
                found.setdefault("called", "UNKNOWN")
            verdicts = set(found.values())
            assert not (runs and "MISSING" in verdicts), (path, code, found)
            assert not (not runs and verdicts == {"EXISTS"}), (path, code, found)
            judged += "UNKNOWN" not in verdicts
    assert judged > len(codes)
