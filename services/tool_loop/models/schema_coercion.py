"""Makes a model's arguments fit a tool's JSON Schema where that loses nothing, and says what does not fit. Pure.

A value that fits is never touched. A string where no string may stand, which holds JSON of a kind that is due, becomes
that value; a string where a string may stand is never looked into.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from referencing import Registry

from shared.canonical import canonical_json

from .lenient_json import EXACT, MAX_DEPTH, read_json
from .schema_patterns import LimitedValidator, NamesUnchecked, UnusablePattern, matches, patterns_limited

_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d{1,17})?([eE][+-]?\d{1,3})?")
_LITERALS: Final = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ENCODINGS: Final = 2
_MOST_REFERENCES: Final = 32
_MOST_TRIED: Final = 1000
"""Alternatives of a schema that are tried in all, so that no schema makes this take for ever."""
_ANY: Final = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_ABSENT = object()

Schema = Mapping[str, Any]


def coerce(arguments: Mapping[str, Any], schema: Schema) -> tuple[dict[str, Any], bool]:
    """The arguments, fitted to the schema, and whether anything was changed.

    A null for a property that need not be there, and may not be null, is left out.
    """
    given = dict(arguments)
    if not _is_schema(canonical_json(schema)):
        return given, False
    try:
        with patterns_limited():
            fitted: dict[str, Any] = _Fitting(schema).fitted(given, schema, 0)
    except UnusablePattern:
        return given, False
    return fitted, fitted != given


def problem(arguments: Mapping[str, Any], schema: Schema) -> str | None:
    """What is wrong with the arguments in one line, or None; also where the schema itself cannot be used."""
    try:
        with patterns_limited():
            error = best_match(_validator(canonical_json(schema)).iter_errors(arguments))
    except Exception as unusable:  # noqa: BLE001 - a schema comes from anywhere, and fails in as many ways
        return f"the tool's schema cannot be used: {' '.join(str(unusable).split())[:200]}"
    return None if error is None else _told(error)


@lru_cache(maxsize=256)
def _is_schema(schema: str) -> bool:
    try:
        Draft202012Validator.check_schema(json.loads(schema))
    except SchemaError:
        return False
    return True


@lru_cache(maxsize=256)
def _validator(schema: str) -> Any:
    # With a registry of its own, a reference to an address is an error and no request.
    kind = NamesUnchecked if "patternProperties" in schema else LimitedValidator
    return kind(_with_nulls(json.loads(schema)), registry=Registry())


def _with_nulls(schema: Any) -> Any:
    """The schema with OpenAPI's `nullable` said as JSON Schema says it."""
    if isinstance(schema, list):
        return [_with_nulls(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    said = {key: _with_nulls(item) for key, item in schema.items() if key != "nullable"}
    return {"anyOf": [said, {"type": "null"}]} if schema.get("nullable") is True else said


class _Fitting:
    """Fits values to the parts of one schema."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._left = _MOST_TRIED

    def fitted(self, value: Any, schema: Any, depth: int) -> Any:
        schema = self._resolved(schema)
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return value
        kinds = self._kinds(schema, 0)
        if isinstance(value, str) and "string" not in kinds:
            value = _meant(value, kinds)
        if isinstance(value, dict | list):
            return self._branched(value, schema, depth)
        whole = isinstance(value, float) and value.is_integer() and abs(value) <= EXACT
        if whole and "integer" in kinds and "number" not in kinds:
            return int(value)
        return value

    def _branched(self, value: Any, schema: Schema, depth: int) -> Any:
        """An object or array, fitted to the one alternative that it can be fitted to."""
        value = self._contained(value, schema, depth)
        for part in schema.get("allOf", ()):
            value = self.fitted(value, part, depth + 1)
        alternatives = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        self._left -= len(alternatives)
        if not alternatives or self._left < 0 or any(self._fits(value, one) for one in alternatives):
            return value
        found: list[Any] = []
        for one in alternatives:
            tried = self.fitted(value, one, depth + 1)
            if self._fits(tried, one) and tried not in found:
                found.append(tried)
        return found[0] if len(found) == 1 else value

    def _contained(self, value: Any, schema: Schema, depth: int) -> Any:
        if isinstance(value, list):
            first = schema.get("prefixItems", ())
            rest = schema.get("items")
            return [
                self.fitted(item, first[index] if index < len(first) else rest, depth + 1)
                for index, item in enumerate(value)
            ]
        fitted = {}
        for name, item in value.items():
            of = self._resolved(_property(name, schema))
            if item is None and name not in schema.get("required", ()) and self._never_null(of):
                continue
            fitted[name] = self.fitted(item, of, depth + 1)
        return fitted

    def _never_null(self, schema: Any) -> bool:
        return isinstance(schema, Mapping) and "null" not in self._kinds(schema, 0)

    def _fits(self, value: Any, schema: Any) -> bool:
        definitions = {key: self._root[key] for key in ("$defs", "definitions") if key in self._root}
        return isinstance(schema, bool) or problem(value, {**definitions, **schema}) is None

    def _resolved(self, schema: Any) -> Any:
        """The schema that a local reference leads to."""
        for _ in range(_MOST_REFERENCES):
            if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
                return schema
            schema = _at(self._root, schema["$ref"])
        return None

    def _kinds(self, schema: Any, depth: int) -> frozenset[str]:
        """The types that a schema lets in; all where it does not say, so that nothing is coerced."""
        schema = self._resolved(schema)
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return _ANY
        kinds = _ANY
        named = schema.get("type")
        if named is not None:
            names = frozenset((named,) if isinstance(named, str) else named)
            kinds = kinds & (names | {"integer"} if "number" in names else names)
        if "const" in schema or "enum" in schema:
            kinds = kinds & frozenset(_kind(one) for one in schema.get("enum", (schema.get("const"),)))
        for key in ("anyOf", "oneOf"):
            if schema.get(key):
                kinds = kinds & frozenset().union(*(self._kinds(one, depth + 1) for one in schema[key]))
        for part in schema.get("allOf", ()):
            kinds = kinds & self._kinds(part, depth + 1)
        return kinds | {"null"} if schema.get("nullable") is True else kinds


def _property(name: str, schema: Schema) -> Any:
    properties = schema.get("properties", {})
    if name in properties:
        return properties[name]
    for pattern, of in schema.get("patternProperties", {}).items():
        if matches(pattern, name):
            return of
    return schema.get("additionalProperties")


def _at(root: Schema, reference: str) -> Any:
    """The part of a schema that `#/a/b` points to; None where it points out of it or nowhere."""
    if not reference.startswith("#"):
        return None
    place: Any = root
    for part in filter(None, reference[1:].split("/")):
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(place, Mapping) or key not in place:
            return None
        place = place[key]
    return place


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _meant(text: str, kinds: frozenset[str]) -> Any:
    """The value that a string holds where it is of a kind that is due, else the string."""
    held = text.strip()
    for _ in range(_ENCODINGS):
        value = _held(held, kinds)
        if not isinstance(value, str):
            return text if value is _ABSENT else value
        held = value.strip()
    return text


def _held(text: str, kinds: frozenset[str]) -> Any:
    if text in _LITERALS:
        value = _LITERALS[text]
        return value if _kind(value) in kinds else _ABSENT
    if kinds & {"integer", "number"} and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in kinds and _NUMBER.fullmatch(text) and Decimal(text) == Decimal(repr(number := float(text))):
        return number
    if text[:1] in ("[", "{", '"') and kinds & {"array", "object"}:
        found = read_json(text)
        if found.code is None and (isinstance(found.value, str) or _kind(found.value) in kinds):
            return found.value
    return _ABSENT


def _told(error: ValidationError) -> str:
    """The violation with the argument that it is about, short enough for a weak model."""
    where = ".".join(str(part) for part in error.absolute_path)
    rule: Any = error.validator_value
    given: Any = error.instance
    if error.validator == "required":
        missing = [name for name in rule if name not in given]
        text = f"missing {', '.join(map(repr, missing))}"
    elif error.validator == "type":
        text = f"must be {_due(rule)}"
    elif error.validator == "enum":
        text = f"must be one of {', '.join(map(repr, rule))}"
    elif error.validator == "additionalProperties":
        schema: Any = error.schema
        known = list(schema.get("properties", {}))
        unknown = [name[:80] for name in given if name not in known]
        text = f"unknown {', '.join(map(repr, unknown[:8]))}; known: {', '.join(known) or 'nothing'}"
    else:
        text = error.message if len(error.message) <= 200 else error.message[:199] + "…"
    return f"{where}: {text}" if where else text


def _due(kind: Any) -> str:
    names = kind if isinstance(kind, list) else [kind]
    return " or ".join(f"of type {name}" for name in names)
