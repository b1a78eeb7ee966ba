"""The front matter of a SKILL.md: YAML, and what people write that is nearly YAML. Pure.

The text is read as YAML first. Where that fails, each top-level entry is read by itself, so that a mistake in one key
costs no other, and a plain value that holds a colon, as in `description: Use when: …`, is taken for the text it is.
"""

import json
import re
from typing import Any, Final

import yaml

MAX_CHARACTERS: Final = 64 * 1024
"""Of the front matter."""
_LOADER: Final[type[Any]] = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every scalar is a text; the one in C takes a tenth of the time."""
_USED: Final = ("name", "description")
"""The keys that are used here; whatever else stands there is ignored."""
_FENCE: Final = re.compile(r"^---[ \t]*$", re.MULTILINE)
_KEY: Final = re.compile(r"""^(?P<key>[A-Za-z0-9_][\w.-]*|"[^"\n]+"|'[^'\n]+')[ \t]*:(?=[ \t]|$)(?P<value>.*)$""")
_BLOCK: Final = re.compile(r"^[|>][+-]?[1-9]?[+-]?[ \t]*(?:#.*)?$")


class Unreadable(ValueError):
    """No front matter, or none that can be read; the text is the cause."""


def fields_of(text: str) -> tuple[dict[str, str], str, tuple[str, ...]]:
    """The texts of the keys that are used, the body behind the front matter, and what was not read as YAML.

    Raises:
        Unreadable: there is no front matter, it does not end, or a key that is used holds no text.
    """
    head, body = _parted(text)
    found, notes = _read(head)
    return {key: _text(key, found[key]) for key in _USED if key in found}, body, notes


def front_of(text: str) -> dict[str, Any]:
    """Every key of the front matter, with its value: texts, lists and mappings.

    Raises:
        Unreadable: there is no front matter, or it does not end.
    """
    return _read(_parted(text)[0])[0]


def _read(head: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    try:
        found = yaml.load(head, Loader=_LOADER)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return _by_entry(head), (f"its front matter is not YAML ({_cause(error)}); it was read line by line",)
    if not isinstance(found, dict):
        raise Unreadable("its front matter holds no keys, such as name and description")
    return found, ()


def _parted(text: str) -> tuple[str, str]:
    text = text.lstrip("\n \t")
    opening = _FENCE.match(text)
    if opening is None:
        raise Unreadable("it does not begin with front matter between two lines of ---")
    closing = _FENCE.search(text, opening.end() + 1)
    if closing is None:
        raise Unreadable("its front matter has no end: a second line of --- is missing")
    head = text[opening.end() : closing.start()]
    if len(head) > MAX_CHARACTERS:
        raise Unreadable(f"its front matter is longer than {MAX_CHARACTERS} characters")
    return head, text[closing.end() :].strip()


def _by_entry(head: str) -> dict[str, Any]:
    """Every top-level entry read by itself; of those that are not YAML, the plain text behind the colon."""
    entries: list[tuple[str, list[str]]] = []
    for line in head.split("\n"):
        key = _KEY.match(line)
        if key is not None:
            entries.append((key["key"].strip("\"'"), [key["value"].strip()]))
        elif entries and (line[:1] in (" ", "\t") or line.startswith("- ")):
            entries[-1][1].append(line)
    return {key: _entry(lines) for key, lines in entries}


def _entry(lines: list[str]) -> Any:
    try:
        return yaml.load("\n".join([f"key: {lines[0]}", *lines[1:]]), Loader=_LOADER)["key"]
    except (yaml.YAMLError, RecursionError, ValueError):
        first = "" if _BLOCK.match(lines[0]) else _unquoted(lines[0])
        return " ".join([first, *(line.strip() for line in lines[1:])]).strip()


def _unquoted(text: str) -> str:
    """The text without quotes around it, which were not closed as YAML wants them."""
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text.strip("'\"") if text[:1] in ("'", '"') else text


def _text(key: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    kind = "a list" if isinstance(value, list) else "a mapping"
    raise Unreadable(f"its {key} is {kind}, not a text")


def _cause(error: Exception) -> str:
    """What a parser says, on one line."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {problem}" if mark is not None else " ".join(problem.split())[:200]
