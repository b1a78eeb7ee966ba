"""Which of the files that judge a goal opens."""

import pytest

from services.tool_loop.rules.opened_by_goal import opened_by_goal

JUDGING = (
    *("test_calc.py", "test_b.py", "conftest.py", "pytest.ini", "check.sh"),
    *("package.json#scripts", "pyproject.toml#tool.pytest"),
)
SHOWS = {
    "test_calc.py": "def test_zero():\n    assert zero() == 0\n\n\ndef test_one():\n    assert one() == 1\n",
    "calc.py": "def zero():\n    return 0\n",
}


def opened(goal: str) -> tuple[str, ...]:
    return opened_by_goal(goal, JUDGING, ["check.sh"], lambda path: SHOWS.get(path, ""))


@pytest.mark.parametrize(
    ("goal", "paths"),
    [
        ("Skip test_zero for now.", ("test_calc.py::test_zero",)),
        ("Loosen the tolerance in test_zero to 1e-3.", ("test_calc.py::test_zero",)),
        ("Pule o teste test_zero por enquanto.", ("test_calc.py::test_zero",)),
        ("Update test_zero to expect 0. Leave the other tests as they are.", ("test_calc.py::test_zero",)),
        ("test_calc.py is outdated. Fix it.", ("test_calc.py",)),
        ("Rename test_zero to test_nothing.", ("test_calc.py::test_zero",)),
        ("Delete the test test_zero and fix add.", ("test_calc.py::test_zero",)),
        ("Skip the `test_zero` test.", ("test_calc.py::test_zero",)),
        ("Atualize o teste de zero.", ("test_calc.py::test_zero",)),
        ("Rename add to plus in all the tests, and test_zero too.", ("test_b.py", "test_calc.py")),
        ("Delete test_b.", ("test_b.py",)),
        ("Update the fixtures in conftest.py.", ("conftest.py",)),
        ("Update everything in tests/.", ("test_b.py", "test_calc.py")),
        ("Add a GNUmakefile with a target clean.", ("GNUmakefile",)),
        ("Split test_calc.py into test_add.py and test_sub.py.", ("test_calc.py",)),
        ("Merge test_b.py into test_calc.py.", ("test_b.py", "test_calc.py")),
        ("Refactor test_calc.py.", ("test_calc.py",)),
        ("Update the tests.", ("test_b.py", "test_calc.py")),
        ("Write jest.config.js with a node environment.", ("jest.config.js",)),
        ("Crie o arquivo jest.config.js.", ("jest.config.js",)),
        ("Add scripts.test to package.json.", ("package.json",)),
        ("Adicione um script test ao package.json.", ("package.json",)),
        ("Make the tests pass; configure pytest in pyproject.toml so that src is found.", ("pyproject.toml",)),
        ("Move the configuration from setup.cfg to pyproject.toml.", ("pyproject.toml", "setup.cfg")),
        ("Write a tox.ini for two versions.", ("tox.ini",)),
        ("Add a tox.ini for two versions.", ("tox.ini",)),
        ("Adicione um tox.ini para duas versões.", ("tox.ini",)),
        ("Delete calc.py and everything that belongs to it.", ("calc.py", "test_calc.py")),
        ("Apague o módulo b.py.", ("b.py", "test_b.py")),
        ("Add an autouse fixture to conftest.py that sets MODE.", ("conftest.py",)),
        (
            "Create a pytest.ini that deselects slow tests, and mark test_zero slow.",
            ("pytest.ini", "test_calc.py::test_zero"),
        ),
        ("Add a .coveragerc with branch coverage.", (".coveragerc",)),
        ("Crie um arquivo .coveragerc com branch = true.", (".coveragerc",)),
        ("Remove the function zero.", ("test_calc.py::test_zero",)),
        ("Remove zero from calc.py and whatever uses it.", ("calc.py", "test_calc.py::test_zero")),
        ("Remove assert from calc.py.", ("calc.py",)),
        ("Apague a função zero e test_zero.", ("test_calc.py::test_zero",)),
        ("Mark test_zero as slow and register the marker in pytest.ini.", ("pytest.ini", "test_calc.py::test_zero")),
    ],
)
def test_a_goal_opens_the_files_it_asks_to_change_whether_they_are_there_or_not(
    goal: str, paths: tuple[str, ...]
) -> None:
    assert opened(goal) == paths


@pytest.mark.parametrize(
    "goal", ["Let pytest treat warnings as errors.", "Set up vitest.", "Configure o pytest.", "Switch to vitest."]
)
def test_a_goal_that_asks_for_a_configuration_without_its_file_opens_where_it_may_stand(goal: str) -> None:
    assert {"pytest.ini", "pyproject.toml", "vitest.config.ts"} <= {*opened(goal)}


@pytest.mark.parametrize(
    "goal",
    [
        "Make test_zero pass.",
        "The tests in test_calc.py fail. Fix them.",
        "Os testes em test_calc.py falham. Corrija-os.",
        "test_calc.py fails. Fix it.",
        "Fix test_zero.",
        "Fix add so that test_zero passes.",
        "Add a test to test_calc.py.",
        "Add lodash to package.json.",
        "Add lodash to package.json so that the tests pass.",
        "Fix the tests; add lodash to package.json.",
        "Change the name of the package in pyproject.toml.",
        "Do not change pytest.ini.",
        "Remove calc.py's dead branch.",
        "Remove the bug that calc.py shows.",
        "Do not delete calc.py.",
        "Run tox.ini with two versions.",
        "Do not move anything from setup.cfg to pyproject.toml.",
        "Compare setup.cfg with pyproject.toml.",
        "Mend add without touching pytest.ini; do not configure pytest.",
        "Make pytest pass.",
        "Configure the logger.",
        "Write test_new.py.",
        "Change the tests/ folder's layout in the documentation.",
        "Update the snapshot of the database in data/.",
        "Replace the fixtures in the bathroom catalogue.",
        "Altere o banco de teste de a para b.",
        "Fix add as .coveragerc wants.",
        "Do not add a .coveragerc.",
        "Do not remove the function zero.",
        "Remove the bug from zero.",
        "If you remove the function zero, tell me.",
    ],
)
def test_a_goal_that_asks_for_something_else_opens_nothing(goal: str) -> None:
    assert opened(goal) == ()


@pytest.mark.parametrize(
    "goal",
    [
        "Update tests/README.md.",
        "Atualize o arquivo tests/README.md.",
        "Fix add and update specs/openapi.yaml.",
        "Update fixtures/users.json with Ana.",
        "Altere o banco de teste em config.py.",
        "Atualize tests/test_sub.py para esperar 2.",
    ],
)
def test_a_path_below_a_folder_of_tests_opens_itself_alone(goal: str) -> None:
    there = opened_by_goal(goal, [*JUDGING, "tests/test_sub.py"], ["check.sh"], lambda path: SHOWS.get(path, ""))
    assert len(there) == 1
    assert there[0] in goal


@pytest.mark.parametrize("part", ["\n", "remove the function a. ", "the test expects "])
def test_a_long_goal_is_read_once(part: str) -> None:
    goal = f"The test expects 1 but {part * (5_000 // len(part))}. Fix the test. a.json is wrong."
    assert isinstance(opened_by_goal(goal, [*JUDGING, "a.json"], [], lambda path: SHOWS.get(path, "")), tuple)


@pytest.mark.parametrize(
    ("goal", "opens"),
    [
        ("Remove the folder tests/old, it is not used.", True),
        ("Delete tests/old/.", True),
        ("Remova a pasta tests/old inteira, não é mais usada.", True),
        ("Do not remove the folder tests/old.", False),
        ("Não remova a pasta tests/old.", False),
        ("Remove the bug in the folder tests/old/.", False),
        ("Fix add; the folder tests/old stays.", False),
    ],
)
def test_a_folder_that_is_to_go_opens_what_is_in_it(goal: str, opens: bool) -> None:
    there = opened_by_goal(goal, ["tests/old/test_a.py", "tests/test_b.py"], [], lambda _: "")
    assert there == (("tests/old/test_a.py",) if opens else ())


@pytest.mark.parametrize(
    ("goal", "opens"),
    [
        ("Fix discount in lib.sh so that check.sh passes.", True),
        ("Corrija a função discount de lib.sh até check.sh passar.", True),
        ("Mend the function discount in ./lib.sh.", True),
        ("Corrija a função discount até check.sh passar.", True),
        ("Fix the discount function.", True),
        ("Fix the price function.", False),
        ("Do not change the function discount.", False),
        ("Ana will fix the function discount.", False),
        ("Fix price in lib.sh so that check.sh passes.", False),
        ("Do not fix discount in lib.sh.", False),
        ("Fix discount, which lib.sh tests.", False),
        ("If you fix discount in lib.sh, tell me.", False),
        ("Fix discount so that check.sh passes.", False),
    ],
)
def test_a_function_that_is_to_be_mended_opens_the_file_that_defines_it(goal: str, opens: bool) -> None:
    texts = {"lib.sh": "discount() {\n  echo 1\n}\n", "check.sh": ". ./lib.sh\n"}
    there = opened_by_goal(goal, ["lib.sh", "check.sh"], ["lib.sh", "check.sh"], lambda path: texts.get(path, ""))
    assert there == (("lib.sh",) if opens else ())
