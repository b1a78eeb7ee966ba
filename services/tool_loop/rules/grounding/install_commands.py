"""What a shell command would install: packages of registries, and the files that list more. Paths and URLs are left."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from arreio_contracts.grounding import SOME_INDEX, SOME_NAME, Installs, Package, RequirementsFile

from . import RULE
from .carriers import SHELLS, after_options, carried_lines, carried_words, unwrapped
from .form_words import ends_valued, given, index_of
from .install_forms import FORMS, GLOBAL_VALUED, NPM, PIP, RUNNERS, UV_RUN, Form
from .package_words import creator, is_untold, npm_name, pypi_name
from .program_texts import PROGRAMS, Started, commands_of, started_by_python, started_by_script
from .requirement_lines import requirements
from .shell_commands import Command, simple_commands
from .shell_feeds import FED, HELD, Feed

_PYTHON = re.compile(r"(python|pypy)[\d.]*|py")
_SCRIPTED = frozenset({"node", "perl", "ruby", "bun", "deno", "php"})
_ELSEWHERE = re.compile(r"(PIP|UV)_\w*(INDEX|FIND_LINKS)\w*=.*|npm_config_registry=.*|NPM_CONFIG_REGISTRY=.*")
_TOOLS = re.compile(
    r"pip|\buvx?\b|poetry|pdm|rye|hatch|conda|mamba|npm|npx|yarn|bun|pnpx|easy_install|pixi|deno|\.sh\b|\.(?:py|[cm]?js)\b"
)
_RUN_VALUED: Final = frozenset({"-e", "--env", "-p", "--project", "-C", "--directory", "-n", "--name"})
_MOST_CHARS = 16_000
"""Of a longer command only the lines that name a tool are read, and no more of them than this."""
_DEEPEST = 4


_Installed = Package | RequirementsFile


def installs(command: str) -> Installs | None:
    """What a command for `sh` would install; None: nothing that a registry could be asked about."""
    if not _names_a_tool(command):
        return None
    if len(command) > _MOST_CHARS:
        lines = (line for line in command.split("\n") if _names_a_tool(line))
        command = "\n".join(lines)[:_MOST_CHARS]
    found = dict.fromkeys(_installed(command, "", 0))
    packages = tuple(each for each in found if isinstance(each, Package))
    files = tuple(each for each in found if isinstance(each, RequirementsFile))
    return Installs(rule=RULE, packages=packages, files=files) if found else None


def _names_a_tool(text: str) -> bool:
    return _TOOLS.search(re.sub(r"[\\'\"]", "", text)) is not None


def _installed(line: str, folder: str | None, depth: int, arguments: Sequence[str] = ()) -> Iterator[_Installed]:
    if depth <= _DEEPEST:
        for command in simple_commands(line, folder, arguments):
            yield from _by(command, depth)


def _by(command: Command, depth: int) -> Iterator[_Installed]:
    """What one command installs, by itself or by those that it runs."""
    run = unwrapped(command.words)
    if not run or depth > _DEEPEST:
        return
    name = run[0].replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
    before = command.words[: len(command.words) - len(run)]
    elsewhere = any(_ELSEWHERE.fullmatch(word) for word in before)
    for each in _of(name, replace(command, words=tuple(run)), depth):
        yield each.model_copy(update={"index": SOME_INDEX}) if elsewhere else each


def _of(name: str, command: Command, depth: int) -> Iterator[_Installed]:
    run = command.words
    if name in SHELLS:
        yield from _of_shell(command, depth)
    elif name in (".", "source"):
        yield from _of_script(command, run[1:], depth)
    elif "/" in run[0]:
        yield from _of_script(command, run, depth)
    for line in carried_lines(run):
        yield from _installed(line, command.folder, depth + 1)
    for words in carried_words(run, _fed_to(command)):
        yield from _by(replace(command, words=tuple(words)), depth + 1)
    if (_PYTHON.fullmatch(name) or name in _SCRIPTED) and (file := _program(run)):
        yield from _of_script(command, [file], depth)
    for started in _started(name, command):
        if isinstance(started, str):
            yield from _installed(started, command.folder, depth + 1)
        else:
            yield from _by(replace(command, words=started), depth + 1)
    yield from _of_tool(name, run[1:], command)


def _fed_to(command: Command) -> Feed:
    """What a command reads, also by the option of `xargs` and `parallel` that names a file."""
    paths = [path for path in given(command.words, {"-a", "--arg-file"}) if path]
    if command.words[0].rpartition("/")[2] not in ("xargs", "parallel") or not paths:
        return command.fed
    told = _place(command, paths[-1])
    return Feed(untold=True) if told is None else Feed(files=(told,)).known(command.written)


def _of_shell(command: Command, depth: int) -> Iterator[_Installed]:
    words = command.words
    for place, word in enumerate(words[1:], 1):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word) and place + 1 < len(words):
            yield from _installed(words[place + 1], command.folder, depth + 1, words[place + 2 :])
            return
    files = [word for word in words[1:] if not word.startswith("-")]
    if files and "-s" not in words:
        yield from _of_script(command, files, depth)
    elif command.fed.text is not None:
        yield from _installed(command.fed.text, command.folder, depth + 1, ["sh", *files])


def _of_script(command: Command, words: Sequence[str], depth: int) -> Iterator[_Installed]:
    """What a script that the same line wrote installs, with its arguments; one that lies there is read later."""
    place = _place(command, words[0]) if words else None
    if place is None:
        return
    written = command.written.get(place)
    program = place.endswith(PROGRAMS)
    if written is not None:
        for line in commands_of(place, written.text) if program else (written.text,):
            yield from _installed(line, command.folder, depth + 1, words)
    if (program or place.endswith(".sh")) and not (written is not None and written.whole):
        yield RequirementsFile(ecosystem="pypi", path=place, kind="program" if program else "script")


def _program(run: Sequence[str]) -> str:
    """The file that an interpreter is given to run; empty: none, or its text comes otherwise."""
    for word in run[1:]:
        if not word.startswith("-"):
            return word if word.endswith(PROGRAMS) else ""
        if word == "-" or re.fullmatch(r"-[A-Za-z]*[cme]", word):
            return ""
    return ""


def _started(name: str, command: Command) -> Iterator[Started]:
    """The commands that a program in the text of a command starts."""
    words = command.words
    for place, word in enumerate(words[1:-1], 1):
        if _PYTHON.fullmatch(name) and re.fullmatch(r"-[A-Za-z]*c", word):
            yield from started_by_python(words[place + 1])
            return
        if name in _SCRIPTED and word in ("-e", "-p", "-pe", "--eval", "eval"):
            yield from started_by_script(words[place + 1])
            return
    if name in ("awk", "gawk", "mawk"):
        yield from (each for word in words[1:] for each in started_by_script(word))
    if command.fed.text is not None and all(word == "-" for word in words[1:]):
        if _PYTHON.fullmatch(name):
            yield from started_by_python(command.fed.text)
        elif name in _SCRIPTED:
            yield from started_by_script(command.fed.text)


def _of_tool(name: str, words: Sequence[str], command: Command) -> Iterator[_Installed]:
    if _PYTHON.fullmatch(name):
        yield from _of_module(words, command)
        return
    if re.fullmatch(r"pip[\d.]*", name):
        name = "pip"
    ran = after_options(words, _RUN_VALUED) if name in RUNNERS else ()
    if list(ran[:1]) == ["run"]:
        run = after_options(ran[1:], UV_RUN.valued | UV_RUN.packages | {"-n", "--name"})
        yield from _of_tool(run[0].rpartition("/")[2], run[1:], command) if run else ()
        yield from _synced(ran, run, command) if name == "uv" else ()
    if name == "deno":
        yield from (each for word in words if word.startswith("npm:") for each in _package(NPM, word[4:], ""))
        return
    rest = list(words)
    if name == "yarn" and rest[:1] == ["workspace"]:
        rest = rest[2:]
    if name == "yarn" and all(word.startswith("-") for word in rest):
        rest.insert(0, "install")
    path: list[str] = [name]
    options: list[str] = []
    form = FORMS.get((name,))
    while form is None and len(path) < 3:
        left = list(after_options(rest, GLOBAL_VALUED.get(name, PIP.valued | NPM.valued)))
        if not left:
            return
        options += rest[: len(rest) - len(left)]
        path.append(left[0])
        rest = left[1:]
        form = FORMS.get(tuple(path))
    if form is not None:
        yield from _named(PIP if "--pypi" in rest else form, rest, command, options)


def _synced(ran: Sequence[str], run: Sequence[str], command: Command) -> Iterator[RequirementsFile]:
    """What `uv run` installs before it runs: what the script says that it needs, else the project's own."""
    scripts = [word for word in run[:1] if word.endswith(".py")]
    own = {"--no-project", "--no-sync", "--isolated"} & {*ran[: len(ran) - len(run)]}
    for manifest in (*scripts, *(() if own else ("pyproject.toml",))):
        if (place := _place(command, manifest)) is not None:
            yield RequirementsFile(ecosystem="pypi", path=place, kind="manifest")


def _of_module(words: Sequence[str], command: Command) -> Iterator[_Installed]:
    """`python -m pip …`, in one word or two."""
    for place, word in enumerate(words):
        module = re.fullmatch(r"-[A-Za-z]*?m(.*)", word)
        if module is not None:
            run = [module[1], *words[place + 1 :]] if module[1] else words[place + 1 :]
            if run:
                yield from _of_tool(run[0], run[1:], command)
            return
        if not word.startswith("-"):
            return


def _named(form: Form, words: Sequence[str], command: Command, options: Sequence[str]) -> Iterator[_Installed]:
    """The packages among a subcommand's words, and the files that list more. `options`: those before the subcommand."""
    replacing: list[str] = []
    said: list[str] = []
    place = 0
    while place < len(words):
        word = words[place]
        option, equals, value = word.partition("=")
        if word == "--":
            said += words[place + 1 :]
            break
        if option in form.packages:
            if not equals:
                place += 1
                value = words[place] if place < len(words) else ""
            (said if option == "--with" else replacing).extend(value.split(","))
        elif word.startswith("-"):
            place += word in form.valued or ends_valued(form, word)
        else:
            said += () if form.only_options else [word]
            if form.first:
                break
        place += 1
    index = index_of(form, [*options, *words])
    wanted = [*replacing, *said[:-1]] if form.first and replacing and said else [*replacing, *said]
    for word in wanted if not form.lists else ():
        yield from _package(form, word, index)
    for manifest in _manifests(form, [*options, *words], wanted):
        if (lies := _place(command, manifest)) is not None:
            yield RequirementsFile(ecosystem=form.ecosystem, path=lies, index=index, kind="manifest")
    for path in (*given(words, form.files), *given(words, {FED.rstrip("=")}), *(said if form.lists else ())):
        yield from _listed(form, path, command, index)


def _manifests(form: Form, words: Sequence[str], said: Sequence[str]) -> Iterator[str]:
    """The files by which projects say what they need, as far as a subcommand installs projects."""
    if form.manifest and not said and not list(given(words, {*form.files, FED.rstrip("=")})):
        folder = next(given(words, {"--prefix", "-C", "--dir", "--cwd", "--directory", "--project"}), "")
        yield posixpath.join(folder, form.manifest)
    if form.ecosystem == "pypi" and not form.unasked:
        for word in (*said, *given(words, {"-e", "--editable"})):
            folder = word.partition("[")[0].removeprefix("file:")
            if folder.startswith(".") or folder.endswith("/"):
                yield posixpath.join(folder, "pyproject.toml")


def _package(form: Form, word: str, index: str) -> Iterator[Package]:
    if form.creates:
        word = creator(word)
    name = pypi_name(word) if form.ecosystem == "pypi" else npm_name(word)
    if name is not None:
        yield Package(ecosystem=form.ecosystem, name=name, index=index)
    elif is_untold(word):
        yield Package(ecosystem=form.ecosystem, name=SOME_NAME, index=SOME_INDEX)


def _listed(form: Form, path: str, command: Command, index: str) -> Iterator[_Installed]:
    """What a file of requirements lists, as far as the command line itself tells; else the file."""
    told = Feed()
    if path.startswith(HELD):
        told = Feed(path.removeprefix(HELD))
    elif path in ("/dev/stdin", "-", "/proc/self/fd/0"):
        told = command.fed
    elif path.startswith(FED) or path in command.fed.files:
        told = Feed(files=(path.removeprefix(FED),)).known(command.written)
    elif path and "://" not in path:
        place = _place(command, path)
        told = Feed(files=(place,)).known(command.written) if place is not None else Feed(untold="$" in path)
    if told.untold:
        yield Package(ecosystem=form.ecosystem, name=SOME_NAME, index=SOME_INDEX)
    listed = requirements((told.text or "").splitlines()) if form.ecosystem == "pypi" else None
    for name in listed.registry if listed is not None else (told.text or "").split():
        yield from _package(form, name, index)
    for file in (*told.files, *(listed.files if listed is not None else ())):
        yield RequirementsFile(ecosystem=form.ecosystem, path=file, index=index)


def _place(command: Command, path: str) -> str | None:
    """A path from where the line started; None: that cannot be told."""
    if command.folder is None or "$" in path or "://" in path:
        return None
    return posixpath.normpath(posixpath.join(command.folder, path))
