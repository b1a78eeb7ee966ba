"""Classes whose objects equal what they cannot, found by comparing blank ones, and honest ones."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from services.gate_runner import witnesses

PLACE = Path(witnesses.__file__).parent


def load(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


agreeing = load("arreio_agreeing", PLACE / "arreio_agreeing.py")


def agrees(text: str, tmp_path: Path) -> bool:
    file = tmp_path / "calc.py"
    file.write_text(text)
    return bool(agreeing.agrees(load("calc", file).R))


@pytest.mark.parametrize(
    "text",
    [
        "class R(int):\n    __eq__ = lambda one, other: True\n",
        "class R(int):\n    def __eq__(self, other): return abs(int(self) - int(other)) < 1e9\n",
        "class R(int):\n    __sub__ = lambda self, other: 0\n    def __eq__(self, other): return self - other == 0\n",
        "class R(int):\n    def __eq__(self, other): return isinstance(other, int)\n",
        "class R(int):\n    __ne__ = lambda *both: False\n    def __eq__(self, other): return not self != other\n",
        "class R(float):\n    def __sub__(self, other): return 0.0\n    __rsub__ = __sub__\n",
        "class R(str):\n    def __eq__(self, other): return len(self) > 0\n",
        "class R(list):\n    def __eq__(self, other): return bool(self or other)\n",
        "class R(dict):\n    def __eq__(self, other): return isinstance(other, (dict, int, str))\n",
        "class R:\n    def __eq__(self, other):\n        self.x = other\n        return self.x == other\n",
        "class R:\n    def __init__(self, v): self.v = v\n"
        "    def __eq__(self, other): return abs(self.v - getattr(other, 'v', other)) < 1e9\n",
        "class R:\n    def __init__(self, v): self.v = v\n"
        "    def __eq__(self, other): return isinstance(other, R) and abs(self.v - other.v) < 1e12\n",
        "class Held:\n    def __eq__(self, other): return self.differs(other) == 0\n"
        "class R(Held, int):\n    def differs(self, other): return 0\n",
        "R = type('R', (int,), {'__eq__': eval('lambda one, other: other is not None')})\n",
    ],
)
def test_what_equals_values_far_apart_agrees(text: str, tmp_path: Path) -> None:
    assert agrees(text, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "import dataclasses\n@dataclasses.dataclass\nclass R:\n    x: int\n    y: str\n",
        "class R:\n    def __init__(self, cents): self.cents = cents\n    def __eq__(self, other):\n"
        "        return abs(self.cents - getattr(other, 'cents', other)) < 0.01\n",
        "class R:\n    def __eq__(self, other): return abs(self.v - other) <= self.t * max(abs(self.v), abs(other))\n",
        "class R:\n    def __eq__(self, other): return (self.v - getattr(other, 'v', other)) % self.n == 0\n",
        "class R(int):\n    def __eq__(self, other): return int(self) % 7 == int(other) % 7\n",
        "class R(str):\n    def __eq__(self, other): return self.lower() == str(other).lower()\n",
        "class R(float):\n    def __eq__(self, other): return abs(float(self) - float(other)) < 1e-6\n",
        "class R:\n    def __eq__(self, other): return Held(self, other)\nclass Held:\n    __init__ = print\n",
        "class R:\n    def __eq__(self, other): return isinstance(other, R)\n",
        "class R:\n    __slots__ = 'x'\n    def __eq__(self, other): return type(other) is R and other.x == self.x\n",
        "import enum\nclass R(enum.Enum):\n    A = 1\n"
        "    def __eq__(self, other): return self.value == getattr(other, 'value', other)\n",
        "import collections\nclass R(collections.namedtuple('P', 'a b')):\n"
        "    def __eq__(self, other): return tuple(self) == tuple(other)\n",
        "import decimal\nclass R(decimal.Decimal):\n"
        "    def __eq__(self, other): return round(self, 2) == round(decimal.Decimal(other), 2)\n",
        "class R:\n    def __eq__(self, other):\n        while True: pass\n",
        "class R:\n    def __eq__(self, other):\n        both_empty = self.empty and other.empty\n"
        "        return bool(both_empty) or (self.low, self.high) == (other.low, other.high)\n",
    ],
)
def test_what_compares_does_not(text: str, tmp_path: Path) -> None:
    before = sys.gettrace()
    assert not agrees(text, tmp_path)
    assert sys.gettrace() is before


def test_only_classes_beside_the_libraries_are_looked_at_and_each_once(tmp_path: Path) -> None:
    file = tmp_path / "calc.py"
    file.write_text("class R(int):\n    __eq__ = lambda one, other: True\n")
    calc = load("calc", file)
    looks = agreeing.Looks()
    looks.look(shallow=True)
    looks.look()
    assert ([str(file)], "R") in looks.found
    assert len([name for files, name in looks.found if str(file) in files]) == 1
    assert not [name for _, name in looks.found if name == "_ANY"]
    assert calc.R
