"""What is known of a name: of an import, a symbol, a package that is to be installed, or something a reply names."""

from typing import Literal

from pydantic import Field

from .task import Contract

Standing = Literal["EXISTS", "MISSING", "UNKNOWN"]
"""Found; in no module, environment, manifest or registry; or not decidable from here."""

Ecosystem = Literal["pypi", "npm"]


class NameVerdict(Contract):
    """How a name of a source file stands, and what may have been meant instead."""

    name: str = Field(description="As code names it: `yaml`, `google.genai`, `json.loadz`, `.sibling`, `@scope/pkg`.")
    verdict: Standing
    why: str
    candidates: tuple[str, ...] = ()


class FileNames(Contract):
    """The names of a written file that do not stand."""

    rule: str = Field(description="Name and version of the rule.")
    path: str
    missing: tuple[NameVerdict, ...] = ()
    before: tuple[str, ...] = Field(default=(), description="Those that did not stand before the task wrote it.")


class Package(Contract):
    """A package as a registry lists it, by its normalised name."""

    ecosystem: Ecosystem
    name: str
    index: str = Field(
        default="", description="The registry's address, where a command names one; `?`: one that cannot be asked."
    )


SOME_INDEX = "?"
"""A registry that a command speaks of and that cannot be asked: several at once, or an address that is not plain."""

SOME_NAME = "?"
"""A package whose name only running the command would tell."""


class RequirementsFile(Contract):
    """A file whose lines a command would install, by its path from where the command starts."""

    ecosystem: Ecosystem
    path: str
    index: str = ""
    kind: Literal["list", "manifest", "script", "program"] = Field(
        default="list",
        description="Names one below the other, what a project says of itself, commands of a shell, or a program that "
        "may start commands.",
    )


class Installs(Contract):
    """The packages of registries that a command would install, and the files that list more."""

    rule: str = Field(description="Name and version of the rule.")
    packages: tuple[Package, ...]
    files: tuple[RequirementsFile, ...] = ()


class PackageVerdict(Contract):
    """How a package stands in its registry, and why a person should say yes before it is installed."""

    package: Package
    verdict: Standing
    why: str
    candidates: tuple[str, ...] = ()
    doubt: Literal["near_miss", "new"] | None = None
