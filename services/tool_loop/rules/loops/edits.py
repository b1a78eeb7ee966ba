"""The content of a workspace as far as the edits of a log tell: not what it is, but whether it is again as it was."""

from collections.abc import Mapping
from typing import Any, Final

from ..fingerprint import digest, path_of
from .content import Content

_WHOLE: Final = ("content", "file_text", "contents")
_PAIRS: Final = (
    ("old_str", "new_str"),
    ("old_string", "new_string"),
    ("old_text", "new_text"),
    ("old", "new"),
    ("search", "replace"),
)
_AS_FOUND: Final = "as it was found"


def rewriting(arguments: Mapping[str, Any], cwd: str = "") -> tuple[str, str] | None:
    """The text that an edit replaces and the one that it puts there, each with its file; None: it is no such edit.

    What writes a whole file replaces whatever was written there before.
    """
    path = path_of(arguments, cwd)
    if not path:
        return None
    if any(isinstance(arguments.get(name), str) for name in _WHOLE):
        return path, path
    for old_name, new_name in _PAIRS:
        old, new = arguments.get(old_name), arguments.get(new_name)
        if isinstance(old, str) and isinstance(new, str):
            return f"{path}\0{old}", f"{path}\0{new}"
    return None


def grows(arguments: Mapping[str, Any]) -> int | None:
    """How many lines an edit puts in, less those that it takes out; None: it does not tell."""
    for old_name, new_name in _PAIRS:
        old, new = arguments.get(old_name), arguments.get(new_name)
        if isinstance(old, str) and isinstance(new, str):
            return new.count("\n") - old.count("\n")
    return None


class Edits:
    """Contents have names. An edit that undoes one leads back to the content from which that one led."""

    def __init__(self) -> None:
        self._content = Content()
        self._leads: dict[tuple[str, str, str, str], str] = {}

    def after(self, arguments: Mapping[str, Any], cwd: str = "") -> str | None:
        """The state after a change; None where it cannot be told."""
        path = path_of(arguments, cwd)
        content = self._named(path, arguments) if path else None
        if content is None:
            return None
        self._content.put(path, content, _AS_FOUND)
        return self._content.state

    def _named(self, path: str, arguments: Mapping[str, Any]) -> str | None:
        whole = next((value for name in _WHOLE if isinstance(value := arguments.get(name), str)), None)
        if whole is not None:
            return f"is {digest(whole)}"
        before = self._content.of(path, _AS_FOUND) or _AS_FOUND
        for old_name, new_name in _PAIRS:
            old, new = arguments.get(old_name), arguments.get(new_name)
            if isinstance(old, str) and isinstance(new, str):
                return self._edited(path, before, old, new)
        return None

    def _edited(self, path: str, before: str, old: str, new: str) -> str:
        known = self._leads.get((path, before, old, new))
        if known is None:
            known = f"from {digest(f'{before}{chr(0)}{old}{chr(0)}{new}')}"
            self._leads[path, before, old, new] = known
            self._leads[path, known, new, old] = before
        return known
