"""Which files checkers give to the programs they look at, and which they are compared with and may not be written."""

import pytest

from services.gate_runner.judging_twice import Texts, measures
from services.gate_runner.judging_twice.given import is_given

GOAL = "count.py and wc.sh must count lines."


@pytest.mark.parametrize(
    "line",
    [
        "out=$(sh wc.sh in.txt)",
        '[ "$(sh wc.sh in.txt)" = 3 ]',
        "test $(sh wc.sh < in.txt) -eq 3",
        "cat in.txt | sh wc.sh | grep -qx 3",
        "python3 count.py --file=in.txt",
        "./count ./in.txt",
        "\t@./count data/in.txt",
        "IN=in.txt",
        "for f in a.txt in.txt; do sh wc.sh $f; done",
        "subprocess.run([sys.executable, 'count.py', 'in.txt'])",
        "from count import count\nassert count('in.txt') == 3",
        "import count\nassert count.lines('in.txt') == 3",
    ],
)
def test_what_a_checkers_line_gives_to_a_program_is_given(line: str) -> None:
    assert is_given("data/in.txt" if "data/" in line else "in.txt", line, GOAL)


@pytest.mark.parametrize(
    ("line", "path", "goal"),
    [
        ("grep -q x in.txt", "in.txt", GOAL),
        ("sh wc.sh; grep -q x in.txt", "in.txt", GOAL),
        ("assert 'x' in open('in.txt').read()", "in.txt", GOAL),
        ("from pathlib import Path\nassert Path('in.txt').exists()", "in.txt", GOAL),
        ("sh wc.sh > in.txt", "in.txt", GOAL),
        ("python3 count.py in.txt", "in.txt", "Add Ana to the people."),
        ("python3 app.py config.json", "config.json", "app.py must listen on port 8080."),
        ("python3 count.py begin.txt", "in.txt", GOAL),
    ],
)
def test_what_it_looks_at_or_writes_is_not(line: str, path: str, goal: str) -> None:
    assert not is_given(path, line, goal)


@pytest.mark.parametrize(
    "check",
    [
        "sh greet.sh > out.txt\ndiff out.txt want.dat",
        "sh greet.sh | diff - want.dat",
        "cmp out.txt want.dat",
        '[ "$(sh greet.sh)" = "$(cat want.dat)" ]',
        'test "$(cat want.dat)" = "$(sh greet.sh)"',
        "assert greet() == open('want.dat').read()",
    ],
)
def test_what_is_compared_with_may_not_be_written(check: str) -> None:
    assert measures(["out.txt", "want.dat"], Texts(check, "", "greet.sh must greet.")) >= {"want.dat"}


@pytest.mark.parametrize(
    "check",
    [
        "sh greet.sh > want.dat\ngrep -q Hi want.dat",
        "sh greet.sh | diff - want.dat\nsh greet.sh > want.dat",
        "python3 fmt.py want.dat && diff want.dat a.txt",
        "python3 gen.py --out want.dat && diff want.dat a.txt",
        "cp new.txt want.dat\ndiff want.dat a.txt",
    ],
)
def test_what_a_check_writes_or_hands_on_to_be_written_may(check: str) -> None:
    assert not measures(["want.dat"], Texts(check, "", "greet.sh must greet."))


def test_what_the_goal_speaks_of_or_code_names_is_no_measure() -> None:
    assert not measures(["want.dat"], Texts("diff out want.dat", "", "Renew want.dat."))
    assert not measures(["want.dat"], Texts("diff out want.dat", "open('want.dat', 'w')", "Mend it."))


@pytest.mark.parametrize(
    "check", ["for f in golden/*.txt; do cmp -s out $f; done", "for one in Path('golden').glob('*.txt'):\n    pass\n"]
)
def test_a_folder_of_measures_counts_as_a_whole(check: str) -> None:
    paths = ["golden/10.txt", "notes/10.md"]
    assert measures(paths, Texts(check, "", "Mend shop.py.")) == {"golden/10.txt"}
    assert not measures(paths, Texts(check, "", "Renew the golden files."))
    assert not measures(paths, Texts(check, "for one in glob('golden/*'): pass", "Mend shop.py."))
    assert not measures(paths, Texts("sh shop.sh", "", "Mend shop.py."))
