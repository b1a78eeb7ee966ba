"""One `arreio up` for all tests that leave it whole, and the repository that they mend."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.house import House
from tests.support.scripts import Script, call, steps

BROKEN = "def add(a, b):\n    return a - b\n"
MENDED = "def add(a, b):\n    return a + b\n"
TEST = "from calculator import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n"


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """All five services on an engine of their own; nothing of it is left afterwards."""
    with House(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """An empty folder to work in."""
    place = tmp_path / "workspace"
    place.mkdir()
    return place


@pytest.fixture
def repository(workspace: Path) -> Path:
    """A repository with a test that fails, because `calculator.py` subtracts."""
    (workspace / "calculator.py").write_text(BROKEN)
    (workspace / "test_calculator.py").write_text(TEST)
    return workspace


@pytest.fixture
def mending() -> Script:
    """A model that looks, mends the repository's mistake and says so."""
    return steps(
        call("read_file", path="calculator.py"),
        call("edit_file", path="calculator.py", old_text="a - b", new_text="a + b"),
        call("task_complete", reply="add adds now."),
    )
