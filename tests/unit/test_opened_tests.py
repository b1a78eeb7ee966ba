"""Goals that ask for the tests to be changed, and goals that only name them."""

import pytest

from services.tool_loop.rules.opened_tests import asks_to_change_test, asks_to_change_tests


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
        "Change the return type of total to Decimal and amend the tests to suit.",
        "The new header breaks two tests; rewrite these.",
        "Our tests still use the v1 client. Migrate them to v2.",
        "Extract the shared setup of the tests into a fixture.",
        "Replace the sleeps in the tests by polling.",
        "Get rid of the tests for the legacy parser.",
        "Throw away the duplicated tests.",
        "Remove parse_old and everything that tests it, tests included.",
        "Rename Order to Purchase throughout the code base, tests included.",
        "Inline the helper in the test suite.",
        "Make the tests use the new client.",
        "Make the test suite independent of the order.",
        "Make the tests faster.",
        "Update code, docs and tests to the new name.",
        "Please also revise the unit tests.",
        "You should then adjust the integration tests.",
        "I want you to reorganize the specs into folders.",
        "Can you modernise the test files?",
        "Could you please convert our specs to TypeScript?",
        "We need to rework the tests of the scheduler.",
        "Your task is to simplify the tests.",
        "The expectations in the tests are wrong; change them to 7.",
        "The test is wrong: it expects 6. Correct it.",
        "The expected value in the test is wrong: it should be 5. Fix the test.",
        "The assertions of the tests are outdated. Repair these tests.",
        "The tests have to change with the new rounding.",
        "The tests need updating after that.",
        "Snapshots need to be regenerated.",
        "Bring the specs up to date.",
        "Keep the tests in sync with the new signature.",
        "Extend the return value by a field and have the affected tests adapted.",
        "Disable the test that needs the network.",
        "Comment out the test for the printer.",
        "Add type hints to the tests.",
        "Add docstrings to all test functions.",
        "Swap assertEqual for assert in the test files.",
        "Use parametrize in the tests of the parser.",
        "Apply the formatter to the code and its tests.",
        "Reword the error message, in the tests as well.",
        "Fix the wrong assertions in the tests.",
        "Fix the typo in the test names.",
        "Delete the helper and adapt whatever tests used it.",
        "Move all specs next to the code.",
        "Split the big test file in two.",
        "Combine the tests of both modules.",
        "Turn the tests into table-driven ones.",
        "Lower the tolerance in the tests to 1e-9.",
        "Increase the timeout of the tests.",
        "Strip trailing blanks from the source and test files.",
        'Altere a mensagem para "Até logo" e ajuste os testes.',
        "Mude o arredondamento e corrija as expectativas dos testes.",
        "Os testes usam a API antiga; migre-os.",
        "Os testes estão desatualizados, atualize-os.",
        "Os testes terão de ser reescritos.",
        "Os testes devem ser ajustados à nova regra.",
        "É preciso atualizar os testes também.",
        "Por favor, reorganize os testes por módulo.",
        "Você deve então adaptar os testes de integração.",
        "Quero que você simplifique os testes.",
        "Remova a classe Velha junto com seus testes.",
        "Apague os testes duplicados.",
        "Substitua os sleeps nos testes por espera ativa.",
        "Use fixtures nos testes em vez de setUp.",
        "Renomeie Pedido para Compra em todo o código, testes inclusive.",
        "Traduza as mensagens e os testes.",
        "Formate o código e os testes com black.",
        "Acrescente anotações de tipo aos testes.",
        "Desative o teste que precisa da rede.",
        "Faça os testes usarem o cliente novo.",
        "Deixe os testes mais rápidos.",
        "Mantenha os testes em sincronia com a assinatura nova.",
        "Una os arquivos de teste.",
        "Separe os testes lentos num arquivo próprio.",
        "Troque unittest por pytest nos testes.",
        "Regenere os snapshots.",
        "Reduza a tolerância nos testes para 1e-9.",
        "Update the tests, but only when needed.",
        "When I run pytest, add fails, so update the tests accordingly.",
        "Return None when asked for a missing key, and update the tests.",
        "Return 403 for users without permission, and update the tests.",
        "Could you update the tests? No rush.",
        "Os testes devem ser atualizados por você.",
    ],
)
def test_a_goal_that_asks_for_the_tests_to_be_changed_opens_them(goal: str) -> None:
    assert asks_to_change_tests(goal)


@pytest.mark.parametrize(
    "goal",
    [
        "Fix the failing tests.",
        "The sum is wrong, as the tests show. Fix the tests.",
        "The result that the test gets is wrong: mend the code under the test.",
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
        "Repair the broken tests.",
        "Get the tests to pass.",
        "Make the test suite green.",
        "Make all tests succeed.",
        "Let the tests pass.",
        "Fix whatever the tests complain about.",
        "Fix the bug that the tests show.",
        "Change the parser as the tests demand.",
        "Update the parser to what the tests expect.",
        "Rewrite the parser; the tests tell what it must do.",
        "Refactor the parser under the protection of the tests.",
        "Delete dead code, but leave the tests as they are.",
        "Modify the source, not the tests.",
        "Edit the source and nothing in the tests.",
        "Do not edit, skip or delete the tests.",
        "Never, under any circumstances, change the tests.",
        "You must not touch the runner, change the tests, or skip anything.",
        "Please don't adjust the tests to the code.",
        "Mend the code instead of adapting the tests.",
        "Avoid having to change the tests.",
        "There is no need to update the tests.",
        "The tests must not be changed.",
        "The tests should never be adapted to the code.",
        "The tests cannot be modified.",
        "The tests need not be updated.",
        "Tests are not to be edited.",
        "The QA team will update the tests.",
        "The tests were updated yesterday; mend the code.",
        "The tests have been rewritten; now make the code follow.",
        "I changed the tests to the new format. Make the code match.",
        "Someone deleted the tests of sub; ignore that.",
        "If the tests must be changed, stop and ask.",
        "Should you have to edit the tests, tell me.",
        "Say whether one would have to change the tests.",
        "Describe how to reorganise the tests.",
        "Write down which tests one could delete.",
        "What happens if I remove the tests?",
        "Before you update the tests, ask.",
        "Without modifying tests, speed up the parser.",
        "Update the README section about tests.",
        "Update the documentation of the tests.",
        "Change the colour of the test badge.",
        "Remove the bug found by the tests.",
        "Replace the algorithm and rerun the tests.",
        "Update the parser and check that the tests still pass.",
        "Change the parser and make sure the tests stay unchanged.",
        "Move the parser; all existing tests must keep working.",
        "Convert the module to async while the tests stay as they are.",
        "Add a function sub and tests for it.",
        "Write tests for the parser.",
        "Add a test for the empty list.",
        "Remove the code that no test covers.",
        "Improve the speed of add; tests exist.",
        "Corrija os testes quebrados.",
        "Faça os testes passarem.",
        "Deixe os testes verdes.",
        "Deixe os testes como estão e altere o código.",
        "Altere o código até que os testes passem.",
        "Mude o código, não os testes.",
        "Nunca modifique, pule ou apague os testes.",
        "Os testes não devem ser alterados.",
        "Os testes não podem ser modificados.",
        "Não é necessário atualizar os testes.",
        "É vedado modificar os testes.",
        "A equipe de QA atualizará os testes.",
        "A equipe vai ajustar os testes; corrija o código.",
        "Os testes foram atualizados ontem; corrija o código.",
        "Se for preciso mudar os testes, pare e pergunte.",
        "Antes de alterar os testes, pergunte.",
        "Diga como reorganizar os testes.",
        "Atualize o código e rode os testes.",
        "Altere o analisador conforme os testes pedem.",
        "Atualize a documentação dos testes.",
        "Escreva testes para o analisador.",
        "Acrescente um teste para a lista vazia.",
        "",
        "Corrija add. Só altere os testes se eu pedir.",
        "Corrija add. Altere os testes só se eu pedir.",
        "Corrija add. Apenas altere os testes quando eu disser.",
        "Corrija add; só mexa nos testes com a minha autorização.",
        "Fix add. Only change the tests if I ask you to.",
        "Fix add. Change the tests only when I say so.",
        "Fix add. Update the tests only if asked to.",
        "Fix add. Update the tests after my approval.",
        "Fix add. Tests may be updated later by Ana.",
        "Fix add. Update the tests? No.",
    ],
)
def test_a_goal_that_only_names_them_does_not(goal: str) -> None:
    assert not asks_to_change_tests(goal)


@pytest.mark.parametrize(
    "goal",
    [
        "test_zero expects 190 but 10% off 200 is 180. Fix the test.",
        "O teste test_zero espera 1, mas deveria esperar 0. Corrija o teste.",
        "Make test_zero tolerant of rounding.",
        "test_zero should tolerate rounding errors.",
        "Skip test_zero on Windows only.",
        "Disable test_zero temporarily.",
        "Desabilite o test_zero temporariamente.",
        "Mark test_zero slow.",
        "Quero que test_zero seja ignorado por enquanto.",
        "I want test_zero skipped.",
    ],
)
def test_one_test_that_is_to_be_other_than_it_was_is_opened(goal: str) -> None:
    assert asks_to_change_test(goal, "test_zero")
    assert not asks_to_change_test(goal, "test_one")


@pytest.mark.parametrize(
    "goal",
    [
        "test_zero expects 180 but gets 190. Fix the test.",
        "test_zero expects 180 but add returns 190. Fix the test.",
        "test_zero expects 180 but the result is 190. Fix the test.",
        "test_zero espera 180 mas recebe 190. Corrija o teste.",
        "test_zero fails. Correct it.",
        "test_zero expects 0. Fix this function.",
        "test_zero should pass.",
        "test_zero should not tolerate rounding errors; fix add.",
        "Do not make test_zero tolerant.",
        "Do not skip test_zero on Windows.",
        "I want test_zero to pass.",
        "I do not want test_zero to be skipped.",
        "Não quero que test_zero seja ignorado.",
        "Quero que test_zero passe.",
        "Say how to mark test_zero slow.",
    ],
)
def test_one_test_that_is_only_spoken_of_is_not(goal: str) -> None:
    assert not asks_to_change_test(goal, "test_zero")


@pytest.mark.parametrize(
    ("goal", "opens"),
    [
        ("Group the tests into a class.", True),
        ("Agrupe os testes em uma classe TestShop.", True),
        ("Put the tests in tests/test_shop.py into a class TestShop.", True),
        ("Write sub with tests and put the tests into a class.", False),
        ("Write sub with tests; put the tests in tests/test_sub.py.", False),
        ("Do not group the tests into a class.", False),
    ],
)
def test_tests_are_put_together_where_they_are_there(goal: str, opens: bool) -> None:
    assert asks_to_change_tests(goal) is opens


def test_a_test_that_is_said_to_have_a_mistake_may_be_mended() -> None:
    goal = "test_zero in test_calc.py has a typo: it must expect 0, not 1. Fix the test."
    assert asks_to_change_test(goal, "test_zero") and not asks_to_change_tests(goal)
    assert asks_to_change_test("O teste test_zero tem um engano. Corrija o teste.", "test_zero")
    for goal in (
        "Fix test_zero: it must expect 0.",
        "Corrija o teste test_zero: deve esperar 0.",
        "Há um erro em test_zero (espera 1 em vez de 0). Corrija o teste.",
        "There is a typo in test_zero. Fix the test.",
    ):
        assert asks_to_change_test(goal, "test_zero") and not asks_to_change_test(goal, "test_one"), goal
    assert not asks_to_change_test("Fix add so that test_zero passes: it must return 0.", "test_zero")
    assert not asks_to_change_test("Do not fix test_zero: it must expect 0.", "test_zero")
    assert not asks_to_change_test("test_zero has a failure. Fix the test.", "test_zero")


@pytest.mark.parametrize(
    "goal",
    [
        "test_zero e test_zero_again são o mesmo teste; remova o duplicado.",
        "Há dois testes iguais, test_a e test_b. Apague o repetido.",
        "test_zero and test_zero_again are the same test; remove the duplicate.",
    ],
)
def test_to_remove_one_of_two_that_are_the_same_opens_no_other(goal: str) -> None:
    assert not asks_to_change_tests(goal)
