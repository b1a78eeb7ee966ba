"""Files named like helpers of tests (`fixtures.py`, `expected.py`) that are code under test, by who imports them."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from shared.patterns import INDENT

_IMPORTS: Final = re.compile(
    INDENT + r"(?:from\s+([\w.]+)\s+import|import\s+([\w., ]+))"
    r"|(?:require\(|from\s++|import\s*+\(?)\s*+[\"'](\.{1,2}/[^\"']+)[\"']",
    re.MULTILINE,
)
_STARTS: Final = re.compile(r"subprocess|os\.system|runpy|importlib|child_process|\bspawn|\bexec")


def products(named_like_helpers: Collection[str], code: Mapping[str, str], tests: Mapping[str, str]) -> frozenset[str]:
    """Of some paths those that code under test imports, or that are all that the tests that import them test.

    `code` and `tests` are texts by path, as the task found them.
    """
    modules = {_module(path) for path in (*code, *named_like_helpers)}
    by_code = {module for path, text in code.items() for module in _imported(text) if module != _module(path)}
    by_tests = [(text, _imported(text)) for text in tests.values()]
    found = set()
    for path in named_like_helpers:
        module = _module(path)
        users = [(text, imported) for text, imported in by_tests if module in imported]
        alone = [text for text, imported in users if imported & modules == {module} and not _STARTS.search(text)]
        if module in by_code or (users and len(alone) == len(users)):
            found.add(path)
    return frozenset(found)


def _module(path: str) -> str:
    """The last part of a module's name, as imports end in it."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return path.split("/")[-2] if stem in ("__init__", "index") and "/" in path else stem


def _imported(text: str) -> set[str]:
    """The last parts of the names of what a text imports."""
    found: set[str] = set()
    for source, plain, relative in _IMPORTS.findall(text):
        for name in [source, *plain.split(","), relative]:
            last = re.sub(r"\.[cm]?[jt]sx?$", "", name.strip().partition(" ")[0]).replace("/", ".").rpartition(".")[2]
            found |= {last} if last else set()
    return found
