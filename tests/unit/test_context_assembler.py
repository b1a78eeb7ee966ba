"""The assembler's rules, each "never" and "always" of them as a property."""

import json
import random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from services.context_builder.assembler import Assembled, assemble
from services.context_builder.cutting import MARKER
from services.context_builder.layers import ContextUnfittable, Layer, LayerName, Unit
from services.context_builder.tokenizers import Approximate, TokenCount, Tokenizer, tokenizer

TEXT = st.text(max_size=60) | st.sampled_from(
    ["👨‍👩‍👧‍👦" * 5, "é" * 9, "\ud800 lone", "🇧🇷🇵🇹🇧🇷", "<|endoftext|>", "a\u0301" * 9]
)
ORDER = (
    st.integers(-5, 5)
    | st.floats(allow_nan=True)
    | st.text(max_size=2)
    | st.tuples(st.integers(0, 2), st.text(max_size=1))
)
UNITS = st.lists(
    st.builds(
        Unit, st.text("abc", min_size=1, max_size=2), TEXT, ORDER, st.booleans(), st.sampled_from(["", "[label]"])
    ),
    max_size=12,
)
TOKENIZERS = st.sampled_from([Approximate(), Approximate(4 / 3), tokenizer("tiktoken:cl100k_base")])


class Words:
    """Counts words: a counter under which a longer text may cost nothing."""

    name = "words"

    def count(self, text: str) -> TokenCount:
        return TokenCount(len(text.split()), estimated=False)


def one(layer: Layer, counter: Tokenizer) -> Assembled:
    return assemble([layer], counter)


@given(UNITS, st.integers(0, 200), TOKENIZERS)
def test_dropping_whole_units_keeps_a_suffix_that_fits_and_every_pinned_unit(
    units: list[Unit], budget: int, counter: Tokenizer
) -> None:
    layer = Layer(LayerName.TASK_STATE, tuple(units), budget, heading="# Heading")
    everything = one(Layer(LayerName.TASK_STATE, tuple(units), 10**9, "# Heading"), counter).layers[0]
    order = [name for name, _ in everything.pieces if name != "heading"]
    try:
        cut = one(layer, counter).layers[0]
    except ContextUnfittable as error:
        pinned = tuple(unit for unit in units if unit.pinned)
        alone = one(Layer(LayerName.TASK_STATE, pinned, 10**9, "# Heading"), counter)
        assert error.tokens == alone.tokens > budget
        return
    report = cut.report
    assert report.tokens == counter.count(cut.text).tokens <= budget
    assert sorted([*report.kept, *(unit.id for unit in report.dropped)]) == sorted(order)
    assert sum(unit.pinned for unit in units) <= len(report.kept)
    if not any(unit.pinned for unit in units):
        assert list(report.kept) == order[len(report.dropped) :]
        assert [unit.id for unit in report.dropped] == order[: len(report.dropped)]
    whole = {text for _, text in everything.pieces}
    assert all(text in whole for _, text in cut.pieces)


@given(UNITS, st.integers(0, 100))
def test_no_unit_is_dropped_that_would_have_fitted(units: list[Unit], budget: int) -> None:
    free = tuple(Unit(unit.id, unit.text, unit.order) for unit in units)
    report = one(Layer(LayerName.BUSINESS_RULES, free, budget), Approximate()).layers[0].report
    if report.dropped:
        assert report.tokens + report.dropped[-1].tokens > budget


@given(st.lists(TEXT, max_size=3), st.integers(0, 60), TOKENIZERS)
def test_keep_or_drop_keeps_everything_or_nothing(texts: list[str], budget: int, counter: Tokenizer) -> None:
    units = tuple(Unit(str(number), text, number) for number, text in enumerate(texts))
    cut = one(Layer(LayerName.IDENTITY, units, budget), counter).layers[0]
    assert cut.report.tokens <= budget
    assert cut.text == "" or not cut.report.dropped
    whole = one(Layer(LayerName.IDENTITY, units, 10**9), counter).layers[0]
    assert (cut.text == whole.text) == (whole.report.tokens <= budget)


@given(st.lists(TEXT, max_size=20).map("".join), st.integers(0, 80), TOKENIZERS, st.sampled_from(["", "# Heading"]))
def test_truncation_keeps_a_prefix_cut_between_graphemes_with_the_marker_inside_the_budget(
    blob: str, budget: int, counter: Tokenizer, heading: str
) -> None:
    cut = one(Layer(LayerName.PROJECT_CONTEXT, (Unit("blob", blob),), budget, heading), counter).layers[0]
    cut.text.encode("utf-8")
    assert cut.report.tokens == counter.count(cut.text).tokens <= budget
    clean = blob.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not cut.pieces:
        bare = f"{heading}\n\n{MARKER}\n\n" if heading else f"{MARKER}\n\n"
        assert not blob or counter.count(bare).tokens > budget
        return
    text = cut.pieces[-1][1]
    assert cut.report.truncated == (text != clean)
    if cut.report.truncated:
        prefix = text.removesuffix(MARKER)
        assert text.endswith(MARKER)
        assert clean.startswith(prefix)
        assert "".join(regex.findall(r"\X", clean)[: len(regex.findall(r"\X", prefix))]) == prefix


@given(st.lists(TEXT, min_size=1, max_size=12), st.integers(0, 40))
def test_a_counter_that_is_not_monotone_still_never_passes_the_budget(texts: list[str], budget: int) -> None:
    units = tuple(Unit(str(number), text, number) for number, text in enumerate(texts))
    for name in (LayerName.BUSINESS_RULES, LayerName.PROJECT_CONTEXT, LayerName.IDENTITY):
        assert one(Layer(name, units, budget), Words()).layers[0].report.tokens <= budget


@given(st.dictionaries(st.sampled_from(LayerName), UNITS, max_size=5), st.integers(0, 300), st.randoms())
@settings(max_examples=60)
def test_any_permutation_of_the_inputs_gives_the_same_bytes(
    given_units: dict[LayerName, list[Unit]], budget: int, chance: random.Random
) -> None:
    def build(shuffled: bool) -> tuple[str, str] | str:
        layers = []
        for name, units in given_units.items():
            mixed = list(units)
            if shuffled:
                chance.shuffle(mixed)
            layers.append(Layer(name, tuple(mixed), budget))
        if shuffled:
            chance.shuffle(layers)
        try:
            found = assemble(layers, Approximate())
        except ContextUnfittable as error:
            return str(error)
        return found.prompt, json.dumps([str(layer.report) for layer in found.layers])

    assert build(shuffled=False) == build(shuffled=True)


def test_layers_come_in_their_order_and_the_prompt_is_their_text() -> None:
    layers = [Layer(name, (Unit(name, f"text of {name}"),), 100) for name in reversed(LayerName)]
    found = assemble(layers, Approximate())
    assert [layer.report.name for layer in found.layers] == list(LayerName)
    assert found.prompt == "".join(f"text of {name}\n\n" for name in LayerName)


def test_a_unit_larger_than_the_budget_goes_whole_and_the_layer_may_end_empty() -> None:
    found = one(Layer(LayerName.BUSINESS_RULES, (Unit("big", "x" * 400),), 10, "# Rules"), Approximate()).layers[0]
    assert (found.text, found.report.kept, found.report.tokens) == ("", (), 0)
    assert found.report.dropped[0].id == "big"


def test_labels_and_separators_count() -> None:
    bare = (Unit("a", "x" * 20),)
    assert one(Layer(LayerName.BUSINESS_RULES, bare, 6), Approximate()).tokens == 6
    labelled = (Unit("a", "x" * 20, label="[where it is from]"),)
    assert one(Layer(LayerName.BUSINESS_RULES, labelled, 6), Approximate()).tokens == 0


def test_pinned_units_over_the_budget_are_a_typed_error() -> None:
    with pytest.raises(ContextUnfittable) as caught:
        one(Layer(LayerName.TASK_STATE, (Unit("goal", "x" * 100, pinned=True),), 10), Approximate())
    assert (caught.value.layer, caught.value.budget) == ("task_state", 10)


def test_a_negative_budget_is_an_empty_one() -> None:
    layers = [Layer(name, (Unit("u", "text"),), -1) for name in LayerName]
    assert assemble(layers, Approximate()).prompt == ""


def test_two_layers_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        assemble([Layer(LayerName.IDENTITY, (), 1), Layer(LayerName.IDENTITY, (), 1)], Approximate())


def test_many_units_are_cut_without_trying_each() -> None:
    units = tuple(Unit(str(number), f"unit {number} " * 5, number) for number in range(20_000))
    report = one(Layer(LayerName.TASK_STATE, units, 5_000), Approximate()).layers[0].report
    assert report.kept[-1] == "19999" and 4_980 < report.tokens <= 5_000
