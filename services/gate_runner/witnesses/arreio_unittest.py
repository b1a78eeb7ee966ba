"""Runs unittest, or a program that uses its text runner, as it runs by itself, and counts what that runner ran.

`python -m arreio_unittest unittest -q` is `python -m unittest -q`; `python -m arreio_unittest manage.py test` likewise.
"""

from __future__ import annotations

import os
import runpy
import sys
import unittest
from typing import TYPE_CHECKING, Any

# The workspace's own folder may come first, and hold files of these names.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
from arreio_agreeing import Looks
from arreio_anatomy import Anatomy, is_of_tests
from arreio_witness import Book

del sys.path[0]

DECIDING = ("unittest.case", "unittest.result", "unittest.runner", "unittest.suite", "unittest.loader", "unittest.main")
LOOKED_AFTER = 10
"""Tests after each of which it is looked whether the runner is what it was: what was replaced may be put back."""
MOST_NAMED = 5

if TYPE_CHECKING:
    Runs = list[tuple[int, Any]]


def main() -> None:
    book = Book()
    book.watch_skips(unittest.SkipTest)
    runs = _watched(book)
    program, rest = sys.argv[1], sys.argv[2:]
    try:
        if program == "unittest":
            sys.argv = [f"{sys.executable} -m unittest", *rest]
            unittest.main(module=None)
        else:
            sys.argv = [program, *rest]
            sys.path[0] = os.path.dirname(os.path.abspath(program))  # noqa: PTH100, PTH120 - as Python does
            runpy.run_path(program, run_name="__main__")
    finally:
        if runs or program == "unittest":
            _sign(book, runs)
        else:
            book.give_back()


def _watched(book: Book) -> Runs:
    """How many tests each outermost run was given, with its result; filled while they run."""
    runs: Runs = []
    depth: list[bool] = []
    looks = Looks()
    original, stopped = unittest.TextTestRunner.run, unittest.TestResult.stopTest
    left = [LOOKED_AFTER]

    def run(self: unittest.TextTestRunner, test: Any) -> Any:
        given = test.countTestCases()
        depth.append(True)
        try:
            result = original(self, test)
        finally:
            depth.pop()
        if not depth:
            runs.append((given, result))
            look()
        return result

    def stop_test(self: unittest.TestResult, test: Any) -> None:
        stopped(self, test)
        if left[0] > 0 and book.open:
            left[0] -= 1
            look(shallow=True)
        own = [name for name in vars(test) if name in asserting] if hasattr(test, "__dict__") else ()
        for name in own:
            code = getattr(vars(test)[name], "__code__", None)
            if not is_of_tests(str(getattr(code, "co_filename", ""))):
                book.note(f"{name} of {test} was replaced while the tests ran")

    def look(*, shallow: bool = False) -> None:
        for name in anatomy.replaced()[:MOST_NAMED]:
            book.note(f"{name} was replaced while the tests ran")
        looks.look(shallow=shallow)
        book.agreeing = looks.found

    unittest.TextTestRunner.run = run  # type: ignore[method-assign]
    unittest.TestResult.stopTest = stop_test  # type: ignore[method-assign]
    asserting = {name for name in vars(unittest.TestCase) if name.startswith(("assert", "_base", "_get"))}
    anatomy = Anatomy((), lenient=DECIDING)
    return runs


def _sign(book: Book, runs: Runs) -> None:
    passed = skipped = 0
    failures: list[tuple[str, str]] = []
    names: list[str] = []
    for given, result in runs:
        failed = [(str(test), _raised(text)) for test, text in [*result.failures, *result.errors]]
        failed += [(str(test), "it passed, though it was expected to fail") for test in result.unexpectedSuccesses]
        skips = len(result.skipped) + len(result.expectedFailures)
        passed += max(0, result.testsRun - len(failed) - skips)
        skipped += skips
        failures += failed
        names += [str(test) for test, _ in [*result.skipped, *result.expectedFailures]]
        if result.testsRun < given and not failed and not skips:
            book.note(f"{given - result.testsRun} of {given} tests were never run")
    if not runs:
        book.note("unittest was ended before any test was run")
    book.sign(passed, skipped, failures, names)


def _raised(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith((" ", "Traceback"))]
    return lines[0] if lines else ""


if __name__ == "__main__":
    main()
