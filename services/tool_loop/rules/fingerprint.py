"""What a call is, whatever its wording: equal for calls that would do the same. Source: spec/tool-loop.md, Anti-loop.

Tool and canonical arguments: sorted keys, NFC, paths relative to the workspace, shell text with even spacing outside
quotes, and without the fields that the tool declares cosmetic or free text. Digits are identity, in free text too, and
so are the names in it: to cancel R0 is not to cancel R7.
"""

import re
import unicodedata
from collections.abc import Mapping
from posixpath import normpath
from typing import Any, Final

from shared.canonical import NotCanonical, canonical_json, sha256_hex

from .tool_kinds import COMMAND_FIELDS, cosmetic, free_text, hands_over, is_shell
from .wording import names_in

PATH_FIELDS: Final = frozenset(
    {"path", "file", "file_path", "filepath", "filename", "dir", "directory", "folder", "target_file", "notebook_path"}
)
_PIECE = re.compile(r"'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.|#|\s+|[^\s'\"\\#]+|.", re.DOTALL)
_AROUND = re.compile(r"(?:(?<!\s)\s++)?(&&|\|\||;|\|)\s*")
_QUOTES = re.compile(r"['\"\\]")
_INLINE: Final = ("-c", "-lc", "-ic")
_ENDS: Final = "; \t\r\n\v\f"
_LENGTH: Final = 16


def fingerprint(tool: str, arguments: Mapping[str, Any], cwd: str = "", *, wording: bool = False) -> str:
    """16 hexadecimal digits that name the call. `cwd` is the workspace's directory, as the arguments may write it.

    `wording`: with its free text, which is else no part of what the call is.
    """
    left_out = cosmetic(arguments) | (frozenset() if wording else free_text(tool, arguments))
    given = {key: value for key, value in arguments.items() if key not in left_out}
    if not wording and not hands_over(tool):
        told = [
            names_in(value) for key in sorted(free_text(tool, arguments)) if isinstance(value := arguments[key], str)
        ]
        given |= {"": told} if any(told) else {}
    try:
        kept = {_nfc(key): _canonical(tool, key, value, cwd) for key, value in given.items()}
        return digest(canonical_json([_nfc(tool), kept]))
    except (NotCanonical, RecursionError):
        # No model means what no JSON holds: such calls are told apart by their tool and their fields alone.
        return digest(repr((tool, sorted(given))))


def digest(text: str) -> str:
    """A short hash of a text."""
    return sha256_hex(text.encode("utf-8", "surrogatepass"))[:_LENGTH]


def command_of(tool: str, arguments: Mapping[str, Any]) -> str | None:
    """The shell text of a call; None where the tool is no shell."""
    if not is_shell(tool, arguments):
        return None
    for name in COMMAND_FIELDS:
        value = arguments.get(name)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
            # An array is a program with its arguments; of `bash -lc TEXT` the text is the command.
            return value[2] if len(value) == 3 and value[1] in _INLINE else " ".join(value)
    return None


def path_of(arguments: Mapping[str, Any], cwd: str = "") -> str:
    """The path that a call names, relative to the workspace; empty where it names none."""
    named = next((value for key in PATH_FIELDS if isinstance(value := arguments.get(key), str)), "")
    return _path(named, cwd) if named else ""


def shell_text(command: str, cwd: str = "") -> str:
    """A command with even spacing and no comments outside its quotes, and without going to where it is anyway."""
    if "<<" in command:
        return command.strip()
    text = "".join(_even(command)).strip(_ENDS)
    if cwd:
        here = re.escape(cwd.rstrip("/"))
        text = re.sub(rf"\Acd {here}/? ?(?:&& ?|; ?|\n)", "", text)
        text = re.sub(rf"(?<![\w./-]){here}/", "", text)
    return text if _QUOTES.search(text) else _AROUND.sub(r" \1 ", text).strip(_ENDS)


def _even(command: str) -> list[str]:
    """The pieces of a command that count, each stretch of space as one."""
    pieces: list[str] = []
    comment = False
    for piece in _PIECE.findall(command):
        comment = comment and "\n" not in piece
        if not comment and piece == "#" and (not pieces or pieces[-1].isspace() or pieces[-1][-1] in ";|&("):
            comment = True
        if comment:
            continue
        if piece.isspace():
            piece = "\n" if "\n" in piece else " "
            if pieces and pieces[-1].isspace():
                piece = max(piece, pieces.pop(), key=lambda one: one == "\n")
        pieces.append(piece)
    return pieces


def _canonical(tool: str, key: str, value: Any, cwd: str) -> Any:
    if isinstance(value, str):
        text = _nfc(value)
        if key in PATH_FIELDS:
            return _path(text, cwd)
        if key in COMMAND_FIELDS and is_shell(tool, {key: value}):
            return shell_text(text, cwd)
        return text.strip() if key == "raw" else _path(text, cwd) if cwd and text.startswith(f"{cwd}/") else text
    if isinstance(value, Mapping):
        return {_nfc(str(name)): _canonical("", str(name), one, cwd) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical("", "", one, cwd) for one in value]
    return value


def _path(text: str, cwd: str) -> str:
    if cwd and text.startswith(cwd.rstrip("/") + "/"):
        text = text[len(cwd.rstrip("/")) + 1 :]
    return normpath(text) if text.strip() else text


def _nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)
