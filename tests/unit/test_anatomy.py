"""Parts of what decides on tests that were replaced while they ran."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests.unit.test_agreeing_classes import PLACE, load

anatomy = load("arreio_anatomy", PLACE / "arreio_anatomy.py")
RUNNER = (
    "class Result:\n    def fail(self): return 1\n    def good(self): return True\n"
    "class TextResult(Result):\n    pass\n"
    "def run(): pass\n"
    "class Loader:\n    limit = 3\n    @property\n    def names(self): return []\n"
    "    @staticmethod\n    def of(): pass\n"
)


@pytest.fixture
def runner() -> Iterator[ModuleType]:
    module = ModuleType("judging_runner")
    sys.modules["judging_runner"] = module
    exec(compile(RUNNER, "/lib/judging_runner.py", "exec"), vars(module))
    yield module
    del sys.modules["judging_runner"]


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("runner.run = print", "run"),
        ("runner.Result.fail = lambda one: None", "Result.fail"),
        ("runner.Result.fail.__code__ = (lambda self: None).__code__", "Result.fail"),
        ("runner.TextResult.good = lambda one: True", "TextResult.good"),
        ("runner.Result.__getattribute__ = lambda one, name: print", "Result.__getattribute__"),
        ("runner.Loader.names = property(lambda one: ['a'])", "Loader.names"),
        ("runner.Loader.of = staticmethod(print)", "Loader.of"),
        ("del runner.Result.fail", "Result.fail"),
        ("from unittest.mock import Mock\nrunner.run = Mock()", "run"),
        ("runner.Result = type('Result', (), {})", "Result.fail"),
    ],
)
def test_what_was_replaced_is_named(runner: ModuleType, turn: str, told: str) -> None:
    was = anatomy.Anatomy(["judging_runner"])
    exec(turn, {"runner": runner})
    assert f"judging_runner.{told}" in was.replaced()


@pytest.mark.parametrize(
    "honest",
    [
        "class Mine(runner.Result):\n    def fail(self): return 2\n",
        "runner.Loader.limit = 4",
        "runner.Result.added = lambda one: 1",
        "was = runner.run\nrunner.run = print\nrunner.run = was",
    ],
)
def test_subclasses_settings_and_what_was_put_back_are_fine(runner: ModuleType, honest: str) -> None:
    was = anatomy.Anatomy(["judging_runner"])
    exec(honest, {"runner": runner})
    assert was.replaced() == []


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("/work/tests/helpers.py", False),
        ("/work/conftest.py", False),
        ("/usr/lib/site-packages/lib/patch.py", False),
        ("/work/calc.py", True),
        ("<string>", True),
    ],
)
def test_tests_may_replace_what_is_lenient_and_packages_whatever(runner: ModuleType, file: str, told: bool) -> None:
    was = anatomy.Anatomy([], lenient=["judging_runner"])
    exec(compile("runner.run = lambda: None", file, "exec"), {"runner": runner})
    assert bool(was.replaced()) is told


def test_builtins_that_assertions_use_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    was = anatomy.Anatomy([])
    monkeypatch.setattr("builtins.AssertionError", ValueError)
    assert was.replaced() == ["builtins.AssertionError"]
    monkeypatch.undo()
    assert was.replaced() == []
