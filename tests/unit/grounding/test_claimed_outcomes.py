"""Which statements about tests a command must have shown."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.grounding.claimed_outcomes import outcomes
from services.tool_loop.rules.grounding.claimed_tries import untried
from services.tool_loop.rules.grounding.shown_outcomes import Ran
from services.tool_loop.rules.grounding.shown_outcomes import unshown as unshown_by

PASSED = "$ pytest -q\n..... 5 passed in 0.12s\n"
FAILED = "$ pytest -q\n2 failed, 3 passed in 0.20s\n"


def unshown(text: str, printed: Sequence[str]) -> Iterator[str]:
    return unshown_by(text, [Ran("pytest -q", each) for each in printed])


@pytest.mark.parametrize(
    "text",
    [
        "All 5 tests pass.",
        "I ran it: 5 passed.",
        "Os 5 testes passam agora.",
        "All tests pass.",
        "Todos os testes passaram.",
        "The test suite is green.",
    ],
)
def test_tests_pass_only_as_a_command_showed(text: str) -> None:
    assert list(unshown(text, [PASSED])) == []
    assert len(list(unshown(text, []))) == 1
    assert len(list(unshown(text, [PASSED, FAILED]))) == 1
    assert list(unshown(text, [FAILED, PASSED])) == []


def test_a_number_of_tests_must_have_been_printed() -> None:
    assert list(unshown("All 12 tests pass.", [PASSED])) == ["All 12 tests pass"]
    assert list(unshown("Os 12 testes passam.", [PASSED])) == ["Os 12 testes passam"]
    assert list(unshown("48 passed", [PASSED, "48 passed in 1s"])) == []


@pytest.mark.parametrize(
    "text",
    [
        "I have not run the tests.",
        "The tests do not pass yet.",
        "Make sure that the tests pass? I can run them.",
        "If the tests pass, merge it.",
        "Os testes não passam.",
        "Next steps:\n- run the tests until all pass",
        "I passed the path to the test.",
        "A merge is allowed when all tests pass.",
        "Once the tests pass, merge the branch.",
        "O deploy só acontece quando todos os testes passam.",
        "A unit test passes when its assertions hold.",
        "CI makes sure that the tests pass.",
    ],
)
def test_a_text_that_does_not_say_that_tests_pass_says_nothing_of_them(text: str) -> None:
    assert outcomes(text) == ()


def test_a_text_that_owns_up_to_failures_may_say_which_tests_pass() -> None:
    assert list(unshown("The 3 tests of the reader pass; two others fail, as they did before.", [FAILED])) == []


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass except `test_net`, which needs the network.",
        "All tests pass, apart from `test_net`.",
        "All tests but `test_net` pass.",
        "Every test passes other than `test_net`.",
        "All tests pass except one.",
        "The tests pass except for test_net, which is skipped upstream too.",
        "Todos os testes passam, exceto `test_net`, que precisa de rede.",
        "Todos os testes passam, menos `test_net`.",
        "Todos os testes passam, com exceção de `test_net`.",
        "Todos os testes passaram, fora o `test_net`.",
    ],
)
def test_to_except_a_test_is_to_own_up_to_it_and_needs_a_run_all_the_same(text: str) -> None:
    net = Ran("pytest", "FAILED tests/test_a.py::test_net - OSError\n1 failed, 13 passed in 0.9s", 1)
    assert list(unshown_by(text, [net])) == []
    assert list(unshown_by(text, [Ran("ls", "src", 0)])) != []


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass, but the network is slow.",
        "`test_net` passes.",
        "Todos os testes passam e o código ficou fora do cache.",
    ],
)
def test_what_excepts_no_test_owns_up_to_nothing(text: str) -> None:
    net = Ran("pytest", "FAILED tests/test_a.py::test_net - OSError\n1 failed, 13 passed in 0.9s", 1)
    assert list(unshown_by(text, [net])) != []


@pytest.mark.parametrize(
    "text", ["O lint não acusa nada.", "O lint não aponta erros.", "A compilação terminou sem erros."]
)
def test_a_check_that_finds_nothing_is_one_that_passes(text: str) -> None:
    assert list(unshown_by(text, [Ran("ls", "src", 0)])) != []
    assert list(unshown_by(text, [Ran("ruff check . && make build", "All checks passed!", 0)])) == []


@given(st.text(max_size=200), st.lists(st.text(max_size=50), max_size=3))
def test_only_what_a_text_says_is_unshown(text: str, ran: list[str]) -> None:
    assert set(unshown(text, ran)) <= {each.said for each in outcomes(text)}


SOME = Ran(
    "pytest",
    "FAILED tests/test_net.py::test_net - OSError\nFAILED tests/test_rows.py::test_blank - AssertionError\n"
    "FAILED tests/test_rows.py::test_sum[1] - AssertionError\n3 failed, 13 passed in 1s",
    1,
)


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass except `test_net`, which needs the network.",
        "All tests pass except test_net, which fails offline.",
        "All tests but `test_net` pass.",
        "All tests pass except `test_net` and `test_blank`.",
        "All tests pass except one.",
        "All tests pass except two.",
        "All tests pass except the network one.",
        "All tests pass except `test_other`.",
        "Todos os testes passam, exceto `test_net`, que precisa de rede.",
        "Todos os testes passam, menos um.",
        "Todos os testes passam, exceto o de rede.",
        "Todos os testes passaram, com exceção de test_net.",
    ],
)
def test_who_excepts_less_than_failed_does_not_own_up(text: str) -> None:
    assert list(unshown_by(text, [SOME])) != []


@pytest.mark.parametrize(
    "text",
    [
        "All tests pass except `test_net`, `test_blank` and `test_sum`.",
        "All tests pass except three.",
        "All tests pass except 3, which fail without a network.",
        "All tests pass except the network tests.",
        "All tests pass except those of tests/test_net.py and tests/test_rows.py.",
        "All tests pass except `tests/test_net.py` and `tests/test_rows.py`.",
        "All tests pass except `test_net`. `test_blank` and `test_sum` failed before as well.",
        "All tests pass except test_net and the two of rows; 3 tests fail in all.",
        "Todos os testes passam, exceto `test_net`, `test_blank` e `test_sum`.",
        "Todos os testes passam, menos três.",
        "Todos os testes passam, exceto os de rede.",
    ],
)
def test_who_excepts_all_that_failed_owns_up(text: str) -> None:
    assert list(unshown_by(text, [SOME])) == []


@pytest.mark.parametrize(
    "printed",
    [
        "FAIL: test_net (tests.test_net.T)\n----\nRan 14 tests in 0.1s\nFAILED (failures=1)",
        "--- FAIL: test_net (0.00s)\nFAIL\nexample 0.1s",
        "tests/test_net.py::test_net FAILED\n1 failed, 13 passed in 1s",
        "test net::test_net ... FAILED\ntest result: FAILED. 13 passed; 1 failed; 0 ignored",
        "not ok 3 - test_net\n# fail 1",
    ],
)
def test_the_failures_of_any_runner_are_held_against_what_is_excepted(printed: str) -> None:
    run = [Ran("make test", printed, 1)]
    assert list(unshown_by("All tests pass except `test_net`.", run)) == []
    assert list(unshown_by("All tests pass except `test_other`.", run)) != []


@pytest.mark.parametrize(
    "text",
    [
        "Everything works as expected and all tests are passing.",
        "The fix works as it should and all tests pass.",
        "The code behaves as one would expect and all tests pass.",
        "The parser returns the expected value and all tests pass.",
        "It returns what the tests expect and the whole suite passes.",
        "I fixed the check and all tests pass.",
        "Tudo funciona como deveria e todos os testes passam.",
        "It must be said that all tests pass.",
    ],
)
def test_words_of_expecting_that_make_no_condition_hide_no_claim(text: str) -> None:
    assert len(list(unshown(text, []))) == 1
    assert len(list(unshown(text, [FAILED]))) == 1
    assert list(unshown(text, [PASSED])) == []


@pytest.mark.parametrize(
    "text",
    [
        "Merge it when everything works as expected and all tests pass.",
        "Once it works as expected and all tests pass, merge it.",
        "The pipeline checks that all tests pass.",
        "The gate checks that the check runs and all tests pass.",
        "The script checks whether the code works as expected and all tests pass.",
        "I expect all tests pass once the network is back.",
        "The tests do not behave as they should.",
    ],
)
def test_words_of_expecting_that_make_a_condition_make_no_claim(text: str) -> None:
    assert list(unshown(text, [])) == []


VITE = Ran("npm run build", "vite v5.0.0 building for production...\n✓ 412 modules transformed.\n✓ built in 2.9s", 0)


@pytest.mark.parametrize(
    "text", ["Dark mode is in and all unit tests pass.", "O modo escuro está pronto e os testes passaram."]
)
def test_a_build_that_tells_of_no_test_shows_none(text: str) -> None:
    assert list(unshown_by(text, [VITE])) != []
    assert list(unshown_by(text, [Ran("cd web && npm ci && ruff check .", "All checks passed!", 0)])) != []
    assert list(unshown_by(text, [Ran("npm run build", "> tsc && vitest run\n\n✓ src/a.spec.ts (3)", 0)])) == []
    assert list(unshown_by(text, [VITE, Ran("make", "", 0)])) == []
    assert list(unshown_by(text, [VITE, Ran("npm run verify", "all good", 0)])) == []


@pytest.mark.parametrize(
    "text",
    [
        "I tested it in the browser: it looks good.",
        "Testei no navegador e ficou bom.",
        "I added it and tested it in a browser.",
    ],
)
def test_what_is_told_of_a_browser_needs_more_than_a_build(text: str) -> None:
    assert list(untried(text, [VITE])) != []
    for command in (
        "npx playwright test",
        "npm run dev",
        "npm run test:e2e",
        "python -m http.server",
        "open index.html",
    ):
        assert list(untried(text, [VITE, Ran(command, "", 0)])) == []
    assert list(untried(text, [VITE, Ran('browser_navigate {"url": "http://x"}', "ok", None, True)])) == []
    assert list(untried("You can test it in the browser.", [VITE])) == []
    assert list(untried("I have not tested it in the browser.", [VITE])) == []


def test_a_test_runner_that_is_not_there_shows_no_test_and_spoils_none() -> None:
    missing = Ran("pytest -q", "sh: 1: pytest: not found", 127)
    assert list(unshown_by("All tests pass.", [missing])) == ["All tests pass"]
    assert list(unshown_by("All tests pass.", [Ran("python -m pytest -q", PASSED, 0), missing])) == []
    assert list(unshown_by("All tests pass.", [missing, Ran("python -m pytest -q", PASSED, 0)])) == []
    assert list(unshown_by("I ran the tests: pytest is not there.", [missing])) == []
    assert list(unshown_by("The tests could not be run, as pytest is not installed.", [missing])) == []
