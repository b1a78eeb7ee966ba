"""The files of a workspace that a shell command runs, or names as tests: what it judges by, read from its words."""

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final

from .patterns import INDENT
from .quoted import SHELL, Strings

MAKEFILES: Final = ("Makefile", "makefile", "GNUmakefile")

_INTERPRETER: Final = re.compile(r"sh|bash|dash|zsh|ksh|node|ruby|perl|python[\d.]*|pypy[\d.]*")
_WRAPPERS: Final = frozenset({"env", "timeout", "nice", "nohup", "time", "exec", "command"})
_PACKAGE_RUNNERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_VALUED: Final = {
    "python": frozenset({"-W", "-X"}),
    "node": frozenset({"-r", "--require", "--import", "--loader"}),
    "sh": frozenset({"-o", "+o"}),
    "env": frozenset({"-u", "--unset"}),
    "timeout": frozenset({"-k", "-s", "--kill-after", "--signal"}),
    "nice": frozenset({"-n"}),
}
"""Options that take the next word, by program."""
_TEST_RUNNERS: Final = frozenset({"pytest", "py.test", "unittest", "jest", "vitest", "mocha"})
_CODE: Final = re.compile(r"[\w./@+-]+\.(?:py|[cm]?[jt]sx?)")
_DIVIDES: Final = re.compile(r"[;&|()\n]+")
_BARE: Final = re.compile(r"""[^;&|()\n'"]+""")
_MODULE: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")

_MOST_SCRIPTS: Final = 50
_MOST_BYTES: Final = 1 << 18
_MOST_LINE: Final = 2_000
_PROGRAM_NAME: Final = re.compile(r"(?<![\w@.-])[A-Za-z0-9][\w.-]{0,60}(?![\w@-])")
_CHECK: Final = re.compile(
    r"test|check|lint|verif|valid|audit|conform|assert|(?:^|[^a-z])(?:ci|spec|gate)s?(?:[^a-z]|$)", re.I
)
_HELPER: Final = re.compile(
    r"(?:.*_)?(?:rules?|helpers?|utils?|common|lib|support|expected|expectations?|fixtures?)", re.I
)
_GIVES_NOTHING: Final = re.compile(
    r"(?:exec\s+|\.\s+|source\s+)?(?:(?:ba|da|z|k)?sh\s+|python[\d.]*\s+|node\s+)?[\w./-]+(?:\s+\"?\$[@*]\"?)?"
)
"""A line that runs one script, without arguments of its own."""
_INCLUDE: Final = re.compile(INDENT + r"(?:-?include|sinclude)\s+([\w./ -]+)[^\S\n]*$", re.M)
_IMPORTED: Final = re.compile(INDENT + r"(?:from\s+([\w.]++)\s+import|import\s+([\w.]+))", re.M)
_REQUIRED: Final = re.compile(r"""(?:require\(|from\s+|import\s+)["'](\.{1,2}/[\w./-]+)["']""")


def scripts_of(command: str) -> list[str]:
    """What a command runs as programs: scripts, modules, Makefiles, and `package.json#scripts.NAME`."""
    return [path for folder, words in _parts(command) for path in _inside(folder, _run(words))]


def scripts_run(workspace: Path, command: str) -> list[str]:
    """What `scripts_of` names, with what those hand the judging on to: entries of `package.json`, files that a Makefile
    includes, and for what is called a check the scripts and helpers behind it."""
    found = [*dict.fromkeys(scripts_of(command))]
    checks = is_check(command)
    for path in found:
        if len(found) >= _MOST_SCRIPTS:
            break
        found += [one for one in dict.fromkeys(_behind(workspace, path, checks or is_check(path))) if one not in found]
    return found


def scripts_reached(workspace: Path, command: str) -> list[str]:
    """All scripts that a command comes by, through others whatever they are called; the first ones of very many."""
    found = [*dict.fromkeys(scripts_of(command))]
    for path in found:
        if len(found) >= _MOST_SCRIPTS:
            break
        file, _, section = path.partition("#scripts.")
        folder = posixpath.dirname(file)
        if section:
            behind = _inside(folder, scripts_of(_entry(workspace / file, section)))
        elif posixpath.basename(file) in MAKEFILES or file.endswith(".mk"):
            lines = [line.strip().lstrip("@-+") for line in _text(workspace / file).splitlines() if line[:1] == "\t"]
            behind = [one for line in lines for one in _inside(folder, scripts_of(line))]
        else:
            behind = [one for line in _shell_lines(workspace, file) for one in _inside("", scripts_of(line))]
        found += [one for one in dict.fromkeys(behind) if one not in found]
    return found


def script_at(workspace: Path, path: str) -> str:
    """The command of an entry of `package.json`, named as `scripts_of` names it; empty where a path is none."""
    file, _, section = path.partition("#scripts.")
    return _entry(workspace / file, section) if section else ""


def programs_called(workspace: Path, commands: Sequence[str]) -> frozenset[str]:
    """The words of some commands, and of the scripts that they come by: among them the programs that they call."""
    files = {path.partition("#")[0] for command in commands for path in scripts_reached(workspace, command)}
    texts = [*commands, *(_text(workspace / file) for file in sorted(files))]
    return frozenset(word for text in texts for word in _PROGRAM_NAME.findall(text))


def _shell_lines(workspace: Path, file: str) -> list[str]:
    """The lines of a script of shell; none of another language, whose words are no commands."""
    if re.search(r"\.(?:py|[cm]?[jt]s|rb|pl|php)$", file):
        return []
    lines = _text(workspace / file).splitlines()
    other = bool(lines) and lines[0].startswith("#!") and not re.search(r"\b\w*sh\b", lines[0])
    return [] if other else [line for line in lines if len(line) <= _MOST_LINE]


def is_check(name: str) -> bool:
    """Whether a command, target or file is called what checks are called."""
    return _CHECK.search(name) is not None


def named_tests(command: str) -> list[str]:
    """The files that a command gives to a test runner by name, whatever they are called."""
    return [path for folder, words in _parts(command) for path in _inside(folder, _given_tests(words))]


def pieces(command: str) -> Iterator[str]:
    """The simple commands of a line with their quoted words whole, what divides two, and marks that nothing closes."""
    strings = Strings(command, SHELL)
    place = begin = 0
    while place < len(command):
        string = strings.end(place)
        bare = None if string else _BARE.match(command, place)
        if string or bare:
            place = string or (bare.end() if bare else place)
            continue
        if begin < place:
            yield command[begin:place]
        divides = _DIVIDES.match(command, place)
        begin = divides.end() if divides else place + 1
        yield command[place:begin]
        place = begin
    if begin < place:
        yield command[begin:place]


def _parts(command: str) -> Iterator[tuple[str, list[str]]]:
    """The simple commands of a command line without what wraps them, each with the folder it is run in."""
    folder = ""
    for part in pieces(command):
        if ")" in part:
            folder = ""
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        words = _unwrapped(words)
        if len(words) > 1 and words[0] == "cd":
            folder = posixpath.join(folder, words[1])
        elif len(words) > 2 and _INTERPRETER.fullmatch(_program(words)) and re.fullmatch(r"-[a-z]*c", words[1]):
            if _program(words).endswith("sh"):
                yield from ((posixpath.join(folder, inner), run) for inner, run in _parts(words[2]))
        elif words:
            yield folder, words


def _unwrapped(words: Sequence[str]) -> list[str]:
    left = [*words]
    while left:
        program = _program(left)
        if re.fullmatch(r"\w+=.*", left[0]):
            left = left[1:]
        elif program in _WRAPPERS:
            left = _after_options(program, left[1:])
            left = left[1:] if program == "timeout" else left
        else:
            break
    return left


def _program(words: Sequence[str]) -> str:
    return words[0].rsplit("/", 1)[-1]


def _after_options(program: str, words: Sequence[str]) -> list[str]:
    valued = _VALUED.get(re.sub(r"^(?:pypy|python)[\d.]*$", "python", re.sub(r"^\w*sh$", "sh", program)), frozenset())
    left = [*words]
    while left and left[0][:1] in "-+" and left[0] not in ("-", "-m"):
        left = left[2 if left[0] in valued else 1 :]
    return left


def _run(words: Sequence[str]) -> list[str]:
    program = _program(words)
    if program in ("make", "gmake"):
        return _makefiles(words[1:])
    if program in _PACKAGE_RUNNERS:
        named = [word for word in words[1:] if not word.startswith("-")]
        named = named[1:] if named[:1] in (["run"], ["run-script"]) else named
        return [f"package.json#scripts.{named[0]}"] if named else []
    if program in (".", "source"):
        return [*words[1:2]]
    if _INTERPRETER.fullmatch(program):
        if program == "node" and "--test" in words:
            return []
        given = _after_options(program, words[1:])
        if given[:1] == ["-m"]:
            modules = [word for word in given[1:2] if _MODULE.fullmatch(word) and word not in _TEST_RUNNERS]
            return [f"{module.replace('.', '/')}.py" for module in modules]
        return given[:1]
    named_so = not words[0].startswith("/") and ("/" in words[0] or words[0].endswith(".sh"))
    return [words[0]] if named_so else []


def _makefiles(words: Sequence[str]) -> list[str]:
    folder, files = "", []
    for option, value in zip_longest(words, words[1:], fillvalue=""):
        if option in ("-C", "--directory"):
            folder = posixpath.join(folder, value)
        elif option in ("-f", "--file", "--makefile"):
            files.append(value)
    return [posixpath.join(folder, name) for name in files or MAKEFILES]


def _given_tests(words: Sequence[str]) -> list[str]:
    program, rest = _program(words), [*words[1:]]
    if _INTERPRETER.fullmatch(program) and "-m" in rest:
        rest = rest[rest.index("-m") + 1 :]
        program, rest = (rest[0], rest[1:]) if rest else ("", [])
    elif program == "npx" and rest:
        program, rest = rest[0], rest[1:]
    elif program == "node" and "--test" in rest:
        return [word for word in rest if _CODE.fullmatch(word)]
    if program not in _TEST_RUNNERS:
        return []
    files = [word.partition("::")[0] for word in rest]
    modules = [word for word in rest if program == "unittest" and _MODULE.fullmatch(word) and word != "discover"]
    return [*(word for word in files if _CODE.fullmatch(word)), *(path for one in modules for path in _module(one))]


def _module(name: str) -> Iterator[str]:
    """The files in which a dotted name may lie: its end may be a class, or a test in it."""
    parts = name.split(".")
    yield from (f"{'/'.join(parts[:end])}.py" for end in range(len(parts), 0, -1))


def _inside(folder: str, paths: Sequence[str]) -> list[str]:
    joined = [posixpath.normpath(posixpath.join(folder, path)) for path in paths]
    return [path for path in joined if not path.startswith(("../", "/"))]


def _behind(workspace: Path, path: str, checks: bool) -> list[str]:
    """What the script, Makefile or entry of `package.json` at a path hands the judging on to."""
    file, _, section = path.partition("#scripts.")
    folder = posixpath.dirname(file)
    if section:
        return _inside(folder, scripts_of(_entry(workspace / file, section)))
    text = _text(workspace / file)
    if posixpath.basename(file) in MAKEFILES or file.endswith(".mk"):
        included = [name for names in _INCLUDE.findall(text) for name in names.split()]
        return [*_inside(folder, included), *(_handed_on(folder, _recipes(text)) if checks else [])]
    if not checks:
        return []
    if file.endswith(".py"):
        return _helpers(workspace, folder, [a.lstrip(".") or a[-1:] or b for a, b in _IMPORTED.findall(text)], ".py")
    if re.fullmatch(r".*\.[cm]?[jt]s", file):
        return _helpers(workspace, folder, _REQUIRED.findall(text), posixpath.splitext(file)[1])
    return _handed_on("", text.splitlines())


def _recipes(text: str) -> list[str]:
    """What a Makefile runs for the targets that are called checks."""
    found, checks = [], False
    for line in text.splitlines():
        if line.startswith("\t"):
            found += [line.strip().lstrip("@-+")] if checks else []
        elif line[:1].strip():
            checks = ":" in line and is_check(line.partition(":")[0])
    return found


def _handed_on(folder: str, lines: Sequence[str]) -> list[str]:
    """The scripts that lines run as the whole of what they do, or that are called checks; not what those look at."""
    found = []
    for line in lines:
        scripts = _inside(folder, scripts_of(line))
        whole = re.search(r"[|<>]|\$\(|`", line) is None
        found += [path for path in scripts if is_check(path) or (whole and _GIVES_NOTHING.fullmatch(line.strip()))]
    return found


def _helpers(workspace: Path, folder: str, names: Sequence[str], ending: str) -> list[str]:
    """The modules of the workspace that a check imports and that are called what helpers of checks are called."""
    found = []
    for name in names:
        stem = name if ending != ".py" else name.replace(".", "/")
        stem = stem.removesuffix(ending)
        if not (_HELPER.fullmatch(posixpath.basename(stem)) or is_check(stem)):
            continue
        for path in _inside(folder, [f"{stem}{ending}"]) + _inside("", [f"{stem}{ending}"]):
            if (workspace / path).is_file():
                found.append(path)
    return found


def _text(file: Path) -> str:
    try:
        return file.read_bytes()[:_MOST_BYTES].decode("utf-8", "replace") if file.is_file() else ""
    except OSError:
        return ""


def _entry(package: Path, name: str) -> str:
    try:
        scripts = json.loads(package.read_text("utf-8")).get("scripts", {})
        return str(scripts.get(name, ""))
    except (OSError, ValueError, AttributeError, RecursionError):
        return ""
