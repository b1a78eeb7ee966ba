"""Which programs of a command are what a task is about, and which judge it."""

import pytest

from shared.subjects import subjects

SUM = "import sys\n\nprint(int(sys.argv[1]) - int(sys.argv[2]))\n"
MAIN = "from calc import add\n\nprint(add(2, 3))\n"
ASSERTS = "import calc\n\nassert calc.add(2, 3) == 5\n"
EXITS = "import sys\nimport calc\n\nif calc.add(2, 3) != 5:\n    sys.exit(1)\n"
OWN = "def add(a, b):\n    return a - b\n\nif __name__ == '__main__':\n    import doctest\n    doctest.testmod()\n"
OTHERS = "import doctest\nimport calc\n\ndoctest.testmod(calc)\n"
RUNS = "#!/bin/sh\npython3 -m pytest -q\n"


@pytest.mark.parametrize(
    ("command", "path", "text", "goal"),
    [
        ("python3 sum.py 2 3 | grep -qx 5", "sum.py", SUM, "sum.py must add its two arguments."),
        ("python3 sum.py 2 3 | grep -qx 5", "sum.py", SUM, "O programa soma errado; arrume."),
        ("cd src && python3 sum.py 2 3 | grep 5", "src/sum.py", SUM, "There is a bug in the sum. Fix it."),
        ("python3 sum.py 2 3 > out.txt && grep -qx 5 out.txt", "sum.py", SUM, "Make `python3 sum.py 2 3` print 5."),
        ("node src/app.js | grep -qx 5", "src/app.js", "console.log(2 - 3);\n", "O programa deve imprimir 5."),
        ("bin/tool | grep -q hello", "bin/tool", "#!/bin/sh\nexit 1\n", "The tool must print hello."),
        ("python3 app.py", "app.py", "import sys\nsys.exit('boom')\n", "O app quebra ao iniciar. Corrija."),
        ("python3 build.py", "build.py", "import sys\nsys.exit(1)\n", "The build fails. Make it work."),
        ("python3 calc.py", "calc.py", OWN, "Fix add."),
        ("python3 main.py | grep 5", "main.py", MAIN, "The program adds wrongly. Mend it."),
        ("python3 main.py | grep 5", "main.py", MAIN, "main.py must add by calc.py."),
    ],
)
def test_what_a_command_looks_at_is_what_the_task_is_about(command: str, path: str, text: str, goal: str) -> None:
    held = {path: text, "calc.py": "def add(a, b):\n    return a - b\n"}
    assert subjects(command, goal, lambda one: held.get(one, "")) == {path}


@pytest.mark.parametrize(
    ("command", "path", "text", "goal"),
    [
        ("python3 run_checks.py | tee log", "run_checks.py", ASSERTS, "The sum is wrong."),
        ("python3 try_it.py", "try_it.py", OTHERS, "The sum is wrong."),
        ("python3 try_it.py", "try_it.py", ASSERTS, "The sum is wrong."),
        ("python3 try_it.py", "try_it.py", EXITS, "The sum is wrong."),
        ("./go.sh | grep passed", "go.sh", RUNS, "The sum is wrong."),
        ("./go.sh", "go.sh", "#!/bin/sh\npython3 sum.py 2 3 | grep 5\n", "The sum is wrong."),
        ("python3 main.py | grep 5", "main.py", MAIN, "Fix add."),
        ("python3 main.py | grep 5", "main.py", MAIN, "Mend calc.py."),
        ("python3 main.py | grep 5", "main.py", MAIN, "The sum is wrong; do not change main.py."),
        ("python3 main.py", "main.py", MAIN, "Corrija a soma sem mexer em main.py."),
    ],
)
def test_what_judges_others_or_only_shows_what_is_wrong_elsewhere_judges(
    command: str, path: str, text: str, goal: str
) -> None:
    held = {path: text, "calc.py": "def add(a, b):\n    return a - b\n"}
    assert subjects(command, goal, lambda one: held.get(one, "")) == frozenset()


def test_a_program_that_is_not_there_yet_is_what_the_task_is_about() -> None:
    assert subjects("python3 -m greet", "Write a program that greets.", lambda _: "") == {"greet.py"}
