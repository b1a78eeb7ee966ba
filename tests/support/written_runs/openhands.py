"""Runs in the style of OpenHands: `execute_bash` with its own footer, an editor with sub-commands, IPython cells."""

from .writing import Good, Steps, Stuck, call, listing, rounds

EDITOR = "str_replace_editor"
_FOOTER = "\n[The command completed with exit code {}.]\n[Current working directory: /workspace/app]\n[Python interpreter: /opt/py/bin/python]"


def run(command: str, result: str, code: int = 0, **more: str):  # type: ignore[no-untyped-def]
    """A command in the shell; the harness marks no failure."""
    return call("execute_bash", result + _FOOTER.format(code), command=command, is_input="false", **more)


def _edit(path: str, old: str, new: str, result: str = "The file {} has been edited.", failed: bool = False):  # type: ignore[no-untyped-def]
    return call(EDITOR, result.format(path), failed, command="str_replace", path=path, old_str=old, new_str=new)


def _view(path: str, first: int = 1, last: int = 80):  # type: ignore[no-untyped-def]
    return call(EDITOR, f"Here's the result of running `cat -n` on {path}:\n{listing(first, last)}", command="view",
                path=path)  # fmt: skip


def _begin() -> Steps:
    return [
        run("cd /workspace/app && git log --oneline | head -3", "a1b2c3d first\n99887aa second"),
        run("grep -rn 'class Queue' --include=*.py .", "./queue.py:12:class Queue:"),
        _view("/workspace/app/queue.py"),
    ]


def _tests_by_label() -> Steps:
    def one(number: int) -> Steps:
        label = ("forms_tests", "model_forms", "admin_views", "utils_tests", "queries", "schema", "urlpatterns")[number]
        return [
            run(
                f"./tests/runtests.py {label}",
                f"System check identified no issues (0 silenced).\n\nRan 40{number} tests in {number}.204s\n\nOK",
            )
        ]

    return [*_begin(), _edit("queue.py", "a", "b"), *rounds(7, one), call("finish", "", message="done")]


def _a_server_that_comes_up() -> Steps:
    down = "curl: (7) Failed to connect to localhost port 8000 after 0 ms: Connection refused"
    return [
        *_begin(),
        run("python app.py > server.log 2>&1 &", "[1] 812"),
        *rounds(4, lambda n: [run("sleep 3 && curl -s localhost:8000/health", down, 7)]),
        run("tail -5 server.log", "loading model 3 of 4"),
        *rounds(3, lambda n: [run("sleep 3 && curl -s localhost:8000/health", down, 7)]),
        run("sleep 3 && curl -s localhost:8000/health", '{"ok": true}'),
    ]


def _a_long_command_that_is_waited_for() -> Steps:
    waiting = (
        "[The command has no new output after 30 seconds. You may wait longer to see additional output by sending empty "
        "command '', send other commands to interact with the current process]"
    )
    return [
        *_begin(),
        call("execute_bash", "Building wheel…\n" + waiting, command="pip install -e .", is_input="false"),
        *[call("execute_bash", waiting, command="", is_input="true")] * 9,
        run("", "Successfully installed app-0.3"),
    ]


def _missing_packages_one_by_one() -> Steps:
    names = ("yaml", "requests", "attr", "numpy", "dateutil", "jinja2")

    def one(number: int) -> Steps:
        error = f"Traceback (most recent call last):\n  File \"app.py\", line 3, in <module>\nModuleNotFoundError: No module named '{names[number]}'"
        return [
            run("python app.py", error, 1),
            run(f"pip install {names[number]}", f"Successfully installed {names[number]}"),
        ]

    return [*_begin(), *rounds(6, one), run("python app.py", "ready")]


def _measuring_a_flaky_test() -> Steps:
    outcomes = ("1 passed in 0.31s", "1 failed in 0.29s", "1 passed in 0.30s", "1 passed in 0.33s", "1 failed in 0.31s")
    return [
        *_begin(),
        *[run("pytest -q tests/test_race.py", text, int("failed" in text)) for text in outcomes],
        _edit("queue.py", "self.items", "with self.lock: self.items"),
        *[run("for i in 1 2 3 4 5; do pytest -q tests/test_race.py || break; done", "1 passed\n" * 5)] * 2,
    ]


def _notebook_cells_that_get_on() -> Steps:
    def one(number: int) -> Steps:
        code = f"df[df.year == {2010 + number}].sales.mean()"
        return [
            call(
                "execute_ipython_cell",
                f"{number * 31.7:.2f}\n[Jupyter current working directory: /workspace]",
                code=code,
            )
        ]

    return [*_begin(), *rounds(12, one)]


def _the_same_tests_with_other_times() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        text = (
            f"Creating test database for alias 'default'...\n....E\nRan 12 tests in 0.{number + 11}s\n\n"
            "FAILED (errors=1)\nDestroying test database for alias 'default'..."
        )
        return [
            run("python -m unittest discover -s tests", text, 1),
            run(
                f"sed -n '{10 * number + 1},{10 * number + 10}p' tests/test_queue.py",
                listing(10 * number, 10 * number + 9),
            ),
        ]

    return _begin(), rounds(12, one)


def _one_traceback_by_many_roads() -> tuple[Steps, Steps]:
    roads = (
        "python -m app.main", "cd /workspace && python -m app.main", "PYTHONPATH=. python -m app.main",
        "PYTHONPATH=/workspace python -m app.main --debug", "python -m app.main --config dev.toml",
        "env PYTHONPATH=src python -m app.main", "python3 -m app.main", "python -W ignore -m app.main",
        "cd .. && python -m app.main", "PYTHONPATH=.. python3 -m app.main", "python -X dev -m app.main",
        "python -m app.main -v", "python -I -m app.main", "cd / && python -m app.main",
    )  # fmt: skip
    error = 'Traceback (most recent call last):\n  File "<frozen runpy>", line {}, in _run\nImportError: attempted relative import with no known parent package'
    return _begin(), [run(road, error.format(190 + at), 1) for at, road in enumerate(roads)]


def _several_occurrences() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        told = f"No replacement was performed. Multiple occurrences of old_str `self.n{number % 4}` in lines [{12 + number}, {40 + number}]. Please ensure it is unique."
        return [
            _edit("/workspace/app/queue.py", f"self.n{number % 4}", f"self.m{number}", told),
            _view("/workspace/app/queue.py", 1, 60),
        ]

    return _begin(), rounds(13, one)


def _a_shell_that_is_still_busy() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        command = ("ls", "pwd", "cat app.py", "git status", "ps aux", "python app.py", "echo hi", "whoami")[number % 8]
        told = f'[Your command "{command}" is NOT executed. The previous command is still running - You CANNOT send new commands until the previous command is completed.]'
        return [call("execute_bash", told, command=command, is_input="false")]

    begun = call(
        "execute_bash",
        "Password:\n[The command has no new output after 10 seconds.]",
        command="su admin",
        is_input="false",
    )
    return [*_begin(), begun], rounds(16, one)


def _edits_by_line_that_are_rejected() -> tuple[Steps, Steps]:
    def one(number: int) -> Steps:
        told = f"ERROR: Your proposed edit has introduced new syntax error(s).\nERRORS:\n/workspace/app/queue.py:{30 + number}:1: E999 SyntaxError: '(' was never closed"
        return [
            call(
                "execute_ipython_cell",
                told,
                code=f"edit_file_by_line('queue.py', start={30 + number}, end={33 + number}, content='push(({number}')",
            )
        ]

    return _begin(), rounds(14, one)


def _the_same_two_in_turn() -> tuple[Steps, Steps]:
    turn = [
        _view("/workspace/app/queue.py", 1, 60),
        run("python repro.py", 'Traceback (most recent call last):\n  File "repro.py", line 9\nqueue.Empty', 1),
    ]
    return _begin(), turn * 9


GOOD: dict[str, Good] = {
    "tests by label": _tests_by_label,
    "a server that comes up": _a_server_that_comes_up,
    "a long command that is waited for": _a_long_command_that_is_waited_for,
    "missing packages one by one": _missing_packages_one_by_one,
    "measuring a flaky test": _measuring_a_flaky_test,
    "notebook cells that get on": _notebook_cells_that_get_on,
}
STUCK: dict[str, Stuck] = {
    "the same tests with other times": _the_same_tests_with_other_times,
    "one traceback by many roads": _one_traceback_by_many_roads,
    "several occurrences": _several_occurrences,
    "a shell that is still busy": _a_shell_that_is_still_busy,
    "edits by line that are rejected": _edits_by_line_that_are_rejected,
    "the same two in turn": _the_same_two_in_turn,
}
