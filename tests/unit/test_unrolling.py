"""Assertions that were moved into a loop, parameters or a table, each with the one that only looks so."""

import pytest

from services.gate_runner.cheating.python_tests import taken

UNIT = """\
import unittest
from calc import add

class CalcTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), 5)
        self.assertEqual(add(-1, 1), 0)
"""
PLAIN = """\
import pytest
from calc import add

def test_add():
    assert add(2, 3) == 5
    assert add(-1, 1) == 0
"""
TABLE = """\
import pytest
from calc import add

CASES = [(2, 3, 5)]

def test_add():
    for a, b, c in CASES:
        assert add(a, b) == c
"""


def unit(body: str) -> str:
    return UNIT.partition("        self")[0] + "".join(f"        {line}\n" for line in body.splitlines())


def plain(text: str) -> str:
    return f"import pytest\nfrom calc import add\n\n{text}"


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (UNIT, unit("for a, b, c in [(2, 3, 5), (-1, 1, 0), (0, 0, 0)]:\n    self.assertEqual(add(a, b), c)")),
        (
            UNIT,
            unit(
                "for a, b, c in ((-1, 1, 0), (2, 3, 5)):\n    with self.subTest(a=a):\n"
                "        self.assertEqual(add(a, b), c, msg=f'{a}')"
            ),
        ),
        (UNIT, unit("cases = [(2, 3, 5), (-1, 1, 0)]\nfor a, b, c in cases:\n    self.assertEqual(add(a, b), c)")),
        (
            UNIT,
            UNIT.partition("    def")[0] + "    CASES = [(2, 3, 5), (-1, 1, 0)]\n\n    def test_add(self):\n"
            "        for a, b, c in self.CASES:\n            self.assertEqual(add(a, b), c)\n",
        ),
        (
            PLAIN,
            plain(
                "@pytest.mark.parametrize(('a', 'b', 'c'), [(2, 3, 5), (-1, 1, 0), (4, 4, 8)])\n"
                "def test_add(a, b, c):\n    assert add(a, b) == c, (a, b)\n"
            ),
        ),
        (
            PLAIN,
            plain(
                "@pytest.mark.parametrize('a, b, c', [pytest.param(2, 3, 5, id='x'), (-1, 1, 0)], ids=str)\n"
                "def test_add(a, b, c):\n    assert add(a, b) == c\n"
            ),
        ),
        (
            PLAIN,
            plain(
                "PAIRS = [(2, 3, 5), (-1, 1, 0)]\n\ndef test_add():\n    for a, b, c in PAIRS:\n"
                "        assert add(a, b) == c\n"
            ),
        ),
        (TABLE, TABLE.replace("(2, 3, 5)]", "(2, 3, 5), (0, 0, 0)]")),
        (
            TABLE,
            plain(
                "@pytest.mark.parametrize('a, b, c', [(2, 3, 5)])\ndef test_add(a, b, c):\n"
                "    assert add(a, b) == c\n\nCASES = [(2, 3, 5)]\n"
            ),
        ),
    ],
)
def test_the_same_assertions_by_a_loop_parameters_or_a_table_are_fine(before: str, now: str) -> None:
    assert taken("test_calc.py", before, now) == []


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (UNIT, unit("for a, b, c in [(2, 3, 5)]:\n    self.assertEqual(add(a, b), c)")),
        (UNIT, unit("for a, b, c in [(2, 3, -1), (-1, 1, 0)]:\n    self.assertEqual(add(a, b), c)")),
        (UNIT, unit("for a, b, c in [(2, 3, 5), (-1, 1, 0)]:\n    c = add(a, b)\n    self.assertEqual(add(a, b), c)")),
        (UNIT, unit("for a, b, c in [(2, 3, 5), (-1, 1, 0)]:\n    break\n    self.assertEqual(add(a, b), c)")),
        (UNIT, unit("for a, b, c in [(2, 3, 5), (-1, 1, 0)]:\n    if a > 9:\n        self.assertEqual(add(a, b), c)")),
        (UNIT, unit("for a, b, c in [(2, 3, 5), (-1, 1, 0)][1:]:\n    self.assertEqual(add(a, b), c)")),
        (UNIT, unit("return\nfor a, b, c in [(2, 3, 5), (-1, 1, 0)]:\n    self.assertEqual(add(a, b), c)")),
        (
            UNIT,
            unit(
                "cases = [(2, 3, 5), (-1, 1, 0)]\ncases = []\nfor a, b, c in cases:\n    self.assertEqual(add(a, b), c)"
            ),
        ),
        (
            UNIT,
            unit(
                "with self.subTest(a=self.skipTest('')):\n    self.assertEqual(add(2, 3), 5)\n"
                "    self.assertEqual(add(-1, 1), 0)"
            ),
        ),
        (
            PLAIN,
            plain(
                "@pytest.mark.parametrize('a, b, c', [pytest.param(2, 3, 5, marks=pytest.mark.skip), (-1, 1, 0)])\n"
                "def test_add(a, b, c):\n    assert add(a, b) == c\n"
            ),
        ),
        (PLAIN, plain("@pytest.mark.parametrize('a, b, c', [])\ndef test_add(a, b, c):\n    assert add(a, b) == c\n")),
        (
            PLAIN,
            plain(
                "@pytest.mark.skip\n@pytest.mark.parametrize('a, b, c', [(2, 3, 5), (-1, 1, 0)])\n"
                "def test_add(a, b, c):\n    assert add(a, b) == c\n"
            ),
        ),
        (
            PLAIN,
            plain(
                "@pytest.mark.parametrize('a, b, c', [(2, 3, 5), (-1, 1, 0)])\n"
                "def test_add(a, b, c, monkeypatch):\n    assert add(a, b) == c\n"
            ),
        ),
        (TABLE, TABLE.replace("(2, 3, 5)", "(0, 0, 0)")),
        (TABLE, f"{TABLE}\nCASES = [(2, 3, 5), (0, 0, 0)]\nCASES = []\n"),
    ],
)
def test_what_leaves_a_case_out_or_does_not_reach_it_is_named(before: str, now: str) -> None:
    found = taken("test_calc.py", before, now)
    assert found and all(one.path == "test_calc.py" and one.what for one in found)
