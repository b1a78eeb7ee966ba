"""The packages that a shell command would install from a registry. What is a path, a URL or a file of names is left."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arreio_contracts.grounding import Ecosystem, Installs, Package

from . import RULE
from .distributions import required_name

_SEPARATORS = frozenset({";", "&&", "||", "|", "&", "(", ")", "\n", "{", "}", "!", "then", "do", "else", "if", "while"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_PYTHON = re.compile(r"(python|pypy)[\d.]*|py")
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ash", "ksh", "fish"})
_WRAPPERS: Final[Mapping[str, frozenset[str]]] = {
    "sudo": frozenset({"-u", "-g", "--user", "--group"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "nice": frozenset({"-n"}),
    **dict.fromkeys(("nohup", "exec", "command", "builtin", "stdbuf", "doas", "xvfb-run"), frozenset()),
}
_HERE_DOCUMENT = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
_FED_TO_A_SHELL = re.compile(r"\s*(sudo\s+)?(ba|z|da|k)?sh\b")
_TOOLS = re.compile(r"pip|\buvx?\b|poetry|pdm|rye|hatch|npm|npx|yarn|bun")
_MOST_CHARS = 16_000
"""Of a longer command only the lines that name a tool are read, and no more of them than this."""
_DEEPEST = 4
_NPM_NAME = re.compile(r"(@[a-z0-9~][\w.~-]*/)?[a-z0-9~_][\w.~-]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Form:
    """A subcommand that installs: whose packages, which options take a value, and which option makes it another thing.

    `first`: only the first word is a package, the rest is the package's own (`npx NAME …`).
    """

    ecosystem: Ecosystem
    valued: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    first: bool = False
    packages: frozenset[str] = frozenset()


_PIP_VALUED = """
-r --requirement -c --constraint -e --editable -t --target --prefix --root --src -i --index-url --extra-index-url -f
--find-links --platform --python-version --implementation --abi --progress-bar --cache-dir --log --proxy --timeout
--retries --exists-action --trusted-host --cert --client-cert --no-binary --only-binary --python --config-settings -C
--global-option --report --root-user-action --upgrade-strategy --keyring-provider -p --index --default-index
--index-strategy --exclude-newer --resolution --prerelease --link-mode --group --extra --optional --package --script
--source --platforms --markers -m -b --build
"""
_NPM_VALUED = """
--registry --prefix -C --workspace -w --filter --cwd --cache --tag --loglevel --omit --include --userconfig --dir
--network-timeout --modules-folder --os --cpu --libc --before --otp
"""
_PIP = _Form(
    "pypi",
    valued=frozenset(_PIP_VALUED.split()),
    elsewhere=frozenset(
        {"-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--no-index", "--index", "--default-index"}
        | {"--source"}
    ),
)
_RUN_PYPI = _Form("pypi", _PIP.valued, _PIP.elsewhere, first=True, packages=frozenset({"--from", "--with", "--spec"}))
_NPM = _Form(
    "npm",
    valued=frozenset(_NPM_VALUED.split()),
    elsewhere=frozenset({"--registry", "--offline"}),
)
_PNPM = _Form("npm", _NPM.valued - {"-w", "--workspace"}, _NPM.elsewhere)
_RUN_NPM = _Form("npm", _NPM.valued, _NPM.elsewhere, first=True, packages=frozenset({"-p", "--package"}))

_FORMS: Final[Mapping[tuple[str, ...], _Form]] = {
    **{("pip", verb): _PIP for verb in ("install", "download", "wheel")},
    ("uv", "pip", "install"): _PIP,
    ("uv", "add"): _PIP,
    ("uv", "tool", "install"): _RUN_PYPI,
    ("uv", "tool", "run"): _RUN_PYPI,
    ("uvx",): _RUN_PYPI,
    ("poetry", "add"): _PIP,
    ("pdm", "add"): _PIP,
    ("rye", "add"): _PIP,
    ("hatch", "dep", "add"): _PIP,
    ("pipenv", "install"): _PIP,
    ("pipx", "install"): _PIP,
    ("pipx", "inject"): _PIP,
    ("pipx", "run"): _RUN_PYPI,
    **{("npm", verb): _NPM for verb in ("install", "i", "in", "ins", "add", "isntall")},
    **{(tool, verb): _PNPM for tool in ("pnpm", "bun") for verb in ("add", "install", "i")},
    ("yarn", "add"): _NPM,
    ("yarn", "global", "add"): _NPM,
    ("yarn", "dlx"): _RUN_NPM,
    ("pnpm", "dlx"): _RUN_NPM,
    ("npx",): _RUN_NPM,
    ("bunx",): _RUN_NPM,
    ("npm", "exec"): _RUN_NPM,
    ("npm", "x"): _RUN_NPM,
}


def installs(command: str) -> Installs | None:
    """What a command for `sh` would install; None: nothing that a registry could be asked about."""
    if not _TOOLS.search(command):
        return None
    if len(command) > _MOST_CHARS:
        lines = (line for line in command.split("\n") if _TOOLS.search(line))
        command = "\n".join(lines)[:_MOST_CHARS]
    found = tuple(dict.fromkeys(_packages(command, 0)))
    return Installs(rule=RULE, packages=found) if found else None


def _packages(command: str, depth: int) -> Iterator[Package]:
    if depth > _DEEPEST:
        return
    for words in _simple_commands(command):
        run = _unwrapped(words)
        if not run:
            continue
        name = run[0].rpartition("/")[2]
        if name in _SHELLS:
            yield from _of_shell(run, depth)
        elif name == "eval":
            yield from _packages(" ".join(run[1:]), depth + 1)
        elif name == "xargs":
            yield from _packages(
                shlex.join(_after_options(run[1:], frozenset({"-n", "-I", "-P", "-L", "-d"}))), depth + 1
            )
        else:
            yield from _of_tool(name, run[1:])


def _of_shell(words: Sequence[str], depth: int) -> Iterator[Package]:
    for place, word in enumerate(words[1:], 1):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word) and place + 1 < len(words):
            yield from _packages(words[place + 1], depth + 1)
            return


def _simple_commands(command: str) -> Iterator[list[str]]:
    """The commands of a command line, each as its words, without redirections; substitutions are commands too."""
    for inner in re.findall(r"\$\(([^()]*)\)|`([^`]*)`", command):
        yield from _simple_commands("".join(inner))
    words: list[str] = []
    skip = False
    for word in _words(command):
        if word in _SEPARATORS:
            yield words
            words = []
        elif skip:
            skip = False
        elif word and set(word) <= set("<>&|"):
            skip = True
            if words and words[-1].isdigit():
                words.pop()
        else:
            words.append(word)
    yield words


def _words(command: str) -> Iterator[str]:
    text = "\n".join(_without_documents(command.split("\n")))
    lexer = shlex.shlex(re.sub(r"\\\n", " ", text), posix=True, punctuation_chars="();<>|&\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        words.extend(lexer)
    except ValueError:
        # A quote is open: the shell would refuse it, or the text is no shell's.
        words = text.replace("\n", " \n ").split(" ")
    for word in words:
        yield "\n" if word.strip("\n;") == "" and word else word


def _without_documents(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a command without the texts that it feeds to programs other than shells."""
    place = 0
    ends = {line.strip(): number for number, line in enumerate(lines)}
    while place < len(lines):
        line = lines[place]
        yield line
        place += 1
        opened = _HERE_DOCUMENT.search(line)
        if opened is None or _FED_TO_A_SHELL.match(line) or ends.get(opened[2], -1) < place:
            continue
        while lines[place].strip() != opened[2]:
            place += 1
        place += 1


def _unwrapped(words: Sequence[str]) -> Sequence[str]:
    """A command without what only runs it: assignments, sudo, env, time."""
    while words:
        name = words[0].rpartition("/")[2]
        if _ASSIGNMENT.fullmatch(words[0]):
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


def _of_tool(name: str, words: Sequence[str]) -> Iterator[Package]:
    if _PYTHON.fullmatch(name):
        for place, word in enumerate(words):
            if word == "-m" and place + 1 < len(words):
                yield from _of_tool(words[place + 1], words[place + 2 :])
                return
            if not word.startswith("-"):
                return
        return
    if re.fullmatch(r"pip[\d.]*", name):
        name = "pip"
    rest = list(words)
    path: list[str] = [name]
    form = _FORMS.get((name,))
    while form is None and len(path) < 3:
        valued = _PIP.valued | _NPM.valued
        rest = list(_after_options(rest, valued))
        if not rest:
            return
        path.append(rest.pop(0))
        form = _FORMS.get(tuple(path))
    if form is not None and not (_options(rest) & form.elsewhere):
        yield from _named(form, rest)


def _options(words: Sequence[str]) -> set[str]:
    return {word.partition("=")[0] for word in words if word.startswith("-")}


def _named(form: _Form, words: Sequence[str]) -> Iterator[Package]:
    """The packages among a subcommand's words."""
    given: list[str] = []
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
            given += value.split(",")
        elif word.startswith("-"):
            place += word in form.valued
        else:
            said.append(word)
            if form.first:
                break
        place += 1
    wanted = given if form.first and given else [*given, *said]
    for word in wanted:
        name = _pypi_name(word) if form.ecosystem == "pypi" else _npm_name(word)
        if name is not None:
            yield Package(ecosystem=form.ecosystem, name=name)


def _is_elsewhere(word: str) -> bool:
    """A path, a URL, an archive, or something that the shell has yet to fill in."""
    return (
        not word
        or word.startswith((".", "/", "~", "$"))
        or "://" in word
        or any(character in word for character in "$*?`{}")
        or word.endswith((".whl", ".tar.gz", ".zip", ".tgz", ".txt", ".toml", ".conda"))
    )


def _pypi_name(word: str) -> str | None:
    name = word.partition("@")[0] if "@" in word else word
    if _is_elsewhere(word) or "/" in name or word.startswith(("git+", "hg+", "svn+", "file:")):
        return None
    if "@" in word and re.search(r"@\s*(\w+\+)?(https?|file|git|ssh):", word):
        return None
    return required_name(name)


def _npm_name(word: str) -> str | None:
    if "@npm:" in word:
        word = word.partition("@npm:")[2]
    if _is_elsewhere(word) or re.match(r"(git|github|gitlab|bitbucket|gist|file|link|workspace|portal|jsr)[:+]", word):
        return None
    name = word[:1] + word[1:].partition("@")[0]
    if "/" in name and not name.startswith("@"):
        return None
    return name.lower() if _NPM_NAME.fullmatch(name) else None
