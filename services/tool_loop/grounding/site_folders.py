"""What is installed in a site folder: distributions, and the folders and packages that editable installs point to."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..rules.grounding.distributions import import_names, normalised
from .listings import Remembered, entries, text_of

_METADATA = re.compile(r"^(?P<name>.+?)(?:-[^-]+?(?:-py[\d.]+(?:-.*)?)?)?\.(?:dist|egg)-info$")


@dataclass(frozen=True, slots=True)
class Site:
    """A site folder: its installed distributions with the folders of their metadata, and what `.pth` files add.

    `mapped`: packages that an editable install's finder serves from another place, by dotted name.
    """

    distributions: dict[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    mapped: dict[str, str] = field(default_factory=dict)


def _read_site(path: str) -> Site:
    distributions: dict[str, str] = {}
    folders: list[str] = []
    mapped: dict[str, str] = {}
    for name in sorted(entries(path) or ()):
        if name.endswith(".pth"):
            _read_pth(path, name, folders, mapped)
        elif name.endswith(".egg-link"):
            folders += text_of(f"{path}/{name}").split("\n")[:1]
            distributions.setdefault(normalised(name.removesuffix(".egg-link")), f"{path}/{name}")
        elif found := _METADATA.match(name):
            distributions.setdefault(normalised(found["name"]), f"{path}/{name}")
        elif name.endswith(".egg"):
            folders.append(f"{path}/{name}")
    return Site(distributions, tuple(dict.fromkeys(folders)), mapped)


site = Remembered(_read_site)


def _read_pth(path: str, name: str, folders: list[str], mapped: dict[str, str]) -> None:
    """A line is a folder, or code that installs a finder; the code is read, not run."""
    for line in text_of(f"{path}/{name}").splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if re.match(r"import[ \t]", line):
            for module in re.findall(r"import\s+([\w.]+)", line):
                mapped |= _finder(f"{path}/{module}.py")
        else:
            folders.append(str(Path(path, line)))


def _finder(path: str) -> dict[str, str]:
    """The packages that a finder's module maps to places: the literal of its MAPPING, or of a call to `install`."""
    try:
        tree = ast.parse(text_of(path))
    except (OSError, ValueError, SyntaxError):
        return {}
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            try:
                literal = ast.literal_eval(node)
            except (ValueError, TypeError):
                continue
            for key, value in literal.items():
                places = value if isinstance(value, list) else [value]
                if isinstance(key, str) and places and isinstance(places[0], str) and places[0].startswith("/"):
                    found[key] = places[0]
    return found


def _read_provided(folder: str) -> frozenset[str]:
    """The import names of all distributions of a site folder, by their metadata."""
    found = site(folder)
    return frozenset(name for path in (found.distributions.values() if found else ()) for name in _provides(path))


provided = Remembered(_read_provided)


def _read_imported_as(folder: str) -> Mapping[str, frozenset[str]]:
    """The top-level import names of each distribution of a site folder whose metadata tells all of them."""
    found = site(folder)
    told: dict[str, frozenset[str]] = {}
    for name, path in (found.distributions if found else {}).items():
        tops = frozenset(each.partition(".")[0] for each in _told(path))
        if tops:
            told[name] = tops
    return told


imported_as = Remembered(_read_imported_as)


def _told(path: str) -> set[str]:
    """The import names of a distribution by its metadata: `top_level.txt`, else what RECORD lists."""
    names: set[str] = set()
    try:
        names.update(line.strip().replace("/", ".") for line in text_of(f"{path}/top_level.txt").splitlines())
    except (OSError, ValueError):
        names.update(_recorded(path))
    # An editable install records its finder, and what that serves is elsewhere.
    return {name for name in names if name and not name.startswith("__editable__")}


def _provides(path: str) -> set[str]:
    """The import names of a distribution by its metadata, else by its name."""
    names = _told(path)
    if not names:
        found = _METADATA.match(Path(path).name)
        names.update(import_names(normalised(found["name"])) if found else ())
    return names


def _recorded(path: str) -> Iterator[str]:
    try:
        lines = text_of(f"{path}/RECORD").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        place = line.rsplit(",", 2)[0].strip('"')
        if place.startswith(("..", "/")) or ".dist-info/" in place:
            continue
        parts = place.split("/")
        stem = parts[-1].partition(".")[0]
        if not parts[-1].endswith((".py", ".pyi", ".so", ".pyd")):
            continue
        whole = parts[:-1] if stem == "__init__" else [*parts[:-1], stem]
        for size in range(1, min(len(whole), 3) + 1):
            yield ".".join(whole[:size])
