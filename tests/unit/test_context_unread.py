"""Results that the model has not read yet, where they alone are larger than the history's budget."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from services.context_builder.entries import STUB_OVER, Entry
from services.context_builder.handlers import ContextBuilder
from services.context_builder.history import SessionHistory, TaskHistory
from services.context_builder.task_state import TaskState, task_state
from services.context_builder.tokenizers import Approximate, tokenizer
from shared.canonical import parse_json
from tests.support.context_memory import Memory, ask, begun, turn

SIZES = st.lists(st.sampled_from([0, 40, 700, 2_000, 9_000]), max_size=3)


def calls(memory: Memory, number: int, sizes: list[int]) -> None:
    """One turn with a call for each size, whose outputs are so long."""
    named = [{"id": f"c{number}-{place}", "name": "run", "arguments": {}} for place in range(len(sizes))]
    memory.add("model.replied", content=f"turn {number}", calls=named)
    for call, size in zip(named, sizes, strict=True):
        memory.add("tool.finished", call_id=call["id"], tool="run", status="ok", text=f"{number}" * size)


def folded(turns: list[list[int]]) -> TaskHistory:
    memory = begun()
    for number, sizes in enumerate(turns):
        calls(memory, number, sizes)
    session = SessionHistory()
    for event in memory.events:
        session.fold(event)
    return session.tasks["t_1"]


def size(units: Any, counter: Any) -> int:
    return sum(counter.count(f"{unit.text}\n\n").tokens for unit in units)


def squeezed(state: TaskState, entries: list[Entry]) -> bool:
    return any(unit.id.startswith(f"{entries[-1].id}:short") for unit in state.units)


@given(
    st.lists(SIZES, min_size=1, max_size=7), st.integers(150, 6_000), st.sampled_from(["approx", "tiktoken:o200k_base"])
)
@settings(max_examples=150, deadline=None)
def test_unread_outputs_shrink_only_after_all_older_ones_and_nothing_that_fits_shrunk_is_left_out(
    turns: list[list[int]], budget: int, name: str
) -> None:
    counter = tokenizer(name)
    task = folded(turns)
    entries = task.all_entries()
    state = task_state(task, [], budget, counter)
    assume(squeezed(state, entries))
    alone = TaskHistory("t_1", task.goal, criteria=task.criteria, entries=entries[-1:], left_out=len(entries) > 1)
    assert size(task_state(alone, [], 10**9, counter).units, counter) > budget, "it would have fitted whole"
    shown = {unit.id for unit in state.units}
    assert not [one.id for one in entries[:-1] if one.short is not None and one.id in shown]
    taken = size(state.units, counter)
    if taken <= budget and state.dropped:
        # Outputs shrink in steps of 64 characters, so that less than a step of each may be left over.
        assert taken + state.dropped[-1].tokens + 64 * len(turns[-1]) > budget


@given(SIZES.filter(lambda sizes: max(sizes, default=0) > STUB_OVER), st.integers(400, 6_000))
@settings(max_examples=80, deadline=None)
def test_as_few_unread_outputs_shrink_as_must_the_largest_first_and_as_little(sizes: list[int], budget: int) -> None:
    task = folded([[5], sizes])
    state = task_state(task, [], budget, Approximate())
    assume(squeezed(state, task.all_entries()))
    taken = size(state.units, Approximate())
    shown = [len(one["content"]) for one in parse_json(state.units[-1].text) if one["role"] == "tool"]
    cut = [place for place, length in enumerate(shown) if length < sizes[place]]
    whole = [place for place in range(len(sizes)) if place not in cut]
    assert min(sizes[place] for place in cut) >= max((s for s in (sizes[p] for p in whole) if s > STUB_OVER), default=0)
    if taken <= budget and max(shown) > STUB_OVER:
        # A step more of each would not have fitted.
        assert taken + (64 * len(cut) + 64) // 4 + 2 > budget


@pytest.mark.parametrize("budget", [1_200, 1_600])
def test_one_large_result_takes_neither_the_turns_before_it_nor_the_results_beside_it(budget: int) -> None:
    memory = begun()
    turn(memory, 1, "a" * 200)
    turn(memory, 2, "b" * 200)
    calls(memory, 3, [3_500, 3_500])
    manifest, messages = ask(memory, budgets={"task_state": budget})
    layer = manifest.layers[-1]
    assert not layer.dropped and budget - 60 < layer.tokens <= budget
    contents = [message["content"] for message in messages if message["role"] == "tool"]
    assert contents[:2] == ["a" * 200, "b" * 200]
    assert len(contents[2]) > 800 and len(contents[3]) > 800
    assert all("characters left out (blob " in content for content in contents[2:] if len(content) < 3_500)


@pytest.mark.parametrize("text", ["x", "漢"])
@pytest.mark.parametrize("count", [12, 25])
def test_many_small_results_of_one_turn_shrink_where_nothing_else_can(text: str, count: int) -> None:
    memory = begun()
    calls(memory, 0, [40])
    named = [{"id": f"k{place}", "name": "read_file", "arguments": {}} for place in range(count)]
    memory.add("model.replied", content="", calls=named)
    for call in named:
        memory.add("tool.finished", call_id=call["id"], tool="read_file", status="ok", text=text * 500)
    budget = 150 * count
    manifest, messages = ask(memory, budgets={"task_state": budget})
    assert manifest.layers[-1].tokens <= budget
    told = [message["content"] for message in messages if message["role"] == "tool"]
    assert len(told) >= count and all("characters left out (blob " in one for one in told[-count:])
    assert ask(memory, budgets={"task_state": budget}) == (manifest, messages)


def test_what_can_never_fit_is_said_with_what_makes_it_smaller() -> None:
    memory = begun()
    calls(memory, 0, [30] * 100)
    manifest, _ = ask(memory, budgets={"task_state": 400})
    assert (manifest.unfittable or "").endswith("or take a model that makes fewer and smaller calls in a turn")


def test_what_was_read_shrinks_an_output_at_a_time_the_largest_first_and_stays_so() -> None:
    memory = begun()
    warm = ContextBuilder(memory, memory)
    lengths = []
    for number, sizes in enumerate([[200], [14_000, 9_000], [40], [2_000], [4_000], [700]]):
        calls(memory, number, sizes)
        manifest, messages = ask(memory, warm, budgets={"task_state": 4_000})
        assert ask(memory, budgets={"task_state": 4_000})[1] == messages
        memory.add("context.built", manifest=manifest.model_dump(mode="json"))
        lengths.append([len(message["content"]) for message in messages if message["role"] == "tool"])
    stub = lengths[2][1]
    assert stub < STUB_OVER and lengths[2] == [200, stub, 9_000, 40]
    assert lengths[3] == [*lengths[2], 2_000]
    assert lengths[4][:2] == [200, stub] and lengths[4][2] < STUB_OVER and lengths[4][3:] == [40, 2_000, 4_000]
    assert lengths[5] == [*lengths[4], 700]


def test_a_shrunk_result_is_the_same_after_a_restart_and_becomes_a_stub_once_it_was_read() -> None:
    memory = begun()
    warm = ContextBuilder(memory, memory)
    calls(memory, 1, [9_000, 800])
    request: dict[str, Any] = {"budgets": {"task_state": 1_000}}
    first, told = ask(memory, warm, **request)
    assert ask(memory, **request) == (first, told)
    memory.add("context.built", manifest=first.model_dump(mode="json"))
    assert ask(memory, warm, **request)[1] == told == ask(memory, **request)[1]
    turn(memory, 2, "short")
    _, later = ask(memory, warm, **request)
    lengths = [len(message["content"]) for message in later if message["role"] == "tool"]
    assert lengths[0] < STUB_OVER and lengths[-1] == len("short")
    assert later == ask(memory, **request)[1]


@pytest.mark.parametrize("with_call", [False, True])
@pytest.mark.parametrize("before", [0, 2])
def test_what_the_model_said_itself_shrinks_too_where_it_alone_is_larger_than_the_budget(
    with_call: bool, before: int
) -> None:
    memory = begun()
    for number in range(before + 1):
        calls = [{"id": f"c{number}", "name": "run", "arguments": {}}] if with_call else []
        memory.add("model.replied", content="begin " + "word " * 3_000 + "end", calls=calls)
        if with_call:
            memory.add("tool.finished", call_id=f"c{number}", tool="run", status="ok", text="fine")
        else:
            memory.add("turn.rejected", code="no_action", nudge="Act.", in_a_row=number + 1)
    session = SessionHistory()
    for event in memory.events:
        session.fold(event)
    state = task_state(session.tasks["t_1"], [], 3_500, Approximate())
    assert size(state.units, Approximate()) <= 3_500
    said = [one for unit in state.units for one in parse_json(unit.text) if one["role"] == "assistant"]
    assert said[-1]["content"].startswith("begin ") and said[-1]["content"].endswith("end")
    assert "[harness]" not in said[-1]["content"] and not state.stubbed


def test_what_the_model_said_stays_whole_where_it_fits() -> None:
    memory = begun()
    memory.add("model.replied", content="word " * 2_000, calls=[])
    memory.add("turn.rejected", code="no_action", nudge="Act.", in_a_row=1)
    session = SessionHistory()
    for event in memory.events:
        session.fold(event)
    state = task_state(session.tasks["t_1"], [], 8_000, Approximate())
    assert "word " * 2_000 in state.units[-2].text
