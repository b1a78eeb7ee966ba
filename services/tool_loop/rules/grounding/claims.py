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

from ..language import language_of

_EXTENSIONS = (
    "py pyi pyx ipynb js jsx mjs cjs ts tsx mts cts vue svelte html htm css scss sass less json jsonl ndjson yaml yml "
    "toml ini cfg conf md mdx rst txt csv tsv xml sql sh bash zsh fish ps1 bat c h cc cpp cxx hpp hh rs go java kt "
    "kts scala rb php swift cs fs lua pl pm r jl ex exs erl hs ml clj dart proto graphql tf lock log env gradle cmake "
    "mk patch diff pdf png jpg jpeg gif svg ico zip gz tar db sqlite parquet"
)
_EXTENSION = "|".join(sorted(_EXTENSIONS.split(), key=len, reverse=True))
_BARE_PATH = re.compile(
    rf"(?<![\w/.@:~-])((?:\.{{0,2}}/)?(?:[\w.@+-]+/)*[\w.@+-]*\w\.(?:{_EXTENSION}))(?::\d+)*(?![\w/]|\.\w)"
)
_QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_FENCE = re.compile(r"^(```|~~~).*?(^\1|\Z)", re.MULTILINE | re.DOTALL)
_URL = re.compile(
    r"(?<![\w+.-])[a-z][a-z0-9+.-]{0,20}://\S+|\bwww\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.\w+", re.IGNORECASE
)
_MOST_CHARS: Final = 20_000
"""Of a longer text the rest is not looked at."""
_CALLED = re.compile(r"(?<![\w.`])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\(\)")
_CALLED_SO = re.compile(
    r"\b(?:class|function|method|classe|função|método)\s+\*{0,2}([A-Za-z_]\w+)|(?<![\w*])\*{1,2}([A-Za-z_]\w+)\*{1,2}(?![\w*])"
)
"""Names without backticks that a word before them, or emphasis, makes names if they look like code."""
_QUOTED_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*|(?:Make|Docker|Pip|Gem|Proc|Vagrant|Jenkins)file")
_SPECIAL_FILE = re.compile(r"(?<![\w./-])(?:Make|Docker|Pip|Gem|Proc|Vagrant|Jenkins)file(?![\w-]|\.\w)")
_NO_PATH = re.compile(r"(application|text|image|audio|video|multipart|font)/[\w.+-]+|\w+/[\d.]+", re.IGNORECASE)
_QUOTED_CALL = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\([^`]*\)")
_QUOTED_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_CODE_LIKE = re.compile(r"[a-z0-9]_[a-z0-9]|[A-Z0-9]_[A-Z0-9]|[a-z][A-Z]|\w\.\w")
_PRODUCT = re.compile(
    r"(node|vue|next|nuxt|nest|express|react|three|d3|chart|moment|discord|ember|alpine|solid|p5)\.js", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_GOES_ON = re.compile(r"[;:]$")
_ENGLISH_NO = re.compile(r"\bno\b", re.IGNORECASE)
"""A denial in English; in Portuguese it says where something is."""
_NO_STATEMENT = re.compile(
    r"\b(not|never|without|cannot|none|neither|nor|missing|absent|lacks?|unable|could|should|would|might|suggest\w*"
    r"|recommend\w*|consider|you (can|may|need|want)|if|next steps?|optional(ly)?|for example|e\.g|such as"
    r"|instead of|todo|whether|nothing|asked (me )?(about|whether|if)|(user|you|issue|task|goal|request) mention\w*"
    r"|não|nao|nunca|nenhum|nenhuma|sem|inexistente|falta|faltam|poderia|deveria|seria|pode|podem|sugiro|sugest\w+"
    r"|nada|perguntou|perguntaram|pergunta sobre|mencion\w+"
    r"|recomend\w+|considere|próximos? passos?|opcional\w*|por exemplo|em vez de)\b|n['’]t\b|\?\s*$"
    r"|(^\W*|[,(]\s*|\b(e|mas|ou|só|mesmo)\s+)(se|caso)\b",
    re.IGNORECASE,
)
_HEADS_PROPOSALS = re.compile(
    r"\b(next steps?|follow-?ups?|suggestions?|recommendations?|ideas?|to-?dos?|próximos? passos?|sugest(ão|ões)"
    r"|recomendaç(ão|ões)|pendências?)\b[^.!?]*:\W*$",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"\s*([-*•+]|\d+[.)])\s")
_LOOKS_BACK = re.compile(
    r"\b(nothing|no|none)\b.{0,40}\b(that|such|this|these|those|it|them)\b"
    r"|^\W*((it|this|that|they|these|those|which|both)\b.{0,20}?\b(does|do|did|is|are|was|were))?( not|not|n['’]t)"
    r" (exist|there|here|found|present|defined)\b"
    r"|^\W*(el[ea]s? |isso )?não (existe|existem|há|está|estão|foi encontrad|foram encontrad)"
    r"|\bnada\b.{0,40}\b(esse|essa|disso|isso|tal)\b",
    re.IGNORECASE,
)
"""What denies the clause before it."""
_CHANGE = re.compile(
    r"\b(add|fix|chang|updat|creat|remov|renam|implement|refactor|replac|mov|introduc|defin|modif|delet|extract|correct"
    r"|patch|adjust|mend|edit|verifi|check|test|inspect|clean|migrat|generat|document|record|bump|wrap|merg|switch)(ed|ied|d)"
    r"\b|\b(bumped|wrapped|wrote|written|rewrote|rewritten|ran|made|now|is gone)\b"
    r"|\b(adicion|corrig|alter|atualiz|cri|remov|renome|implement|refator|substitu|mov|introduz|defin|modifi[cq]u?|extra"
    r"|ajust|edit|verifi[cq]u?|test|registr|inclu|acrescent|mud|consert|ger|apag|apagu|coloqu|troqu|troc|instal)(ei|i|ou|iu|ado|ada|ído|ída|ido|ida)\b|\b(agora|escrevi|reescrevi|escrit[oa]|li|rodei|fiz)\b",
    re.IGNORECASE,
)
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
_SCRIPTS_METHODS = "push map filter forEach reduce length then catch log toString slice splice concat"
_METHODS: Final = frozenset(_SCRIPTS_METHODS.split()).union(
    *(dir(kind) for kind in (str, bytes, list, dict, set, tuple, int, float, object, Path, re.Pattern))
)
"""What values of every program have."""
_KNOWN: Final = frozenset(
    {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names, "self", "cls", "main", "console", "window", "document"}
    | {"Promise", "Array", "Object", "Math", "JSON", "Date", "require", "module", "process", "constructor", "super"}
)


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
    """What a task has seen: paths that tools told of, and texts. Lines that only deny something show nothing."""

    paths: Collection[str] = ()
    texts: Iterable[str] = ()
    _text: str = field(init=False, default="")

    def __post_init__(self) -> None:
        lines = (line for text in self.texts for line in text.splitlines() if not _DENIAL.search(line))
        object.__setattr__(self, "_text", "\n".join((*self.paths, *lines)))

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


def named(text: str) -> Named:
    """The paths and symbols that a final text makes statements about, each once."""
    certain, remarks = _Names(), _Names()
    prose = _URL.sub(" ", _FENCE.sub("\n", text[:_MOST_CHARS]))
    sentences = _SENTENCE.split(prose)
    portuguese = language_of(text[:_MOST_CHARS]) == "pt"
    proposed = headed = False
    for sentence, after in zip(sentences, (*sentences[1:], ""), strict=True):
        proposed = headed or (proposed and _LIST_ITEM.match(sentence) is not None)
        headed = _HEADS_PROPOSALS.search(sentence) is not None
        bare = _QUOTED.sub(" ", sentence)
        denied = _NO_STATEMENT.search(bare) or (not portuguese and _ENGLISH_NO.search(bare))
        if proposed or denied or (_GOES_ON.search(sentence) and _denies(after)):
            continue
        _take(sentence, certain, remarks)
    also = remarks.named()
    found = certain.named()
    return Named(found.paths, found.symbols, also if also != Named() else None)


def _denies(clause: str) -> bool:
    """Whether a clause denies what the one before it named, and names nothing else."""
    return not _QUOTED.search(clause) and _LOOKS_BACK.search(clause) is not None


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


def _take(sentence: str, certain: _Names, remarks: _Names) -> None:
    """What one sentence names. What any project may have is a remark, unless the sentence tells of a change of it."""
    files: list[str] = []
    names: list[str] = []
    for quoted in _QUOTED.findall(sentence):
        _take_quoted(quoted.strip(), files, names)
    bare = _QUOTED.sub(" ", sentence)
    files += (path for path in _BARE_PATH.findall(bare) if not _PRODUCT.fullmatch(path))
    files += _SPECIAL_FILE.findall(bare)
    names += _CALLED.findall(bare)
    names += (name for pair in _CALLED_SO.findall(bare) if _CODE_LIKE.search(name := pair[0] or pair[1]))
    tells = _CHANGE.search(bare) is not None
    own = [path for path in files if tells or path.lower() not in _ANY_PROJECTS]
    certain.paths += own
    remarks.paths += (path for path in files if path not in own)
    (certain if tells or own else remarks).symbols.extend(names)


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
