"""The files and symbols that a final text makes statements about, and which of them were never observed.

A statement names a file of this project, or tells of a change; of a task that looked at files, any name is one. Only
what looks like a path, and code in backticks or call form, counts; what a sentence denies, proposes or asks about is no
statement. A file of the workspace that was not read, listed, written or shown is not observed, though it exists: a
statement about it is a guess.
"""

import builtins
import keyword
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from . import worded_names
from .near_miss import POPULAR
from .shown_outcomes import Ran, tried
from .statements import Statement, statements

_EXTENSIONS = (
    "py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte html htm css scss sass less json jsonl ndjson yaml yml "
    "toml ini cfg conf md mdx rst txt csv tsv xml sql sh bash zsh fish ps1 bat c h cc cpp cxx hpp hh rs go java kt "
    "kts scala rb php swift cs fs lua pl pm r jl ex exs erl hs ml clj dart proto graphql tf lock log env gradle cmake "
    "mk patch diff pdf png jpg jpeg gif svg ico zip gz tar db sqlite parquet "
    "bak orig old docx xlsx pptx odt mp3 mp4 webp avif whl"
)
_EXTENSION = "|".join(sorted(_EXTENSIONS.split(), key=len, reverse=True))
_BARE_PATH = re.compile(
    rf"(?<![\w/.@:~-])((?:\.{{0,2}}/)?(?:[\w.@+-]+/)*[\w.@+-]*\w\.(?:{_EXTENSION}))(?::\d+)*(?![\w/]|\.\w)"
)
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_CALLED = re.compile(r"(?<![\w.`])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\(\)")
_CALLED_SO = re.compile(
    r"\b(?:class|function|method|classe|função|método)\s+\*{0,2}([A-Za-z_]\w+)"
    r"|\b([A-Za-z_]\w+)\s+(?:class|function|method|helper|component|hook|fixture|decorator|constant|enum|interface)\b"
    r"|(?<![\w*])\*{1,2}([A-Za-z_]\w+)\*{1,2}(?![\w*])"
)
"""Names without backticks that a word before them, or emphasis, makes names if they look like code."""
_ROLES = (
    "Adapter|Builder|Cache|Client|Command|Component|Config|Controller|Converter|Decoder|Encoder|Error|Exception|Factory|"
    "Filter|Formatter|Generator|Handler|Helper|Iterator|Job|Loader|Logger|Manager|Mapper|Middleware|Mixin|Model|Module|"
    "Parser|Plugin|Policy|Pool|Provider|Queue|Reader|Registry|Repository|Resolver|Router|Runner|Schema|Serializer|"
    "Service|Session|Storage|Store|Strategy|Task|Test|Tests|Validator|View|Worker|Wrapper|Writer"
)
_BARE_CODE = re.compile(
    rf"(?<![\w.`/@-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z]{{3,}}[A-Z][a-z]\w*|[A-Z]\w*[a-z0-9](?:{_ROLES}))(?![\w`/-]|\.\w)"
)
"""Names without backticks that their own form makes code: `parse_rows`, `parseRow`, and classes by their role."""
_TERMS: Final = frozenset({"snake_case", "camelCase", "utf_8", "x86_64", "en_us", "pt_br", "read_only", "node_modules"})
_QUOTED_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*|(?:Make|Docker|Pip|Gem|Proc|Vagrant|Jenkins)file")
_SPECIAL_FILE = re.compile(r"(?<![\w./-])(?:Make|Docker|Pip|Gem|Proc|Vagrant|Jenkins)file(?![\w-]|\.\w)")
_NO_PATH = re.compile(r"(application|text|image|audio|video|multipart|font)/[\w.+-]+|\w+/[\d.]+", re.IGNORECASE)
_QUOTED_CALL = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\([^`]*\)")
_QUOTED_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CODE_LIKE = re.compile(r"[a-z0-9]_[a-z0-9]|[A-Z0-9]_[A-Z0-9]|[a-z][A-Z]|\w\.\w")
_PRODUCT = re.compile(
    r"(node|vue|next|nuxt|nest|express|react|three|d3|chart|moment|discord|ember|alpine|solid|p5)\.js", re.I
)
_CHANGE = re.compile(
    r"\b(add|fix|chang|updat|creat|remov|renam|implement|refactor|replac|mov|introduc|defin|modif|delet|extract|correct"
    r"|patch|adjust|mend|edit|verifi|check|test|inspect|clean|migrat|generat|document|record|bump|wrap|merg|switch)(ed|ied|d)"
    r"\b|\b(bumped|wrapped|wrote|written|rewrote|rewritten|ran|made|now|is gone)\b"
    r"|\b(adicion|corrig|alter|atualiz|cri|remov|renome|implement|refator|substitu|mov|introduz|defin|modifi[cq]u?|extra"
    r"|ajust|edit|verifi[cq]u?|test|registr|inclu|acrescent|mud|consert|ger|apag|apagu|coloqu|troqu|troc|instal)(ei|i|ou|iu|ado|ada|ído|ída|ido|ida)\b|\b(agora|escrevi|reescrevi|escrit[oa]|li|rodei|fiz)\b",
    re.IGNORECASE,
)
_OWN_WORK = re.compile(
    r"\b(I|[Ww]e)\b|^\W*(\d+\.\s*)?([Aa]lso |[Tt]hen |[Nn]ow )?[A-Za-z][a-z]+ed\b"
    r"|\b[A-ZÀ-Ú]?[a-zà-ú]+(ei|[^\Waeiou]i|uí|aí)\b|\b[a-z]+(amos|emos|imos)\b"
)
"""How a text tells what its author did; one that never does may speak of other people's programs."""
_FILES_OF_ANY_PROJECT = (
    "package.json package-lock.json tsconfig.json requirements.txt pyproject.toml setup.py setup.cfg readme.md "
    "license.md index.html index.js main.py app.py manage.py settings.py conftest.py config.yaml config.json .env "
    "cargo.toml go.mod pom.xml dockerfile makefile docker-compose.yml"
)
_ANY_PROJECTS: Final = frozenset(_FILES_OF_ANY_PROJECT.split())
_DENIAL = re.compile(
    r"no such file|not found|does ?n[o']t exist|no match|cannot find|can't open|there is no|não existe|nenhum",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\s*[\w./-]+\.\w{1,5}(?=[:(]\d)")
"""The file that a message of a compiler or a linter is about, whatever it says is not there."""
_SHOWS_FILE = re.compile(r"\s*(?:cat|head|tail|wc|less|stat|sort|sed -n)\s[^|&;<>]*")
_CHANGES_FILES = re.compile(
    r"(?:^|[\s;&|(])(?:sed\s+(?:-\S+\s+){0,6}(?:-\w*i|--in-place)|mv|cp|ln|mkdir|touch|tee|install"
    r"|git\s+(?:mv|rm|add|checkout|restore|apply)|rm\s+(?!-\w*f))\b|(?<![<>=\d&-])>{1,2}\s*(?!/dev/)[\w./~$\"']"
)
"""Looks that write: what they say of files and names is then how those are."""
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_JOINT = re.compile(r"&&|\|\||;|\n")
_SCRIPTS_METHODS = "push map filter forEach reduce length then catch log toString slice splice concat"
_METHODS: Final = frozenset(_SCRIPTS_METHODS.split()).union(
    *(dir(kind) for kind in (str, bytes, list, dict, set, tuple, int, float, object, Path, re.Pattern))
)
"""What values of every program have."""
_OF_SCRIPTS = """
Promise Array Object Math JSON Date Number String Boolean Symbol Map Set WeakMap RegExp Error TypeError Intl Reflect
Proxy BigInt Readonly Partial Record Pick Omit require module process constructor super console window document
React jest vi
"""
_KNOWN: Final = frozenset(
    {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names, *_OF_SCRIPTS.split(), "self", "cls", "main", "np", "pd"}
)
_PLAIN_WORDS = "app arrow behave black build click core fire invoke mock nose path py records rich schedule toml wheel"
_LIBRARIES: Final = (POPULAR["pypi"] - frozenset(_PLAIN_WORDS.split())) | {
    "axios",
    "express",
    "lodash",
    "react",
    "vue",
    "zod",
}
"""What is taken from these is theirs, not the project's."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a text makes statements about.

    `remarks` may be about the project or about anything, as `package.json` and `useState` are: they are statements of a
    task that looked at files.
    """

    paths: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    remarks: "Named | None" = None


@dataclass(frozen=True)
class Observed:
    """What a task has seen: paths that tools told of, and texts. Lines that only deny something show nothing.

    `ran`: its commands, oldest first. `changed`: something had an effect on the workspace.
    """

    paths: Collection[str] = ()
    texts: Iterable[str] = ()
    ran: tuple[Ran, ...] = ()
    changed: bool = True
    _text: str = field(init=False, default="")

    def __post_init__(self) -> None:
        lines = (
            place[0] if (place := _PLACE.match(line)) and _DENIAL.search(line) else line
            for text in self.texts
            for line in text.splitlines()
            if _PLACE.match(line) or not _DENIAL.search(line)
        )
        # What a command that came out well worked with, or showed, was there.
        worked = (f"{tried(each.command)}\n{_shown_by(each.command)}" for each in self.ran if each.status == 0)
        object.__setattr__(self, "_text", "\n".join((*self.paths, *lines, *worked)))

    @property
    def told(self) -> tuple[str, ...]:
        """All texts that were seen, with what commands printed."""
        return (*self.texts, *(each.printed for each in self.ran))

    def path(self, path: str) -> bool:
        """Whether a file or folder was observed, by its whole path or the end of it; a module goes without suffix."""
        wanted = path.removeprefix("./").rstrip("/")
        if path.startswith("/") and any(path.endswith(f"/{each}") for each in self.paths if each):
            return True
        suffix = "" if "." in wanted.rpartition("/")[2] else rf"(?:\.(?:{_EXTENSION}))?"
        return re.search(rf"(?<![\w.-]){re.escape(wanted)}{suffix}(?![\w-]|\.\w)", self._text) is not None

    def may_be_path(self, path: str) -> bool:
        """Whether words with a slash between them are a path here: `I/O` and `text/html` are only where there is such
        a folder.
        """
        first, slash, _ = path.removeprefix("./").lstrip("/").partition("/")
        plain = path.endswith("/") or path.startswith(("./", "../")) or _BARE_PATH.fullmatch(path) is not None
        if plain or not slash:
            return True
        return not _NO_PATH.fullmatch(path) and re.search(rf"(?<![\w.-]){re.escape(first)}/", self._text) is not None

    def symbol(self, name: str) -> bool:
        """Whether a name was observed as a word; of a dotted one, its first part and its last."""
        parts = name.split(".")
        last = parts[-1] in _METHODS and len(parts) > 1
        return self._word(parts[0]) and (last or self._word(parts[-1]))

    def _word(self, name: str) -> bool:
        return re.search(rf"\b{re.escape(name)}\b", self._text) is not None


def _shown_by(command: str) -> str:
    """What of a command would have failed had its files not been there, or made them and what it wrote in them."""
    if _SHOWS_FILE.fullmatch(command):
        return command
    return "\n".join(part for part in _parts(command) if _CHANGES_FILES.search(part))


def _parts(command: str) -> Iterator[str]:
    """The commands of a line; what is quoted, and a line that holds a document, is not cut."""
    masked = _STRING.sub(lambda found: "x" * len(found[0]), command)
    start = 0
    for joint in () if "<<" in masked else _JOINT.finditer(masked):
        yield command[start : joint.start()]
        start = joint.end()
    yield command[start:]


def named(text: str) -> Named:
    """The paths and symbols that a final text makes statements about, each once."""
    certain, remarks = _Names(), _Names()
    found = list(statements(text))
    reports = any(_OWN_WORK.search(each.bare) for each in found)
    for statement in found:
        _take(statement, certain, remarks, reports=reports)
    sure, also = certain.named(), remarks.named()
    return Named(sure.paths, sure.symbols, also if also != Named() else None)


class _Names:
    """Names as they are found."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.symbols: list[str] = []

    def named(self) -> Named:
        """Each once."""
        return Named(
            tuple(dict.fromkeys(path for path in self.paths if path.strip("./"))),
            tuple(dict.fromkeys(name for name in self.symbols if _judged(name))),
        )


def _take(statement: Statement, certain: _Names, remarks: _Names, *, reports: bool) -> None:
    """What one statement names. What any project may have is a remark, unless the statement tells of a change of it.

    `reports`: the text tells somewhere what its author did. Where it does not, changes of names may be other programs'.
    """
    files: list[str] = []
    names: list[str] = []
    for quoted in _QUOTED.findall(statement.text):
        _take_quoted(quoted.strip(), files, names)
    bare = statement.bare
    files += (path for path in _BARE_PATH.findall(bare) if not _PRODUCT.fullmatch(path))
    files += _SPECIAL_FILE.findall(bare)
    names += _CALLED.findall(bare)
    names += (name for each in _CALLED_SO.findall(bare) if _CODE_LIKE.search(name := "".join(each)))
    tells = _CHANGE.search(bare) is not None
    names += (name for name in _BARE_CODE.findall(bare) if tells and name not in _TERMS)
    if tells:
        names += worded_names.symbols(statement.text)
        files += worded_names.files(bare)
    own = [path for path in files if tells or path.lower() not in _ANY_PROJECTS]
    certain.paths += own
    remarks.paths += (path for path in files if path not in own)
    (certain if (tells and reports) or own else remarks).symbols.extend(names)


def _take_quoted(quoted: str, paths: list[str], symbols: list[str]) -> None:
    if path := _BARE_PATH.fullmatch(quoted):
        paths.append(path.group(1))
    elif _QUOTED_PATH.fullmatch(quoted):
        paths.append(quoted)
    elif called := _QUOTED_CALL.fullmatch(quoted):
        symbols.append(called.group(1))
    elif _QUOTED_NAME.fullmatch(quoted) and _CODE_LIKE.search(quoted):
        symbols.append(quoted)


def _judged(name: str) -> bool:
    """Not what every program has: builtins, the standard library, dunder names."""
    parts = name.split(".")
    if len(parts) > 1 and parts[0].lower() in _LIBRARIES:
        return False
    return len(name) > 2 and parts[0] not in _KNOWN and parts[-1] not in _KNOWN and not parts[-1].startswith("__")


def unobserved(found: Named, observed: Observed) -> Iterator[str]:
    """The names that were never observed, with those that may be no names of the project."""
    yield from (path for path in found.paths if not observed.path(path))
    yield from (name for name in found.symbols if not observed.symbol(name))
    if found.remarks is not None and observed.paths:
        yield from unobserved(found.remarks, observed)


def ungrounded(found: Named, observed: Observed) -> Iterator[str]:
    """The names that were never observed. `observed` must be all that was, or what is a path cannot be told."""
    for name in unobserved(found, observed):
        if "/" not in name or observed.may_be_path(name):
            yield name
