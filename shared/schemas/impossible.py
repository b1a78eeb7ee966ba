"""Finds what in a JSON Schema no document can fit, as far as that is plain; what is not plain counts as possible."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple, TypeGuard

from .checking import Problem

Resolve = Callable[[str], Any]
"""What a `$ref` leads to, without further refs followed; raises LookupError where that is not known."""

_DEEP: Final = 60
_BOUNDS: Final = (
    ("number", "minimum", "maximum"),
    ("string", "minLength", "maxLength"),
    ("array", "minItems", "maxItems"),
    ("object", "minProperties", "maxProperties"),
)
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


class _Place(NamedTuple):
    path: str
    resolve: Resolve
    trail: tuple[str, ...] = ()
    """The refs that were followed without a step into the document: one that comes again never ends."""

    def below(self, *parts: str) -> "_Place":
        return _Place(".".join([self.path, *parts]), self.resolve, self.trail)

    def inside(self, *parts: str) -> "_Place":
        return _Place(".".join([self.path, *parts]), self.resolve)


def impossible(schema: Any, resolve: Resolve) -> Problem | None:
    """Why nothing fits a schema, and where in it (as in JSONPath); None where something may."""
    return _why(schema, _Place("$", resolve))


def _why(schema: Any, place: _Place) -> Problem | None:
    if schema is False:
        return Problem(place.path, "false allows nothing")
    if not isinstance(schema, dict) or place.path.count(".") > _DEEP:
        return None
    for rule in (_by_reference, _by_values, _by_bounds, _by_contents, _by_parts):
        for problem in rule(schema, place):
            return problem
    return None


def _by_reference(schema: dict[str, Any], place: _Place) -> Iterator[Problem]:
    ref = schema.get("$ref")
    if not isinstance(ref, str):
        return
    if ref in place.trail:
        yield Problem(place.path, f"{ref} refers to itself and never to a schema")
        return
    try:
        target = place.resolve(ref)
    except LookupError:
        return
    found = _why(target, place._replace(trail=(*place.trail, ref)))
    if found is not None:
        yield found


def _by_values(schema: dict[str, Any], place: _Place) -> Iterator[Problem]:
    types = _types(schema)
    listed = schema.get("enum")
    if isinstance(listed, list) and not any(_has_type(one, types) for one in listed):
        yield Problem(f"{place.path}.enum", f"none of these values is {_named(types)}" if listed else "it is empty")
    if "const" in schema and not _has_type(schema["const"], types):
        yield Problem(f"{place.path}.const", f"this value is not {_named(types)}")
    if schema.get("not") in ({}, True) and "not" in schema:
        yield Problem(f"{place.path}.not", "everything is forbidden")


def _by_bounds(schema: dict[str, Any], place: _Place) -> Iterator[Problem]:
    for kind, least, most in _BOUNDS:
        low, high = schema.get(least), schema.get(most)
        if _types(schema) == {kind} and _is_number(low) and _is_number(high) and low > high:
            yield Problem(place.path, f"{least} {low} is more than {most} {high}")


def _by_contents(schema: dict[str, Any], place: _Place) -> Iterator[Problem]:
    types = _types(schema)
    if types == {"object"} and isinstance(schema.get("required"), list):
        yield from _by_required(schema, place)
    if types == {"array"} and _is_number(schema.get("minItems")) and schema["minItems"] > 0:
        found = _why(schema.get("items"), place.inside("items"))
        if found is not None:
            yield found


def _by_required(schema: dict[str, Any], place: _Place) -> Iterator[Problem]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    for name in map(str, schema["required"]):
        if name in known:
            found = _why(known[name], place.inside("properties", name))
            if found is not None:
                yield found
        elif schema.get("additionalProperties") is False and not schema.get("patternProperties"):
            yield Problem(place.path, f"'{name}' is required, and no property of that name is allowed")
    most = schema.get("maxProperties")
    if _is_number(most) and len(set(map(str, schema["required"]))) > most:
        yield Problem(place.path, f"more properties are required than maxProperties {most} allows")


def _by_parts(schema: dict[str, Any], place: _Place) -> Iterator[Problem]:
    every = [one for one in schema.get("allOf") or () if isinstance(one, dict | bool)]
    for number, one in enumerate(every):
        found = _why(one, place.below(f"allOf[{number}]"))
        if found is not None:
            yield found
    kinds = [_types(one) for one in [schema, *every] if isinstance(one, dict)]
    if every and not set.intersection(*(kind or {*_TYPES} for kind in kinds)):
        yield Problem(f"{place.path}.allOf", "its parts want different types")
    for name in ("anyOf", "oneOf"):
        whys = [_why(one, place.below(f"{name}[{number}]")) for number, one in enumerate(schema.get(name) or ())]
        if whys and all(why is not None for why in whys):
            yield Problem(f"{place.path}.{name}", f"none of its parts can be fitted; the first: {whys[0]}")


def _types(schema: dict[str, Any]) -> set[str]:
    """The types that a schema allows, an integer taken for a number; empty where it says nothing of them."""
    said = schema.get("type")
    listed = said if isinstance(said, list) else [said] if isinstance(said, str) else []
    nullable = ["null"] if schema.get("nullable") is True and listed else []
    return {"number" if one == "integer" else str(one) for one in [*listed, *nullable]}


def _has_type(value: Any, types: set[str]) -> bool:
    if isinstance(value, bool):
        return not types or "boolean" in types
    return not types or any(isinstance(value, _TYPES.get(one, (object,))) for one in types)


def _named(types: set[str]) -> str:
    return " or ".join(f"of type {one}" for one in sorted(types))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
