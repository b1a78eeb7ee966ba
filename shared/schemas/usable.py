"""Whether anything can be held against a contract that is there when a task begins."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from shared.workspace import PathRefused, read_regular

from .checking import Unusable, contract_in, form_of, place_of, version_of
from .impossible import impossible
from .json_schema import refusing, resolving
from .model_files import defines, model_files
from .openapi import VERSIONS, is_openapi

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)
_VERSIONED: Final = re.compile(r"openapi:\d.*")
_MAKES_NAMES: Final = re.compile(rb"\b(?:__getattr__|globals|vars|setattr|exec)\b|__dict__")
"""In a module that has these, a name may come to be in ways that its text does not tell."""
_VALUES: Final = frozenset({"enum", "const", "default", "examples", "example"})
"""What is under these is data and refers to nothing."""


def why_unusable(workspace: Path, schema: str) -> str | None:
    """What is wrong with a contract, and where, so that no file can ever fit it; None where nothing is known to be.

    A contract that is not there is none of the kind: the task may make it.
    """
    if _ADDRESS.match(schema):
        return "a contract is not fetched: save it in the workspace and name that file"
    if _VERSIONED.fullmatch(schema) and version_of(schema) not in VERSIONS:
        return f"OpenAPI is checked in the versions {', '.join(VERSIONS)}"
    try:
        match form_of(schema):
            case "openapi_document":
                return None
            case "model":
                return _of_model(workspace, schema)
            case "file":
                return _of_file(workspace.resolve(), schema)
    except Unusable as error:
        return str(error)
    except RecursionError:
        return "the contract is nested too deep"


def _of_model(workspace: Path, schema: str) -> str | None:
    name = schema.partition(":")[2].partition(".")[0]
    there = []
    for path in model_files(workspace, schema)[:2]:
        try:
            content = read_regular(workspace / path)
            if content is not None:
                ast.parse(content)
                there.append((path, content))
        except SyntaxError as error:
            return f"{path} is not Python: {error.msg} at line {error.lineno}"
        except (OSError, PathRefused, ValueError):
            return None
    if not there or any(_MAKES_NAMES.search(content) or defines(content, name) for _, content in there):
        return None
    return f"there is no {name} in {there[0][0]}"


def _of_file(workspace: Path, schema: str) -> str | None:
    place, fragment = place_of(schema, workspace)
    if place.is_dir():
        return f"{schema.partition('#')[0]} is a folder, and a contract is a file"
    if not place.exists():
        return None
    contract = contract_in(place)
    if is_openapi(contract) and not fragment:
        return None
    refusing(contract, place)
    resolve = resolving(contract, place, workspace)
    try:
        asked = resolve(f"#{fragment}")
    except LookupError:
        return f"#{fragment} in {place.name} leads nowhere"
    for path, ref in _references(asked, "$"):
        try:
            resolve(ref)
        except LookupError:
            return f"{place.name}, {path}: {ref} leads nowhere, or out of the workspace; nothing is fetched"
    problem = impossible(asked, resolve)
    return None if problem is None else f"{place.name} can be fitted by no file: {problem}"


def _references(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from _references(one, f"{path}[{number}]")
    elif isinstance(value, dict):
        ref = value.get("$ref")
        if isinstance(ref, str):
            yield path, ref
        for name, one in value.items():
            # A schema inside that has an address of its own gives its references another meaning.
            if name not in _VALUES and not (isinstance(one, dict) and ("$id" in one or "id" in one)):
                yield from _references(one, f"{path}.{name}")
