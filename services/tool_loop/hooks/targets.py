"""Finds out, without running it, whether a hook's command can start: its program, and the script of an interpreter.

A shell's or an interpreter's own failure to find its script can look like a refusal (`python3 /missing.py` ends with
status 2), so it is looked for before. What cannot be told without running the command is taken as it is.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from .operands import files_read
from .shell_reading import NoShellText, SimpleCommand, simple_commands

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
_TESTS: Final = (["["], ["test"], ["command"], ["which"], ["type"], ["hash"])
"""What commands ask with whether something is there; they know what they do then."""
_GIVES_UP: Final = (*(("exit", str(status)) for status in range(1, 256)), ("false",))
_PYTHONS: Final = ("python", "pypy")
_NOT_FOUND: Final = 97
_FIND: Final = (
    f"import importlib.util,sys; sys.exit({_NOT_FOUND} if importlib.util.find_spec(sys.argv[1]) is None else 0)"
)
_FIND_SECONDS: Final = 10.0


def missing_target(command: str, directory: Path, environment: Mapping[str, str]) -> str | None:
    """Why `sh -c COMMAND` in a directory cannot do its work, in one line; None where nothing speaks against it."""
    try:
        commands = list(simple_commands(command))
    except NoShellText as error:
        return f"the command is no shell text: {error}"
    known = dict(environment)
    tested: list[str] = []
    for number, one in enumerate(commands):
        words = _without_assignments(one.words, known)
        if words[:1] == ["cd"]:
            place = _gone_to(words, directory, known)
            if place is None:
                return None
            if not place.is_dir():
                return f"there is no directory {words[1]}" if "&&" in one.after else None
            directory = place
            continue
        following = commands[number + 1] if number + 1 < len(commands) else None
        problem = None if _may_fail(one, following) else _problem(one, words, directory, known)
        if problem and not any(word in problem.split() for word in tested):
            return problem
        if words[:1] in (["."], ["source"]):
            return None
        if words[:1] in _TESTS:
            tested += [_expanded(word, known) for word in words[1:]]
    return None


def _problem(one: SimpleCommand, words: list[str], directory: Path, environment: Mapping[str, str]) -> str | None:
    for file in one.reads:
        if file.startswith(("/", "~")) and (problem := _unreadable(file, directory, environment)):
            return problem
    return _simple(words, directory, environment)


def _may_fail(one: SimpleCommand, following: SimpleCommand | None) -> bool:
    """Whether the command itself says what is done should this one fail. To leave with a failure is no way out."""
    if one.before == "||":
        return True
    return one.after == "||" and not (following and following.words in _GIVES_UP)


def _without_assignments(words: Sequence[str], known: dict[str, str]) -> list[str]:
    """The words of a command from its program on. What it sets stays known: only the more is found."""
    left = [*words]
    while left and (_ASSIGNMENT.fullmatch(left[0]) or left[0] in ("export", "readonly")):
        name, is_one, value = left.pop(0).partition("=")
        if is_one:
            known[name] = _expanded(value, known)
    return left


def _gone_to(words: Sequence[str], directory: Path, known: Mapping[str, str]) -> Path | None:
    """Where `cd` leads; None where that is not known."""
    written = _expanded(words[1], known) if len(words) == 2 else "$"
    return None if "$" in written or "`" in written or written == "-" else directory / written


def _simple(words: Sequence[str], directory: Path, environment: Mapping[str, str]) -> str | None:
    """The same for one simple command."""
    environment = dict(environment)
    words = _without_assignments(words, environment)
    if not words:
        return None
    program = _expanded(words[0], environment)
    if "$" in program or "`" in program:
        return None
    name = Path(program).name
    if program not in _BUILTINS and (problem := _unstartable(program, directory, environment)):
        return problem
    if name in _WRAPPERS:
        return _wrapped(name, words[1:], directory, environment)
    if name in _SHELLS:
        return _shell(words[1:], directory, environment)
    if program in (".", "source"):
        return _unreadable(words[1], directory, environment) if len(words) > 1 else None
    for file in files_read(name, words[1:]):
        if problem := _unreadable(file, directory, environment):
            return problem
    known = next((known for known in _INLINE if re.fullmatch(rf"{known}[\d.]*", name)), None)
    if known is not None:
        python = [program] if known in _PYTHONS else []
        return _script(words[1:], _INLINE[known], directory, environment, python=python)
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
    words: Sequence[str],
    inline: str,
    directory: Path,
    environment: Mapping[str, str],
    *,
    only_paths: bool = False,
    python: Sequence[str] = (),
) -> str | None:
    """What is wrong with the script among an interpreter's arguments; `python`: how that interpreter is started."""
    skip = False
    for number, word in enumerate(words):
        if skip:
            skip = False
        elif word == "-" or word in ("--eval", "--print", "--version", "--help"):
            return None
        elif word in _TAKE_A_VALUE and not (python and word in ("-I", "-r", "-l", "-o", "-C")):
            skip = True
        elif word.startswith("-"):
            if python and word == "-m" and number + 1 < len(words):
                return _no_module(python, words[:number], words[number + 1], directory, environment)
            if not word.startswith("--") and any(letter in inline for letter in word[1:]):
                return None
        elif only_paths and not word.endswith((".py", ".ts", ".js", ".mjs")):
            return None
        else:
            return _unreadable(word, directory, environment) or (_no_main(word, directory, environment, python))
    return None


def _no_module(
    python: Sequence[str], options: Sequence[str], module: str, directory: Path, environment: Mapping[str, str]
) -> str | None:
    """Whether `-m MODULE` would find no module; the interpreter is asked, and nothing of the module is run."""
    name = module.partition(".")[0]
    if not name.isidentifier():
        return None
    try:
        asked = subprocess.run(
            [*python, *options, "-c", _FIND, name],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_FIND_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return f"there is no module {name}" if asked.returncode == _NOT_FOUND else None


def _no_main(word: str, directory: Path, environment: Mapping[str, str], python: Sequence[str]) -> str | None:
    path = directory / _expanded(word, environment)
    if python and path.is_dir() and not (path / "__main__.py").exists():
        return f"{path} is a folder without __main__.py"
    return None


def _unreadable(word: str, directory: Path, environment: Mapping[str, str]) -> str | None:
    """Why a script cannot be read; node finds one without its ending too, python one in a folder."""
    written = _expanded(word, environment)
    if "$" in written or "`" in written or "*" in written:
        return None
    path = directory / written
    found = next(
        (one for one in (path, *(Path(f"{path}{end}") for end in (".js", ".mjs", ".cjs", ".ts"))) if one.exists()),
        None,
    )
    if found is None:
        return f"there is no file {path}"
    return None if os.access(found, os.R_OK) else f"{found} cannot be read"


def _wrapped(name: str, words: Sequence[str], directory: Path, environment: Mapping[str, str]) -> str | None:
    """The same for the command that a wrapper runs."""
    if name == "command" and words[:1] in (["-v"], ["-V"]):
        return None
    left = [*words]
    known = dict(environment)
    while left and (left[0].startswith("-") or (name == "env" and _ASSIGNMENT.fullmatch(left[0]))):
        option = left.pop(0)
        if option in ("-S", "--split-string") and left:
            left = [*shlex.split(left[0]), *left[1:]]
        elif option in _WRAPPERS[name] and left:
            left.pop(0)
        elif "=" in option and not option.startswith("-"):
            variable, _, value = option.partition("=")
            known[variable] = _expanded(value, known)
    if name == "timeout" and left:
        left.pop(0)
    return _simple(left, directory, known)


def _expanded(word: str, environment: Mapping[str, str]) -> str:
    """A word as the shell would expand it, as far as that is known."""
    if word == "~" or word.startswith("~/"):
        word = environment.get("HOME", "~") + word[1:]
    return _VARIABLE.sub(lambda found: environment.get(found[1] or found[2], found[0]), word)
