"""Tells that a runner of tests was started in a process of Python, whatever started it: `sitecustomize` loads it.

A file `PID.runner` in the folder for reports says so. What unittest runs leaves `PID.open` there until it has come to
its end, and further where a part of unittest was replaced meanwhile. It keeps to what Python 3.8 has.
"""

from __future__ import annotations

import os
import sys
from typing import Any

PLACE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - nothing more is imported
RUNNERS = ("pytest", "unittest", "nose", "nose2", "trial", "green", "ward", "tox", "nox")
RUNNING = {"_pytest.main": ("wrap_session",), "unittest.suite": ("TestSuite", "run")}
"""What runs the tests, by its module."""
LAST = "unittest.signals"
"""The module of unittest that it loads last: then all that decides on its tests is there, as it is."""
DECIDING = ("unittest.case", "unittest.result", "unittest.runner", "unittest.suite", "unittest.loader", "unittest.main")


anatomies: list[Any] = []


def tell(name: str) -> None:
    """Leave the mark that a runner of that name was started."""
    _write(f"{os.getpid()}.runner", name)


class Watched:
    """A loader of a module that runs tests: once it is loaded, what runs them tells of itself."""

    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def create_module(self, spec: Any) -> Any:
        return self.loader.create_module(spec)

    def exec_module(self, module: Any) -> None:
        self.loader.exec_module(module)
        if module.__name__ == LAST:
            from arreio_anatomy import Anatomy

            anatomies.append(Anatomy((), lenient=DECIDING))
            return
        owner: Any = module
        *path, last = RUNNING[module.__name__]
        for name in path:
            owner = getattr(owner, name)
        setattr(owner, last, told(getattr(owner, last), module.__name__))


class Finder:
    """Finds those modules as others do, and has them watched."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if name not in RUNNING and name != LAST:
            return None
        for other in sys.meta_path:
            spec: Any = None if other is Finder else other.find_spec(name, path, target)
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = Watched(spec.loader)
                return spec
        return None


def told(original: Any, module: str) -> Any:
    """A function that runs tests, which tells that it does; of unittest also that it has not come to its end."""
    depth: list[int] = []

    def run(*given: Any, **named: Any) -> Any:
        process = os.getpid()
        outermost = process not in depth
        if outermost:
            tell(module)
            if module.startswith("unittest"):
                _write(
                    f"{process}.open", "unittest was begun and something ended its process before its tests were done"
                )
        depth.append(process)
        try:
            return original(*given, **named)
        finally:
            depth.pop()
            if outermost and os.getpid() == process:
                replaced = (
                    [part for one in anatomies for part in one.replaced()] if module.startswith("unittest") else []
                )
                if replaced:
                    _write(f"{process}.open", f"{replaced[0]} was replaced while the tests ran")
                else:
                    _take_away(f"{process}.open")

    run.__name__, run.__doc__, run.__module__ = original.__name__, original.__doc__, original.__module__
    run.__wrapped__ = original  # type: ignore[attr-defined]
    return run


def _write(name: str, text: str) -> None:
    try:
        with open(f"{PLACE}/{name}", "w") as file:  # noqa: PTH123 - nothing more is imported
            file.write(text)
    except OSError:
        pass


def _take_away(name: str) -> None:
    try:
        os.unlink(f"{PLACE}/{name}")  # noqa: PTH108 - nothing more is imported
    except OSError:
        return


sys.meta_path.insert(0, Finder)
_given = getattr(sys, "orig_argv", [])
if "-m" in _given[1:-1] and _given[_given.index("-m") + 1] in RUNNERS:
    tell(_given[_given.index("-m") + 1])
