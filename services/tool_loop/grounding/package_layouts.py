"""Where a `pyproject.toml` says that a project's modules lie, and which names a build gives them."""

from collections.abc import Iterator, Mapping
from typing import Any


def strings(value: Any) -> Iterator[str]:
    """All strings of a table or list, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def table(value: Any, *keys: str) -> Any:
    """What lies below keys; an empty table where nothing does."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return {} if value is None else value


def sources(tool: Mapping[str, Any]) -> Iterator[str]:
    """The folders of sources that its tools name."""
    setuptools = table(tool, "setuptools")
    yield from strings(table(setuptools, "packages", "find", "where"))
    yield from strings(table(setuptools, "package-dir", ""))
    yield from strings(table(tool, "pytest", "ini_options", "pythonpath"))
    for package in table(tool, "poetry", "packages") or ():
        yield from strings(table(package, "from"))
    yield from strings(table(tool, "mypy", "mypy_path"))
    yield from strings(table(tool, "ruff", "src"))
    yield from strings(table(tool, "hatch", "build", "sources"))
    yield from strings(table(tool, "maturin", "python-source"))
    yield from strings(table(tool, "pdm", "build", "package-dir"))
    yield from strings(table(tool, "pdm", "package-dir"))
    yield from strings(table(tool, "uv", "build-backend", "module-root"))


def mapped(tool: Mapping[str, Any]) -> Iterator[str]:
    """The packages that a build lays elsewhere than where their names say, or makes."""
    yield from map(top, table(tool, "setuptools", "package-dir"))
    yield from map(top, strings(table(tool, "setuptools", "py-modules")))
    yield from map(top, strings(table(tool, "flit", "module", "name")))
    for names in (("maturin", "module-name"), ("maturin", "python-packages"), ("uv", "build-backend", "module-name")):
        yield from map(top, strings(table(tool, *names)))
    yield from map(top, strings(table(tool, "pdm", "build", "includes")))
    for kind in ("setuptools", "setuptools-rust"):
        for extension in table(tool, kind, "ext-modules") or ():
            yield from map(top, (*strings(table(extension, "name")), *strings(table(extension, "target"))))
    packages = table(tool, "scikit-build", "wheel", "packages")
    yield from map(top, packages if isinstance(packages, Mapping) else ())
    for place in ("sources", "force-include"):
        for targets in (table(tool, "hatch", "build"), *table(tool, "hatch", "build", "targets").values()):
            mapping = table(targets, place)
            yield from map(top, strings(mapping) if isinstance(mapping, Mapping) else ())
    for package in table(tool, "poetry", "packages") or ():
        yield from map(top, strings(table(package, "to")))
        yield from map(top, strings(table(package, "include")))


def top(name: str) -> str:
    """The top-level package of a path or a dotted name."""
    return name.replace("/", ".").partition(".")[0]
