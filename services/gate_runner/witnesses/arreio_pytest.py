"""A plugin of pytest: which tests were collected, what came of each, and whether what decides that was replaced."""

from __future__ import annotations

import atexit
import os
import sys
import types
import unittest
from pathlib import Path
from typing import Any

import pytest

# The workspace's own folder may come first, and hold files of these names.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
from arreio_agreeing import Looks
from arreio_anatomy import Anatomy, is_installed, is_of_tests
from arreio_witness import Book

del sys.path[0]

DECIDING = ("_pytest.runner", "_pytest.python", "_pytest.reports", "_pytest.unittest", "_pytest.main",
            "_pytest.outcomes", "_pytest.raises", "_pytest.assertion", "pluggy")  # fmt: skip
ASSERTING = ("unittest.case", "unittest.result")
HOOKS = ("pytest_pyfunc_call", "pytest_runtest_call", "pytest_runtest_protocol", "pytest_runtest_makereport",
         "pytest_runtest_logreport", "pytest_runtestloop", "pytest_collection_modifyitems")  # fmt: skip
MOST_NAMED = 5
LOOKED_AFTER = 10
"""Tests after each of which it is looked for classes that equal everything: one made while a test runs may be gone."""


class Witness:
    """One session. The hooks are called for sessions too that a test runs inside this process: those are not ours."""

    def __init__(self) -> None:
        self.book = Book()
        self.configs: list[Any] = []
        self.collected: list[str] = []
        self.outcomes: dict[str, str] = {}
        self.whys: dict[str, str] = {}
        self.made: dict[tuple[str, str], str] = {}
        self.skipped_files = 0
        self.anatomy: Anatomy | None = None
        self.looks = Looks()
        atexit.register(self._unused)

    @property
    def ours(self) -> bool:
        return self.book.open and len(self.configs) == 1

    def note_result(self, item: Any, call: Any, report: Any) -> None:
        """Hold a report against what the test raised."""
        self.made[item.nodeid, report.when] = report.outcome
        if len(self.made) <= LOOKED_AFTER:
            self.looks.look(shallow=True)
        if call.excinfo is not None and report.outcome == "passed":
            self.book.note(f"{item.nodeid} raised {call.excinfo.typename} and was reported as passed")

    def count(self, report: Any) -> None:
        name, outcome = report.nodeid, report.outcome
        if outcome not in ("passed", "failed", "skipped") or (outcome == "passed" and report.when != "call"):
            return
        if outcome == "passed" and self.made.get((name, report.when)) == "failed":
            self.book.note(f"{name} failed and was reported as passed")
        held = self.outcomes.get(name)
        if outcome == "failed" and held != "failed":
            self.whys[name] = _why(report)
        if held is None or (outcome != "passed" and held != "failed"):
            self.outcomes[name] = outcome

    def look_for_replaced(self) -> None:
        """Name what of pytest itself was replaced, unless by a package that is installed."""
        for place in self.anatomy.replaced()[:MOST_NAMED] if self.anatomy is not None else ():
            self.book.note(f"{place} was replaced while the tests ran")

    def look_at_plugin(self, plugin: Any) -> None:
        """Name a plugin that the code under test made of itself."""
        module = plugin if isinstance(plugin, types.ModuleType) else sys.modules.get(type(plugin).__module__)
        file = getattr(module, "__file__", None)
        if not self.book.started or file is None or not any(hasattr(plugin, hook) for hook in HOOKS):
            return
        path = Path(file)
        if Path.cwd() in path.parents and not is_installed(file) and not is_of_tests(file):
            self.book.note(f"{path.name} made itself a plugin of pytest while the tests ran")

    def close(self, collect_only: bool) -> None:
        self.look_for_replaced()
        self.looks.look()
        self.book.agreeing += self.looks.found
        outcomes = list(self.outcomes.values())
        left = [name for name in self.collected if name not in self.outcomes]
        if left and "failed" not in outcomes and not collect_only:
            named = ", ".join(left[:MOST_NAMED])
            self.book.note(f"{len(left)} of {len(self.collected)} collected tests were never run: {named}")
        failures = [(name, self.whys.get(name, "")) for name, how in self.outcomes.items() if how == "failed"]
        names = [name for name, how in self.outcomes.items() if how == "skipped"]
        self.book.sign(outcomes.count("passed"), outcomes.count("skipped") + self.skipped_files, failures, names)

    def _unused(self) -> None:
        if not self.book.started:
            self.book.give_back()


def _why(report: Any) -> str:
    """The first line that tells why a test failed."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = str(report.longrepr or "")
    raised = [line[2:] for line in text.splitlines() if line.startswith("E ")]
    lines = [*str(getattr(crash, "message", "")).splitlines(), *raised, *text.splitlines()]
    return next((line.strip() for line in lines if line.strip()), "")


witness = Witness()
witness.book.watch_skips(unittest.SkipTest, pytest.skip.Exception, pytest.xfail.Exception)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: Any) -> None:
    if not witness.configs and witness.book.open:
        witness.anatomy = Anatomy(DECIDING, lenient=ASSERTING)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: Any) -> None:
    witness.configs.append(config)


@pytest.hookimpl(tryfirst=True)
def pytest_plugin_registered(plugin: Any) -> None:
    if witness.ours:
        witness.look_at_plugin(plugin)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart() -> None:
    witness.book.started = True


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: Any) -> None:
    if witness.ours and session.items:
        witness.collected = [item.nodeid for item in session.items]
        witness.look_for_replaced()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: Any) -> None:
    if witness.ours:
        witness.collected = list(ids)


@pytest.hookimpl(tryfirst=True)
def pytest_collectreport(report: Any) -> None:
    if witness.ours and report.outcome == "failed":
        witness.outcomes[report.nodeid] = "failed"
        witness.whys[report.nodeid] = _why(report)
    elif witness.ours and report.outcome == "skipped":
        witness.skipped_files += 1


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: Any, call: Any) -> Any:
    outcome = yield
    if witness.ours and outcome.excinfo is None:
        witness.note_result(item, call, outcome.get_result())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: Any) -> None:
    if witness.ours:
        witness.count(report)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_unconfigure(config: Any) -> Any:
    yield
    if witness.ours and witness.book.started:
        witness.close(config.option.collectonly)
    witness.configs.pop()
