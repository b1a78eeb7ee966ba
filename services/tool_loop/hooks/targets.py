"""Finds out, without running it, whether a hook's command can start: its program, and the script of an interpreter.

A shell's or an interpreter's own failure to find its script can look like a refusal (`python3 /missing.py` ends with
status 2), so it is looked for before. What cannot be told without running the command is taken as it is.
"""

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_SHELL_WORDS: Final = (
    ": . [ alias bg break case command continue echo eval exec exit export false fg for getopts hash if jobs kill let "
    "local printf pwd read readonly return set shift source test times trap true type ulimit umask unset until wait "
    "while { ! (( cd"
)
_BUILTINS: Final = frozenset(_SHELL_WORDS.split())
_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_INLINE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("python", "pypy"), "cm"),
    **dict.fromkeys(("node", "nodejs", "bun"), "ep"),
    **dict.fromkeys(("ruby", "lua"), "e"),
    "perl": "eE",
    "Rscript": "e",
    "php": "r",
}
"""Each interpreter with the options after which no script follows."""
_TAKE_A_VALUE: Final = frozenset({"-W", "-X", "-r", "--require", "--import", "--loader", "-I", "-C", "-o", "-l"})
_WRAPPERS: Final[Mapping[str, frozenset[str]]] = {
    "env": frozenset({"-u", "--unset", "-C", "--chdir"}),
    "nice": frozenset({"-n", "--adjustment"}),
    "timeout": frozenset({"-k", "--kill-after", "-s", "--signal"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    **dict.fromkeys(("exec", "command", "nohup", "setsid", "time", "ionice"), frozenset({"-n", "-c", "-a"})),
}
"""Programs that run another one, with their options that take a value."""
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_VARIABLE: Final = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_OPERATOR: Final = re.compile(r"[;&|()<>\n]+")


def missing_target(command: str, directory: Path, environment: Mapping[str, str]) -> str | None:
    """Why `sh -c COMMAND` in a directory cannot do its work, in one line; None where nothing speaks against it."""
    try:
        reading = shlex.shlex(command.replace("\\\n", " "), posix=True, punctuation_chars=";&|()<>\n")
        reading.whitespace_split = True
        reading.commenters = "#"
        words = list(reading)
    except ValueError as error:
        return f"the command is no shell text: {error}"
    first: list[str] = []
    for number, word in enumerate(words):
        if _OPERATOR.fullmatch(word):
            if word == "&&" and first[:1] == ["cd"] and len(first) == 2:
                place = directory / _expanded(first[1], environment)
                if not place.is_dir():
                    return f"there is no directory {first[1]}"
                return missing_target(shlex.join(words[number + 1 :]), place, environment)
            break
        first.append(word)
    return _simple(first, directory, environment)


def _simple(words: Sequence[str], directory: Path, environment: Mapping[str, str]) -> str | None:
    """The same for one simple command."""
    words = [*words]
    while words and _ASSIGNMENT.fullmatch(words[0]):
        words.pop(0)
    if not words:
        return None
    program = _expanded(words[0], environment)
    if "$" in program or "`" in program:
        return None
    name = Path(program).name
    if program not in _BUILTINS and (problem := _unstartable(program, directory, environment)):
        return problem
    if name in _WRAPPERS:
        return _simple(_behind_options(name, words[1:]), directory, environment)
    if name in _SHELLS:
        return _shell(words[1:], directory, environment)
    if program in (".", "source"):
        return _unreadable(words[1], directory, environment) if len(words) > 1 else None
    known = next((known for known in _INLINE if re.fullmatch(rf"{known}[\d.]*", name)), None)
    if known is not None:
        return _script(words[1:], _INLINE[known], directory, environment)
    if name in ("uv", "deno", "bun") and words[1:2] == ["run"]:
        return _script(words[2:], "c", directory, environment, only_paths=True)
    return None


def _unstartable(program: str, directory: Path, environment: Mapping[str, str]) -> str | None:
    """Why a program cannot be started, its `#!` line included."""
    if "/" not in program:
        found = shutil.which(program, path=environment.get("PATH", os.defpath))
        return None if found else f"there is no program {program}"
    path = directory / program
    if not path.exists():
        return f"there is no file {path}"
    if path.is_dir() or not os.access(path, os.X_OK):
        return f"{path} is not executable"
    try:
        with path.open("rb") as file:
            line = file.readline(256)
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}"
    if not line.startswith(b"#!"):
        return None
    wanted = line[2:].decode("utf-8", "replace").split()
    if wanted and not Path(wanted[0]).exists():
        return f"{path} wants {wanted[0]}, which is not there"
    return _simple(wanted, directory, environment) if len(wanted) > 1 and Path(wanted[0]).name == "env" else None


def _shell(words: Sequence[str], directory: Path, environment: Mapping[str, str]) -> str | None:
    for number, word in enumerate(words):
        if word.startswith("-") and not word.startswith("--") and "c" in word:
            return missing_target(words[number + 1], directory, environment) if number + 1 < len(words) else None
        if word.startswith(("-", "+")):
            continue
        return _unreadable(word, directory, environment)
    return None


def _script(
    words: Sequence[str], inline: str, directory: Path, environment: Mapping[str, str], *, only_paths: bool = False
) -> str | None:
    """What is wrong with the script among an interpreter's arguments."""
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == "-" or word in ("--eval", "--print", "--version", "--help"):
            return None
        elif word in _TAKE_A_VALUE:
            skip = True
        elif word.startswith("-"):
            if not word.startswith("--") and any(letter in inline for letter in word[1:]):
                return None
        elif only_paths and not word.endswith((".py", ".ts", ".js", ".mjs")):
            return None
        else:
            return _unreadable(word, directory, environment)
    return None


def _unreadable(word: str, directory: Path, environment: Mapping[str, str]) -> str | None:
    """Why a script cannot be read; node finds one without its ending too, python one in a folder."""
    written = _expanded(word, environment)
    if "$" in written or "`" in written or "*" in written:
        return None
    path = directory / written
    found = next(
        (
            one
            for one in (path, *(path.with_name(path.name + end) for end in (".js", ".mjs", ".cjs", ".ts")))
            if one.exists()
        ),
        None,
    )
    if found is None:
        return f"there is no file {path}"
    return None if os.access(found, os.R_OK) else f"{found} cannot be read"


def _behind_options(name: str, words: Sequence[str]) -> list[str]:
    """The command that a wrapper runs."""
    left = [*words]
    while left and (left[0].startswith("-") or (name == "env" and _ASSIGNMENT.fullmatch(left[0]))):
        option = left.pop(0)
        if option in ("-S", "--split-string") and left:
            return [*shlex.split(left[0]), *left[1:]]
        if option in _WRAPPERS[name] and left:
            left.pop(0)
    if name == "timeout" and left:
        left.pop(0)
    return left


def _expanded(word: str, environment: Mapping[str, str]) -> str:
    """A word as the shell would expand it, as far as that is known."""
    if word == "~" or word.startswith("~/"):
        word = environment.get("HOME", "~") + word[1:]
    return _VARIABLE.sub(lambda found: environment.get(found[1] or found[2], found[0]), word)
