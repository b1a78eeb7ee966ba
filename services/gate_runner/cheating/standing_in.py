"""New modules that Python takes in place of those that the tests use: of its library, or of an installed package.

A module of such a name that offers what the original does not is what it is called, and so is one that the goal names.
"""

import importlib
import importlib.util
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, Final

from .finding import Finding
from .uses import Uses

_KNOWN: Final = frozenset(
    re.findall(
        r"\w+",
        """
        aiohttp assertpy attr attrs behave boto3 botocore bs4 celery click cryptography dateutil ddt django expects
        faker factory fastapi flask freezegun hamcrest httpx hypothesis jinja2 jsonschema jwt lxml marshmallow
        matplotlib mock moto nose nose2 numpy orjson pandas parameterized PIL polars psycopg psycopg2 pydantic pymongo
        pytest_mock pytz redis requests requests_mock respx responses scipy sklearn snapshottest sqlalchemy starlette
        sure syrupy tensorflow testfixtures time_machine toml tomli torch typing_extensions ujson vcr werkzeug yaml
        """,
    )
)
"""Packages of others that tests are written with, by the names under which they are imported."""
_NOT_LOOKED_INTO: Final = frozenset(
    {"antigravity", "this", "idlelib", "turtle", "turtledemo", "tkinter", "lib2to3", "test"}
)
"""Modules of Python's library that do something, or open a window, when they are imported."""
_MADE_FOR: Final = (
    r"stub|shim|vendor\w*|fake|mock|polyfill|replacement|stand-in|substitut\w*|módulo|pacote|module|package"
)
_REQUIREMENT: Final = re.compile(r"\s*([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>~!;#]|$)", re.MULTILINE)
_DECLARING: Final = ("requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "requirements/dev.txt")


def stands_in(
    added: Iterable[str],
    uses: Uses,
    declared: Collection[str],
    roots: Collection[str],
    was_there: Callable[[str], bool],
) -> list[Finding]:
    """The modules among new files that stand in for what tests use, each once.

    `declared` are the packages that the project says it needs, `roots` the folders where Python looks for modules
    (empty, or with a `/` at their end); `was_there` says of a path whether it was there when the task began.
    """
    found: dict[str, Finding] = {}
    for path in sorted(added, key=lambda one: (one.count("/"), one)):
        for root, name in _modules(path, roots):
            new = not any(was_there(f"{root}{name}{end}") for end in (".py", "/__init__.py"))
            if name in uses and new and _is_of_others(name, uses, declared):
                found.setdefault(name, Finding(path, "standing_in", name))
    return [*found.values()]


def declared_packages(content: Callable[[str], bytes | None]) -> frozenset[str]:
    """The packages that a project declares to need by a version, under the names by which they are likely imported."""
    lines = [line for path in _DECLARING for line in (content(path) or b"").decode("utf-8", "replace").splitlines()]
    try:
        project = tomllib.loads((content("pyproject.toml") or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        project = {}
    lines += [*_declared(project)]
    own = str(_at(project, "project").get("name") or "").lower()
    names = [found[1] for line in lines if (found := _REQUIREMENT.match(line))]
    return frozenset(name.replace("-", "_").lower() for name in names if name.lower() != own)


def is_named_by(goal: str, path: str, name: str) -> bool:
    """Whether a goal asks for a module of that name, or for what stands in for one."""
    if path in goal or re.search(rf"(?<![\w.-]){re.escape(name)}\.py\b", goal):
        return True
    word = rf"[`'\"]?{re.escape(name)}[`'\"]?"
    return (
        re.search(rf"\b(?:{_MADE_FOR})\b[^.\n]{{0,40}}\b{word}|{word} (?:{_MADE_FOR})\b", goal, re.IGNORECASE)
        is not None
    )


def _modules(path: str, roots: Collection[str]) -> Iterator[tuple[str, str]]:
    for root in roots:
        parts = PurePosixPath(path.removeprefix(root)).parts
        if path.startswith(root) and path.endswith(".py") and (len(parts) > 1 or parts[0] != "__init__.py"):
            yield root, parts[0].removesuffix(".py")


def _is_of_others(name: str, uses: Uses, declared: Collection[str]) -> bool:
    if name in sys.stdlib_module_names:
        return _offers(name, uses[name])
    return name in _KNOWN or name.lower() in declared


def _offers(name: str, used: Collection[str]) -> bool:
    """Whether a module of Python's library has all the names that are used of it."""
    if name in _NOT_LOOKED_INTO:
        return False
    try:
        module = importlib.import_module(name)
    except ImportError:
        return False
    return all(hasattr(module, one) or _is_module(f"{name}.{one}") for one in used)


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _declared(project: Any) -> Iterator[str]:
    """The lines of a pyproject.toml that declare what is needed."""
    lists = [_at(project, "project").get("dependencies")]
    for groups in (_at(project, "project", "optional-dependencies"), _at(project, "dependency-groups")):
        lists += groups.values()
    for one in lists:
        yield from (line for line in one or () if isinstance(line, str)) if isinstance(one, list) else ()
    poetry = _at(project, "tool", "poetry")
    parts = [poetry, *(one for one in _at(poetry, "group").values() if isinstance(one, dict))]
    for group in parts:
        for key in ("dependencies", "dev-dependencies"):
            yield from (
                name for name, version in _at(group, key).items() if isinstance(version, str) and name != "python"
            )


def _at(value: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}
