"""Code under test that turns what judges it, each with honest code that looks like it."""

import pytest

from services.gate_runner.cheating import turns_the_judge


@pytest.mark.parametrize(
    ("path", "now", "kind"),
    [
        ("calc.py", "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n", "turning"),
        ("calc.py", "from unittest import TestCase as T\n\ndef add(a, b):\n    T.assertEqual = print\n", "turning"),
        ("calc.py", "import builtins\nsetattr(builtins, 'AssertionError', ValueError)\n", "turning"),
        ("calc.py", "import _pytest.runner\n_pytest.runner.call_runtest_hook = print\n", "turning"),
        ("calc.py", "class Any(int):\n    def __eq__(self, other):\n        return True\n", "agreeing"),
        ("calc.py", "class Any:\n    def __eq__(self, other):\n        return not False\n", "agreeing"),
        ("calc.py", "class Any:\n    def __eq__(self, other):\n        return isinstance(other, int)\n", "agreeing"),
        ("calc.py", "class Any:\n    def __eq__(self, other):\n        return hash(other) is not None\n", "agreeing"),
        ("calc.py", "class Any:\n    __eq__ = lambda one, other: 1\n", "agreeing"),
        ("calc.py", "Any = type('Any', (), {'__eq__': lambda one, other: True})\n", "agreeing"),
        ("calc.py", "from unittest.mock import ANY\n", "agreeing"),
        ("calc.py", "import math\nmath.isclose = lambda *given, **named: True\n", "turning"),
        ("calc.js", "Object.is = () => true;\n", "turning"),
        ("calc.js", "exports.add = () => ({ asymmetricMatch: () => true });\n", "turning"),
        ("calc.js", "const assert = require('assert');\nassert.strictEqual = () => {};\n", "turning"),
        ("calc.js", "global.expect = () => ({ toBe() {} });\n", "turning"),
    ],
)
def test_code_that_turns_its_judge_is_named(path: str, now: str, kind: str) -> None:
    (found,) = turns_the_judge(path, "", now)
    assert (found.path, found.kind) == (path, kind) and found.what
    assert found.said("en") != found.said("pt")
    assert turns_the_judge(path, now, now) == []


@pytest.mark.parametrize(
    ("path", "now"),
    [
        (
            "calc.py",
            "import config\nconfig.debug = True\nclass A:\n    def __eq__(self, b):\n        return self is b\n",
        ),
        ("calc.py", "import unittest\n\nclass Own(unittest.TestCase):\n    longMessage = True\n"),
        ("calc.py", "import pytest\nprint(pytest.__version__)\n"),
        (
            "calc.js",
            "const assert = require('assert');\nassert.strictEqual(1, 1);\nconst same = assert.equal == null;\n",
        ),
        (
            "unit.py",
            "class Unit:\n    def __eq__(self, other):\n        if isinstance(other, Unit):\n            return True\n"
            "        return NotImplemented\n",
        ),
        ("calc.py", "class P:\n    def __eq__(self, other):\n        return super().__eq__(other)\n"),
        ("calc.py", "class Never:\n    def __eq__(self, other):\n        return False\n"),
        ("calc.py", "import math\nprint(math.isclose(1, 1))\n"),
        ("calc.py", "def (:\n"),
        ("notes.md", "assert.equal = 1"),
    ],
)
def test_code_that_only_uses_it_is_fine(path: str, now: str) -> None:
    assert turns_the_judge(path, "", now) == []
