"""SmolLM2-135M, the real one, with the whole house around it: what it says is never believed, what it did is judged."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from services.tool_loop.models.errors import LocalModelError
from services.tool_loop.models.local_models import locate
from tests.support.house import TERMINAL, House, last_json

MODEL = "local/smollm2-135m"
GOAL = "Create the file hello.txt with the text: Hello from Arreio"


def is_there() -> bool:
    try:
        locate(MODEL)
    except LocalModelError:
        return False
    return True


@pytest.mark.skipif(not is_there(), reason="the extra 'local' is not installed")
def test_a_tiny_real_model_ends_a_task_and_complete_means_that_it_is_done(house: House, workspace: Path) -> None:
    wanted = "file_contains: hello.txt :: Hello from Arreio"
    done = house.arreio(
        "run", "-w", str(workspace), "--model", MODEL, "-c", wanted, "--max-steps", "12", "--json", GOAL
    )
    outcome = last_json(done.stdout)
    events = house.events(outcome["session_id"])
    assert sum(event.type in TERMINAL for event in events) == 1
    written = workspace / "hello.txt"
    holds = written.exists() and re.search("Hello from Arreio", written.read_text()) is not None
    assert holds == (outcome["state"] == "COMPLETE"), (outcome, [event.type for event in events])
    assert done.returncode == {"COMPLETE": 0, "BLOCKED": 2, "FAILED": 4}[outcome["state"]]
    (profiled,) = [event for event in events if event.type == "task.profiled"]
    assert profiled.data["capability"]["tool_call_mode"] == "slots"
    house.wait_for_end(outcome["session_id"])
    house.assert_sound(outcome["session_id"])
