"""Runs unittest, or a program that uses its text runner, as it runs by itself, and counts what that runner ran.

`python -m arreio_unittest unittest -q` is `python -m unittest -q`; `python -m arreio_unittest manage.py test` likewise.
"""

from __future__ import annotations

import os
import runpy
import sys
import unittest
from typing import TYPE_CHECKING, Any

from arreio_witness import Book

if TYPE_CHECKING:
    Runs = list[tuple[int, Any]]


def main() -> None:
    book, runs = Book(), _watched()
    book.watch_skips(unittest.SkipTest)
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


def _watched() -> Runs:
    """How many tests each outermost run was given, with its result; filled while they run."""
    runs: Runs = []
    depth: list[bool] = []
    original = unittest.TextTestRunner.run

    def run(self: unittest.TextTestRunner, test: Any) -> Any:
        given = test.countTestCases()
        depth.append(True)
        try:
            result = original(self, test)
        finally:
            depth.pop()
        if not depth:
            runs.append((given, result))
        return result

    unittest.TextTestRunner.run = run  # type: ignore[method-assign]
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
