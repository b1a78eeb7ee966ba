"""Whether a goal asks for a file that judges to be changed."""

import pytest

from services.tool_loop.rules.opened_files import asks_to_change


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Fix check.sh.", "check.sh"),
        ("Mend calc.py and check.sh", "check.sh"),
        ("Please rewrite the script ci/check.sh so that it is quicker.", "ci/check.sh"),
        ("Update `check.sh` to use dash", "ci/check.sh"),
        ("Fix ./test, which forgets a file.", "test"),
        ("Fix the script test.", "test"),
        ("Add a lint target to the Makefile.", "Makefile"),
        ("Fix the typo in check.sh", "check.sh"),
        ("Add a field to Order, and mend s.json.", "Order"),
        ("Add a field to Order, and mend s.json.", "s.json"),
        ("You should extend the Order model with a date.", "Order"),
        ("Corrija o arquivo check.sh.", "check.sh"),
        ("Quero que você altere o check.sh para usar dash.", "check.sh"),
        ("Acrescente um alvo ao Makefile", "Makefile"),
    ],
)
def test_a_goal_that_asks_for_a_change_of_a_file_opens_it(goal: str, name: str) -> None:
    assert asks_to_change(goal, name)


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Make the tests pass.", "test"),
        ("Fix the test.", "test"),
        ("Fix the test file.", "test"),
        ("Mend calculator.py so that check.sh passes.", "check.sh"),
        ("Fix the code until check.sh passes", "check.sh"),
        ("Fix calculator.py and run check.sh.", "check.sh"),
        ("Fix calculator.py, check.sh must pass.", "check.sh"),
        ("Fix the check.sh failures.", "check.sh"),
        ("Fix what check.sh reports.", "check.sh"),
        ("Make check.sh pass.", "check.sh"),
        ("Do not change check.sh.", "check.sh"),
        ("Fix the code without changing check.sh.", "check.sh"),
        ("Fix the code. You must never edit check.sh.", "check.sh"),
        ("Fix precheck.sh.", "check.sh"),
        ("Fix check.sh.bak", "check.sh"),
        ("Write a value that fits Order.", "Order"),
        ("Fix the code to satisfy s.json.", "s.json"),
        ("Write a.json to fit s.json.", "s.json"),
        ("Add a function to calculator.py for check.sh", "check.sh"),
        ("Conserte o código para que o check.sh passe.", "check.sh"),
        ("Corrija calc.py e rode check.sh.", "check.sh"),
        ("Não altere o check.sh.", "check.sh"),
        ("Corrija o código sem alterar o check.sh.", "check.sh"),
    ],
)
def test_a_goal_that_only_names_a_file_leaves_it_closed(goal: str, name: str) -> None:
    assert not asks_to_change(goal, name)
