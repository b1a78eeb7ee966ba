"""JSON Schema with patterns that cannot run for ever. A schema comes from anywhere, and Python's own `re` halts the
whole process while it backtracks, so patterns are matched by `regex`, which takes a time limit."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import regex
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError

from .lenient_json import EXACT

_SECONDS: Final = 0.25
"""What all patterns of one check may take together."""
_until: ContextVar[float | None] = ContextVar("patterns_until", default=None)


class UnusablePattern(ValueError):
    """A pattern that is none, or that took too long."""


@contextmanager
def patterns_limited() -> Iterator[None]:
    """Within it all patterns have one limit together; the outermost one counts."""
    if _until.get() is not None:
        yield
        return
    token = _until.set(time.monotonic() + _SECONDS)
    try:
        yield
    finally:
        _until.reset(token)


def matches(pattern: str, text: str) -> bool:
    """Whether a text holds what a schema's pattern says. Raises UnusablePattern."""
    until = _until.get()
    left = _SECONDS if until is None else until - time.monotonic()
    try:
        if left > 0:
            return regex.search(pattern, text, timeout=left) is not None
    except regex.error as error:
        raise UnusablePattern(f"the pattern {pattern[:80]!r} is none: {error}") from error
    except TimeoutError:
        pass
    raise UnusablePattern(f"the pattern {pattern[:80]!r} takes too long to match")


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError(f"{instance[:80]!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, of in patterns.items():
        for key, value in instance.items():
            if matches(pattern, key):
                yield from validator.descend(value, of, path=key, schema_path=pattern)


def _additional_properties(validator: Any, of: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    patterns, known = schema.get("patternProperties", ()), schema.get("properties", ())
    extra = [key for key in instance if key not in known and not any(matches(each, key) for each in patterns)]
    if of is False and extra:
        yield ValidationError(f"unknown {', '.join(repr(key[:80]) for key in extra[:8])}")
    elif isinstance(of, dict):
        for key in extra:
            yield from validator.descend(instance[key], of, path=key)


def _is_integer(checker: Any, value: Any) -> bool:
    """A float counts as long as no integer beside it is read as the same float."""
    if isinstance(value, float):
        return value.is_integer() and abs(value) <= EXACT
    return isinstance(value, int) and not isinstance(value, bool)


_extend: Any = validators.extend
LimitedValidator: Any = _extend(
    Draft202012Validator,
    {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
    },
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
)
"""JSON Schema 2020-12 for schemas from outside."""

NamesUnchecked: Any = _extend(LimitedValidator, {"unevaluatedProperties": lambda *_: iter(())})
"""The same without `unevaluatedProperties`, which jsonschema looks for by patterns that have no limit."""
