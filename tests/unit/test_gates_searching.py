"""Which regular expressions may be searched in-process: none that can take long."""

import re

import pytest

from services.gate_runner.searching import is_tame

TAME = ["x", "^olá\\s", "a.*b", "colou?r: .+", "(red|green) \\w+", "\\d{4}-\\d{2}", "(ab)+", "[a-z]*", "a{3}b?c?d?"]
WILD = ["(a|aa)+$", "(a+)+$", "(a*)*b", "a.*b.*c", "(a?){30}a{30}", "a?" * 30 + "a" * 30, "(.)\\1+", "(?:a|b|ab)*c"]


@pytest.mark.parametrize("pattern", TAME)
def test_tame_expressions_come_to_an_end_on_the_longest_text_searched_in_process(pattern: str) -> None:
    assert is_tame(pattern)
    for text in ("a" * 8_192, "ab" * 4_096, "red " * 2_048):
        re.search(pattern, text, re.MULTILINE)


@pytest.mark.parametrize("pattern", WILD)
def test_wild_expressions_are_searched_apart(pattern: str) -> None:
    assert not is_tame(pattern)
