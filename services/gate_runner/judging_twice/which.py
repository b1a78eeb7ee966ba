"""Which of the files that a task changed judge it: tests, what steers them, and what stands beside them to be read."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from shared.verifiers import collected, is_runner, specification_of, steers
from shared.workspace.changes import Change

_FOLDERS: Final = frozenset({"tests", "test", "__tests__", "testdata", "__fixtures__", "__snapshots__", "__mocks__"})
"""Where all that lies belongs to the tests, whatever it is."""
_OF_TESTS: Final = frozenset({"e2e", "cypress"})
"""Where the code belongs to tests; what is no code may be what the task writes."""
_CODE: Final = re.compile(r".*\.(?:py|[cm]?[jt]sx?|go|rb|rs|java|kt|cs|php|sh)")
_SHOWN: Final = re.compile(r".*\.(?:md|rst|adoc|html?|s?css|less|png|jpe?g|gif|svg|webp|pdf)")
"""What people look at, and no runner."""
_SNAPSHOT: Final = re.compile(r".*\.(?:snap|snapshot)")
_HELPER: Final = re.compile(
    r"(?:.*[-_.])?(?:test|tests|testing|tester|testutils?|testlib|testkit|testcase|testbase|testdata|conftest|fixtures?"
    r"|asserts?|assertions?|matchers?|mocks?|fakes?|stubs?|golden|expected|expectations?)(?:[-_.].*)?"
)
"""What a helper of tests, or what they compare with, is called where it lies beside the code."""
_SETUP: Final = re.compile(
    r"(?:jest|vitest|mocha|jasmine|karma)[-.]?setup.*|setup[-_.]?(?:files?[-_.]?)?(?:after[-_.]?env|tests?|jest|vitest)\b.*",
    re.I,
)
"""What runners of JavaScript are told to load before the tests."""


@dataclass(frozen=True, slots=True)
class Which:
    """Tells what judges.

    `opened` says of a path that the task may change it; `named` are the files that criteria give to a runner or run as
    checkers, `artefacts` those that other criteria want to be written. Checkers compare with `read` and load `loaded`;
    `products` are named like helpers and are code under test. Of the folders called `spec` those in
    `specifications` are of tests (None: all). Without `tests` nothing judges by being a test.
    Of the tools `linters` the settings in shared files judge.
    """

    opened: Callable[[str], bool] = lambda _: False
    named: frozenset[str] = frozenset()
    artefacts: frozenset[str] = frozenset()
    read: frozenset[str] = frozenset()
    loaded: frozenset[str] = frozenset()
    linters: frozenset[str] = frozenset()
    products: frozenset[str] = frozenset()
    specifications: frozenset[str] | None = None
    tests: bool = True

    def put_back(self, path: str) -> bool:
        """Whether a file that was there judges, and so is looked at as it was."""
        if self.opened(path) or path in self.artefacts:
            return False
        if path in self.read or not self.tests:
            return path in self.read
        return path in self.named or self._is_of_tests(path) or (helps(path) and path not in self.products)

    def taken_away(self, path: str) -> bool:
        """Whether a file that is new has a say in how the tests end, and so is taken away.

        What a criterion names must be there. Data and generated snapshots hold nothing against what was there.
        """
        if self.opened(path) or path in self.artefacts or path in self.named or _SNAPSHOT.fullmatch(path):
            return False
        if path in self.loaded or not self.tests:
            return path in self.loaded
        steering = steers(path) or is_runner(path) or _SETUP.fullmatch(path.rsplit("/", 1)[-1]) is not None
        return steering or (self._is_of_tests(path) and is_code(path))

    def _is_of_tests(self, path: str) -> bool:
        return _is_of_tests(path) or _is_specification(path, self.specifications)


def helps(path: str) -> bool:
    """Whether a file is named like a helper of tests, and is none by its place."""
    named = _HELPER.fullmatch(_stem(path)) or _SETUP.fullmatch(path.rsplit("/", 1)[-1])
    return named is not None and not _is_of_tests(path) and not _is_specification(path, None)


def is_code(path: str) -> bool:
    """Whether a file is code of a language that tests are written in."""
    return _CODE.fullmatch(path) is not None


def asked_for(paths: Iterable[str]) -> list[str]:
    """Of the files that are taken away, those that tests may ask for by name: conftests, and helpers."""
    named = ((path, path.rsplit("/", 1)[-1]) for path in paths)
    return [
        path
        for path, name in named
        if name == "conftest.py" or not (collected(path) or steers(path) or is_runner(path))
    ]


def may_narrow(change: Change) -> bool:
    """Whether a change may keep tests from being run, though it is none of tests: what is gone, and configuration."""
    name = change.path.rsplit("/", 1)[-1].lower()
    return change.kind == "deleted" or "config" in name or not (_CODE.fullmatch(name) or _SHOWN.fullmatch(name))


def _is_of_tests(path: str) -> bool:
    folders = {*PurePosixPath(path).parts[:-1]}
    if collected(path) or steers(path) or is_runner(path) or _SNAPSHOT.fullmatch(path):
        return True
    return bool(folders & _FOLDERS) or (bool(folders & _OF_TESTS) and is_code(path))


def _is_specification(path: str, known: frozenset[str] | None) -> bool:
    root = specification_of(path)
    return bool(root) and (known is None or root in known) and is_code(path)


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].lower().split(".")[0]
