"""A document against a JSON Schema of any draft, or against a schema inside an OpenAPI document."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import jsonschema
from jsonschema.exceptions import SchemaError, UnknownType, ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from referencing import Registry, Resource
from referencing.exceptions import NoSuchResource, Unresolvable
from referencing.jsonschema import DRAFT4, DRAFT202012

from shared.workspace import PathRefused, confine

from .checking import Checked, Problem, Unusable
from .documents import Unreadable, read_document
from .files import beside

SHOWN: Final = 10
_MOST: Final = 1_000
_LENGTH: Final = 200


def check_schema(document: Any, contract: Any, place: Path, fragment: str, workspace: Path) -> Checked:
    """The problems of `document` by the schema that lies at `place`, or by the part of it that `fragment` points to.

    Raises:
        Unusable: the schema is none, points nowhere, or refers to what is not fetched.
    """
    refusing(contract, place)
    uri, kind = place.as_uri(), _kind(contract)[0]
    registry = _registry(contract, place, workspace)
    asked = {"$ref": f"{uri}#{fragment}"}
    try:
        return checked(kind(asked, registry=registry, format_checker=kind.FORMAT_CHECKER).iter_errors(document))
    except Unresolvable as error:
        raise Unusable(
            f"{error.ref} in {place.name} leads nowhere, or out of the workspace; nothing is fetched"
        ) from error
    except RecursionError:
        return Checked((Problem("$", "it is nested too deep for the schema"),))
    except (re.error, UnknownType, TypeError, OverflowError) as error:
        raise Unusable(f"{place.name} cannot be applied: {str(error).splitlines()[0]}") from error


def refusing(contract: Any, place: Path) -> None:
    """Nothing, where a contract is a valid schema; one inside an OpenAPI document is taken as it is.

    Raises:
        Unusable: it is not; the text says where.
    """
    if isinstance(contract, dict) and "openapi" in contract:
        return
    kind = _kind(contract)[0]
    try:
        kind.check_schema(contract, format_checker=kind.FORMAT_CHECKER)  # type: ignore[call-arg]
    except SchemaError as error:
        where = "" if error.json_path == "$" else f" at {error.json_path}"
        raise Unusable(f"{place.name} is no valid schema: {_said(error)}{where}") from error


def resolving(contract: Any, place: Path, workspace: Path) -> Callable[[str], Any]:
    """What refs of a contract lead to; LookupError where they lead nowhere."""
    resolver = _registry(contract, place, workspace).resolver_with_root(_kind(contract)[1])
    afar = _registry(contract, place, workspace).resolver(place.as_uri())

    def resolve(ref: str) -> Any:
        for one in (afar, resolver):
            try:
                return one.lookup(ref).contents
            except Unresolvable:
                continue
            except ValueError as error:
                raise LookupError(ref) from error
        raise LookupError(ref)

    return resolve


def checked(errors: Iterable[ValidationError]) -> Checked:
    """The first problems in the order of their places, and how many more there are."""
    found = sorted(
        {Problem(error.json_path, _said(error)) for error in _bounded(errors)}, key=lambda one: (one.path, one.text)
    )
    return Checked(tuple(found[:SHOWN]), max(0, len(found) - SHOWN))


def _bounded(errors: Iterable[ValidationError]) -> Iterable[ValidationError]:
    for number, error in enumerate(errors):
        if number == _MOST:
            return
        yield error


def _said(error: Any) -> str:
    """The message, shortened; where none of several schemas fits, what stands in the way of the closest."""
    message = _short(str(error.message))
    closest = best_match(error.context) if error.context else None
    if closest is None:
        return message
    return f"{message}; closest: {closest.json_path}: {_short(str(closest.message))}"


def _short(text: str) -> str:
    return text if len(text) <= _LENGTH else f"{text[: _LENGTH // 2]} … {text[-_LENGTH // 2 :]}"


def _kind(contract: Any) -> tuple[type[Validator], Resource[Any]]:
    version = str(contract.get("openapi", "")) if isinstance(contract, dict) else ""
    if version:
        from openapi_schema_validator import OAS30Validator, OAS31Validator

        if version.startswith("3.0"):
            return OAS30Validator, DRAFT4.create_resource(contract)
        return OAS31Validator, DRAFT202012.create_resource(contract)
    kind = validator_for(contract, default=jsonschema.Draft202012Validator)
    return kind, Resource.from_contents(contract, default_specification=DRAFT202012)


def _registry(contract: Any, place: Path, workspace: Path) -> Registry[Any]:
    own = contract.get("$id", contract.get("id")) if isinstance(contract, dict) else None
    found = _retrieving(place, workspace, own if isinstance(own, str) else "")
    registry: Registry[Any] = Registry(retrieve=found)  # type: ignore[call-arg]
    held: Registry[Any] = registry.with_resource(place.as_uri(), _kind(contract)[1])
    return held


def _retrieving(place: Path, workspace: Path, own: str) -> Any:
    """Finds what a schema refers to among the workspace's files, or those beside it; nothing is fetched from afar."""
    root = workspace if place.is_relative_to(workspace.resolve()) else place.parent

    def retrieve(uri: str) -> Resource[Any]:
        near = beside(uri, own) if own else None
        path = _path_of(uri) if near is None else str(place.parent / near)
        if path is None:
            raise NoSuchResource(uri)
        try:
            real = confine(root, path).real
            return Resource.from_contents(read_document(real), default_specification=DRAFT202012)
        except (PathRefused, Unreadable) as error:
            raise NoSuchResource(uri) from error

    return retrieve


def _path_of(uri: str) -> str | None:
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" and not parts.netloc else None
