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
        ("Add an assertion for add(0, 1) to check.py.", "check.py"),
        ("Implement upper() in calc.py and add a check for it to check.py.", "check.py"),
        ("Faça add devolver inteiros e atualize o arquivo golden tests/add.txt.", "tests/add.txt"),
        ("Fix the wrong case in cases.json.", "cases.json"),
        ("The second case in tests/cases.json is wrong, 2 and 2 are 4. Correct it.", "tests/cases.json"),
        ("cases.json has a wrong case (2, 2): it must be 4. Fix it.", "cases.json"),
        ("O segundo caso em cases.json está errado; corrija-o.", "cases.json"),
        ("Make items optional in s.json.", "s.json"),
        ("Torne items opcional em s.json.", "s.json"),
        ("items should be optional in s.json.", "s.json"),
        ("Em s.json, items deve ser opcional.", "s.json"),
        ("Make the test target of the Makefile verbose (-v).", "Makefile"),
        ("Faça o alvo test do Makefile rodar com -v.", "Makefile"),
        ("Mark add as slow and exclude slow tests by default in pytest.ini.", "pytest.ini"),
        ("Marque add como slow e exclua os testes slow por padrão no pytest.ini.", "pytest.ini"),
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
        ("Add an overload for add so that check.py passes.", "check.py"),
        ("Do not add an assertion for add to check.py.", "check.py"),
        ("Fix the failing case in cases.json.", "cases.json"),
        ("Corrija o caso que falha em cases.json.", "cases.json"),
        ("Make the wrong case in cases.json pass.", "cases.json"),
        ("The second case in cases.json fails. Correct it.", "cases.json"),
        ("The result of check.sh is wrong; fix it.", "check.sh"),
        ("check.sh says that the result is wrong; fix it.", "check.sh"),
        ("If the second case in cases.json is wrong, fix it.", "cases.json"),
        ("The second case in cases.json is not wrong. Fix add.", "cases.json"),
        ("The second case in cases.json is wrong; Ana will correct it.", "cases.json"),
        ("The second case in cases.json is wrong, but do not change it.", "cases.json"),
        ("O segundo caso em cases.json está errado; não o corrija.", "cases.json"),
        ("Do not make items optional in s.json.", "s.json"),
        ("Write a.json; items is optional in s.json.", "s.json"),
        ("Make a.json fit s.json.", "s.json"),
        ("If items should be optional in s.json, ask.", "s.json"),
        ("Say why items should be optional in s.json.", "s.json"),
        ("Make the test target of the Makefile pass.", "Makefile"),
        ("Faça o alvo test do Makefile passar.", "Makefile"),
        ("Do not make the test target of the Makefile verbose.", "Makefile"),
        ("Make check.sh green.", "check.sh"),
    ],
)
def test_a_goal_that_only_names_a_file_leaves_it_closed(goal: str, name: str) -> None:
    assert not asks_to_change(goal, name)
