"""The packages that a command would install: those that it names, and those that files of the workspace list."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from arreio_contracts.grounding import Installs, Package, RequirementsFile

from ..rules.grounding.install_commands import installs
from ..rules.grounding.package_words import npm_name
from ..rules.grounding.program_texts import commands_of
from ..rules.grounding.requirement_lines import requirements
from .manifest_packages import manifest_packages
from .observed import source

_MOST_FILES: Final = 20
_MOST_PACKAGES: Final = 400


def installed(workspace: Path, asked: Installs) -> list[Package]:
    """Every package once, with those of files as they are now. A file that is not in the workspace lists none."""
    found = dict.fromkeys(asked.packages)
    pending = list(asked.files)
    read: set[RequirementsFile] = set()
    while pending and len(read) < _MOST_FILES:
        file = pending.pop(0)
        text = source(workspace, file.path) if file not in read else None
        read.add(file)
        if text is None:
            continue
        if file.kind == "manifest":
            found |= dict.fromkeys(manifest_packages(workspace, file))
            continue
        if file.kind in ("script", "program"):
            for line in commands_of(file.path, text) if file.kind == "program" else (text,):
                inner = installs(line)
                found |= dict.fromkeys(inner.packages if inner is not None else ())
                pending += inner.files if inner is not None else ()
            continue
        names = requirements(text.splitlines()) if file.ecosystem == "pypi" else None
        listed = names.registry if names is not None else _npm_names(text)
        found |= dict.fromkeys(Package(ecosystem=file.ecosystem, name=name, index=file.index) for name in listed)
        folder = file.path.rpartition("/")[0]
        pending += (
            file.model_copy(update={"path": f"{folder}/{path}" if folder else path})
            for path in (names.files if names is not None else ())
        )
    return list(found)[:_MOST_PACKAGES]


def worth_asking(workspace: Path, asked: Installs | None, about_to_change: Collection[str] | None) -> Installs | None:
    """Without programs that start no install as they lie there; None: nothing is left to look up.

    `about_to_change`: paths that other calls of the same reply may write; None: any may be.
    """
    if asked is None:
        return None

    def idle(file: RequirementsFile) -> bool:
        if file.kind != "program" or about_to_change is None or file.path in about_to_change:
            return False
        text = source(workspace, file.path)
        return text is None or not any(map(installs, commands_of(file.path, text)))

    files = tuple(file for file in asked.files if not idle(file))
    return asked.model_copy(update={"files": files}) if files or asked.packages else None


def _npm_names(text: str) -> Iterator[str]:
    return (name for word in text.split() if (name := npm_name(word)) is not None)
