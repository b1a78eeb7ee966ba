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
        ("calc.py", "class Any(int):\n    __eq__ = lambda one, other: not not (one or 1)\n", "agreeing"),
        ("calc.py", "class Any(int):\n    def __eq__(self, other):\n        return [self]\n", "agreeing"),
        (
            "calc.py",
            "class Any(int):\n    def __eq__(self, other):\n        return bool(self or other or 1)\n",
            "agreeing",
        ),
        (
            "calc.py",
            "class Any:\n    def __eq__(self, other):\n        self == other\n        return True\n",
            "agreeing",
        ),
        (
            "calc.py",
            "class Any:\n    def __eq__(self, o):\n        self.x = o\n        return self.x == o\n",
            "agreeing",
        ),
        ("calc.py", "class Any:\n    def __eq__(self, o):\n        self = o\n        return self == o\n", "agreeing"),
        ("calc.py", "class Any:\n    def same(self, o):\n        return 1\n\n    __eq__ = same\n", "agreeing"),
        ("calc.py", "def yes(*a):\n    return True\n\n\nclass Any:\n    __eq__ = yes\n", "agreeing"),
        ("calc.py", "class Any: ...\nsetattr(Any, '__' + 'eq__', lambda a, b: True)\n", "agreeing"),
        ("calc.py", "class Any: ...\nAny.__eq__ = lambda a, b: True\n", "agreeing"),
        ("calc.py", "Any = type('Any', (int,), dict(__eq__=lambda a, b: 1))\n", "agreeing"),
        (
            "calc.py",
            "class A:\n    def __ne__(self, o):\n        return False\n    def __eq__(self, o):\n"
            "        return not self != o\n",
            "agreeing",
        ),
        ("calc.py", "import pytest\ndef add(a, b):\n    return pytest.approx(a - b, abs=99)\n", "agreeing"),
        ("calc.py", "from unittest import mock\ndef add(a, b):\n    return mock.ANY\n", "agreeing"),
        (
            "calc.py",
            "import importlib\nT = getattr(importlib.import_module('unit' + 'test'), 'TestCase')\nT.run = print\n",
            "turning",
        ),
        ("calc.py", "__import__('_pytest.runner').runner.call_and_report = print\n", "turning"),
        ("calc.py", "import sys\nsys.modules['unittest'].TestCase.run = print\n", "turning"),
        ("calc.py", "import sys\ndef add(a, b):\n    sys._getframe(1).f_globals['add'] = max\n", "turning"),
        ("calc.js", "Object.is = () => true;\n", "turning"),
        ("calc.js", "const t = require('module')._load('node:assert');\n", "turning"),
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
        ("calc.py", "import math\npi = math.pi\n\ndef turn(pi):\n    pi.angle = 1\n"),
        ("calc.py", "import unittest\n\nsuite = unittest.TestSuite()\nsuite.name = 'all'\n"),
        ("calc.py", "import pytest\nassert 0.1 + 0.2 == pytest.approx(0.3)\n"),
        ("calc.py", "import importlib\nplugin = importlib.import_module('plugin')\nplugin.debug = True\n"),
        *(
            ("calc.py", f"class P:\n    def __eq__(self, other):\n{body}")
            for body in (
                "        return (self.x or 0) == (other.x or 0)\n",
                "        if not isinstance(other, P):\n            other = P(other)\n        return self == other\n",
                "        mine, its = self.key(), other.key()\n        return mine == its\n",
                "        for a, b in zip(self, other):\n            if a != b:\n                return False\n"
                "        return True\n",
                "        it = iter(other)\n        return all(a == next(it) for a in self)\n",
                "        match other:\n            case P(x=x):\n                return self.x == x\n",
                "        both = set()\n        both.add(self.x)\n        both.add(other.x)\n        return not both\n",
                "        return Clause(self, '=', other)\n",
                "        return f'{self} = {other}'\n",
                "        return NotImplemented if other is None else False\n",
            )
        ),
        ("calc.py", "class P:\n    def __eq__(*both):\n        return both[0].x == both[1].x\n"),
        (
            "calc.py",
            "class P:\n    __eq__ = object.__eq__\n    def __ne__(self, other):\n        return not self == other\n",
        ),
        ("calc.py", "class Nan(float):\n    __ne__ = lambda one, other: True\n"),
        ("notes.md", "assert.equal = 1"),
    ],
)
def test_code_that_only_uses_it_is_fine(path: str, now: str) -> None:
    assert turns_the_judge(path, "", now) == []
