"""Sessions that were recorded by real runs replay to the same decisions; a change that makes them differ is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import pytest
from arreio_contracts.events import EVENTS, EventData, TaskStarted, TurnRejected

from arreio.replaying import replay
from services.tool_loop import decider, nudges
from services.tool_loop import heuristics as heuristics_module
from services.tool_loop.fold import evolve
from services.tool_loop.heuristics import otherwise
from services.tool_loop.machine import MACHINE, OLDEST
from services.tool_loop.replay import stamped, verify
from services.tool_loop.rules.reconciler import RULE, reconcile
from services.tool_loop.state import LoopState, untold
from shared.canonical import canonical_json
from shared.store.exports import Export
from tests.support.histories import NAMES, BlobsInMemory, history, recorded

ANEW = "the state machine decides otherwise than it did: see docs/event-store.md, 'A change of the state machine'"


@pytest.mark.parametrize("name", NAMES)
async def test_a_recorded_history_verifies(name: str) -> None:
    export = history(name)
    finding = await replay(export.session, BlobsInMemory(export.blobs))
    assert finding.problem is None, f"{ANEW}: {finding.problem}"
    assert finding.events == len(export.session.events) > 0
    assert finding.decisions > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_fold_leaves_the_state_that_it_is_given_as_it_was(name: str) -> None:
    states: dict[str, LoopState] = {}
    for event in recorded(history(name)):
        if event.task_id is not None:
            before = states.get(event.task_id) or untold(event.task_id)
            fields, known = dict(vars(before)), dict(vars(before.grounding))
            states[event.task_id] = evolve(before, stamped(event))
            assert vars(before) == fields and vars(before.grounding) == known
    assert untold("t_1") == LoopState("t_1")


def test_the_histories_hold_every_decision_and_every_end() -> None:
    kinds = {event.type for name in NAMES for event in history(name).session.events}
    assert {kind for kind, contract in EVENTS.items() if contract.decision} <= kinds
    codes = {
        event.data["reason"]["code"]
        for name in NAMES
        for event in history(name).session.events
        if event.type in ("task.blocked", "task.failed")
    }
    assert {"cancelled", "no_action", "false_completion", "declared_by_model", "max_steps", "max_tool_calls"} <= codes


def test_a_state_machine_that_decides_otherwise_is_refused_on_the_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decider, "MAX_TAKEOVERS", 1)
    found = verify("taken_over", recorded(history("taken_over")))
    assert found is not None and found.recomputed is not None
    assert (found.recorded or {}).get("type") != found.recomputed["type"] == "task.blocked"


def test_a_decision_that_is_not_made_any_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    before = decider.decide

    def hesitant(state: LoopState, at_ms: int) -> Sequence[EventData]:
        return [one for one in before(state, at_ms) if not isinstance(one, TurnRejected)]

    monkeypatch.setattr("services.tool_loop.replay.decide", hesitant)
    found = verify("promised", recorded(history("promised")))
    assert found is not None
    assert (found.recorded or {})["type"] == "turn.rejected" and found.recomputed is None


def test_a_change_that_asks_for_the_version_leaves_old_histories_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    before = decider.decide

    def versioned(state: LoopState, at_ms: int) -> Sequence[EventData]:
        if state.machine >= 2 and state.rejected_in_a_row:
            return ()
        return before(state, at_ms)

    monkeypatch.setattr("services.tool_loop.replay.decide", versioned)
    monkeypatch.setattr("services.tool_loop.replay.MACHINE", 2)
    events = recorded(history("promised"))
    assert verify("promised", events) is None
    raised = [
        event._replace(
            metadata=event.metadata.model_copy(
                update={"batch": event.metadata.batch and event.metadata.batch.model_copy(update={"machine": 2})}
            )
        )
        for event in events
    ]
    assert verify("promised", raised) is not None


@pytest.mark.parametrize("machine", [OLDEST - 1, MACHINE + 1])
def test_a_version_that_this_code_does_not_know_is_named(machine: int) -> None:
    events = recorded(history("completed"))
    place = next(place for place, event in enumerate(events) if isinstance(event.data, TaskStarted))
    batch = events[place].metadata.batch
    assert batch is not None
    strange = [
        event._replace(
            metadata=event.metadata.model_copy(update={"batch": batch.model_copy(update={"machine": machine})})
        )
        if event.metadata.batch == batch
        else event
        for event in events
    ]
    found = verify("completed", strange)
    assert found is not None and found.recorded == {"machine": machine}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_in_other_words_is_no_divergence_but_is_listed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nudges, "_say", lambda lang, en, pt: "said better")
    events = recorded(history(name))
    assert verify(name, events) is None
    listed = list(otherwise(events, _texts(history(name))))
    worded = {"turn.rejected", "tool.refused", "completion.refused", "ladder.climbed", "subtask.closed"}
    rules = {one.rule for one in listed if one.rule.startswith("wording")} - {"wording of completion.claimed"}
    assert rules == {f"wording of {event.data.type}" for event in events if event.data.type in worded}


def test_a_rule_that_judges_otherwise_today_is_listed_with_both_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    events = recorded(history("promised"))
    better = reconcile("Is it?")
    monkeypatch.setattr(heuristics_module, "reconcile", lambda text: better)
    listed = [one for one in otherwise(events, {}) if one.rule == RULE]
    assert (listed[0].recorded["label"], listed[0].today["label"]) == ("PROMISE", "NOT_PROMISE")
    assert verify("promised", events) is None


async def test_a_changed_event_a_lost_blob_and_a_changed_prompt_are_each_named() -> None:
    export = history("completed")
    changed = _with_data(export, "tool.finished", text="something else")
    assert (await _problem(changed, export.blobs)) == ("hash", _seq(export, "tool.finished"))
    unit = next(name for name in export.blobs)
    assert (await _problem(export, {name: one for name, one in export.blobs.items() if name != unit}))[0] == "blob"
    assert (await _problem(export, {**export.blobs, unit: b"[]"})) == ("prompt", _seq(export, "context.built"))


async def _problem(export: Export, blobs: dict[str, bytes]) -> tuple[str, int]:
    problem = (await replay(export.session, BlobsInMemory(blobs))).problem
    assert problem is not None
    return problem.kind, problem.seq


def _with_data(export: Export, kind: str, **changes: object) -> Export:
    seq = _seq(export, kind)
    events = [
        replace(event, data_text=canonical_json({**json.loads(event.data_text), **changes}))
        if event.seq == seq
        else event
        for event in export.session.events
    ]
    return Export(replace(export.session, events=events), export.blobs)


def _seq(export: Export, kind: str) -> int:
    return next(event.seq for event in export.session.events if event.type == kind)


def _texts(export: Export) -> dict[str, str]:
    pairs = ((name, content.decode()) for name, content in export.blobs.items())
    return dict(chain(pairs))
