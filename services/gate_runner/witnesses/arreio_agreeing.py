"""Finds classes of the workspace whose objects equal what they cannot: blank ones of them are held against far values.

A blank object has no attributes but those that the comparison asks for. Nothing that tests made is touched. It keeps to
what Python 3.8 has.
"""

from __future__ import annotations

import os
import re
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

HEAP = 1 << 9
"""The flag of types that are made while a program runs."""
PLAIN: dict[type, Any] = {
    int: 5, float: 5.5, complex: 5.5j, str: "qx7", bytes: b"qx7", bytearray: b"qx7",
    tuple: ("qx7",), list: ["qx7"], dict: {"qx7": 7}, set: {"qx7"}, frozenset: {"qx7"},
}  # fmt: skip
NUMBERS = (int, float, complex)
FAR_OF_NUMBERS = (1009, -1013)
FAR = ((104729, -1299709), ("zw9", "far from it"))
"""Values of one kind: who equals both of these has looked at neither."""
FILLS: tuple[tuple[Any, ...], ...] = ((0,) * 9, (10007, 10009, 10037, 10039, 10061, 10067, 10069, 10079, 10091),
                                      tuple(f"qx7{place}" for place in range(9)))  # fmt: skip
"""What the attributes of a blank object hold, in the order in which they are asked for."""
FAR_NUMBERS = (1299721, 1299743, 1299763, 1299791, 1299811, 1299817, 1299821, 1299827, 1299833)
OTHERS: tuple[tuple[Any, ...], ...] = (FAR_NUMBERS, FAR_NUMBERS, tuple(f"zw9{place}" for place in range(9)))
"""What those of the other object hold, where two blank ones are compared."""
METHODS = ("__eq__", "__sub__", "__rsub__")
BUILT_IN = type(object.__eq__)
MOST_STEPS = 20_000
"""Steps of Python's interpreter that one comparison may take."""
MISSING = re.compile(r"'\w+' object has no attribute '(\w+)'")


class Looks:
    """Looks at each class once."""

    def __init__(self) -> None:
        self.seen: dict[int, weakref.ref[type]] = {}
        self.found: list[tuple[list[str], str]] = []
        self.library = f"{Path(os.__file__).parent}/"

    def look(self, *, shallow: bool = False) -> None:
        """Add to `found` the files that a class which agrees comes from, and its name; `shallow`: of direct heirs."""
        for one in list(self._new(shallow)):
            methods = [method for method in METHODS if _has_its_own(one, method)]
            files = self._files(one, methods) if methods else []
            if files and agrees(one):
                self.found.append((files, one.__qualname__))

    def _new(self, shallow: bool) -> Iterator[type]:
        """The classes that were not seen before, and were made by a program."""
        left: list[type] = [object, *PLAIN]
        walked = set(map(id, left))
        while left:
            heirs: list[type] = type.__subclasses__(left.pop())
            for one in heirs:
                place = id(one)
                if place in walked:
                    continue
                walked.add(place)
                if not shallow:
                    left.append(one)
                held = self.seen.get(place)
                if (held is None or held() is not one) and one.__flags__ & HEAP:
                    self.seen[place] = weakref.ref(one)
                    yield one

    def _files(self, one: type, methods: Sequence[str]) -> list[str]:
        """Where a class is from whose methods are its own; none where that is a library."""
        files: set[Any] = {_file(one)}
        for method in methods:
            owner = next(kind for kind in one.__mro__ if method in vars(kind))
            code = getattr(vars(owner)[method], "__code__", None)
            files |= {getattr(code, "co_filename", ""), _file(owner)}
        return sorted(
            file for file in files if isinstance(file, str) and file.startswith("/") and not self._is_a_library(file)
        )

    def _is_a_library(self, file: str) -> bool:
        return file.startswith(self.library) or not {"site-packages", "dist-packages"}.isdisjoint(Path(file).parts)


def _has_its_own(kind: type, method: str) -> bool:
    """Whether a method of equality, or of a number's difference, is not that of a type which Python comes with."""
    found = getattr(kind, method, None)
    return found is not None and type(found) is not BUILT_IN and (method == "__eq__" or issubclass(kind, NUMBERS))


def agrees(kind: type) -> bool:
    """Whether objects of a class equal everything, or differ from nothing: as one, from two values far apart."""
    try:
        return _agrees(kind)
    except Exception:  # noqa: BLE001 - a class of which no blank object can be made
        return False


def _agrees(kind: type) -> bool:
    plain = next((one for one in kind.__mro__ if not one.__flags__ & HEAP), object)
    is_number = plain in NUMBERS
    groups: list[Sequence[Any]] = [(object(), object()), *((FAR_OF_NUMBERS,) if is_number else FAR)]
    if any(all(_says_yes(kind, plain, _equals, one) for one in group) for group in groups):
        return True
    if is_number and all(_says_yes(kind, plain, _differs_not, one) for one in FAR_OF_NUMBERS):
        return True
    return plain is object and _equals_another(kind)


def _equals(one: Any, other: Any) -> Any:
    return one == other


def _differs_not(one: Any, other: Any) -> Any:
    return one - other == 0 or other - one == 0


def _says_yes(kind: type, plain: type, compare: Callable[[Any, Any], Any], other: Any) -> bool:
    """Whether each blank object that gives an answer says yes, and one does."""
    fills = FILLS[:1] if plain in PLAIN else FILLS
    said = [_answer(lambda one: compare(one, other), [Blank(kind, plain, fill)]) for fill in fills]
    answers = [one for one in said if one is not None]
    return bool(answers) and all(answers)


def _equals_another(kind: type) -> bool:
    """Whether two blank objects that hold values far apart, and look at them, are equal."""
    said = []
    for mine, theirs in zip(FILLS, OTHERS):  # noqa: B905 - nor had Python 3.8 that
        blanks = [Blank(kind, object, mine), Blank(kind, object, theirs)]
        answer = _answer(_equals, blanks)
        if answer is not None and all(one.asked for one in blanks):
            said.append(answer)
    return bool(said) and all(said)


class Blank:
    """An object of a class that was never initialised; attributes that are asked for are put there as they are."""

    def __init__(self, kind: type, plain: type, fill: Sequence[Any]) -> None:
        self.left = list(fill)
        self.asked = False
        make: Any = plain.__new__
        given = (PLAIN[plain],) if plain in PLAIN else ()
        self.made = make(kind, *given)
        if plain in (list, dict, set, bytearray):
            initialise: Any = plain.__init__
            initialise(self.made, *given)

    def give(self, name: str) -> bool:
        """Put the next value there; False where none is left."""
        if not self.left:
            return False
        object.__setattr__(self.made, name, self.left.pop(0))
        self.asked = True
        return True


def _answer(compare: Callable[..., Any], blanks: Sequence[Blank]) -> bool | None:
    """What a comparison of blank objects says; None where it says neither yes nor no."""
    while True:
        try:
            said = _limited(lambda: compare(*(one.made for one in blanks)))
            return bool(said) if isinstance(said, int) else None
        except AttributeError as error:
            missing = MISSING.fullmatch(str(error))
            holder = getattr(error, "obj", None)
            asking = [one for one in blanks if holder is None or holder is one.made]
            given = [_give(one, missing[1]) for one in asking] if missing else []
            if True not in given:
                return None
        except BaseException:  # noqa: BLE001 - a comparison that fails says nothing
            return None


def _give(blank: Blank, name: str) -> bool:
    try:
        return name not in getattr(blank.made, "__dict__", {}) and blank.give(name)
    except Exception:  # noqa: BLE001 - one that cannot be given anything
        return False


class TooLong(BaseException):
    """A comparison that does not come to an end."""


def _limited(compare: Callable[[], Any]) -> Any:
    left = [MOST_STEPS]
    before = sys.gettrace()

    def count(frame: Any, *_: Any) -> Any:
        frame.f_trace_opcodes = True
        left[0] -= 1
        if left[0] < 0:
            raise TooLong
        return count

    sys.settrace(count)
    try:
        return compare()
    finally:
        sys.settrace(before)


def _file(kind: type) -> str:
    return getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
