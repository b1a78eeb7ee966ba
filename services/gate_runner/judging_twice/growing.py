"""Whether a file of data only grew: what a goal asks to add to it takes nothing from what was there."""

import json
from collections import Counter
from collections.abc import Mapping

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def grew(before: bytes, now: bytes) -> bool:
    """Whether all that a file held is still in it: values of JSON, or else lines."""
    try:
        return _holds(json.loads(now), json.loads(before))
    except (ValueError, RecursionError):
        return not Counter(_lines(before)) - Counter(_lines(now))


def _holds(now: Json, before: Json) -> bool:
    if isinstance(before, dict) and isinstance(now, Mapping):
        return all(name in now and _holds(now[name], value) for name, value in before.items())
    if isinstance(before, list) and isinstance(now, list):
        return not Counter(map(_said, before)) - Counter(map(_said, now))
    return before == now


def _said(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def _lines(text: bytes) -> list[bytes]:
    """Lines without what parts them from the next: a line that was the last one may get a comma."""
    return [bare for line in text.splitlines() if (bare := line.strip().rstrip(b","))]
