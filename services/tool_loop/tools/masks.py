"""Keeps the mask that stands for a secret from being written where the secret was."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from shared.secrets import MASK, mask, secrets_in
from shared.workspace import PathRefused, confine, read_regular

from .base import MOST_FILE_BYTES, Refused, ToolContext, is_binary

_MASK: Final = re.compile(r"(?<!\*)\*{3}(?!\*)")
_OTHER_STARS: Final = re.compile(
    r"(?<![\w=:/\"'@*-])\*{3}\w(?:[^*\n]*\w)?\*{3}(?![\w@*])|(?<![:/\w])/\*{3}(?=\s)|(?<=\s)\*{3}/"
)
"""Bold and slanted words of Markdown, and the ends of comments."""
_PLACEHOLDERS: Final = re.compile(r"example|sample|template|\bdist\b|\btmpl\b|\.(?:md|rst|adoc)$", re.IGNORECASE)
"""Files that show how something is written, and are to hold no secret."""
_PIECE: Final = re.compile(r"[^\s'\"|/\\`;]++")
"""A word of a command; taken whole before it is looked at, so that a long one costs its length."""
_MOST_FILES: Final = 200
_MOST_NOTED: Final = 5


def must_hold_no_mask(name: str, old: str | None, new: str, context: ToolContext) -> None:
    """Raises Refused where `new` has a mask for a secret of the file (`old`) or of another that the task has seen."""
    if MASK not in new:
        return
    if old is not None and _loses(old, new):
        lines = _hidden_lines(old)
        where = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines[:20]))}"
        raise Refused(
            f"{MASK} stands for a secret of {name} ({where}) that is never shown; it would replace the secret, "
            "so nothing was written; change what is around it by edit_file, with no such line in old_text or new_text, "
            "or by run_command (sed), which sees the file as it is",
            "masked_secret",
        )
    kept = set(_masked_lines(old or ""))
    brought = {line for line in _masked_lines(new) if line not in kept}
    if not brought or _PLACEHOLDERS.search(name):
        return
    for path, text in _seen(context):
        if brought.intersection(_lines_of_secrets(text)):
            raise Refused(
                f"{MASK} stands for a secret of {path} that is never shown; {name} would hold {MASK} in its place, so "
                f"nothing was written; copy or move it by run_command (cp, sed), which sees {path} as it is, or leave "
                "that line out",
                "masked_secret",
            )


def note(command: str, changed: Iterable[str], context: ToolContext) -> str:
    """What a command's result adds where the command itself wrote a mask; empty where it did not."""
    if MASK not in command:
        return ""
    pieces = {piece for piece in _PIECE.findall(command) if piece.strip("*") and _MASK.search(piece)}
    if not pieces:
        return ""
    files = [path for path in changed if (text := _text(path, context)) and any(piece in text for piece in pieces)]
    if not files:
        return ""
    named = ", ".join(files[:_MOST_NOTED]) + (" …" if len(files) > _MOST_NOTED else "")
    return (
        f"\nNote: the command wrote {MASK} into {named}. {MASK} stands for a secret that is never shown and is not its "
        "value: if a secret was there or was meant, copy it from where it lies (cp, sed), or say that it must be set."
    )


def _loses(old: str, new: str) -> bool:
    """Whether a secret of the old text is gone and a mask more stands in the new one."""
    secrets = {old[start:stop] for start, stop in secrets_in(old)}
    if not secrets or all(secret in new for secret in secrets):
        return False
    rules = not any(line.strip() == MASK for line in _lines_of_secrets(old))
    return _masks(new, rules=rules) > _masks(old, rules=rules)


def _masks(text: str, *, rules: bool) -> int:
    """How many masks a text may hold. `rules`: a line of nothing but stars is a rule of Markdown."""
    lines = (line for line in _OTHER_STARS.sub("", text).splitlines() if not (rules and line.strip() == MASK))
    return sum(len(_MASK.findall(line)) for line in lines)


def _masked_lines(text: str) -> Iterator[str]:
    """The lines that hold a mask beside something else."""
    return (bare for line in text.splitlines() if MASK in line and (bare := line.strip()).strip("*"))


def _lines_of_secrets(text: str) -> set[str]:
    """The lines of a text that show a mask in place of a secret, as they are shown."""
    shown = mask(text)
    return set() if shown == text else {line.strip() for line in set(shown.splitlines()) - set(text.splitlines())}


def _hidden_lines(text: str) -> list[int]:
    """The numbers of the lines on which secrets begin."""
    return [text.count("\n", 0, start) + 1 for start, _ in secrets_in(text)]


def _seen(context: ToolContext) -> Iterator[tuple[str, str]]:
    for path in list(context.seen)[:_MOST_FILES]:
        text = _text(path, context)
        if text:
            yield path, text


def _text(path: str, context: ToolContext) -> str | None:
    try:
        place = confine(context.workspace, path)
        data = read_regular(place.real, within=place.root, most_bytes=MOST_FILE_BYTES)
    except (PathRefused, OSError):
        return None
    return None if data is None or is_binary(data) else data.decode("utf-8", "surrogateescape")
