"""Old events stay readable: the data of an older version is brought to the current one, a version at a time.

A contract that changes so that recorded data would no longer fit it, or would mean something else, raises its `version`
and adds one step here, from the version before:

    @upcaster("tool.finished", 1)
    def _(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, "seconds": 0.0}

Steps are pure and never removed. A field that is new and has a default needs neither: code that does not know it passes
over it, and reads the rest.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from .errors import InvalidBody, UnknownType, UnknownVersion
from .events import EVENTS, EventData

Step = Callable[[dict[str, Any]], dict[str, Any]]

UPCASTERS: dict[tuple[str, int], Step] = {}
"""The step from a version of a type to the next one."""


def upcaster(kind: str, version: int) -> Callable[[Step], Step]:
    """Register the step of `kind` from `version` to the next."""

    def register(step: Step) -> Step:
        if (kind, version) in UPCASTERS:
            raise ValueError(f"{kind} has a step from version {version} already")
        UPCASTERS[kind, version] = step
        return step

    return register


def upcast(kind: str, version: int, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The data of an event as the current version of its contract has it; data of a type unknown here stays as it is.

    Raises:
        UnknownVersion: it is newer than the contract, or a step is missing.
    """
    contract = EVENTS.get(kind)
    if contract is None or version == contract.version:
        return data
    if not 0 < version < contract.version:
        raise UnknownVersion(
            "dataschema", f"version {version} of {kind} is not known; this side reads 1 to {contract.version}"
        )
    found = dict(data)
    for step in range(version, contract.version):
        if (kind, step) not in UPCASTERS:
            raise UnknownVersion("dataschema", f"nothing brings {kind} from version {step} to {step + 1}")
        found = UPCASTERS[kind, step](found)
    return found


def read_event(kind: str, version: int, data: Mapping[str, Any], *, exact: bool = False) -> EventData:
    """The data of an event of any known version as its current contract.

    Fields that the contract does not know are passed over, since newer code wrote them; with `exact` they are an error.

    Raises:
        UnknownType: no contract describes the type.
        UnknownVersion: it is newer than the contract, or a step is missing.
        InvalidBody: it does not fit; `field` names the first wrong place.
    """
    if kind not in EVENTS:
        raise UnknownType("type", f"{kind!r} is not an event of Arreio")
    try:
        return EVENTS[kind].model_validate(upcast(kind, version, data), extra="forbid" if exact else "ignore")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InvalidBody(".".join(("data", *map(str, first["loc"]))), first["msg"]) from error
