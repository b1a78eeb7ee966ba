"""A model that no family knows is asked in the best mode that its own turns have not ruled out."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import (
    ContextBuilt,
    EventData,
    ModelFailed,
    ModelProbed,
    ModelReplied,
    ModelRequested,
    TaskCreated,
    TaskProfiled,
    TaskStarted,
    ToolCall,
)
from arreio_contracts.messages import ContextManifest
from arreio_contracts.task import TaskContract
from hypothesis import given, settings
from hypothesis import strategies as st

from services.tool_loop import probing
from services.tool_loop.admission import admit
from services.tool_loop.fold import evolve
from services.tool_loop.state import LoopState, Stamped
from shared.settings import Settings
from tests.unit.simulated_task import profiled

CALL = ToolCall(id="c-1", name="read_file", arguments={"path": "a"})
PROSE = ModelReplied(content="I would look.")


def state_after(*events: EventData, **changes: Any) -> LoopState:
    """An unknown model's task after these."""
    begun = (
        TaskCreated(goal="g", contract=TaskContract(), channel="cli", message_id="m", at_ms=0),
        profiled(**{"probe": probing.ORDER, **changes}),
        TaskStarted(),
    )
    state = LoopState("t_1")
    for number, event in enumerate((*begun, *events)):
        state = evolve(state, Stamped(f"e-{number}", event, number))
    return state


def asked(mode: str, *then: EventData) -> tuple[EventData, ...]:
    request = ModelRequested(step=1, attempt=1, model="m", mode=mode, offered=("read_file",), temperature=0.2, seed=1)
    return (ContextBuilt(manifest=ContextManifest()), request, *then)


def refused(what: str) -> ModelFailed:
    return ModelFailed.model_validate({"kind": "bad_request", "message": "no", "lacks": what})


def test_the_best_mode_is_tried_first_and_twice() -> None:
    assert probing.mode(state_after()) == "native"
    assert probing.mode(state_after(*asked("native", PROSE))) == "native"
    assert probing.mode(state_after(*asked("native", PROSE), *asked("native", PROSE))) == "json_schema"


def test_a_mode_that_the_provider_refuses_is_left_at_once() -> None:
    state = state_after(*asked("native", refused("tools")))
    assert probing.refused(state)
    assert probing.mode(state) == "json_schema"
    state = state_after(*asked("native", refused("tools")), *asked("json_schema", refused("response_format")))
    assert probing.mode(state) == "text"


def test_a_call_settles_it_and_what_the_model_lacks_is_recorded() -> None:
    state = state_after(*asked("native", refused("tools")), *asked("json_schema"))
    found = probing.found(state, ModelReplied(content="", calls=(CALL,)))
    assert found is not None
    assert (found.mode, found.results) == ("json_schema", {"native": "refused", "json_schema": "works"})
    settled = state_after(*asked("native", refused("tools")), found)
    assert probing.mode(settled) == "json_schema"
    assert not probing.unfinished(settled)


@pytest.mark.parametrize(
    "call",
    [
        ToolCall(id="c", name="read_file", arguments=None, problem="truncated", problem_code="truncated"),
        ToolCall(id="c", name="reed_file", arguments={}),
    ],
)
def test_a_call_that_cannot_be_executed_settles_nothing(call: ToolCall) -> None:
    assert probing.found(state_after(*asked("native")), ModelReplied(content="", calls=(call,))) is None


@pytest.mark.parametrize("kind", ["rate_limit", "timeout", "unavailable", "interrupted"])
def test_a_failure_of_transport_decides_nothing(kind: str) -> None:
    failed = ModelFailed.model_validate({"kind": kind, "message": "away"})
    state = state_after(*asked("native", failed) * 5)
    assert probing.mode(state) == "native"
    assert not probing.refused(state)


def test_a_reply_that_was_cut_off_decides_nothing() -> None:
    cut = ModelReplied(content="I would", finish_reason="length")
    assert probing.mode(state_after(*asked("native", cut) * 5)) == "native"


def test_a_model_that_is_known_is_never_probed() -> None:
    state = state_after(*asked("native", PROSE) * 5, *asked("native", refused("tools")), probe=())
    assert probing.mode(state) == "native"
    assert not probing.unfinished(state) and not probing.refused(state)
    assert probing.found(state, ModelReplied(content="", calls=(CALL,))) is None


outcomes = st.sampled_from(["prose", "tools", "away"])


@settings(max_examples=50)
@given(st.lists(outcomes, max_size=12))
def test_probing_always_ends_in_a_bounded_number_of_turns(what: list[str]) -> None:
    events: list[EventData] = []
    counted = 0
    for one in what:
        state = state_after(*events)
        mode = probing.mode(state)
        assert mode in probing.ORDER
        counted += one != "away" and probing.unfinished(state)
        then = {
            "prose": PROSE,
            "tools": refused("response_format" if mode == "json_schema" else "tools"),
            "away": ModelFailed(kind="unavailable", message="away"),
        }[one]
        events += asked(mode, then)
    assert counted <= 4


def test_what_was_probed_says_by_which_rule() -> None:
    found = probing.found(state_after(*asked("native")), ModelReplied(content="", calls=(CALL,)))
    assert isinstance(found, ModelProbed) and found.rule == probing.RULE


def _admitted(tmp_path: Path, model: str, capability: str | None = None) -> TaskProfiled:
    contract = TaskContract(workspace=str(tmp_path), model=model, capability=capability)
    created = TaskCreated(goal="g", contract=contract, channel="cli", message_id="m", at_ms=0)
    return asyncio.run(admit(created, Settings(home=tmp_path / "home"), ()))


@pytest.mark.parametrize(
    ("model", "capability", "probe"),
    [
        ("openai/mystery", None, probing.ORDER),
        ("local/mystery.gguf", None, probing.ORDER_HERE),
        ("openai/mystery", "weak", ()),
        ("openai/gpt-5", None, ()),
        ("local/smollm2-135m", None, ()),
    ],
)
def test_only_a_model_that_nobody_knows_is_probed(
    tmp_path: Path, model: str, capability: str | None, probe: tuple[str, ...]
) -> None:
    assert _admitted(tmp_path, model, capability).probe == probe


def test_turns_that_decide_nothing_are_waited_for_no_longer_than_those_of_a_model_that_is_known() -> None:
    cut = ModelReplied(content="I would", finish_reason="length")
    assert probing.turns_left(state_after()) == 4
    assert probing.turns_left(state_after(*asked("native", cut) * 5)) == 4
    assert probing.turns_left(state_after(*asked("native", PROSE))) == 3
    assert probing.turns_left(state_after(*asked("native", refused("tools")))) == 2
    assert probing.turns_left(state_after(probe=())) == 0
