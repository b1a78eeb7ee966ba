"""A summary stands in the place of what it sums up, and the prompt with it is smaller than one with that history."""

from __future__ import annotations

from typing import Any

from arreio_contracts.messages import DroppedUnit
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder.handlers import ContextBuilder
from shared.prompt import SUMMARY
from tests.support.context_memory import Memory, ask, begun
from tests.unit.test_context_properties import (
    SESSIONS,
    TOKENIZERS,
    assert_every_result_follows_its_call,
    play,
    state_layer,
)

REQUEST: dict[str, Any] = {"summaries": True}
WORDS = "The tests of prices fail."


def long_turn(memory: Memory, number: int) -> None:
    memory.add(
        "model.replied",
        content=f"{number} " + "I look further. " * 60,
        calls=[{"id": f"c{number}", "name": "read_file", "arguments": {"path": f"{number}.txt"}}],
    )
    memory.add("tool.finished", call_id=f"c{number}", tool="read_file", status="ok", text="fine")


def built(memory: Memory, budget: int, builder: ContextBuilder | None = None, **request: Any) -> Any:
    """The next prompt, recorded as the tool-loop does."""
    manifest, messages = ask(memory, builder, budgets={"task_state": budget}, **REQUEST, **request)
    memory.add("context.built", manifest=manifest.model_dump(mode="json"))
    return manifest, messages


def summarised(memory: Memory, manifest: Any, text: str, problem: str | None = None) -> int:
    gone: tuple[DroppedUnit, ...] = state_layer(manifest).dropped
    assert all(unit.sha256 in memory.blobs for unit in gone)
    covered = sum(unit.tokens for unit in gone if not unit.id.startswith(SUMMARY))
    memory.add(
        "history.summarised",
        covers=[unit.id for unit in gone],
        covered_tokens=covered,
        text=text,
        problem=problem,
        model="m",
    )
    return covered


def until_dropped(memory: Memory, budget: int, first: int = 0) -> Any:
    for number in range(first, first + 30):
        long_turn(memory, number)
        manifest, _ = built(memory, budget)
        if state_layer(manifest).dropped:
            return number, manifest
    raise AssertionError("nothing was ever left out")


def said(messages: list[dict[str, Any]], text: str) -> int:
    return sum(text in message["content"] for message in messages)


def test_a_summary_stands_where_the_turns_stood_and_stays_until_the_next_one() -> None:
    memory = begun()
    number, manifest = until_dropped(memory, 1_500)
    assert any("read_file" in memory.blobs[unit.sha256].decode() for unit in state_layer(manifest).dropped)
    summarised(memory, manifest, WORDS)
    again, messages = built(memory, 1_500)
    [shown] = [message for message in messages if WORDS in message["content"]]
    assert shown["name"] == "harness" and shown["content"].startswith("[harness] Older turns were left out")
    assert said(messages, "Older turns were left out") == 1
    assert messages.index(shown) == 3  # behind identity, goal and criteria, before the turns
    assert state_layer(again).tokens <= 1_500 and not state_layer(again).dropped

    number, manifest = until_dropped(memory, 1_500, number + 1)
    assert any(unit.id.startswith(SUMMARY) for unit in state_layer(manifest).units)
    summarised(memory, manifest, "Prices are mended.")
    _, messages = built(memory, 1_500)
    assert (said(messages, WORDS), said(messages, "Prices are mended.")) == (0, 1)
    _, cold = ask(memory, ContextBuilder(memory, memory), budgets={"task_state": 1_500}, **REQUEST)
    assert cold == messages


def test_no_summary_changes_nothing() -> None:
    memory = begun()
    _, manifest = until_dropped(memory, 1_500)
    _, before = ask(memory, budgets={"task_state": 1_500}, **REQUEST)
    for text, problem in (("", "the summary is empty"), ("far too long " * 900, None)):
        summarised(memory, manifest, text, problem)
        _, after = ask(memory, budgets={"task_state": 1_500}, **REQUEST)
        assert after == before


def test_texts_that_are_left_out_are_kept_only_where_they_are_to_be_summed_up() -> None:
    memory = begun()
    for number in range(8):
        long_turn(memory, number)
    manifest, _ = ask(memory, budgets={"task_state": 1_500})
    assert state_layer(manifest).dropped and not any(unit.sha256 for unit in state_layer(manifest).dropped)


def test_a_summary_in_portuguese_is_introduced_in_portuguese() -> None:
    memory = begun("Conserte.", language="pt")
    _, manifest = until_dropped(memory, 1_500)
    summarised(memory, manifest, WORDS)
    _, messages = built(memory, 1_500)
    assert said(messages, "este é o seu próprio resumo") == 1


@given(
    SESSIONS,
    st.sampled_from([300, 500, 800]),
    st.sampled_from(TOKENIZERS),
    st.lists(st.text(max_size=40) | st.sampled_from(["olá " * 40, "漢字" * 300, "\ud800"]), min_size=8, max_size=8),
)
@settings(max_examples=60)
def test_a_prompt_with_a_summary_is_smaller_than_with_what_it_stands_for(
    session: list[tuple[Any, ...]], budget: int, counter: str, texts: list[str]
) -> None:
    memory = begun("The goal.")
    warm = ContextBuilder(memory, memory)
    summary: str | None = None
    for number, (step, text) in enumerate(zip(session * 2, texts * 2, strict=False)):
        play(memory, number, step)
        without, _ = built(memory, budget, warm, tokenizer=counter)
        if without.unfittable:
            break
        gone = state_layer(without).dropped
        if not gone:
            continue
        earlier = summary is not None and summary not in {unit.id for unit in state_layer(without).units}
        covered = summarised(memory, without, text)
        offered = f"{SUMMARY}e{len(memory.events)}"
        manifest, messages = built(memory, budget, warm, tokenizer=counter)
        cold, _ = ask(
            memory,
            ContextBuilder(memory, memory),
            seq=len(memory.events) - 1,
            budgets={"task_state": budget},
            tokenizer=counter,
            **REQUEST,
        )
        assert cold == manifest
        layer = state_layer(manifest)
        assert layer.tokens <= budget and not layer.dropped
        assert_every_result_follows_its_call(messages)
        summaries = [unit.id for unit in layer.units if unit.id.startswith(SUMMARY)]
        assert len(summaries) <= 1
        if offered in summaries:
            assert layer.tokens < state_layer(without).tokens + covered
        elif not earlier:
            assert manifest.prompt_sha256 == without.prompt_sha256
        summary = summaries[0] if summaries else None
