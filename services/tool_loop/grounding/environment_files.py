"""What the files of conda, pixi and locks ask for, and which folders a project's tools name as parts of it."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from shared.yaml_text import load_yaml

from .package_layouts import strings, table

CONDA: Final = re.compile(r"(?:[\w.-]*[._-])?(?:environment|env|conda)(?:[._-][\w.-]*)?\.ya?ml", re.IGNORECASE)
PYLOCK: Final = re.compile(r"pylock(?:\.[\w-]+)?\.toml")
FOLDERS: Final = {
    "requirements": re.compile(r".*"),
    "reqs": re.compile(r".*\.(?:txt|in)"),
    "deps": re.compile(r".*\.(?:txt|in)"),
    "conda": re.compile(r".*\.ya?ml"),
    "envs": re.compile(r".*\.ya?ml"),
    "environments": re.compile(r".*\.ya?ml"),
    "ci": re.compile(rf"{CONDA.pattern}|.*require.*\.(?:txt|in)", re.IGNORECASE),
}
"""Folders in which requirements lie, and which of their files hold some."""
_BUILD: Final = re.compile(r"(?<=[\w.-])=(?=\d)")
_CHANNEL: Final = re.compile(r"^[\w./:-]+::")
_MOST_MEMBERS: Final = 100


def conda_lines(text: str) -> list[str]:
    """The requirements of a conda environment, those of pip too, without channels and builds."""
    try:
        whole = load_yaml(text)
    except yaml.YAMLError:
        return []
    lines = strings(table(whole, "dependencies"))
    return [_BUILD.sub("==", _CHANNEL.sub("", line), count=1) for line in lines]


def pixi_names(pixi: Mapping[str, Any]) -> Iterator[str]:
    """The packages of a pixi project, with those of its features and platforms."""
    for each in (pixi, *table(pixi, "feature").values(), *table(pixi, "target").values()):
        for key in ("dependencies", "pypi-dependencies", "host-dependencies", "build-dependencies"):
            yield from table(each, key)


def pixi_lines(text: str) -> list[str]:
    """The packages of a `pixi.toml`."""
    return [name for name in pixi_names(tomllib.loads(text)) if name != "python"]


def locked_names(text: str) -> list[str]:
    """The packages of a `pylock.toml` (PEP 751)."""
    return [str(each["name"]) for each in tomllib.loads(text).get("packages") or () if "name" in each]


def parts(tool: Mapping[str, Any]) -> Iterator[str]:
    """The folders that a project's tools name as members of its workspace or as what it needs, patterns too."""
    yield from strings(table(tool, "uv", "workspace", "members"))
    yield from strings(table(tool, "rye", "workspace", "members"))
    poetry = table(tool, "poetry")
    places = [table(tool, "uv", "sources"), table(poetry, "dependencies"), table(poetry, "dev-dependencies")]
    places += [table(group, "dependencies") for group in table(poetry, "group").values()]
    for each in (value for place in places for value in place.values()):
        yield from (table(one, "path") for one in (each if isinstance(each, list) else [each]) if table(one, "path"))


def folders_of(folder: str, patterns: tuple[str, ...]) -> Iterator[str]:
    """The folders that such patterns stand for."""
    found = 0
    for pattern in patterns:
        plain = pattern.removeprefix("./").rstrip("/")
        if not plain or plain.startswith(("/", "!")):
            continue
        places = [Path(folder, plain)] if "*" not in plain else sorted(Path(folder).glob(plain))
        for place in places:
            found += 1
            if found <= _MOST_MEMBERS and place.is_dir():
                yield str(place)
