"""Goals that ask for the tests to be changed, and goals that only name them."""

import pytest

from services.tool_loop.rules.opened_tests import asks_to_change_tests


@pytest.mark.parametrize(
    "goal",
    [
        "Update the tests to the new API.",
        "Rename add to plus everywhere, including in the tests.",
        "Rename add() to plus() and update its tests.",
        "Refactor the tests into a class",
        "Remove the obsolete tests of legacy.py",
        "Mend calculator.py and rewrite the tests with parametrize.",
        "Please update all existing tests",
        "Regenerate the snapshots.",
        "Atualize os testes para a nova API.",
        "Renomeie add para plus, inclusive nos testes.",
    ],
)
def test_a_goal_that_asks_for_the_tests_to_be_changed_opens_them(goal: str) -> None:
    assert asks_to_change_tests(goal)


@pytest.mark.parametrize(
    "goal",
    [
        "Fix the failing tests.",
        "Make the tests pass.",
        "Update calculator.py so that the tests pass.",
        "Change the code until the tests pass",
        "Change add, and the tests pass",
        "Do not change the tests.",
        "Never modify the tests",
        "Update the function. Do not modify the tests.",
        "Change the code and run the tests",
        "Rewrite the parser and the tests must stay green",
        "Move the parser to its own module and keep tests unchanged",
        "Refactor test_helpers.py",
        "Conserte o código sem alterar os testes.",
        "Corrija os testes que falham.",
        "",
    ],
)
def test_a_goal_that_only_names_them_does_not(goal: str) -> None:
    assert not asks_to_change_tests(goal)
