"""Runs a checker of the workspace as the program that it is, and tells where changed code ends it before its own end.

Its text stands in the checker's place and holds the checker's. An end with status 0 (`sys.exit()`, `raise SystemExit`,
`os._exit(0)`, `os.execv`) that code made which the task changed is told on stderr, and the process ends with `STATUS`;
but not where the checker handed the rest over to that code by its last statement. Classes of that code whose objects
equal everything are told of at the end. It keeps to what Python 3.8 has.
"""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

STATUS = 97
SAID = "arreio: ended early by"
HIDDEN = "arreio: hidden:"
AGREES = "arreio: equals everything:"
REPLACING = ("execv", "execve", "execvp", "execvpe", "execl", "execle", "execlp", "execlpe")
Place = traceback.FrameSummary


def watch(source: str, path: str, changed: Sequence[str], space: dict[str, Any]) -> None:
    """Run the text of the checker at a path of the workspace in the globals of the program."""
    space.pop("_arreio", None)
    file = space["__file__"]
    code = compile(source, file, "exec", dont_inherit=True)
    if space["__name__"] != "__main__":
        exec(code, space)
        return
    watcher = Watcher(source, os.path.realpath(file), path, changed)
    watcher.watch_ends()
    try:
        exec(code, space)
    except SystemExit as error:
        if error.code in (None, 0):
            watcher.look(traceback.extract_tb(error.__traceback__))
            watcher.tell_of_agreeing()
        raise
    except BaseException:
        watcher.failed = True
        raise
    watcher.tell_of_agreeing()


class Watcher:
    """Looks at who ends the process; `failed`: something was raised that must end it badly."""

    def __init__(self, source: str, file: str, path: str, changed: Sequence[str]) -> None:
        self.root = file[: -len(path)] if file.endswith(path) else f"{os.getcwd()}/"  # noqa: PTH109 - nothing more is imported
        self.file = file
        self.changed = {os.path.realpath(self.root + one): one for one in changed}
        self.source = source
        self.process = os.getpid()
        self.end = os._exit
        self.failed = False
        self.looks = _looks(self.root)
        self.leave = sys.exit

    def watch_ends(self) -> None:
        """Watch what ends a process, or gives it to another program, without an exception."""
        import posix

        def ended(status: int) -> None:
            if status == 0 and os.getpid() == self.process:
                # At its end Python has half of its modules left.
                with contextlib.suppress(Exception):
                    self.look(traceback.extract_stack()[:-1])
                if self.failed:
                    os.write(2, f"\n{SAID} what runs at the exit of a program that failed: os._exit(0)\n".encode())
                    status = STATUS
            self.end(status)

        def replaced(name: str) -> Any:
            original = getattr(os, name)

            def run(*given: Any) -> Any:
                if os.getpid() == self.process:
                    self.look(traceback.extract_stack()[:-1])
                return original(*given)

            return run

        os._exit = posix._exit = ended  # type: ignore[assignment]
        for name in REPLACING:
            if hasattr(os, name):
                both = replaced(name)
                setattr(os, name, both)
                if hasattr(posix, name):
                    setattr(posix, name, both)

    def tell_of_agreeing(self) -> None:
        """Tell of classes of changed code whose objects equal everything, and of a `sys.exit` that ends nothing."""
        if sys.exit is not self.leave:
            os.write(2, f"\n{HIDDEN} sys.exit was replaced\n".encode())
        if self.looks is None:
            return
        looks = self.looks
        looks.look()
        for files, name in looks.found:
            for path in {self.changed.get(os.path.realpath(file)) for file in files} - {None}:
                os.write(2, f"\n{AGREES} {path}: {name}\n".encode("utf-8", "replace"))

    def look(self, stack: Sequence[Place]) -> None:
        """End badly where the innermost code of the workspace is what the task changed, and was not given the rest."""
        places = [(one, os.path.realpath(one.filename)) for one in stack if not one.filename.startswith("<")]
        own = [(one, file) for one, file in places if file.startswith(self.root)]
        if not own or own[-1][1] not in self.changed or self.handed_over([one for one, _ in places]):
            return
        place = own[-1][0]
        os.write(2, f"\n{SAID} {self.changed[own[-1][1]]}:{place.lineno}: {place.line}\n".encode("utf-8", "replace"))
        self.end(STATUS)

    def handed_over(self, stack: Sequence[Place]) -> bool:
        """Whether the checker has nothing left to do: each of its functions is at a call that is its last statement."""
        tree = ast.parse(self.source)
        following = [*stack[1:], None]
        pairs = zip(stack, following)  # noqa: B905 - nor had Python 3.8 that
        mine = [(one, then) for one, then in pairs if os.path.realpath(one.filename) == self.file]
        for one, then in mine:
            body = _body(tree, one.name, one.lineno or 0)
            last = _last(body, one.lineno or 0)
            if last is None or then is None or then.name not in _called(last):
                return False
        return bool(mine)


def _looks(root: str) -> Any:
    """What finds classes that equal everything, from outside of the workspace; None where it is not there."""
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    outside = [one for one in sys.path if not f"{os.path.realpath(one or '.')}/".startswith(root)]
    spec = PathFinder.find_spec("arreio_agreeing", outside)
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Looks()


def _body(tree: ast.Module, name: str, line: int) -> list[ast.stmt]:
    if name == "<module>":
        return tree.body
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    held = [one for one in ast.walk(tree) if isinstance(one, kinds) and one.name == name]
    return next((one.body for one in held if one.lineno <= line <= (one.end_lineno or 0)), [])


def _last(body: Sequence[ast.stmt], line: int) -> ast.stmt | None:
    """The last statement of a body, where a line stands in it and it does no more than call, or hand on a result."""
    if not body or not body[-1].lineno <= line <= (body[-1].end_lineno or 0):
        return None
    last = body[-1]
    if isinstance(last, ast.If):
        return _last(last.body, line) or _last(last.orelse, line)
    if isinstance(last, ast.With):
        return _last(last.body, line)
    return last if isinstance(last, (ast.Expr, ast.Return, ast.Raise)) else None


def _called(statement: ast.stmt) -> set[str]:
    """What a statement calls as its whole: `main()`, `sys.exit(main())`, `asyncio.run(main())`."""
    call = statement.exc if isinstance(statement, ast.Raise) else getattr(statement, "value", None)
    names = set()
    while isinstance(call, (ast.Call, ast.Await)):
        if isinstance(call, ast.Call):
            names.add(getattr(call.func, "attr", getattr(call.func, "id", "")))
            ends = names & {"exit", "SystemExit", "run"}
            call = call.args[0] if ends and len(call.args) == 1 else None
        else:
            call = call.value
    return names
