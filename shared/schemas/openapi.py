"""Whether a document is a valid OpenAPI document, and whether it has what another one promises."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from shared.workspace import PathRefused, confine

from .checking import Checked, Problem, Unusable
from .json_schema import SHOWN, checked

VERSIONS: Final = ("3.0", "3.1", "3.2")
_METHODS: Final = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def check_openapi(document: Any, place: Path, workspace: Path, version: str | None = None) -> Checked:
    """The problems of an OpenAPI document of version 3.0 to 3.2; `version` is the only one that will do."""
    # Whatever else is installed: its other way words problems otherwise.
    os.environ.setdefault("OPENAPI_SPEC_VALIDATOR_SCHEMA_VALIDATOR_BACKEND", "jsonschema")
    from openapi_spec_validator import (
        OpenAPIV30SpecValidator,
        OpenAPIV31SpecValidator,
        OpenAPIV32SpecValidator,
    )

    kinds = {"3.0": OpenAPIV30SpecValidator, "3.1": OpenAPIV31SpecValidator, "3.2": OpenAPIV32SpecValidator}
    said = str(document.get("openapi", "")) if isinstance(document, dict) else ""
    if said[:3] not in kinds:
        return Checked((Problem("$.openapi", "an OpenAPI document names its version here: 3.0, 3.1 or 3.2"),))
    if version is not None and said[:3] != version:
        return Checked((Problem("$.openapi", f"version {version} is asked for, this is {said}"),))
    astray = [*_astray(document, "$", place.parent, workspace)]
    if astray:
        return Checked(tuple(astray[:SHOWN]), max(0, len(astray) - SHOWN))
    try:
        return checked(kinds[said[:3]](document, base_uri=place.as_uri()).iter_errors())
    except RecursionError:
        return Checked((Problem("$", "it is nested too deep"),))


def check_operations(document: Any, contract: Any) -> Checked:
    """The operations and named schemas of `contract` that the document lacks."""
    missing = [
        Problem(f"$.paths['{path}'].{method}", "this operation of the contract is missing")
        for path, method in _operations(contract)
        if (path, method) not in set(_operations(document))
    ]
    named = _schemas(document)
    missing += [
        Problem(f"$.components.schemas.{name}", "this schema of the contract is missing")
        for name in _schemas(contract)
        if name not in named
    ]
    return Checked(tuple(missing[:SHOWN]), max(0, len(missing) - SHOWN))


def is_openapi(contract: Any) -> bool:
    """Whether a contract is an OpenAPI document.

    Raises:
        Unusable: it is one of Swagger 2.0, which nothing here checks.
    """
    if isinstance(contract, dict) and "swagger" in contract:
        raise Unusable("Swagger 2.0 is not checked here; convert the contract to OpenAPI 3")
    return isinstance(contract, dict) and "openapi" in contract


def _operations(document: Any) -> Iterator[tuple[str, str]]:
    paths = document.get("paths")
    for path, item in (paths if isinstance(paths, dict) else {}).items():
        yield from ((path, method) for method in _METHODS if isinstance(item, dict) and method in item)


def _schemas(document: Any) -> dict[str, Any]:
    components = document.get("components")
    found = components.get("schemas") if isinstance(components, dict) else None
    return found if isinstance(found, dict) else {}


def _astray(value: Any, path: str, folder: Path, workspace: Path) -> Iterator[Problem]:
    """References that would be fetched from elsewhere than the workspace."""
    if isinstance(value, list):
        for number, one in enumerate(value):
            yield from _astray(one, f"{path}[{number}]", folder, workspace)
    elif isinstance(value, dict):
        ref = value.get("$ref")
        if isinstance(ref, str) and not _reachable(ref, folder, workspace):
            yield Problem(path, f"the reference {ref[:120]} leads out of the workspace; nothing is fetched")
        for name, one in value.items():
            yield from _astray(one, f"{path}.{name}", folder, workspace)


def _reachable(ref: str, folder: Path, workspace: Path) -> bool:
    file = ref.partition("#")[0]
    if not file:
        return True
    if ":" in file or file.startswith("/"):
        return False
    try:
        confine(workspace, str(folder / file))
    except PathRefused:
        return False
    return True
