"""What a contract says of a document: the forms of contracts, and the problems found, each with its JSON path."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from shared.verifiers import names_model
from shared.workspace import PathRefused, confine

from .documents import Unreadable, read_document

Form = Literal["openapi_document", "model", "file"]

_OPENAPI: Final = re.compile(r"openapi(?::(?P<version>\d\.\d))?")


@dataclass(frozen=True, slots=True)
class Problem:
    """One place where a document does not fit: `path` as in JSONPath."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


@dataclass(frozen=True, slots=True)
class Checked:
    """The problems of a document, the first ones; `more` were found besides."""

    problems: tuple[Problem, ...] = ()
    more: int = 0


class Unusable(Exception):
    """A contract that nothing can be held against; the text says why, in one line."""


def form_of(schema: str) -> Form:
    """How a contract is named.

    `openapi` or `openapi:3.1`: the document must be a valid OpenAPI document. `package.module:Model`: a pydantic model
    of the workspace's. Else a file, with a fragment after `#`: a JSON Schema; an OpenAPI document, whose schema the
    fragment names, or whose operations the document, itself one, must all have.
    """
    if _OPENAPI.fullmatch(schema):
        return "openapi_document"
    return "model" if names_model(schema) else "file"


def version_of(schema: str) -> str | None:
    """The version of OpenAPI that is asked for."""
    found = _OPENAPI.fullmatch(schema)
    return found["version"] if found else None


def place_of(schema: str, workspace: Path) -> tuple[Path, str]:
    """The file of a contract and the fragment in it. An absolute path may lead out of the workspace.

    Raises:
        Unusable: the path leads out by a link or by `..`.
    """
    name, _, fragment = schema.partition("#")
    if name.startswith("/"):
        return Path(name), fragment
    try:
        return confine(workspace, name).real, fragment
    except PathRefused as error:
        raise Unusable(str(error)) from error


def contract_in(place: Path) -> Any:
    """The content of a contract's file.

    Raises:
        Unusable: it cannot be read.
    """
    try:
        return read_document(place)
    except Unreadable as error:
        raise Unusable(f"the contract {place.name} cannot be used: {error}") from error
