"""New modules that hide one of the workspace: who takes whose place in Python and node."""

import pytest

from services.gate_runner.cheating import hides


@pytest.mark.parametrize(
    ("new", "held"),
    [
        ("shop/__init__.py", "shop.py"),
        ("app/shop/__init__.py", "app/shop.py"),
        ("shop.py", "src/shop.py"),
        ("shop/__init__.py", "src/shop/__init__.py"),
        ("lib/shop", "lib/shop.js"),
        ("shop.js", "shop/index.js"),
        ("shop.js", "shop.json"),
    ],
)
def test_a_new_module_in_front_of_one_that_stays_is_told(new: str, held: str) -> None:
    [found] = hides([new], lambda _: True, lambda path: path == held)
    assert (found.path, found.kind, found.what) == (new, "hides", held)
    assert held in found.said("pt")


@pytest.mark.parametrize(
    ("new", "held"),
    [
        ("shop/rates.py", "shop.py"),
        ("shop.py", "shop/__init__.py"),
        ("app/shop.py", "src/shop.py"),
        ("shop.json", "shop.js"),
        ("shop.mjs", "shop.js"),
        ("LICENSE", "LICENSE.md"),
    ],
)
def test_one_that_is_found_after_it_is_not(new: str, held: str) -> None:
    assert hides([new], lambda _: True, lambda path: path == held) == []


def test_what_is_gone_is_not_hidden() -> None:
    assert hides(["shop/__init__.py"], lambda path: path != "shop.py", lambda path: path == "shop.py") == []
