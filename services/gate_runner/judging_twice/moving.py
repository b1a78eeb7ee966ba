"""Reads what judged by a module's old place as judging by the new one, where a goal asks for modules to be moved."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from shared.verifiers import collected
from shared.workspace.changes import Change

Moves = Sequence[tuple[str, str]]
"""Pairs of the path at which a file of code was and the one at which it is."""

_ASKED: Final = re.compile(
    r"\b(?:mov(?:e|a|er)|put|split|reorgani[sz]\w*|restructur\w*|relocat\w*|extract|turn|convert\w*|package|pacote|src"
    r"|layout|coloque|ponha|divida|separe|transforme|reestrutur\w*|organiz\w*)\b",
    re.IGNORECASE,
)
_CODE: Final = re.compile(r".*\.(?:py|[cm]?[jt]sx?)")
_ROOTS: Final = re.compile(r"^(?:src|lib)/")
_RELATIVE: Final = re.compile(r"""(["'])(\.{1,2}/[^"'\n]+)\1""")


def moves_of(changes: Sequence[Change], goal: str) -> Moves:
    """The files of code that a task moved, each under its name, where its goal asks for something of the kind."""
    if not _ASKED.search(goal):
        return ()
    added: dict[str, list[str]] = defaultdict(list)
    for one in changes:
        if one.kind == "added":
            added[posixpath.basename(one.path)].append(one.path)
    gone = [one.path for one in changes if one.kind == "deleted" and _CODE.fullmatch(one.path)]
    found = [(path, added[posixpath.basename(path)]) for path in gone if not collected(path)]
    return [(path, places[0]) for path, places in found if len(places) == 1]


def moved(content: bytes, path: str, moves: Moves) -> bytes:
    """The content of the file at a path, with what it imports by its place where that was moved to."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return content
    if path.endswith(".py"):
        for old, new in moves:
            text = _python(text, _module(old), _module(new))
    elif _CODE.fullmatch(path):
        text = _RELATIVE.sub(lambda found: f"{found[1]}{_relative(found[2], path, moves)}{found[1]}", text)
    return text.encode()


def _module(path: str) -> str:
    stem = _ROOTS.sub("", path).removesuffix(".py").removesuffix("/__init__")
    return stem.replace("/", ".")


def _python(text: str, old: str, new: str) -> str:
    if old == new:
        return text
    was = re.escape(old)
    package, _, name = new.rpartition(".")
    text = re.sub(rf"^([ \t]*from[ \t]+){was}(?=[\s.])", rf"\g<1>{new}", text, flags=re.MULTILINE)
    text = re.sub(rf"^([ \t]*import[ \t]+){was}(?=[ \t]+as\b)", rf"\g<1>{new}", text, flags=re.MULTILINE)
    if package and "." not in old:
        text = re.sub(
            rf"^([ \t]*)import[ \t]+{was}[ \t]*$", rf"\g<1>from {package} import {name}", text, flags=re.MULTILINE
        )
    elif "." in old:
        text = re.sub(rf"(?<![\w.\"']){was}(?=\.)|(?<=import ){was}(?!\w)", new, text)
    return re.sub(rf"(?<=[\"']){was}(?=\.\w)", new, text)


def _relative(reference: str, path: str, moves: Moves) -> str:
    folder = posixpath.dirname(path)
    meant = posixpath.normpath(posixpath.join(folder, reference))
    for old, new in moves:
        whole = meant == old
        if whole or meant == posixpath.splitext(old)[0]:
            place = posixpath.relpath(new if whole else posixpath.splitext(new)[0], folder or ".")
            return place if place.startswith(".") else f"./{place}"
    return reference
