"""What was done to the examples that a command runs as tests: those of docstrings, and of texts such as a README."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Final

from pathspec import GitIgnoreSpec

from shared.environments import PREFIX
from shared.run_files import scripts_run
from shared.workspace.changes import Change
from shared.workspace.snapshots import SnapshotError

from ..cheating import MARK, Pair, changes_examples, lost_examples
from ..judging_twice import renamed
from .base import MOST_FINDINGS, Bench, content_of

EXAMPLES: Final = f"{MARK}>>>"
"""After a path (empty: any) in what a goal opens, and before the name of what the examples document (empty: all)."""
_NAMED: Final = re.compile(r"-m\s+x?doctest\s+([^;&|\n]*)")
_GLOB: Final = re.compile(r"--doctest-glob[=\s]+[\"']?([^\"'\s,\]]+)")
_MODULES: Final = re.compile(
    r"--doctest-modules|--xdoctest\b|--doctest-plus|\btestmod\(|\bDocTest(?:Suite|Finder)\(|\brun_docstring_examples\("
    r"|-b\s+doctest\b"
)
_FILES: Final = re.compile(r"\b(?:testfile|DocFileSuite)\(\s*[\"']([^\"']+)")
_PYTEST: Final = re.compile(r"\bpy\.?test\b|\b(?:tox|nox)\b")
_CONFIGURATION: Final = (
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
)
_TEXT: Final = re.compile(r".*\.(?:md|rst|txt|adoc)")
_MOST_FILES: Final = 500


@dataclass(frozen=True, slots=True)
class _Reach:
    """The files whose examples a command runs: all Python, those named, and those of some patterns."""

    modules: bool = False
    named: frozenset[str] = frozenset()
    globs: tuple[str, ...] = field(default=())

    def holds(self, path: str) -> bool:
        if path in self.named or (self.modules and path.endswith(".py")):
            return True
        name = path.rpartition("/")[2]
        return any(fnmatchcase(name, one) or fnmatchcase(path, one) for one in self.globs)


def doctests_tampered(bench: Bench, command: str) -> str:
    """What was done to the examples that a command runs, a line each; empty where nothing was."""
    if bench.allow_test_changes or bench.changes is None:
        return ""
    try:
        pairs = _pairs(bench, command, bench.changes())
    except SnapshotError:
        return ""
    if not pairs:
        return ""
    found = min(
        (
            lost_examples(
                [_with_names(one, bench, parts) for one in pairs], lambda path, owner: is_open(bench, path, owner)
            )
            for parts in ((False, True) if bench.renamed else (False,))
        ),
        key=len,
    )
    return "\n".join(one.said(bench.language) for one in found[:MOST_FINDINGS])


def changed_examples(bench: Bench, command: str, changes: Sequence[Change]) -> list[Pair]:
    """The files that were changed and whose examples a command runs as tests, but for those that may be edited."""
    return _pairs(bench, command, changes)


def opened_doctests(bench: Bench, command: str, changes: Sequence[Change]) -> list[str]:
    """The files whose examples, run by a command, were changed as the goal asks."""
    if not any(EXAMPLES in one for one in bench.opened):
        return []
    return [one.path for one in _pairs(bench, command, changes) if changes_examples(one)]


def _pairs(bench: Bench, command: str, changes: Sequence[Change]) -> list[Pair]:
    reach = _reach(bench, command)
    patterns = GitIgnoreSpec.from_lines(bench.editable)
    changed = [one for one in changes if reach.holds(one.path) and not patterns.match_file(one.path)]
    held = bench.contents({one.before for one in changed if one.before is not None})
    return [
        Pair(one.path, _text(held.get(one.before or "")), _text(content_of(bench.workspace, one.path)))
        for one in changed
        if one.kind != "deleted" or one.path.rpartition("/")[2] not in bench.goal
    ]


def _with_names(pair: Pair, bench: Bench, parts: bool) -> Pair:
    return Pair(pair.path, renamed(pair.before.encode(), bench.renamed, parts=parts).decode(), pair.now)


def is_open(bench: Bench, path: str, owner: str) -> bool:
    """Whether a goal opens the examples of what `owner` names, or has that itself taken away."""
    if path in bench.opened and _TEXT.fullmatch(path):
        return True
    marks = (one.partition(EXAMPLES) for one in bench.opened if EXAMPLES in one)
    if any(_is_at(path, file) and (not name or f".{owner}".endswith(f".{name}")) for file, _, name in marks):
        return True
    name = owner.rpartition(".")[2]
    gone = name and not re.search(rf"\b(?:def|class)\s+{re.escape(name)}\b", _text(content_of(bench.workspace, path)))
    return bool(gone) and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", bench.goal) is not None


def _is_at(path: str, file: str) -> bool:
    return not file or path == file or path.endswith(f"/{file}")


def _reach(bench: Bench, command: str) -> _Reach:
    scripts = [path.partition("#")[0] for path in scripts_run(bench.workspace, command)[:_MOST_FILES]]
    texts = [command, *(_text(bench.began(path)) for path in dict.fromkeys(scripts))]
    text = "\n".join(texts)
    if _PYTEST.search(text):
        texts += [_text(bench.began(path)) for path in _CONFIGURATION]
    held = [path for path in bench.verifiers or {} if path.endswith(".py") and not path.startswith(PREFIX)]
    texts += [one for path in held[:_MOST_FILES] if "doctest" in (one := _text(bench.began(path)))]
    text = "\n".join(one for one in texts if "doctest" in one.lower())
    named = {
        posixpath.normpath(word) for words in _NAMED.findall(text) for word in words.split() if word[0] not in "-$<>"
    }
    globs = [*_GLOB.findall(text), *_FILES.findall(text), *(["test*.txt"] if any(map(_PYTEST.search, texts)) else [])]
    if re.search(r"-b\s+doctest\b", text):
        globs += ["*.rst", "*.md"]
    return _Reach(_MODULES.search(text) is not None, frozenset(named), tuple(globs))


def _text(content: bytes | None) -> str:
    return (content or b"").decode("utf-8", "replace")
