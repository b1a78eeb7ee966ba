"""The content of a workspace as far as the edits of a log tell: not what it is, but whether it is again as it was."""

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

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


class _File(NamedTuple):
    """A file as far as it is known: its text (None: as it was found), and what stands in it in the place of what."""

    text: str | None = None
    instead: tuple[tuple[str, str], ...] = ()

    def edited(self, old: str, new: str) -> "_File":
        if self.text is not None and old in self.text:
            return self._replace(text=self.text.replace(old, new, 1))
        return self._replace(instead=tuple(sorted(_instead(self.instead, old, new))))

    @property
    def name(self) -> str:
        if self.text is None and not self.instead:
            return _AS_FOUND
        return digest("\0".join([str(self.text is None), self.text or "", *chain(*self.instead)]))


class Edits:
    """Contents have names: the same whichever way of edits leads to them, over one other content or over several.

    Of a file that was found nothing is known but what edits replaced: an edit of what another put there takes its
    place, and one that puts back what was there undoes it.
    """

    def __init__(self) -> None:
        self._content = Content()
        self._files: dict[str, _File] = {}

    def after(self, arguments: Mapping[str, Any], cwd: str = "") -> str | None:
        """The state after a change; None where it cannot be told."""
        path = path_of(arguments, cwd)
        file = self._edited(path, arguments) if path else None
        if path is None or file is None:
            return None
        self._files[path] = file
        self._content.put(path, file.name, _AS_FOUND)
        return self._content.state

    def _edited(self, path: str, arguments: Mapping[str, Any]) -> _File | None:
        whole = next((value for name in _WHOLE if isinstance(value := arguments.get(name), str)), None)
        if whole is not None:
            return _File(whole)
        for old_name, new_name in _PAIRS:
            old, new = arguments.get(old_name), arguments.get(new_name)
            if isinstance(old, str) and isinstance(new, str):
                return self._files.get(path, _File()).edited(old, new)
        return None


def _instead(instead: tuple[tuple[str, str], ...], old: str, new: str) -> list[tuple[str, str]]:
    """What stands in the place of what after one edit more; an editor replaces a text that there is but once."""
    held = next(((was, now) for was, now in instead if old and old in now), None)
    if held is not None:
        was, now = held[0], held[1].replace(old, new, 1)
        rest = list(instead)
        rest.remove(held)
    else:
        was, now, rest = old, new, []
        for one in instead:
            if one[1] and one[1] in was:
                was = was.replace(one[1], one[0], 1)
            else:
                rest.append(one)
    return rest if was == now else [*rest, (was, now)]
