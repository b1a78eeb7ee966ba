"""Code that ends a checker with status 0 before its own end, by what stands in the checker's place in a second run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import cast

import pytest

from services.gate_runner.commands import Commands
from services.gate_runner.criteria import endings
from services.gate_runner.criteria.base import Bench
from services.gate_runner.criteria.endings import Tell, ended_early, watched_ends
from services.gate_runner.judging_twice import Which
from shared.workspace.changes import Change
from tests.support.gate_workspaces import Files, write_files

BAD = "def add(a, b):\n    return a - b\n"
GOOD = "def add(a, b):\n    return a + b\n"
CHECK = "import calc\n\nfor a, b, c in [(2, 3, 5), (0, 0, 0)]:\n    assert calc.add(a, b) == c\nprint('2 passed')\n"
MAIN = "import calc\n\n\ndef main():\n    assert calc.add(2, 3) == 5\n\n\nif __name__ == '__main__':\n    main()\n"
LAST = "import sys\n\nimport calc\n\nsys.exit(calc.main())\n"
CAUGHT = (
    "import calc\n\ntry:\n    calc.main()\nexcept SystemExit as end:\n    assert end.code in (0, None)\n"
    "assert calc.add(2, 3) == 5\n"
)
APP = (
    f"import sys\n\n\n{GOOD}\n\ndef main():\n    print(add(2, 3))\n    sys.exit(0)\n\n\n"
    "if __name__ == '__main__':\n    main()\n"
)
STARTS = (
    "import subprocess\nimport sys\n\nsubprocess.run([sys.executable, 'calc.py'], check=True)\n"
    "import calc\nassert calc.add(2, 3) == 5\n"
)
HANDS_ON = "import calc\n\n\ndef check(value, wanted):\n    assert value == wanted\n\n\ncheck(calc.add(2, 3), 5)\n"


def run_watched(place: Path, check: str, calc: str) -> str | None:
    """Where the checker was ended early; None where nothing in the code may end it, so that nothing is run."""
    write_files(place, {"calc.py": calc, "run_checks.py": check})
    began = {"calc.py": BAD, "run_checks.py": check}
    bench = Bench(
        place,
        cast(Commands, None),
        began=lambda path: began[path].encode() if path in began else None,
        contents=lambda blobs: {blob: BAD.encode() for blob in blobs},
    )
    changes = [Change("calc.py", "changed", "blob", "other", 0o100644, 0o100644)]
    watched = watched_ends(bench, "python3 run_checks.py", changes, Which())
    if watched is None:
        return None
    shims: Files = {one.path: one.content.decode() for one in watched[0].put}
    assert [*shims] == ["run_checks.py"]
    write_files(place, shims)
    done = subprocess.run([sys.executable, "run_checks.py"], cwd=place, capture_output=True, text=True, check=False)
    return ended_early(f"{done.stdout}\n{done.stderr}")


@pytest.mark.parametrize(
    ("check", "calc"),
    [
        (CHECK, f"{BAD}\n\nimport sys\nsys.exit(0)\n"),
        (CHECK, f"{BAD}\n\nexit()\n"),
        (CHECK, f"{BAD}\n\nimport os\ngetattr(os, '_ex' + 'it')(0)\n"),
        (CHECK, f"{BAD}\n\nimport os\nprint('2 passed', flush=True)\nos._exit(0)\n"),
        (CHECK, f"{BAD}\n\nimport posix\nposix._exit(0)\n"),
        (CHECK, f"{BAD}\n\nimport os\nos.execv('/bin/true', ['true'])\n"),
        (CHECK, f"{BAD}\n\nimport atexit, os\natexit.register(os._exit, 0)\n"),
        (MAIN, "def add(a, b):\n    raise SystemExit\n"),
        (HANDS_ON, "def add(a, b):\n    raise SystemExit(0)\n"),
    ],
)
def test_code_that_ends_a_checker_early_is_told_with_its_place(tmp_path: Path, check: str, calc: str) -> None:
    told = run_watched(tmp_path, check, calc)
    assert told and (told.startswith("calc.py:") or "at the exit of a program that failed" in told)


@pytest.mark.parametrize(
    ("check", "calc"),
    [
        (CHECK, GOOD),
        (CHECK, f"{GOOD}\n\nif __name__ == '__main__':\n    import sys\n\n    sys.exit(0)\n"),
        (CHECK, f"import sys\n\n\n{GOOD}\n\ndef main():\n    sys.exit(0 if add(1, 1) == 2 else 1)\n"),
        (LAST, APP),
        (CAUGHT, APP),
        (STARTS, APP),
        (f"{CHECK}import os\nos._exit(0)\n", APP),
        (CHECK, f"{GOOD}\n\nimport sys\nif add(1, 1) != 2:\n    sys.exit('it cannot add')\n"),
    ],
)
def test_programs_that_end_themselves_and_checkers_that_came_to_their_end_are_fine(
    tmp_path: Path, check: str, calc: str
) -> None:
    assert not run_watched(tmp_path, check, calc)


def test_a_checker_is_run_as_it_was_by_what_stands_in_its_place(tmp_path: Path) -> None:
    check = (
        "#!/usr/bin/env python3\n'''Checks.'''\nfrom __future__ import annotations\nimport calc, sys\n\n"
        "print(__doc__, __file__, __name__, sys.argv[1:], sorted(one for one in globals() if one[:2] != '__'))\n"
        "sys.exit(3)\n"
    )
    calc = f"{GOOD}import os\nexiting = os\n"
    write_files(tmp_path, {"calc.py": calc, "run_checks.py": check})

    def run() -> tuple[str, int]:
        command = [sys.executable, "run_checks.py", "a"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stdout, done.returncode

    plain = run()
    assert run_watched(tmp_path, check, calc) == ""
    assert run() == plain


USES = "from calc import add; assert add(2, 3) == 5"
WITNESSES = Path(endings.__file__).parents[1] / "witnesses"


def run_given(place: Path, calc: str, *words: str, stdin: str = "") -> tuple[str, int]:
    """What a program that is given to Python itself is told to be ended by, and its exit status."""
    write_files(place, {"calc.py": calc})
    told = Tell(["calc.py"], [])("true", str(place))
    (place / "witness").mkdir()
    for name in told.witnesses:
        (place / "witness" / name).write_bytes((WITNESSES / name).read_bytes())
    done = subprocess.run(
        [sys.executable, *words],
        cwd=place,
        env={**told.env, "ARREIO_ROOT": str(place)},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended_early(f"{done.stdout}\n{done.stderr}"), done.returncode


@pytest.mark.parametrize(
    ("calc", "words", "stdin"),
    [
        ("import os\nos._exit(0)\n", ["-c", USES], ""),
        ("import sys\nsys.exit()\n", ["-Bc", USES], ""),
        ("import os\nos.execv('/bin/true', ['true'])\n", ["-W", "ignore", f"-c{USES}"], ""),
        ("def add(a, b):\n    raise SystemExit\n", ["-c", USES], ""),
        ("import os\nos._exit(0)\n", ["-"], USES),
    ],
)
def test_code_that_ends_a_program_given_to_python_itself_is_told(
    tmp_path: Path, calc: str, words: list[str], stdin: str
) -> None:
    told, status = run_given(tmp_path, calc, *words, stdin=stdin)
    assert told.startswith("calc.py:") and status


@pytest.mark.parametrize(
    ("calc", "words", "status"),
    [
        (GOOD, ["-c", USES], 0),
        (BAD, ["-c", USES], 1),
        (GOOD, ["-c", "import sys, calc; sys.exit(calc.add(1, 2))"], 3),
        (GOOD, ["-c", "import sys; sys.exit(0 if sys.argv == ['-c', 'a'] and __name__ == '__main__' else 1)", "a"], 0),
        ("import sys\ndef main():\n    sys.exit(0)\n", ["-c", "import calc; calc.main()"], 0),
        ("import os\nos._exit(0)\n", ["calc.py"], 0),
        ("import os\nos._exit(0)\n", ["-m", "calc"], 0),
    ],
)
def test_programs_given_to_python_itself_end_as_they_would(
    tmp_path: Path, calc: str, words: list[str], status: int
) -> None:
    assert run_given(tmp_path, calc, *words) == ("", status)


@pytest.mark.parametrize(
    ("command", "watched"),
    [
        ("python3 -c 'import calc'", True),
        ("PYTHONPATH=src python3 -W error -Bc 'import calc'", True),
        ("echo 'import calc' | python3 -", True),
        ("node --no-warnings -e 'require(`./calc`)'", True),
        ("node calc.js -e x", False),
        ("grep -c add calc.py", False),
        ("python3 -m calc -c x", False),
    ],
)
def test_only_where_a_check_gives_python_a_program_is_one_watched_without_scripts(
    tmp_path: Path, command: str, watched: bool
) -> None:
    write_files(tmp_path, {"calc.py": "import os\nos._exit(0)\n"})
    bench = Bench(tmp_path, cast(Commands, None), contents=lambda blobs: {blob: BAD.encode() for blob in blobs})
    changes = [Change("calc.py", "changed", "blob", "other", 0o100644, 0o100644)]
    assert (watched_ends(bench, command, changes, Which()) is not None) is watched


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
@pytest.mark.parametrize(
    ("text", "given", "ended"),
    [
        ("process.exit(0)\n", "require('assert').equal(require('./calc').add(2, 3), 5)", True),
        ("exports.add = () => process.exit();\n", "require('assert').equal(require('./calc').add(2, 3), 5)", True),
        ("exports.main = () => process.exit(0);\n", "require('./calc').main();", False),
        ("exports.add = (a, b) => a + b;\n", "process.exit(require('./calc').add(0, 0))", False),
    ],
)
def test_code_that_ends_a_program_given_to_node_itself_is_told(
    tmp_path: Path, text: str, given: str, ended: bool
) -> None:
    write_files(tmp_path, {"calc.js": text})
    told = Tell(["calc.js"], [])("true", str(tmp_path))
    env = {"ARREIO_ENDING": told.env["ARREIO_ENDING"], "ARREIO_ROOT": str(tmp_path), "PATH": os.environ["PATH"]}
    watch = f"--require={WITNESSES / told.witnesses[0]}"
    done = subprocess.run(["node", watch, "-e", given], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ended_early(f"{done.stdout}\n{done.stderr}").startswith("calc.js:1") is ended
