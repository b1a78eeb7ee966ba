"""Counts of tests of which not all pass: true ones are taken as they are, made-up ones go back."""

import pytest

from services.tool_loop.rules.grounding.shown_outcomes import Ran, unshown

RED = (
    "Exit status 1.\nFAILED tests/test_a.py::test_x\nFAILED tests/test_a.py::test_y\n2 failed, 12 passed in 0.3s",
    1,
)
TRUE = (
    "12 of 14 tests pass.",
    "12 out of 14 tests pass.",
    "12/14 tests pass.",
    "Now 12 of the 14 unit tests pass.",
    "Only 12 of 14 tests pass; I could not mend the others.",
    "Most tests pass (12 of 14).",
    "All but two tests pass.",
    "All but 2 of the tests pass now.",
    "Tests: 12/14 passing.",
    "12 de 14 testes passam.",
    "12 dos 14 testes passam.",
    "Todos menos dois testes passam.",
    "A maioria dos testes passa.",
    "2 of 14 tests are still failing.",
)
UNTRUE = (
    "13 of 14 tests pass.",
    "13/14 tests pass.",
    "All but one test pass.",
    "All but one of the tests pass; 14 of 14 tests pass.",
    "13 dos 14 testes passam.",
    "14 of 14 tests pass.",
    "14/14 tests pass.",
    "I moved 3 of 5 handlers and all tests pass.",
    "As of 12/14 everything is merged and all tests pass.",
)


def _unshown(text: str) -> list[str]:
    return list(unshown(text, [Ran("pytest -q", *RED)]))


@pytest.mark.parametrize("text", TRUE)
def test_a_true_share_of_the_tests_is_taken_as_it_is(text: str) -> None:
    assert _unshown(text) == []


@pytest.mark.parametrize("text", UNTRUE)
def test_a_share_that_no_run_showed_and_a_share_of_something_else_go_back(text: str) -> None:
    assert _unshown(text)


@pytest.mark.parametrize("text", TRUE[:6])
def test_without_a_run_no_share_is_known(text: str) -> None:
    assert list(unshown(text, []))
