"""Which Python runs a workspace's code, and where it looks for modules. Told by files alone: nothing is run.

An interpreter in the workspace may have been written by the model, so it is never started outside the sandbox.
"""

import os
import re
import shlex
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_OWN = (".venv", "venv", "env", ".env", ".conda")
_RUNNERS = re.compile(r"(python|pypy)[\d.]*|pytest|py\.test|tox|nox|coverage|unittest|ruff|mypy")
_VERSION = re.compile(r"python(\d+\.\d+)t?$")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python by its folders: `standard` its library, `sites` where distributions are installed.

    `version` is "3.12", or empty where no folder tells it.
    """

    prefix: Path
    version: str
    standard: tuple[Path, ...]
    sites: tuple[Path, ...]


def find_interpreter(
    workspace: Path, commands: Sequence[str] = (), environ: Mapping[str, str] | None = None
) -> Interpreter | None:
    """The workspace's own environment, else the one that the commands name, else the python3 of the search path."""
    environ = os.environ if environ is None else environ
    for prefix in (*(workspace / name for name in _OWN), *_named(workspace, commands)):
        if _is_environment(prefix):
            return describe(prefix)
    for name in (*_programs(commands), "python3", "python"):
        prefix_found = _on_path(name, environ)
        if prefix_found is not None:
            return describe(prefix_found)
    return None


def source_paths(workspace: Path, commands: Iterable[str]) -> Iterator[Path]:
    """The folders that the commands put on PYTHONPATH."""
    for command in commands:
        for value in re.findall(r"\bPYTHONPATH=(\S+)", command):
            for part in value.strip("\"'").split(":"):
                if part and "$" not in part:
                    yield workspace / part


def describe(prefix: Path) -> Interpreter:
    """The interpreter that lives at a prefix: an environment, or an installation."""
    config = _config(prefix)
    base = Path(config["home"]).parent if config.get("home") else prefix
    version = _version(prefix, config) or _version(base, {})
    standard = [base / "lib" / f"python{version}", base / "lib64" / f"python{version}", base / "Lib"]
    standard += [path / "lib-dynload" for path in standard[:2]]
    if not any((path / "os.py").is_file() for path in standard):
        # An environment whose installation is not here: this harness's own library stands for it.
        standard = [Path(sysconfig.get_path("stdlib")), Path(sysconfig.get_path("stdlib")) / "lib-dynload"]
    sites = [*_site_packages(prefix, version)]
    if (base != prefix and config.get("include-system-site-packages", "").lower() == "true") or base == prefix:
        sites += [*_site_packages(base, version), Path("~/.local/lib").expanduser() / f"python{version}/site-packages"]
    return Interpreter(prefix, version, _existing(standard), _existing(sites))


def _existing(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(path for path in paths if path.is_dir()))


def _is_environment(prefix: Path) -> bool:
    return (
        (prefix / "pyvenv.cfg").is_file()
        or (prefix / "conda-meta").is_dir()
        or any(prefix.glob("lib/python*/site-packages"))
    )


def _config(prefix: Path) -> dict[str, str]:
    try:
        lines = (prefix / "pyvenv.cfg").read_text("utf-8", "replace").splitlines()
    except OSError:
        return {}
    return {key.strip().lower(): value.strip() for key, _, value in (line.partition("=") for line in lines)}


def _version(prefix: Path, config: Mapping[str, str]) -> str:
    said = config.get("version_info") or config.get("version") or ""
    if found := re.match(r"\d+\.\d+", said):
        return found.group()
    folders = (found for path in sorted((prefix / "lib").glob("python3.*")) if (found := _VERSION.search(path.name)))
    versions = sorted((found.group(1) for found in folders), key=lambda each: int(each.partition(".")[2]))
    named = re.search(r"(\d+\.\d+)", prefix.name)
    if named and named.group(1) in versions:
        return named.group(1)
    linked = re.search(r"python(\d+\.\d+)$", os.path.realpath(prefix / "bin" / "python3"))
    if linked:
        return linked.group(1)
    return versions[-1] if versions else ""


def _site_packages(prefix: Path, version: str) -> Iterator[Path]:
    for lib in ("lib", "lib64", "local/lib"):
        for kind in ("site-packages", "dist-packages"):
            yield prefix / lib / f"python{version}" / kind
    yield prefix / "Lib" / "site-packages"
    yield prefix / "lib" / "python3" / "dist-packages"
    if prefix == Path("/usr"):
        yield Path("/usr/local/lib") / f"python{version}" / "dist-packages"


def _words(commands: Iterable[str]) -> Iterator[str]:
    for command in commands:
        try:
            yield from shlex.split(command.replace(";", " ; "))
        except ValueError:
            yield from command.split()


def _named(workspace: Path, commands: Iterable[str]) -> Iterator[Path]:
    """The prefixes of programs that the commands call by a path: `.venv311/bin/pytest`, `. env/bin/activate`."""
    for word in _words(commands):
        path = Path(word)
        if path.parent.name in ("bin", "Scripts"):
            yield (workspace / path).parent.parent


def _programs(commands: Iterable[str]) -> Iterator[str]:
    return (word for word in _words(commands) if _RUNNERS.fullmatch(word))


def _on_path(name: str, environ: Mapping[str, str]) -> Path | None:
    """The prefix of a program of the search path; the version manager's stand-ins are looked through."""
    own = str(Path(sys.prefix) / "bin")
    for folder in (*environ.get("PATH", "").split(os.pathsep), "/usr/local/bin", "/usr/bin", own):
        program = Path(folder) / name
        if not folder.startswith("/") or not program.is_file():
            continue
        if Path(folder).name == "shims":
            chosen = _pyenv(Path(folder).parent, environ)
            if chosen is not None:
                return chosen
            continue
        if (program.parent.parent / "pyvenv.cfg").is_file():
            return program.parent.parent
        real = _interpreter_of(program)
        if real is not None and (prefix := real.parent.parent).joinpath("lib").is_dir():
            return prefix
    return None


def _interpreter_of(program: Path) -> Path | None:
    """A Python's own path, or that of the Python that a script names in its first line."""
    if program.name.startswith(("python", "pypy")):
        return Path(os.path.realpath(program))
    try:
        with program.open("rb") as file:
            first = file.readline(256).decode("utf-8", "replace")
    except OSError:
        return None
    if not first.startswith("#!/") or "python" not in first:
        return None
    named = Path(first[2:].split()[0])
    return named if (named.parent.parent / "pyvenv.cfg").is_file() else Path(os.path.realpath(named))


def _pyenv(root: Path, environ: Mapping[str, str]) -> Path | None:
    chosen = environ.get("PYENV_VERSION")
    if not chosen:
        try:
            chosen = (root / "version").read_text("utf-8").split()[0]
        except (OSError, IndexError):
            return None
    prefix = root / "versions" / chosen.partition(":")[0]
    return prefix if prefix.is_dir() else None
