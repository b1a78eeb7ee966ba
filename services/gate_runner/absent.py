"""Finds, in how a command ended, the program that is not installed or may not be run."""

import re
import sys
from typing import Final

_SHELL: Final = r"(?:/bin/|/usr/bin/)?(?:sh|bash|dash)(?:: (?:line )?\d+)?"
_NOT_FOUND: Final = re.compile(
    rf"^{_SHELL}: (?:exec: )?(?P<name>[^:\n]+): (?:command )?not found$"
    r"|^(?:/usr/bin/)?env: ['‘]?(?P<shebang>[^'’:\n]+)['’]?: No such file or directory$"
    r"|^g?make(?:\[\d+\])?: (?P<made>[^:\n ]+): No such file or directory$",
    re.M,
)
_DENIED: Final = re.compile(rf"^{_SHELL}: (?:exec: )?(?P<name>[^:\n]+): Permission denied$", re.M)
_MODULE: Final = re.compile(r"^\S*python[\d.]*: No module named (?P<name>[\w.]+)$", re.M)
_CARGO: Final = re.compile(r"^error: no such (?:sub)?command: `([\w-]+)`", re.M)
_MADE: Final = re.compile(r"^g?make(?:\[\d+\])?: \*\*\* .* Error 12[67]$", re.M)
_TOOLS: Final = re.compile(
    "pytest|mypy|ruff|black|flake8|pylint|pyright|isort|bandit|tox|nox|build|coverage|pip|uv|poetry|django"
    "|nose2?|behave|robot|green|ward|xdoctest|hypothesis|mutmut|stestr|twisted|locust|sphinx|mkdocs|twine|pre_commit|hatch"
    "|hatchling|flit|pdm|pipenv|invoke|pycodestyle|pydocstyle|pyflakes|autopep8|yapf|vulture|radon|interrogate|pip_audit"
    "|uvicorn|gunicorn|flask|celery|alembic|IPython|jupyter|nbconvert|ipykernel"
)
"""Python modules that are run as programs and that no task is asked to write."""


def is_tool(module: str) -> bool:
    """Whether a module of Python's is run as a program by everybody, of its library or a tool of another's."""
    return module in sys.stdlib_module_names or _TOOLS.fullmatch(module) is not None


def absent_module(status: int | None, output: str) -> str | None:
    """The module that Python was told to run as a program and did not find; None where there is none."""
    found = _MODULE.search(output) if status else None
    return None if found is None else found["name"].partition(".")[0]


def absent_program(status: int | None, output: str, workspace: str = "/") -> str | None:
    """The program that is missing on this machine, where that ended the command; None where nothing of the kind did.

    A program by its path is the workspace's own matter, unless the path leads out of it: `workspace` is where it lies.
    """
    if status in (0, None):
        return None
    for match in _MODULE.finditer(output):
        if _TOOLS.fullmatch(match["name"].partition(".")[0]):
            return match["name"]
    through_make = _MADE.search(output) is not None
    if (command := _CARGO.search(output)) is not None:
        return f"cargo {command[1]}"
    if status == 127 or through_make:
        for match in reversed([*_NOT_FOUND.finditer(output)]):
            name = (match["name"] or match["shebang"] or match["made"]).strip()
            if "/" not in name or (name.startswith("/") and not f"{name}/".startswith(f"{workspace.rstrip('/')}/")):
                return name
    if status == 126 or through_make:
        denied = [name for name in _DENIED.findall(output) if name.startswith("/") or "/" not in name]
        return denied[-1] if denied else None
    return None
