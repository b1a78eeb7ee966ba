"""Registries asked through real clients: found, not found and unreachable are told apart."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from arreio_contracts.grounding import SOME_INDEX, Ecosystem, Package

from services.tool_loop.grounding.package_index import ClientIndex, RememberedIndex, package_verdicts
from services.tool_loop.rules.grounding.packages import Answer
from tests.support.registries import registry

DEAD = "http://127.0.0.1:9"
PACKAGES = {"six": 4000, "old-thing": 400, "fresh-thing": 2, "undated": None, "reqests": 400}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with registry(PACKAGES) as address:
        yield address


def client(tmp_path: Path, url: str, *programs: str) -> ClientIndex:
    """An index over these programs alone, all of them set to one registry."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in programs:
        own = Path(sys.prefix) / "bin" / name
        found = str(own) if own.exists() else shutil.which(name)
        if found is None:
            pytest.skip(f"{name} is not here")
        (folder / name).symlink_to(found)
    environ = {
        "PATH": f"{folder}:/usr/bin:/bin" if "npm" in programs else str(folder),
        "HOME": str(tmp_path),
        "PIP_INDEX_URL": f"{url}/simple",
        "PIP_CONFIG_FILE": os.devnull,
        "npm_config_registry": url,
        "npm_config_cache": str(tmp_path / "npm"),
        "UV_CACHE_DIR": str(tmp_path / "uv"),
        "UV_HTTP_RETRIES": "0",
        "UV_PYTHON": sys.executable,
    }
    return ClientIndex(environ=environ)


def package(name: str, ecosystem: Ecosystem = "pypi") -> Package:
    return Package(ecosystem=ecosystem, name=name)


@pytest.mark.parametrize(
    ("program", "ecosystem"), [("pip", "pypi"), ("uv", "pypi"), ("npm", "npm")], ids=["pip", "uv", "npm"]
)
async def test_a_client_tells_what_is_there_from_what_is_not(
    tmp_path: Path, url: str, program: str, ecosystem: Ecosystem
) -> None:
    index = client(tmp_path, url, program)
    found = await package_verdicts(index, [package("old-thing", ecosystem), package("no-such-thing-at-all", ecosystem)])
    assert [each.verdict for each in found.values()] == ["EXISTS", "MISSING"]


@pytest.mark.parametrize(
    ("program", "ecosystem"), [("pip", "pypi"), ("uv", "pypi"), ("npm", "npm")], ids=["pip", "uv", "npm"]
)
async def test_a_registry_that_cannot_be_reached_says_nothing(
    tmp_path: Path, program: str, ecosystem: Ecosystem
) -> None:
    found = await client(tmp_path, DEAD, program).look(package("old-thing", ecosystem))
    assert found.standing == "unreachable"


@pytest.mark.parametrize(
    ("program", "ecosystem"), [("pip", "pypi"), ("uv", "pypi"), ("npm", "npm")], ids=["pip", "uv", "npm"]
)
async def test_a_package_that_is_days_old_is_doubtful_where_the_client_tells(
    tmp_path: Path, url: str, program: str, ecosystem: Ecosystem
) -> None:
    if program == "pip" and not (Path(sys.executable).parent / "uv").exists():
        pytest.skip("no uv is beside this Python, and pip tells no dates")
    index = client(tmp_path, url, program)
    asked = [package(name, ecosystem) for name in ("fresh-thing", "old-thing", "undated")]
    found = await package_verdicts(index, asked)
    assert [found[each].doubt for each in asked] == ["new", None, None]


@pytest.mark.parametrize(
    ("program", "ecosystem"), [("pip", "pypi"), ("uv", "pypi"), ("npm", "npm")], ids=["pip", "uv", "npm"]
)
async def test_a_package_is_looked_for_in_the_registry_that_is_named(
    tmp_path: Path, url: str, program: str, ecosystem: Ecosystem
) -> None:
    there = url if ecosystem == "npm" else f"{url}/simple"
    asked = [
        Package(ecosystem=ecosystem, name=name, index=index)
        for name, index in (("old-thing", there), ("no-such-thing-at-all", there), ("old-thing", SOME_INDEX))
    ]
    found = await package_verdicts(client(tmp_path, DEAD, program), asked)
    assert [found[each].verdict for each in asked] == ["EXISTS", "MISSING", "UNKNOWN"]


async def test_a_near_miss_is_doubtful_whether_or_not_the_registry_has_it(tmp_path: Path, url: str) -> None:
    near = package("reqests")
    found = (await package_verdicts(client(tmp_path, url, "pip"), [near]))[near]
    assert (found.verdict, found.doubt, found.candidates) == ("EXISTS", "near_miss", ("requests",))
    nowhere = (await package_verdicts(ClientIndex(environ={"PATH": ""}), [near]))[near]
    assert (nowhere.verdict, nowhere.doubt) == ("UNKNOWN", "near_miss")


async def test_a_client_that_lies_where_the_model_writes_is_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "was-run"
    fake = tmp_path / "workspace" / "bin" / "pip"
    fake.parent.mkdir(parents=True)
    fake.write_text(f"#!/bin/sh\ntouch {mark}\n")
    fake.chmod(0o755)
    index = ClientIndex([str(tmp_path / "workspace")], {"PATH": f"{fake.parent}:/usr/bin"})
    assert index.program("pip") != str(fake)
    linked = tmp_path / "links"
    linked.mkdir()
    (linked / "pip").symlink_to(fake)
    answer = await ClientIndex([str(tmp_path / "workspace")], {"PATH": str(linked)}).look(package("six"))
    assert (answer.standing, mark.exists()) == ("unreachable", False)


class Counting:
    """Counts how often it is asked."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.asked = 0

    async def look(self, package: Package) -> Answer:
        self.asked += 1
        return self._answers[0]


async def test_a_registry_that_is_away_is_not_waited_for_again_and_again() -> None:
    inner = Counting(Answer("unreachable"))
    index = RememberedIndex(inner)
    assert {(await index.look(package(f"thing-{number}"))).standing for number in range(9)} == {"unreachable"}
    assert inner.asked == 2


async def test_a_package_is_asked_for_once_a_process() -> None:
    inner = Counting(Answer("found"))
    index = RememberedIndex(inner)
    assert [(await index.look(package("six"))).standing for _ in range(3)] == ["found"] * 3
    assert inner.asked == 1
