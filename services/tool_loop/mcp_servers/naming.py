"""How the tools of MCP servers are called here, and which of their schemas are used. Pure."""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

MOST_CHARS: Final = 64
"""The longest name of a tool that every provider takes."""
_OTHER: Final = re.compile(r"[^A-Za-z0-9_-]")
_ANYTHING: Final[Mapping[str, Any]] = {"type": "object"}


def tool_names(server: str, tools: Sequence[str]) -> list[str]:
    """`mcp__SERVER__TOOL` for each tool of a server: of letters that providers take, bounded, none twice."""
    found: list[str] = []
    for tool in tools:
        plain = name = f"mcp__{server}__{_OTHER.sub('_', tool)}"
        number = 0
        while len(name) > MOST_CHARS or name in found:
            digest = sha256(f"{tool}\0{number}".encode("utf-8", "replace")).hexdigest()[:8]
            name = f"{plain[: MOST_CHARS - 9]}_{digest}"
            number += 1
        found.append(name)
    return found


def usable_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a tool's arguments; any object where it is no schema, or refers to what lies elsewhere."""
    try:
        Draft202012Validator.check_schema(schema)
    except (SchemaError, RecursionError):
        return dict(_ANYTHING)
    if schema.get("type", "object") != "object" or _refers_elsewhere(schema):
        return dict(_ANYTHING)
    return {"type": "object", **schema}


def _refers_elsewhere(part: Any) -> bool:
    if isinstance(part, Mapping):
        refers = part.get("$ref", part.get("$dynamicRef", "#"))
        return not str(refers).startswith("#") or any(map(_refers_elsewhere, part.values()))
    return isinstance(part, list) and any(map(_refers_elsewhere, part))
