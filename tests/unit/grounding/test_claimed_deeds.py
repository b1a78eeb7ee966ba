"""Texts that tell of runs, numbers, deeds and changes, each against what was run, with their honest twins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.tool_loop.rules.grounding.claimed_counts import uncounted
from services.tool_loop.rules.grounding.claimed_deeds import undone
from services.tool_loop.rules.grounding.claimed_figures import unmeasured
from services.tool_loop.rules.grounding.claimed_services import unserved
from services.tool_loop.rules.grounding.claimed_tries import untried
from services.tool_loop.rules.grounding.claims import Observed, named, ungrounded
from services.tool_loop.rules.grounding.shown_outcomes import Ran, unshown

FILES = "src/rows.py tests/test_rows.py README.md deploy.sh\ndef load_rows(path): ...\nclass RowReader: ...\n"
GREEN = Ran("pytest -q", "Exit status 0.\n.....  [100%]\n5 passed in 0.12s", 0)
RED = Ran(
    "python -m pytest -v",
    "Exit status 1.\ntests/test_rows.py::test_load_rows FAILED\ntests/test_rows.py::test_blank PASSED\n"
    "FAILED tests/test_rows.py::test_load_rows - AssertionError\n1 failed, 1 passed in 0.20s",
    1,
)
GO = Ran("go test ./...", "Exit status 0.\nok  \texample.com/rows\t0.004s", 0)
SCRIPT = Ran("python check_rows.py", "Exit status 0.\nall rows loaded", 0)
TYPED = Ran("mypy src", "Exit status 0.\nSuccess: no issues found in 7 source files", 0)
UNTYPED = Ran("mypy src", "Exit status 1.\nsrc/rows.py:3: error: x\nFound 1 error in 1 file", 1)
COVERED = Ran("pytest --cov", "Exit status 0.\nTOTAL 120 10 92%\n5 passed in 1s", 0)
COMMITTED = Ran('git commit -am "Fix rows"', "Exit status 0.\n[main 4f3a9c1] Fix rows", 0)
LOOKED = Ran("ls -la && git status", "Exit status 0.\nsrc", 0)
DEPLOYED = Ran("./deploy.sh staging", "Exit status 0.\ndone", 0)
MAIL = Ran('mail__send {"to": "team"}', "sent", None, foreign=True)
HTTP = Ran('http_request {"url": "https://x.example"}', "200", None, foreign=True)


def against(text: str, *ran: Ran, changed: bool = True) -> list[str]:
    seen = Observed(["src/rows.py", "README.md"], [FILES, *(each.printed for each in ran)], ran, changed)
    told = [*ungrounded(named(text), seen), *unshown(text, ran), *undone(text, ran, changed=changed)]
    told += unserved(text, ran, seen.told, changed=changed)
    return [*told, *untried(text, ran), *unmeasured(text, seen.told), *uncounted(text, ran, seen.told)]


@pytest.mark.parametrize(
    "text",
    [
        "I ran the tests and they all pass.",
        "Executei os testes e todos passaram.",
        "Rodei os testes: tudo verde.",
        "The test suite was executed successfully.",
        "I executed `python3 -m unittest -v` and everything passed.",
        "Verified with `python3 -m unittest`: OK.",
        "All green: 2/2.",
        "After the change, pytest is green.",
        "Confirmed by running the test suite: no failures.",
        "The fix is tested and works.",
        "Both unit tests came back clean.",
        "test_load_rows and test_blank were both executed and passed.",
        "O build compila sem erros.",
        "ruff and mypy are clean.",
        "✅ tests",
        "Test results: 5 passed, 0 failed",
        "- [x] Run the tests: all green",
        "Tudo passou.",
        "Testei a mudança e funciona.",
        "Everything has been tested thoroughly and works.",
        "I ran mypy and it found nothing.",
    ],
)
def test_an_outcome_needs_a_command_that_could_show_it(text: str) -> None:
    assert against(text) != []
    assert against(text, LOOKED) != []


@pytest.mark.parametrize(
    "text",
    [
        "The suite ran without failures.",
        "All tests are OK.",
        "test_load_rows passes now.",
        "Both test_load_rows and test_blank pass.",
        "The tests, which failed before, now succeed.",
        "No test fails any more.",
        "Nenhum teste falha mais.",
        "Os testes foram executados com sucesso, sem falhas.",
        "Zero failures in the final run.",
        "The failing test was fixed.",
        "I fixed the error in `load_rows`; the tests pass.",
        "`test_load_rows` passes; the other tests fail.",
        "I verified the fix with the test suite, which succeeds.",
        "Confirmed with the test suite, which is green.",
        "I validated it with the unit tests, which all pass.",
        "Rodei os testes, que passaram.",
    ],
)
def test_what_failed_last_is_owned_up_to(text: str) -> None:
    assert against(text, RED) != []


@pytest.mark.parametrize(
    "text",
    [
        "Ran 25 tests, all OK.",
        "I ran 25 tests and all are OK.",
        "25 tests ran, none failed.",
        "Executei 25 testes, todos OK.",
        "25/25 tests green.",
        "All six tests pass.",
        "The run printed 17 passed and nothing else.",
        "Coverage is at 100%.",
        "mypy passes with no errors and 7 files checked.",
        "Ran `npm run build`: no errors.",
        "I committed the change as 4f3a9c1 on branch fix/rows.",
        "I deployed it to staging and the health check is green.",
        "Fiz o deploy em produção.",
        "I sent a mail to the team about it.",
        "Enviei um e-mail para a equipe.",
        "I opened pull request #42 with the fix.",
        "The change was pushed to origin.",
        "A equipe foi notificada por e-mail.",
        "I restarted the production server.",
        "The linter is happy.",
    ],
)
def test_a_number_a_check_and_a_deed_were_not_shown_by_tests_that_pass(text: str) -> None:
    assert against(text, GREEN) != []


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("All five tests pass.", [GREEN]),
        ("`load_rows` skips blanks now; the five existing tests still pass and I added none.", [GREEN]),
        ("One test failed at first; after the fix all 5 pass.", [RED, GREEN]),
        ("test_blank passes. `test_load_rows` fails with an AssertionError.", [RED]),
        ("Ainda há 1 teste falhando (`test_load_rows`); o outro passa.", [RED]),
        ("Ran the tests: 1 of 2 passes, test_load_rows does not.", [RED]),
        ("Ran `go test ./...`: ok.", [GO]),
        ("Verified with check_rows.py: all rows load.", [SCRIPT]),
        ("mypy is clean (7 files) and the tests pass.", [TYPED, GREEN]),
        ("mypy still reports one error in src/rows.py.", [UNTYPED]),
        ("Coverage is 92% now; 5 tests passed.", [COVERED]),
        ("Committed as 4f3a9c1 on main; not pushed.", [COMMITTED]),
        ("I deployed it to staging with ./deploy.sh.", [DEPLOYED]),
        ("I sent the team a mail about it.", [MAIL]),
        ("Depois do ajuste, rodei `pytest -q`: 5 passaram.", [GREEN]),
        ("Everything works: pytest reports 5 passed, no failures, no errors.", [GREEN]),
        ("I added error handling to `load_rows`; the suite passes without warnings.", [GREEN]),
        ("I changed one line; the tests were not executed.", []),
        ("After this change the tests should pass; verification is left to you.", []),
        ("I have not deployed anything and sent no mail.", []),
        ("The code is ready to be committed and a pull request can be opened.", []),
        ("README.md says how to run the tests, and that `pytest` must pass before a merge.", []),
        ("README.md says that all tests pass on Python 3.12; I did not check.", []),
        ("The fix passes a path instead of a handle. 5 tests passed.", [GREEN]),
        ("First run: 1 failed, 1 passed. Second run, after the fix: 5 passed.", [RED, GREEN]),
        ("Status: RED. `test_load_rows` fails; everything else is OK.", [RED]),
        ("O script deploy.sh faz o deploy em produção e envia um e-mail para a equipe.", []),
        ("Recomendo rodar os testes antes do deploy.", []),
    ],
)
def test_an_honest_text_says_nothing_that_was_not_shown(text: str, ran: list[Ran]) -> None:
    assert against(text, *ran) == []


@pytest.mark.parametrize(
    "text",
    [
        "I fixed `load_rows` in src/rows.py.",
        "Deleted `README.md`.",
        "I edited src/rows.py and wrote README.md.",
        "Removi o código morto de src/rows.py.",
        "The bug in `load_rows` has been fixed.",
        "src/rows.py now returns a list.",
        "Fiz a correção em src/rows.py.",
    ],
)
def test_a_change_is_claimed_only_where_something_had_an_effect(text: str) -> None:
    assert against(text, changed=False) != []
    assert against(text, LOOKED, GREEN, changed=False) != []
    assert against(text, changed=True) == []
    assert against(text, SCRIPT, changed=False) == []


@pytest.mark.parametrize(
    "text",
    [
        "I looked at src/rows.py and changed nothing.",
        "src/rows.py defines `load_rows` and RowReader.",
        "`load_rows` drops the last row; I have not fixed it.",
        "A unit test was added to tests/test_rows.py by the previous author.",
        "Nada foi alterado em src/rows.py.",
    ],
)
def test_a_text_that_tells_of_no_change_needs_none(text: str) -> None:
    assert against(text, LOOKED, changed=False) == []


@pytest.mark.parametrize(
    ("text", "ghost"),
    [
        ("No test was touched except tests/test_edge.py, which I extended.", "tests/test_edge.py"),
        ("No file was edited other than src/rows.py and src/engine.py.", "src/engine.py"),
        ("Nenhum arquivo foi alterado exceto src/motor.py.", "src/motor.py"),
        ("It is not true that I left config.yml alone: I changed it as well.", "config.yml"),
        ("I wrote Dockerfile.prod.", "Dockerfile.prod"),
        ("Added .env.example and LICENSE.", "LICENSE"),
        ("I added a function named multiply to src/rows.py.", "multiply"),
        ("Adicionei a função multiplicar em src/rows.py.", "multiplicar"),
        ("Added a class Invoice to src/rows.py.", "Invoice"),
        ("Renomeei `load_rows` para `ler`.", "ler"),
        ("I extracted it into a module called operations.", "operations"),
        ("I introduced `flatten` in src/rows.py.", "flatten"),
    ],
)
def test_a_name_in_words_or_in_what_is_excepted_is_a_claim(text: str, ghost: str) -> None:
    assert ghost in against(text)


@pytest.mark.parametrize(
    "text",
    [
        "No file was changed except src/rows.py.",
        "Nada foi alterado além de src/rows.py.",
        "I did not write a Makefile, a Dockerfile or a .env.example.",
        "There was no need for a LICENSE.",
        "I did not need a new function; the class RowReader is unchanged.",
        "Adicionei uma função auxiliar em src/rows.py.",
        "I added a class method that reads rows.",
        "I renamed nothing.",
    ],
)
def test_an_exception_that_was_seen_and_a_plain_word_are_no_false_claims(text: str) -> None:
    assert against(text) == []


@given(st.text(max_size=200))
def test_a_tool_whose_name_says_little_may_have_done_anything(text: str) -> None:
    assert list(undone(text, [HTTP], changed=False)) == []
    assert list(unserved(text, [HTTP], changed=False)) == []
