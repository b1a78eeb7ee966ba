"""Canonical JSON: one text for one value, accepted everywhere, and back again."""

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.canonical import NotCanonical, canonical_json, parse_json, restore_text, sha256_hex

any_text = st.text(st.characters(codec=None, exclude_categories=()))
awkward_text = st.one_of(any_text, st.text(st.sampled_from('\x00␛0d82\ud800\udfff\U0001f600é\n"\\')))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | awkward_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(awkward_text, inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_every_json_value_comes_back_as_it_was(value: object) -> None:
    assert parse_json(canonical_json(value)) == value


@given(values)
def test_the_text_of_a_value_read_back_is_the_same_text(value: object) -> None:
    text = canonical_json(value)
    assert canonical_json(parse_json(text)) == text


@given(values)
def test_the_text_is_utf8_without_nul_that_orjson_reads(value: object) -> None:
    text = canonical_json(value)
    encoded = text.encode()
    assert "\\u0000" not in text.replace("\\\\", "")
    assert "\n" not in text
    orjson.loads(encoded)
    assert parse_json(encoded) == value


@given(st.dictionaries(awkward_text, st.integers(), min_size=2, max_size=6))
def test_the_order_of_keys_never_matters(value: dict[str, int]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_json(turned) == canonical_json(value)


def test_keys_are_sorted_and_nothing_is_spaced() -> None:
    assert canonical_json({"b": [1, 2.5, None, True], "a": "é😀"}) == '{"a":"é😀","b":[1,2.5,null,true]}'


def test_the_documented_replacements_are_made_and_undone() -> None:
    text = canonical_json({"k\x00": "a\ud800b␛"})
    assert text == '{"k␛0000":"a␛d800b␛241b"}'
    assert parse_json(text) == {"k\x00": "a\ud800b␛"}
    assert restore_text("␛0000␛zzzz") == "\x00␛zzzz"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), {"a": [float("nan")]}])
def test_numbers_that_are_not_finite_are_refused(value: object) -> None:
    with pytest.raises(NotCanonical):
        canonical_json(value)


@pytest.mark.parametrize("value", [{1: "a"}, {None: 1}, b"bytes", {"a": {1, 2}}, object()])
def test_what_json_has_no_word_for_is_refused(value: object) -> None:
    with pytest.raises(NotCanonical):
        canonical_json(value)


def test_a_value_nested_without_end_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(NotCanonical):
        canonical_json(value)


def test_numbers_of_any_size_are_kept_exactly() -> None:
    value = [10**40, -(2**63), 0.1, 1e300, -0.0]
    assert parse_json(canonical_json(value)) == value
    assert json.loads(canonical_json(value)) == value


def test_a_text_and_its_utf8_have_one_hash() -> None:
    assert sha256_hex("é") == sha256_hex("é".encode())
    assert sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
