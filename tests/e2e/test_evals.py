"""The evaluation's harness arm on a real engine, with the model that comes as a package."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from arreio.client import connected
from evals.bare import Ended
from evals.harness import Harness
from evals.suite import picked
from evals.task import Found
from tests.e2e.test_local_model import MODEL, is_there
from tests.support.house import House


@pytest.mark.skipif(not is_there(), reason="the extra 'local' is not installed")
@pytest.mark.parametrize("name", ["config-value", "erro-de-digitacao"])
async def test_a_tiny_model_changes_what_the_goal_spells_out(house: House, workspace: Path, name: str) -> None:
    (task,) = picked(name)
    task.prepare(workspace)
    async with connected(house.settings) as client:
        ended: Ended = await Harness(house.settings, client).run(task, workspace, 1, MODEL, None)
    assert ended.how == "COMPLETE"
    assert await asyncio.to_thread(task.check, Found(workspace, says_done=True))
