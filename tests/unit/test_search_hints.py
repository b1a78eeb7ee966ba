"""What is told of an expression without running it is always true of what it matches."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.tools.search_hints import finds_lines_in_text, required_literals

PATTERNS = st.text(alphabet="ab\\.[]^$*+?{}()|1,:dwsbAZ \té", max_size=10) | st.lists(
    st.sampled_from(["ab", "a?", "b*", "a+", "[ab]", "[^a]", ".", r"\.", r"\w", r"\b", "b{2}", "a{0,1}", "^", "$", "é"])
).map("".join)
TEXTS = st.text(alphabet="ab.1 é\n", max_size=40)


def compiled(pattern: str, flags: int = 0) -> "regex.Pattern[str] | None":
    try:
        return regex.compile(pattern, flags)
    except (regex.error, OverflowError):
        return None


@given(PATTERNS, TEXTS)
def test_what_an_expression_matches_holds_its_required_literals(pattern: str, text: str) -> None:
    expression = compiled(pattern)
    if expression is not None and expression.search(text, timeout=2):
        assert all(literal in text for literal in required_literals(pattern))


@given(PATTERNS, TEXTS)
def test_a_text_with_a_line_that_matches_is_never_passed_over(pattern: str, text: str) -> None:
    expression, whole = compiled(pattern), compiled(pattern, regex.MULTILINE)
    if expression is None or whole is None or not finds_lines_in_text(pattern):
        return
    if any(expression.search(line, timeout=2) for line in text.split("\n")):
        assert whole.search(text, timeout=2)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("needle", ("needle",)),
        (r"def \w+_19\d9\b", ("def ", "_19", "9")),
        (r"colou?r", ("colo", "r")),
        (r"a\.b", ("a.b",)),
        ("a|b", ()),
        ("(?i)needle", ()),
        ("[ab]c", ("c",)),
        ("ab{2,3}c", ("a", "c")),
    ],
)
def test_usual_expressions_have_useful_literals(pattern: str, expected: tuple[str, ...]) -> None:
    assert required_literals(pattern) == expected
