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
        ("calc.py", "def (:\n"),
        ("notes.md", "assert.equal = 1"),
    ],
)
def test_code_that_only_uses_it_is_fine(path: str, now: str) -> None:
    assert turns_the_judge(path, "", now) == []
