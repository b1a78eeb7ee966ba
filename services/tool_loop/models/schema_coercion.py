"""Makes a model's arguments fit a tool's JSON Schema where that loses nothing, and says what does not fit. Pure."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from shared.canonical import canonical_json

_INTEGER = re.compile(r"-?(0|[1-9]\d{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,17})(\.\d{1,17})?([eE][+-]?\d{1,3})?")
_ABSENT = object()


def coerce(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The arguments, fitted to the schema, and whether anything was changed.

    A string that holds JSON of the kind that is due becomes that value; where a string may stand, strings stay as they
    are. A null for a property that need not be there, and may not be null, is left out.
    """
    fitted = _coerced(dict(arguments), schema)
    return fitted, fitted != dict(arguments)


def problem(arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> str | None:
    """What is wrong with the arguments in one line, or None."""
    error = best_match(_validator(canonical_json(schema)).iter_errors(arguments))
    return None if error is None else _told(error)


@lru_cache(maxsize=256)
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema))


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
        unknown = [name for name in given if name not in known]
        text = f"unknown {', '.join(map(repr, unknown))}; known: {', '.join(known) or 'nothing'}"
    else:
        text = error.message if len(error.message) <= 200 else error.message[:199] + "…"
    return f"{where}: {text}" if where else text


def _due(kind: Any) -> str:
    names = kind if isinstance(kind, list) else [kind]
    return " or ".join(f"of type {name}" for name in names)


def _coerced(value: Any, schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return value
    kinds = _kinds(schema)
    if isinstance(value, str) and kinds and "string" not in kinds:
        parsed = _parsed(value, kinds)
        value = value if parsed is _ABSENT else parsed
    if isinstance(value, dict):
        return _object(value, schema)
    if isinstance(value, list) and "items" in schema:
        return [_coerced(item, schema["items"]) for item in value]
    if isinstance(value, float) and "integer" in kinds and "number" not in kinds and value.is_integer():
        return int(value)
    return value


def _object(value: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    fitted = {}
    for name, item in value.items():
        of = properties.get(name)
        if item is None and of is not None and name not in required and _kinds(of) and "null" not in _kinds(of):
            continue
        fitted[name] = item if of is None else _coerced(item, of)
    return fitted


def _kinds(schema: Any) -> frozenset[str]:
    """The types that a schema names; none where it does not say, so that nothing is coerced."""
    kind = schema.get("type") if isinstance(schema, Mapping) else None
    return frozenset((kind,) if isinstance(kind, str) else kind or ())


def _parsed(text: str, kinds: frozenset[str]) -> Any:
    """The value that a string holds, if it is of a type that is due."""
    text = text.strip()
    if text in ("true", "false") and "boolean" in kinds:
        return text == "true"
    if "integer" in kinds and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in kinds and _NUMBER.fullmatch(text):
        return float(text)
    if (text[:1] == "[" and "array" in kinds) or (text[:1] == "{" and "object" in kinds):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return _ABSENT
    return _ABSENT
