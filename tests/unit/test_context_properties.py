"""What always holds of a task's history in the prompt, over random sessions, budgets and texts."""

from __future__ import annotations

import itertools
import random
from typing import Any

from arreio_contracts.messages import ContextManifest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder.assembler import assemble
from services.context_builder.entries import Entry
from services.context_builder.handlers import ContextBuilder
from services.context_builder.history import SessionHistory, TaskHistory
from services.context_builder.layers import ContextUnfittable, Layer, LayerName, Unit
from services.context_builder.task_state import task_state
from services.context_builder.tokenizers import ENCODING_FILES, Approximate, tokenizer
from shared.canonical import parse_json, sha256_hex
from shared.prompt import Message, layer_text
from tests.support.context_memory import Memory, ask, begun

TEXTS = st.builds(
    lambda text, times: text * times,
    st.text(max_size=12)
    | st.sampled_from(["👨‍👩‍👧 ", "漢字かな交じり文", "a\u0301\u0323", "\ud800", "\x00", "olá, não ", "𝔘𝔫𝔦"]),
    st.sampled_from([1, 1, 30, 300]),
)
RESULTS = st.sampled_from(["finished", "refused", "nudged", "silent"])
TURNS = st.tuples(TEXTS, st.lists(st.tuples(RESULTS, TEXTS), max_size=3), st.randoms(use_true_random=False))
SESSIONS = st.lists(TURNS | st.tuples(st.just("input"), TEXTS), min_size=1, max_size=8)
BUDGETS = st.sampled_from([0, 1, 40, 120, 300, 800, 2_000, 20_000])
TOKENIZERS = ["approx", "approx:1.34", "tiktoken:o200k_base"]


def play(memory: Memory, number: int, step: tuple[Any, ...]) -> None:
    """One turn with its results in a random order, or a person's word."""
    if step[0] == "input":
        memory.add("input.received", text=step[1], message_id=f"m{number}")
        return
    content, results, chance = step
    calls = [{"id": f"c{number}-{place}", "name": "run", "arguments": {"n": place}} for place in range(len(results))]
    memory.add("model.replied", content=content, calls=calls)
    places = list(range(len(results)))
    chance.shuffle(places)
    for place in places:
        kind, text = results[place]
        call_id = calls[place]["id"]
        match kind:
            case "finished":
                memory.add("tool.finished", call_id=call_id, tool="run", status="ok", text=text)
            case "refused":
                memory.add("tool.refused", call_id=call_id, tool="run", code="cap", text=text)
            case "nudged":
                memory.add("turn.rejected", code="no_action", nudge=text, in_a_row=1)


def assert_every_result_follows_its_call(messages: list[Message]) -> None:
    open_calls: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_calls
            open_calls.remove(message["tool_call_id"])
        else:
            assert not open_calls, "a call without its result"
            open_calls = [call["id"] for call in message.get("tool_calls", ())]
    assert not open_calls


def state_layer(manifest: ContextManifest) -> Any:
    return next(layer for layer in manifest.layers if layer.name == "task_state")


@given(SESSIONS, BUDGETS, st.sampled_from(TOKENIZERS))
@settings(max_examples=60)
def test_a_prompt_is_whole_fits_and_never_brings_back_what_it_dropped(
    session: list[tuple[Any, ...]], budget: int, counter: str
) -> None:
    memory, warm = begun("The goal: olá 漢字."), None
    warm = ContextBuilder(memory, memory)
    gone: set[str] = set()
    for number, step in enumerate(session):
        play(memory, number, step)
        request = {"budgets": {"task_state": budget}, "tokenizer": counter}
        manifest, messages = ask(memory, warm, **request)
        again, told_again = ask(memory, ContextBuilder(memory, memory), **request)
        assert (again, told_again) == (manifest, messages)
        if manifest.unfittable:
            assert not manifest.layers
            break
        layer = state_layer(manifest)
        assert layer.tokens <= budget and manifest.tokenizer == counter
        assert_every_result_follows_its_call(messages)
        assert messages[1 if messages[0]["role"] == "system" else 0]["content"]
        contents = [message["content"] for message in messages]
        assert "The goal: olá 漢字." in contents and any("a.txt" in content for content in contents)
        kept = {unit.id.partition(":short")[0] for unit in layer.units}
        assert not kept & gone
        gone |= {unit.id for unit in layer.dropped}
        memory.add("context.built", manifest=manifest.model_dump(mode="json"))


ENTRIES = st.lists(
    st.builds(
        lambda text, size, turn: (text, size, turn),
        st.sampled_from(["x", "漢", "é"]),
        st.sampled_from([0, 10, 700, 3_000]),
        st.booleans(),
    ),
    max_size=10,
)


def entries(parts: list[tuple[str, int, bool]]) -> list[Entry]:
    """Entries with and without a short form."""
    found = []
    for number, (text, size, turn) in enumerate(parts):
        whole = f'[{{"role":"user","content":"{number}{text * size}"}}]'
        short = f'[{{"role":"user","content":"{number} short"}}]'
        found.append(Entry(f"turn:{number}", whole, short if len(short) < len(whole) else None, turn))
    return found


def tokens(task: TaskHistory, past: list[Entry], budget: int) -> int | None:
    """What the layer takes at a budget; None: nothing that must stay fits."""
    state = task_state(task, past, budget, Approximate())
    try:
        return assemble([Layer(LayerName.TASK_STATE, state.units, budget)], Approximate()).tokens
    except ContextUnfittable:
        return None


@given(ENTRIES, ENTRIES, st.integers(0, 4_000))
def test_compaction_strictly_shrinks_or_says_that_it_cannot(
    told: list[tuple[str, int, bool]], before: list[tuple[str, int, bool]], budget: int
) -> None:
    task = TaskHistory("t", goal="the goal", entries=entries(told))
    past = [Entry(f"past:{number}", entry.whole) for number, entry in enumerate(entries(before))]
    whole = tokens(task, past, 10**9)
    assert whole is not None
    cut = tokens(task, past, budget)
    if whole <= budget:
        assert cut == whole
    else:
        assert cut is None or (cut < whole and cut <= budget)


@given(ENTRIES, st.integers(0, 4_000))
def test_what_the_model_has_not_read_yet_is_never_dropped_and_shrinks_only_as_the_last_resort(
    told: list[tuple[str, int, bool]], budget: int
) -> None:
    task = TaskHistory("t", goal="the goal", entries=entries(told))
    state = task_state(task, [], budget, Approximate())
    turns = [number for number, entry in enumerate(task.entries) if entry.turn]
    unread = task.entries[turns[-1] if turns else 0 :]
    names = [unit.id for unit in state.units if unit.pinned]
    assert {entry.id for entry in unread} <= {name.partition(":short")[0] for name in names}
    if any(name.startswith(f"{entry.id}:short") for entry in unread for name in names):
        alone = TaskHistory("t", goal="the goal", entries=unread, left_out=len(unread) < len(task.entries))
        whole = tokens(alone, [], 10**9)
        assert whole is not None and whole > budget


@given(ENTRIES, st.integers(0, 4_000))
def test_outputs_shrink_before_any_turn_goes(told: list[tuple[str, int, bool]], budget: int) -> None:
    task = TaskHistory("t", goal="the goal", entries=entries(told))
    state = task_state(task, [], budget, Approximate())
    if state.dropped:
        turns = [number for number, entry in enumerate(task.entries) if entry.turn]
        older = {entry.id for entry in task.entries[: turns[-1]] if entry.short is not None}
        assert not [unit.id for unit in state.units if unit.id in older]


def test_a_stub_names_the_blob_in_which_the_whole_output_is() -> None:
    memory = begun()
    for number in range(4):
        play(memory, number, ("", [("finished", f"{number}" * 2_000)], random.Random(0)))
    manifest, messages = ask(memory, budgets={"task_state": 1_400})
    stubs = [message["content"] for message in messages if "left out (blob " in message["content"]]
    assert len(stubs) >= 2
    for stub in stubs:
        name = stub.partition("(blob ")[2].partition(")")[0]
        assert memory.blobs[name].decode() == stub[0] * 2_000 and sha256_hex(memory.blobs[name]) == name
    assert state_layer(manifest).tokens <= 1_400


def test_parallel_calls_with_interleaved_results_are_one_unit() -> None:
    memory = begun()
    calls: list[dict[str, Any]] = [{"id": name, "name": "run", "arguments": {}} for name in ("c1", "c2")]
    memory.add("model.replied", content="", calls=calls)
    memory.add("tool.finished", call_id="c2", tool="run", status="ok", text="second")
    memory.add("tool.finished", call_id="c1", tool="run", status="ok", text="first")
    session = SessionHistory()
    for event in memory.events:
        session.fold(event)
    [entry] = session.tasks["t_1"].entries
    assert [message.get("tool_call_id") for message in parse_json(entry.whole)] == [None, "c1", "c2"]


NAMED = ("approx", "approx:1.34", *(f"tiktoken:{name}" for name in ENCODING_FILES))
EDGES = st.text(st.sampled_from(list("aZ9 \t\n\r/.'\"[{#<é漢\u00a0\u2028\u0301\x1cs-*`")), max_size=12)


@given(st.lists(EDGES | TEXTS, max_size=6), st.integers(0, 60), st.sampled_from(NAMED))
@settings(max_examples=400)
def test_weights_add_up_to_the_exact_count_of_every_choice_of_pieces(texts: list[str], budget: int, name: str) -> None:
    counter: Any = tokenizer(name)
    units = [Unit(str(number), text) for number, text in enumerate(texts)]
    weights = counter.weigh(units)
    if weights is not None:
        for chosen in itertools.product([True, False], repeat=len(units)):
            text = layer_text([unit.piece for unit in itertools.compress(units, chosen)])
            exact = counter.count(text).tokens
            assert counter.tokens([sum(itertools.compress(weights, chosen))]) == [exact]
            if name.startswith("tiktoken"):
                assert exact == len(counter._encoding.encode_ordinary(text))
    room = counter.room(budget)
    assert counter.tokens([room])[0] <= budget < counter.tokens([room + 1])[0]


@given(st.lists(EDGES, max_size=8).map("".join), st.sampled_from(NAMED[2:]))
@settings(max_examples=400)
def test_a_text_counted_in_parts_is_counted_exactly(text: str, name: str) -> None:
    counter: Any = tokenizer(name)
    assert counter.count(text).tokens == len(counter._encoding.encode_ordinary(text))


@given(st.lists(EDGES | TEXTS, max_size=8), st.integers(0, 80), st.sampled_from(NAMED[2:5]))
@settings(max_examples=150)
def test_exactly_the_units_go_that_must(texts: list[str], budget: int, name: str) -> None:
    """What is found by weights or by search is what dropping one unit after the other finds."""
    counter = tokenizer(name)
    units = tuple(Unit(str(number), text, number) for number, text in enumerate(texts))
    report = assemble([Layer(LayerName.BUSINESS_RULES, units, budget)], counter).layers[0].report
    fits = [counter.count(layer_text([unit.piece for unit in units[start:]])).tokens <= budget for start in range(9)]
    gone = len(report.dropped)
    assert fits[gone] and (gone == 0 or not fits[gone - 1])
