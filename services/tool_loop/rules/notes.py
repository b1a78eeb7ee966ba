"""Notes that a model writes to itself: to add to them is a change of the workspace, and brings nothing on."""

import re
from collections.abc import Mapping
from posixpath import basename
from typing import Any, Final

from .fingerprint import path_of
from .shell_commands import outside_quotes, segments

_NOTES = re.compile(
    r"(?:\w+[_-])?(?:notes?|scratch(?:pad)?|thoughts?|ideas?|attempts?|diary|journal|memo|worklog|work_log|progress"
    r"|tries|plan|todo|debug_?log|findings|hypothes[ie]s|anota(?:ções|coes)|rascunho)"
    r"(?:[_-]\w+|\d+)?(?:\.(?:md|txt|log|org|rst))?",
    re.IGNORECASE,
)
_TEXT: Final = (".md", ".txt", ".log", ".org", ".rst")
_FOLDER = re.compile(r"(?:^|/)(?:scratch(?:pad)?|notes?|tmp)/", re.IGNORECASE)
_SAYING = re.compile(
    r"\A(?:echo|printf|date)\b[^>]*>{1,2}\s*([\w./~-]+)\s*\Z|\A(?:cat|touch)\s(?:[^>]*>{1,2})?\s*([\w./~-]+)\s*(?:<<\S*)?\Z"
)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


def changes_notes_only(arguments: Mapping[str, Any], command: str | None, cwd: str = "") -> bool:
    """Whether all that a call changes are notes, as far as the names of the files tell."""
    if command is not None:
        parts = [part for part in segments(outside_quotes(command)) if not part.startswith("cd ")]
        return bool(parts) and all(map(_notes, parts))
    text = next((value for value in arguments.values() if isinstance(value, str) and "*** " in value[:200]), "")
    paths = _PATCHED.findall(text) or [path_of(arguments, cwd)]
    return all(path and _is_notes(path) for path in paths)


def _notes(part: str) -> bool:
    """Whether a simple command does nothing but write a text to notes."""
    found = _SAYING.match(part)
    return found is not None and _is_notes(found[1] or found[2]) and (part[:4] != "cat " or ">" in part)


def _is_notes(path: str) -> bool:
    name = basename(path)
    return bool(_NOTES.fullmatch(name)) or (bool(_FOLDER.search(path)) and name.endswith(_TEXT))
