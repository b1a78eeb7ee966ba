"""Which changed files the checkers read or load, though their names do not say so: by the texts as the task found them.

What a checker compares with (`diff - expected.txt`, `awk -f rules.awk`, a table of cases) judges, unless code under
test names it too or the goal speaks of it. So does what it gives to a program (`sh wc.sh in.txt`) where the goal names
code, and what it would load if it were there (`-include local.mk`).
"""

import posixpath
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from shared.patterns import INDENT
from shared.workspace.changes import Change

from .given import is_given, is_handed, is_written, mentions

_TABLES: Final = re.compile(r".*\.(?:csv|tsv|awk|sed|chk|mk)")
_MAY_BE_DATA: Final = re.compile(
    r".*\.(?:csv|tsv|awk|sed|chk|mk|jsonl?|ndjson|txt|dat|ya?ml|xml|ref|exp|expect(?:ed)?|lst|pat)"
)
_COMPARED: Final = re.compile(
    r"(?:.*[-_.])?(?:expect(?:ed|ations?)?|golden|ref(?:erence)?|answers?|cases?|rules?|want(?:ed|s)?|baseline|oracle|truth"
    r"|solutions?|esperad[oa]s?|respostas?|casos?|regras?|gabarito)(?:[-_.].*)?",
    re.IGNORECASE,
)
_OF_MEASURES: Final = re.compile(
    r"goldens?|expected|approved|baselines?|snapshots|cases|esperad[oa]s|gabaritos?|casos", re.IGNORECASE
)
"""Folders all of whose files are compared with."""
_ROLES: Final = (
    r"(?:\b(?:awk|sed|grep|egrep|fgrep|rg)\b[^\n;|&]*\s-\w*f\s*|\b(?:diff|cmp|comm)\b[^\n;|&]*\s"
    r"|(?:=|-eq|-ne)\s*[\"']?\$\((?:cat\s+|<\s*))[\"']?(?:\./)?{name}(?![\w.-])"
    r"|\$\((?:cat\s+|<\s*)[\"']?(?:\./)?{name}[\"']?\)[\"']?\s*(?:=|!=|-eq|-ne)\s"
)
_INCLUDED: Final = re.compile(INDENT + r"-?s?include\s+(.+)$", re.MULTILINE)
_SOURCED: Final = re.compile(
    rf"(?:{INDENT}|(?:[;&|]|\bthen|\bdo)\s*+)(?:\.|source)\s+[\"']?(?:\./)?([\w./-]+)", re.MULTILINE
)
_PATH: Final = re.compile(r"(?<![\w$])PATH\s*(?:[:?+]|::)?=\s*(.+)")
_EXPANSION: Final = re.compile(r"\$\((?:[^()]|\([^()]*\))*\)|\$?\$\{[^{}]*\}|\$?\$\w+|`[^`]*`")
_PROGRAM: Final = re.compile(
    r"(?:python|pypy)[\d.]*|nodejs|pip[\d.]*|uvx?|py\.?test|nose2?|tox|nox|coverage|npm|npx|pnpm|yarn|bun|deno|tsx|ts-node"
    r"|jest|vitest|mocha|ava|tap|c8|nyc|playwright|cypress|karma|go|cargo|rustc|mvn|gradle|javac?|dotnet|php|phpunit"
    r"|rspec|ruby|bundle|rake|ruff|mypy|pyright|pylint|flake8|black|isort|eslint|tsc|prettier|biome|jq|git|perl|g?make"
)
"""What checkers start, and may not be installed here."""
_GLOB: Final = re.compile(r"[\w./-]++(?:\*[\w.*-]*)?|\*[\w.*-]*")
"""A word, with what follows if it holds a star."""
_INTERPRETER: Final = re.compile(r"^#!\s*(?:\./)?([\w-][\w./-]*)", re.MULTILINE)
_CHECKS: Final = re.compile(r"(?:^|/)(?:checks?|verify|verifications?|checagens|verificacoes)/[^/]+")
_SAME: Final = 5
"""Letters at the start of two words that are about the same thing."""


@dataclass(frozen=True, slots=True)
class Texts:
    """What is written, as the task found it: in the checkers (commands, scripts, tests) and in the code under test."""

    checkers: str = ""
    code: str = ""
    goal: str = ""


def read_by_checkers(changes: Sequence[Change], texts: Texts) -> frozenset[str]:
    """The changed files that were there and that the checkers compare with or run."""
    globs = _globs(texts.checkers)
    interpreters = {*_INTERPRETER.findall(texts.checkers)}
    return frozenset(
        one.path
        for one in changes
        if one.before is not None and not is_spoken_of(one.path, texts.goal)
        if one.path in interpreters
        or _is_one_of_checks(one.path, globs)
        or _is_compared_with(one.path, globs, texts)
        or (is_given(one.path, texts.checkers, texts.goal) and not mentions(texts.code, one.path.rpartition("/")[2]))
        or _hides_a_program(one.path, texts.checkers)
    )


def measures(paths: Iterable[str], texts: Texts) -> frozenset[str]:
    """Of some paths those that the checkers compare with, and neither write nor give to a program, which might."""
    globs = _globs(texts.checkers)
    return frozenset(
        path
        for path in paths
        if _is_compared_with(path, globs, texts) and not is_spoken_of(path, texts.goal)
        if not is_handed(path, texts.checkers) and not is_written(path, texts.checkers)
    )


def loaded_by_checkers(changes: Sequence[Change], texts: Texts) -> frozenset[str]:
    """The new files that the checkers load because they are there now."""
    named = [word for line in _INCLUDED.findall(texts.checkers) for word in re.findall(r"[\w.*/-]+", line)]
    named += _SOURCED.findall(texts.checkers)
    return frozenset(
        one.path
        for one in changes
        if one.before is None and not is_spoken_of(one.path, texts.goal)
        if _hides_a_program(one.path, texts.checkers)
        or any(fnmatchcase(one.path, name.removeprefix("./")) for name in named)
    )


def _hides_a_program(path: str, text: str) -> bool:
    """Whether a file lies in a folder that checkers put on `PATH`, under the name of a program of everybody's."""
    folder, _, name = path.rpartition("/")
    if not (_PROGRAM.fullmatch(name) or shutil.which(name)):
        return False
    return any(folder == one or (one and folder.endswith(f"/{one}")) for one in _on_path(text))


def _on_path(text: str) -> set[str]:
    """The folders of the workspace that a text puts on `PATH`, as far as they are written there: what stands behind
    the last variable or command of an entry, whose own value is not known."""
    found = set()
    for value in _PATH.findall(text):
        for entry in re.split(r":", _EXPANSION.sub("\0", value)):
            written = entry.split(";")[0].strip().strip("\"'").partition(" ")[0].strip("\"'")
            path = written.rpartition("\0")[2]
            if not path.startswith("/") or "\0" in written:
                plain = re.sub(r"^(?:\.\./)+|^\.\.?$", "", posixpath.normpath(path.lstrip("/") or "."))
                found |= {plain} if written != "\0" or _is_here(value) else set()
    return found


def _is_here(value: str) -> bool:
    """Whether an entry of `PATH` is the folder of the workspace itself."""
    return re.search(r"(?:^|[:\"'])(?:\$[({]?(?:CURDIR|PWD)[)}]?|\$\(pwd\)|`pwd`|\.)[\"']?:", value) is not None


def is_spoken_of(path: str, goal: str) -> bool:
    """Whether a goal names a file, or a word that its name begins with."""
    if path in goal or path.rpartition("/")[2] in goal:
        return True
    said = {word[:_SAME] for word in re.findall(r"\w+", goal.lower()) if len(word) >= _SAME}
    words = re.findall(r"[^\W_]+", path.rpartition("/")[2].partition(".")[0].lower())
    return any(word[:_SAME] in said for word in words if len(word) >= _SAME)


def _globs(text: str) -> list[str]:
    """The patterns of files in a text that say something of them, not `*` or `*.py` alone."""
    return [one.removeprefix("./") for one in _GLOB.findall(text) if "*" in one and re.search(r"\w", one)]


def _is_one_of_checks(path: str, globs: Iterable[str]) -> bool:
    return _CHECKS.search(path) is not None and any(fnmatchcase(path, one) or _by_name(path, one) for one in globs)


def _is_compared_with(path: str, globs: Iterable[str], texts: Texts) -> bool:
    name = path.rpartition("/")[2]
    if not (_MAY_BE_DATA.fullmatch(name) or "." not in name):
        return False
    if _lies_among_measures(path, texts):
        return True
    if mentions(texts.code, name) or not (mentions(texts.checkers, name) or any(_by_name(path, one) for one in globs)):
        return False
    role = re.compile(_ROLES.format(name=rf"(?:[\w./-]*/)?{re.escape(name)}"))
    return bool(_TABLES.fullmatch(name) or _COMPARED.fullmatch(name.partition(".")[0]) or role.search(texts.checkers))


def _lies_among_measures(path: str, texts: Texts) -> bool:
    """Whether a file lies in a folder of measures that checkers name, and neither code nor the goal does."""
    folders = [part for part in path.split("/")[:-1] if _OF_MEASURES.fullmatch(part)]
    return any(
        re.search(rf"\b{re.escape(one)}\b", texts.checkers)
        and not re.search(rf"\b{re.escape(one)}\b", texts.code)
        and not re.search(rf"\b{re.escape(one[:4])}", texts.goal, re.IGNORECASE)
        for one in folders
    )


def _by_name(path: str, glob: str) -> bool:
    return fnmatchcase(path, glob) or ("/" not in glob and fnmatchcase(path.rpartition("/")[2], glob))
