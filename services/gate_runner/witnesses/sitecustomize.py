"""What a gate has Python load at its start: it tells of runners of tests, or watches programs given to Python itself.

A program that a check gives to Python (`python -c …`, `python - <<END`) is run from here, within what tells of an early
end (`arreio_ending`), and the process ends with it. It keeps to what Python 3.8 has; before 3.10 no such program is
watched, as it cannot be known. A `sitecustomize` of the environment's own is loaded first.
"""

from __future__ import annotations

import os
import sys

NAME = ".arreio-inline"
VALUED = ("W", "X")


def given_program(words: list[str]) -> tuple[str, list[str]] | None:
    """The text of the program that the words after `python` give, and its `sys.argv`; None where they name a file."""
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if word == "-":
            return sys.stdin.read(), ["-", *words[place:]]
        if word == "--check-hash-based-pycs":
            place += 1
        if word.startswith("--"):
            continue
        if not word.startswith("-"):
            return None
        for at, letter in enumerate(word[1:], start=1):
            rest = word[at + 1 :]
            if letter == "m":
                return None
            if letter == "c":
                left = ([rest] if rest else []) + words[place:]
                return (left[0], ["-c", *left[1:]]) if left else None
            if letter in VALUED:
                place += not rest
                break
    return None


def run(source: str, given: list[str], changed: list[str]) -> None:
    """Run the program, and end the process as Python would."""
    import atexit
    import traceback

    from arreio_ending import Watcher

    root = os.path.realpath(os.environ.get("ARREIO_ROOT") or ".")
    file = f"{root}/{NAME}"
    sys.argv = given
    sys.path.insert(0, "")
    watcher = Watcher(source, file, NAME, changed)
    watcher.watch_ends()
    status = 0
    try:
        exec(compile(source, file, "exec", dont_inherit=True), sys.modules["__main__"].__dict__)
        watcher.tell_of_agreeing()
    except SystemExit as error:
        if error.code in (None, 0):
            watcher.look(traceback.extract_tb(error.__traceback__))
        elif isinstance(error.code, int):
            status = error.code & 255
        else:
            sys.stderr.write(f"{error.code}\n")
            status = 1
    except BaseException:  # noqa: BLE001 - so does Python itself
        watcher.failed = True
        traceback.print_exc()
        status = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    watcher.end(status)


def load_other() -> None:
    """Load the `sitecustomize` that this one hides, where there is one."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - nothing more is imported
    spec = PathFinder.find_spec("sitecustomize", [one for one in sys.path if os.path.abspath(one) != here])  # noqa: PTH100
    if spec is not None and spec.loader is not None and spec.origin != __file__:
        spec.loader.exec_module(module_from_spec(spec))


load_other()
if os.environ.get("ARREIO_EXAMPLES"):
    import arreio_examples  # noqa: F401 - it tells by being loaded
elif os.environ.get("ARREIO_STARTING"):
    import arreio_starting  # noqa: F401 - it tells by being loaded
elif os.environ.get("ARREIO_ENDING") and "--multiprocessing-fork" not in sys.argv:
    import json

    _given = given_program(getattr(sys, "orig_argv", [""])[1:])
    if _given is not None:
        run(*_given, json.loads(os.environ["ARREIO_ENDING"])["changed"])
