"""YAML of settings: what would fill the memory or the stack is refused in one line."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from shared.yaml_text import MOST_VALUES, load_yaml

BOMB = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "\n".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize("text", ["a: &a [*a]", "a: &a {b: *a}", "&a [[[*a]]]", "a: &a\n  b: &b\n    - *a\n    - *b"])
def test_a_value_that_holds_itself_is_refused(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match="a value holds itself"):
        load_yaml(text)


@pytest.mark.parametrize("text", ["a: 2020-13-45", "a: !!int x", "a: !!float x", "a: !!timestamp x", "a: 2020-02-30"])
def test_a_value_that_is_not_what_it_is_written_as_is_said_with_its_place(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match=r"is no (timestamp|int|float)\s+in .* line 1, column 4"):
        load_yaml(text)


@pytest.mark.parametrize("text", ["[" * 10_000, "a: " + "{a: " * 10_000, "- " * 10_000, "[" * 900 + "]" * 900])
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    with pytest.raises(yaml.YAMLError, match="nest"):
        load_yaml(text)


def test_a_text_that_grows_by_its_aliases_is_refused() -> None:
    with pytest.raises(yaml.YAMLError, match=f"over {MOST_VALUES} values"):
        load_yaml(BOMB)


def test_an_alias_as_people_use_it_stands_for_its_value() -> None:
    assert load_yaml("base: &base {a: 1}\nhere:\n  <<: *base\n  b: 2\nthere: *base") == {
        "base": {"a": 1},
        "here": {"a": 1, "b": 2},
        "there": {"a": 1},
    }


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abc: #'\"é\n", max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
def test_plain_values_are_read_as_they_were_written(value: object) -> None:
    shared = [value, value]
    assert load_yaml(yaml.safe_dump(shared, allow_unicode=True)) == shared
