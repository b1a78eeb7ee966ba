"""Ids that were made at random or counted up for one thing: hashes, UUIDs, ends of pods' names, what stands as `id`.

A round that makes a thing, looks at it and takes it away names another id each time and does the same all the same.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

_BY_FORM = (
    r"\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|[a-z][a-z0-9-]{0,60}-[0-9a-f]{8,10}-[a-z0-9]{5}\b"
    r"|(?=[0-9]{0,63}[a-f])(?=[a-f]{0,63}[0-9])[0-9a-f]{7,64}\b"
    r"|(?=[A-Za-z]{0,30}[0-9])(?=[0-9]{0,30}[A-Za-z])(?:[a-z]{1,12}_)?[A-Za-z0-9]{10,40}\b)"
)
_FORMED: Final = re.compile(_BY_FORM)
_NAMED: Final = re.compile(
    rf"{_BY_FORM}|(?<=\bid[\"']: )[\"']?\d{{2,}}|(?<=\bid=)\d{{2,}}|(?<=_id[\"']: )[\"']?\d{{2,}}"
)
_NAMES = r"\w*(?:id|number|name|key|handle|token|reference|ref)"
_TOLD_NAME = re.compile(rf"\"{_NAMES}\"\s*:\s*\"?([\w.@#:/-]{{2,80}})", re.IGNORECASE)
_NAME = re.compile(_NAMES, re.IGNORECASE)
_LONG: Final = 80
_SHORT: Final = 12
"""A hash may be named by so many of its digits."""
_HASH = re.compile(r"[0-9a-f]{12,64}")
_MOST: Final = 8
_MOST_CHARS: Final = 4000
_DEPTH: Final = 3


def ids_in(text: str) -> list[str]:
    """The ids in a text, in their order, the first few."""
    found = dict.fromkeys(_short(one[0]) for one in _pattern(text).finditer(text[:_MOST_CHARS]))
    return list(found)[:_MOST]


def without_made_ids(text: str) -> str:
    """The text with a mark for each id; the text itself where it has none."""
    return _pattern(text).sub("#", text)


def without_made_ids_in(value: Any, depth: int = 0) -> Any:
    """Arguments with a mark for each id in their texts."""
    if isinstance(value, str):
        return without_made_ids(value)
    if isinstance(value, int) and not isinstance(value, bool) and value > 9:
        return "#"
    if depth < _DEPTH and isinstance(value, Mapping):
        return {name: without_made_ids_in(one, depth + 1) for name, one in value.items()}
    if depth < _DEPTH and isinstance(value, list | tuple):
        return [without_made_ids_in(one, depth + 1) for one in value]
    return value


def ids_in_arguments(value: Any, depth: int = 0) -> list[str]:
    """The ids that arguments name, in their order; a whole number may be one."""
    if isinstance(value, str):
        return ids_in(value)
    if isinstance(value, int) and not isinstance(value, bool) and value > 9:
        return [str(value)]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    if depth >= _DEPTH:
        return []
    return list(dict.fromkeys(one for part in inner for one in ids_in_arguments(part, depth + 1)))[:_MOST]


def names_told(result: str) -> list[str]:
    """What an object calls the thing that it tells of: its `id`, `report_id`, `number` …, the first few."""
    return list(dict.fromkeys(_TOLD_NAME.findall(result[:_MOST_CHARS])))[:_MOST]


def names_asked(arguments: Mapping[str, Any]) -> list[str]:
    """The brief values that arguments have in such fields."""
    named = (value for name, value in arguments.items() if _NAME.fullmatch(name))
    return [str(value) for value in named if isinstance(value, str | int) and len(str(value)) < _LONG][:_MOST]


def _pattern(text: str) -> re.Pattern[str]:
    """The pattern of ids; what stands as `id` is looked for only where there is the word."""
    return _NAMED if "id" in text else _FORMED


def _short(name: str) -> str:
    name = name.strip("\"'")
    return name[:_SHORT] if _HASH.fullmatch(name) else name
