"""Single tests that a goal opens by their names: the rest of their file counts as it was."""

import ast
from collections.abc import Mapping

import pytest

from services.gate_runner.cheating import Finding, findings, with_named
from shared.canonical import sha256_hex

BOTH = (
    "from calc import add, sub\n\n\ndef test_add():\n    assert add(2, 3) == 5\n\n\n"
    "def test_sub():\n    assert sub(5, 3) == 1\n"
)
IN_A_CLASS = (
    "import unittest\n\n\nclass CalcTest(unittest.TestCase):\n"
    "    def test_add(self):\n        self.assertEqual(5, 5)\n\n"
    "    def test_sub(self):\n        self.assertEqual(1, 2)\n"
)
OPENED = ("test_calc.py::test_sub",)


def found(before: Mapping[str, str], now: Mapping[str, str], opened: tuple[str, ...] = OPENED) -> list[Finding]:
    def hashes(files: Mapping[str, str]) -> dict[str, str]:
        return {path: sha256_hex(text.encode()) for path, text in files.items()}

    def content(files: Mapping[str, str], path: str) -> bytes | None:
        return files[path].encode() if path in files else None

    return findings(
        hashes(before),
        hashes(now),
        content_before=lambda path: content(before, path),
        content_now=lambda path: content(now, path),
        opened=opened,
    )


@pytest.mark.parametrize(
    "now",
    [
        BOTH.replace("== 1", "== 2"),
        "import pytest\n" + BOTH.replace("def test_sub", "@pytest.mark.skip\ndef test_sub"),
        BOTH.partition("\n\n\ndef test_sub")[0] + "\n",
        BOTH.replace("test_sub", "test_subtract"),
        "import pytest\n\nCASES = [(5, 3, 2)]\n"
        + BOTH.replace("def test_sub():", "@pytest.mark.parametrize('a,b,c', CASES)\ndef test_sub(a, b, c):"),
    ],
)
def test_a_test_that_is_opened_by_its_name_may_be_changed_skipped_renamed_or_deleted(now: str) -> None:
    assert found({"test_calc.py": BOTH}, {"test_calc.py": now}) == []


@pytest.mark.parametrize(
    "now",
    [
        BOTH.replace("== 1", "== 2").replace("== 5", "== -1"),
        "def test_sub():\n    assert True\n",
        "def test_ok():\n    assert True\n",
        "import pytest\n" + BOTH.replace("def test_add", "@pytest.mark.skip\ndef test_add"),
    ],
)
def test_the_tests_beside_it_may_not(now: str) -> None:
    assert found({"test_calc.py": BOTH}, {"test_calc.py": now})


def test_methods_are_opened_alone_too() -> None:
    now = IN_A_CLASS.replace("1, 2", "2, 2")
    assert found({"test_calc.py": IN_A_CLASS}, {"test_calc.py": now}) == []
    assert found({"test_calc.py": IN_A_CLASS}, {"test_calc.py": now.replace("5, 5", "5, 5, 5")})


def test_a_file_may_go_with_its_only_test_and_with_no_other() -> None:
    only = "def test_sub():\n    assert 1\n"
    assert found({"test_calc.py": only, "test_b.py": "x = 1\n"}, {"test_b.py": "x = 1\n"}) == []
    assert found({"test_calc.py": BOTH, "test_b.py": "x = 1\n"}, {"test_b.py": "x = 1\n"})


def test_what_the_test_newly_uses_comes_with_it_and_hides_nothing() -> None:
    now = (
        "import math\nfrom fakes import add\n\nLIMIT = 2\nUNUSED = 3\n\n\ndef test_sub():\n    assert math.pi > LIMIT\n"
    )
    text = with_named(BOTH, now, {"test_sub"})
    assert text is not None
    names = {name.id for name in ast.walk(ast.parse(text)) if isinstance(name, ast.Name)}
    assert "LIMIT" in names
    assert "import math" in text
    assert "UNUSED" not in text
    assert "fakes" not in text


def test_what_only_a_test_that_went_imported_goes_with_it() -> None:
    now = BOTH.replace("add, sub", "add").partition("\n\n\ndef test_sub")[0] + "\n"
    text = with_named(BOTH, now, {"test_sub"})
    assert text is not None
    assert text.startswith("from calc import add\n")


@pytest.mark.parametrize(
    "before",
    [
        BOTH.replace("== 5", "== 5 and sub"),
        BOTH + "\n\n@pytest.mark.usefixtures('sub')\ndef test_more():\n    pass\n",
        BOTH.replace("== 1", "== 1\n    assert other").replace("def test_sub", "ALL = [sub]\n\n\ndef test_sub"),
    ],
)
def test_what_other_tests_use_stays_imported(before: str) -> None:
    now = "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"
    text = with_named(before, now, {"test_sub"})
    assert text is not None
    assert text.startswith("from calc import add, sub\n")
