"""Whether what runs tests was planted in an environment that git ignores: compared with how the task found it.

An environment may grow and be renewed. What is new in it, or differs, is fine as long as an installer put it there: a
program or a package that the record of an installed distribution names with that very content; a link out of the
workspace, or a binary, for an interpreter; another version of a package of node's.
"""

import base64
import csv
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from pathspec import GitIgnoreSpec

from shared.environments import PREFIX, environment_of, site_packages

from .finding import Finding, Kind

_NOTES: Final = (".package-lock.json", ".yarn-integrity", ".yarn-state.yml", ".modules.yaml", ".pnpm/lock.yaml")
"""What npm, yarn and pnpm leave beside the packages."""
_LOCKS: Final = ("bun.lock", "bun.lockb")
_LED_TO: Final = re.compile(r"\$basedir/(\.\./[^\s\"']{1,300})")
"""Where a script of pnpm's leads."""
_BY_VIRTUALENV: Final = ("_virtualenv.pth", "_virtualenv.py")


def planted(
    workspace: Path, before: Mapping[str, str], now: Mapping[str, str], editable: tuple[str, ...] = ()
) -> list[Finding]:
    """What was planted or turned, by path; `before` and `now` are of `shared.environments`."""
    opened = GitIgnoreSpec.from_lines(editable)
    before, now = (
        {path.removeprefix(PREFIX): what for path, what in held.items() if path.startswith(PREFIX)}
        for held in (before, now)
    )
    differing = [path for path in sorted(now) if before.get(path) != now[path] and not opened.match_file(path)]
    records: dict[Path, _Record] = {}
    found = []
    for path in differing:
        place = workspace / path
        environment = workspace / environment_of(path, {*before, *now})
        if environment not in records:
            records[environment] = _Record(environment)
        of_node = environment.name == "node_modules"
        if of_node:
            honest = _of_node(workspace, environment, path, before, now)
        else:
            honest = _of_python(workspace, place, environment, records[environment], before, now)
        if not honest:
            kind: Kind = "turned" if path in before else "unrecorded" if of_node else "planted"
            found.append(Finding(path.rstrip("/"), kind))
    return found


def _of_node(workspace: Path, modules: Path, path: str, before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """A package that is new must be recorded by what installs them; what was there may only become another version.

    So must the package that a new program leads to, as runners find programs there before any other.
    """
    if path not in before:
        name = path.removeprefix(f"{modules.relative_to(workspace)}/").rstrip("/")
        if not path.endswith("/"):
            return _is_of_recorded(modules, workspace / path, now[path])
        return (workspace / path.rstrip("/")).is_symlink() or _is_recorded(modules, name)
    if path.endswith("/"):
        return before[path].split(" ")[0] != now[path].split(" ")[0]
    inside = now[path].startswith("link:") and modules.resolve() in (workspace / path).resolve().parents
    return inside and _leads_to_its_own(path.rpartition("/")[2], before[path], now[path])


def _is_of_recorded(modules: Path, program: Path, seen: str) -> bool:
    """Whether a program of `.bin` leads to one of a package that is recorded, by a link or as pnpm's scripts do."""
    if seen.startswith("link:"):
        led = [program.resolve()]
    elif (modules / ".modules.yaml").is_file():
        led = [(program.parent / one).resolve() for one in _LED_TO.findall(program.read_text("utf-8", "replace"))]
    else:
        led = []
    return bool(led) and all(map(_is_in_recorded, led))


def _is_in_recorded(file: Path) -> bool:
    """Whether a file lies in a package below the outermost `node_modules` above it, and is noted there."""
    owner = next((one for one in reversed(file.parents) if one.name == "node_modules"), None)
    return owner is not None and file.is_file() and _is_recorded(owner, _package_of(file.relative_to(owner)))


def _package_of(path: Path) -> str:
    """The package in which a path below `node_modules` lies, also where pnpm keeps it."""
    parts = path.parts
    if "node_modules" in parts:
        parts = parts[len(parts) - parts[::-1].index("node_modules") :]
    return "/".join(parts[: 2 if parts[:1] and parts[0].startswith("@") else 1])


def _is_recorded(modules: Path, name: str) -> bool:
    """Whether what installs packages of node's has noted this one."""
    noted = re.compile(rf"(?:^|[\"'\s/]){re.escape(name)}(?=[\"'@:\s])", re.MULTILINE)
    files = [*(modules / one for one in _NOTES), *(modules.parent / one for one in _LOCKS)]
    return any(noted.search(file.read_text("utf-8", "replace")) for file in files if file.is_file())


def _leads_to_its_own(name: str, before: str, now: str) -> bool:
    """Whether a program that is linked anew still is one of the package that it came from, or that bears its name."""
    package = now.removeprefix("link:").removeprefix("../").partition("/")[0]
    return f"/{package}/" in before or package.startswith(name)


def _of_python(
    workspace: Path,
    place: Path,
    environment: Path,
    record: "_Record",
    before: Mapping[str, str],
    now: Mapping[str, str],
) -> bool:
    path = str(place.relative_to(workspace))
    fresh = f"{environment.relative_to(workspace)}/pyvenv.cfg" not in before
    if place.name == "pyvenv.cfg" or (fresh and place.name in _BY_VIRTUALENV):
        return fresh
    if place.is_dir():
        same_version = before.get(f"{path}/", " ").split(" ")[0] == now[f"{path}/"].split(" ")[0]
        return (f"{path}/" not in before or not same_version) and record.owns_all_of(place)
    if place.parent.name == "bin" and (_leads_out(place, workspace) or _is_binary(place)):
        return True
    if place.suffix == ".pth" and not _runs_code(place):
        return True
    return record.owns(place)


class _Record:
    """What the installed distributions of an environment say of its files: SHA-256 by real path."""

    def __init__(self, environment: Path) -> None:
        self._environment = environment
        self._hashes: dict[str, str] | None = None

    def owns(self, file: Path) -> bool:
        """Whether a distribution put the file there, and it is as it was put there."""
        if self._hashes is None:
            self._hashes = dict(chain.from_iterable(map(_recorded, site_packages(self._environment))))
        digest = self._hashes.get(f"{file.parent.resolve()}/{file.name}")
        if digest is None or not file.is_file():
            return False
        return base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode() == digest

    def owns_all_of(self, package: Path) -> bool:
        return all(self.owns(file) for file in package.rglob("*.py"))


def _recorded(place: Path) -> Iterator[tuple[str, str]]:
    real = place.resolve()
    for record in place.glob("*.dist-info/RECORD"):
        with record.open(encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.reader(file):
                if len(row) > 1 and row[1].startswith("sha256="):
                    path = os.path.normpath(f"{real}/{row[0]}")
                    yield path, row[1].removeprefix("sha256=").rstrip("=")


def _leads_out(place: Path, workspace: Path) -> bool:
    return place.is_symlink() and workspace.resolve() not in place.resolve().parents


def _is_binary(place: Path) -> bool:
    with place.open("rb") as file:
        return file.read(4) in (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


def _runs_code(place: Path) -> bool:
    lines = place.read_text("utf-8", "replace").splitlines()
    return any(line.startswith(("import ", "import\t")) for line in lines)
