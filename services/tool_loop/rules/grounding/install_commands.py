"""What a shell command would install: packages of registries, and the files that list more. Paths and URLs are left."""

import posixpath
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from arreio_contracts.grounding import SOME_INDEX, Installs, Package, RequirementsFile

from . import RULE
from .distributions import required_name
from .install_forms import FORMS, NPM, PIP, RUNNERS, UV_RUN, Form
from .shell_commands import ASSIGNMENT, FED, Command, simple_commands

_PYTHON = re.compile(r"(python|pypy)[\d.]*|py")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ash", "ksh", "fish"})
_WRAPPERS: Final[Mapping[str, frozenset[str]]] = {
    "sudo": frozenset({"-u", "-g", "--user", "--group"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "nice": frozenset({"-n"}),
    **dict.fromkeys(("nohup", "exec", "command", "builtin", "stdbuf", "doas", "xvfb-run", "corepack"), frozenset()),
}
_ELSEWHERE = re.compile(r"(PIP|UV)_\w*(INDEX|FIND_LINKS)\w*=.*|npm_config_registry=.*|NPM_CONFIG_REGISTRY=.*")
_PLAIN_URL = re.compile(r"https?://[\w.-]+(:\d+)?(/[\w.~-]+)*/?")
_TOOLS = re.compile(r"pip|\buvx?\b|poetry|pdm|rye|hatch|conda|mamba|npm|npx|yarn|bun")
_VERSION = re.compile(r"[=<>!~;\[ ]")
"""What stands behind a name: a star there is a version's."""
_CLUSTER = re.compile(r"-[A-Za-z]{2,}")
_MOST_CHARS = 16_000
"""Of a longer command only the lines that name a tool are read, and no more of them than this."""
_DEEPEST = 4
_NPM_NAME = re.compile(r"(@[a-z0-9~][\w.~-]*/)?[a-z0-9~_][\w.~-]*", re.IGNORECASE)


_Installed = Package | RequirementsFile


def installs(command: str) -> Installs | None:
    """What a command for `sh` would install; None: nothing that a registry could be asked about."""
    if not _TOOLS.search(command):
        return None
    if len(command) > _MOST_CHARS:
        lines = (line for line in command.split("\n") if _TOOLS.search(line))
        command = "\n".join(lines)[:_MOST_CHARS]
    found = dict.fromkeys(_installed(command, "", 0))
    packages = tuple(each for each in found if isinstance(each, Package))
    files = tuple(each for each in found if isinstance(each, RequirementsFile))
    return Installs(rule=RULE, packages=packages, files=files) if found else None


def _installed(line: str, folder: str | None, depth: int) -> Iterator[_Installed]:
    if depth > _DEEPEST:
        return
    for command in simple_commands(line, folder):
        run = _unwrapped(command.words)
        if not run:
            continue
        name = run[0].rpartition("/")[2]
        elsewhere = any(_ELSEWHERE.fullmatch(word) for word in command.words[: len(command.words) - len(run)])
        if name in _SHELLS:
            yield from _of_shell(run, command.folder, depth)
        elif name == "eval":
            yield from _installed(" ".join(run[1:]), command.folder, depth + 1)
        elif name == "xargs":
            inner = [*_after_options(run[1:], _XARGS_VALUED), *(FED + path for path in _fed_to_xargs(run, command))]
            yield from _installed(shlex.join(inner), command.folder, depth + 1)
        else:
            for each in _of_tool(name, run[1:], command.folder):
                yield each.model_copy(update={"index": SOME_INDEX}) if elsewhere else each


_XARGS_VALUED: Final = frozenset({"-n", "-I", "-P", "-L", "-d", "-a", "-E", "-s", "--arg-file", "--delimiter"})


def _fed_to_xargs(words: Sequence[str], command: Command) -> Iterator[str]:
    yield from command.fed
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in ("-a", "--arg-file"):
            yield value if equals else words[place + 1] if place + 1 < len(words) else ""


def _of_shell(words: Sequence[str], folder: str | None, depth: int) -> Iterator[_Installed]:
    for place, word in enumerate(words[1:], 1):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word) and place + 1 < len(words):
            yield from _installed(words[place + 1], folder, depth + 1)
            return


def _unwrapped(words: Sequence[str]) -> Sequence[str]:
    """A command without what only runs it: assignments, sudo, env, time."""
    while words:
        name = words[0].rpartition("/")[2]
        if ASSIGNMENT.fullmatch(words[0]):
            words = words[1:]
        elif name in _WRAPPERS:
            words = _after_options(words[1:], _WRAPPERS[name])
            if name == "timeout":
                words = words[1:]
        else:
            break
    return words


def _after_options(words: Sequence[str], valued: frozenset[str]) -> Sequence[str]:
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _of_tool(name: str, words: Sequence[str], folder: str | None) -> Iterator[_Installed]:
    if _PYTHON.fullmatch(name):
        yield from _of_module(words, folder)
        return
    if re.fullmatch(r"pip[\d.]*", name):
        name = "pip"
    if name in RUNNERS and list(words[:1]) == ["run"]:
        run = _after_options(words[1:], UV_RUN.valued | UV_RUN.packages | {"-n", "--name"})
        yield from _of_tool(run[0].rpartition("/")[2], run[1:], folder) if run else ()
    rest = list(words)
    if name == "yarn" and rest[:1] == ["workspace"]:
        rest = rest[2:]
    path: list[str] = [name]
    form = FORMS.get((name,))
    while form is None and len(path) < 3:
        valued = PIP.valued | NPM.valued
        rest = list(_after_options(rest, valued))
        if not rest:
            return
        path.append(rest.pop(0))
        form = FORMS.get(tuple(path))
    if form is not None:
        yield from _named(form, rest, folder)


def _of_module(words: Sequence[str], folder: str | None) -> Iterator[_Installed]:
    """`python -m pip …`, in one word or two."""
    for place, word in enumerate(words):
        module = re.fullmatch(r"-[A-Za-z]*?m(.*)", word)
        if module is not None:
            run = [module[1], *words[place + 1 :]] if module[1] else words[place + 1 :]
            if run:
                yield from _of_tool(run[0], run[1:], folder)
            return
        if not word.startswith("-"):
            return


def _given(words: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """The values of options, as separate words, behind `=`, or right behind an option of one letter."""
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in options:
            yield value if equals else words[place + 1] if place + 1 < len(words) else ""
        elif word[:2] in options and len(word) > 2 and not word.startswith("--"):
            yield word[2:]
        elif _CLUSTER.fullmatch(word) and f"-{word[-1]}" in options:
            yield words[place + 1] if place + 1 < len(words) else ""


def _index(form: Form, words: Sequence[str]) -> str:
    """The registry that a subcommand's options name; empty: the user's own."""
    named = list(_given(words, form.index))
    if form.unasked or any(word.partition("=")[0] in form.elsewhere for word in words if word.startswith("-")):
        return SOME_INDEX
    if not named:
        return ""
    return named[-1] if _PLAIN_URL.fullmatch(named[-1]) else SOME_INDEX


def _ends_valued(form: Form, word: str) -> bool:
    """Whether the last of several letters (`-qr`) takes a value."""
    cluster = _CLUSTER.fullmatch(word) is not None and form.ecosystem == "pypi"
    return cluster and word[:2] not in form.valued and f"-{word[-1]}" in form.valued


def _named(form: Form, words: Sequence[str], folder: str | None) -> Iterator[_Installed]:
    """The packages among a subcommand's words, and the files that list more."""
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
            place += word in form.valued or _ends_valued(form, word)
        else:
            said += () if form.only_options else [word]
            if form.first:
                break
        place += 1
    index = _index(form, words)
    wanted = [*replacing, *said[:-1]] if form.first and replacing and said else [*replacing, *said]
    for word in wanted:
        name = _pypi_name(word) if form.ecosystem == "pypi" else npm_name(word)
        if name is not None:
            yield Package(ecosystem=form.ecosystem, name=name, index=index)
    listed = [*_given(words, form.files), *_given(words, {FED.rstrip("=")})]
    for path in listed if folder is not None else ():
        if path and "$" not in path and "://" not in path:
            place_of = posixpath.normpath(posixpath.join(folder or "", path))
            yield RequirementsFile(ecosystem=form.ecosystem, path=place_of, index=index)


def _is_elsewhere(word: str) -> bool:
    """A path, a URL, an archive, or something that the shell has yet to fill in."""
    return (
        not word
        or word.startswith((".", "/", "~", "$"))
        or "://" in word
        or any(character in _VERSION.split(word, maxsplit=1)[0] for character in "$*?`{}")
        or word.endswith((".whl", ".tar.gz", ".zip", ".tgz", ".txt", ".toml", ".conda"))
    )


def _pypi_name(word: str) -> str | None:
    word = word.rpartition("::")[2]
    name = word.partition("@")[0] if "@" in word else word
    if _is_elsewhere(word) or "/" in name or word.startswith(("git+", "hg+", "svn+", "file:")):
        return None
    if "@" in word and re.search(r"@\s*(\w+\+)?(https?|file|git|ssh):", word):
        return None
    return required_name(name)


def npm_name(word: str) -> str | None:
    """The package of npm's registry that a word stands for; None: it is a path, a URL or a repository."""
    if "@npm:" in word:
        word = word.partition("@npm:")[2]
    if _is_elsewhere(word) or re.match(r"(git|github|gitlab|bitbucket|gist|file|link|workspace|portal|jsr)[:+]", word):
        return None
    name = word[:1] + word[1:].partition("@")[0]
    if "/" in name and not name.startswith("@"):
        return None
    return name.lower() if _NPM_NAME.fullmatch(name) else None
