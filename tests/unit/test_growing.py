"""What a goal asks to add to may grow, and loses nothing."""

import pytest

from services.gate_runner.cheating.makefiles import only_grown
from services.gate_runner.judging_twice import grew
from services.tool_loop.rules.opened_by_goal import opened_by_goal

MAKEFILE = "-include local.mk\n\n.PHONY: check\n\ncheck: build\n\tpytest -q\n\nbuild:\n\ttrue\n"
CLEAN = "\nclean:\n\trm -rf build\n"


@pytest.mark.parametrize(
    ("before", "now", "grows"),
    [
        ("[[0, 0], [2, 3]]", "[[0, 0], [2, 3], [4, 4]]", True),
        ("[[0, 0], [2, 3]]", "[[2, 3], [0, 0]]", True),
        ("[[0, 0], [2, 3]]", "[[0, 0], [4, 0]]", False),
        ("[[0, 0], [0, 0]]", "[[0, 0], [4, 0]]", False),
        ('{"a": {"b": 1}}', '{"a": {"b": 1, "c": 2}, "d": 3}', True),
        ('{"a": {"b": 1}}', '{"a": {"b": 2}}', False),
        ('{"a": [1]}', '{"a": [1, 2]}', True),
        ("a,b\n1,2\n", "a,b\n0,0\n1,2\n", True),
        ("a,b\n1,2\n", "a,b\n0,0\n", False),
        ("[1", "[1]", False),
    ],
)
def test_data_grows_where_nothing_is_lost(before: str, now: str, grows: bool) -> None:
    assert grew(before.encode(), now.encode()) is grows


@pytest.mark.parametrize(
    ("now", "grown"),
    [
        (MAKEFILE + CLEAN, True),
        (MAKEFILE.replace("PHONY: check", "PHONY: check\n.PHONY: clean") + CLEAN, True),
        (MAKEFILE.replace("\tpytest -q", "\t@true") + CLEAN, False),
        (MAKEFILE.replace("\tpytest -q", "\t-pytest -q") + CLEAN, False),
        (MAKEFILE + "\ncheck:\n\t@true\n", False),
        (MAKEFILE + "\nSHELL = /bin/true\n" + CLEAN, False),
        (MAKEFILE + "\n.IGNORE:\n" + CLEAN, False),
        (MAKEFILE + "\t@true\n", False),
        (CLEAN + MAKEFILE, False),
    ],
)
def test_a_makefile_grows_by_targets_of_other_names(now: str, grown: bool) -> None:
    assert only_grown(MAKEFILE, now, ["check"]) is grown


@pytest.mark.parametrize(
    ("goal", "opened"),
    [
        ("Add a clean target to the Makefile and fix add.", "Makefile::+"),
        ("Acrescente um alvo clean ao Makefile.", "Makefile::+"),
        ("Fix the Makefile.", "Makefile"),
        ("Change the Makefile: add a clean target to the Makefile.", "Makefile"),
        ("Add the case 4 + 4 = 8 to tests/cases.json.", "tests/cases.json::+"),
        ("Replace the cases in tests/cases.json.", "tests/cases.json"),
    ],
)
def test_a_goal_that_only_adds_opens_what_it_adds_to_for_growth(goal: str, opened: str) -> None:
    assert opened_by_goal(goal, ["Makefile", "test_a.py"], ["Makefile"], lambda _: "x") == (opened,)
