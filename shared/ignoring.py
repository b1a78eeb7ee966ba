"""Which directories git ignores: the rules of a workspace's own `.gitignore` files, and of the repository around it."""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pathspec import GitIgnoreSpec
from pathspec.pattern import RegexPattern

_MAX_BYTES: Final = 1 << 20
_MAX_PARENTS: Final = 40

# How pathspec writes a pattern: at any depth, and the sign that it matched a directory or the path's end.
_ANYWHERE: Final = "^(?:.+/)?"
_MARK: Final = re.compile(r"\(\?P<\w+>")
_TAILS: Final = ("(?:(?:/)|$)", "(?:/)")


class Rule(NamedTuple):
    """One file of rules. A path is matched without its first `strip` characters and with `prefix` before it.

    `patterns` are in order, each with whether it ignores or takes back. `names` matches every directory's name, and
    `paths` every path, that a pattern may match: where neither does, the patterns need not be tried.
    """

    strip: int
    prefix: str
    patterns: tuple[tuple[re.Pattern[str], bool], ...]
    names: re.Pattern[str] | None
    paths: re.Pattern[str] | None


Rules = tuple[Rule, ...]
NO_RULES: Final[Rules] = ()


class OuterRules(NamedTuple):
    """The rules around a workspace, and the signatures of the files that hold them."""

    signatures: tuple[int, ...]
    rules: Rules


NO_OUTER_RULES: Final = OuterRules((), NO_RULES)


def ignored(prefix: str, names: Sequence[str], rules: Rules) -> list[str]:
    """Those of a directory's subdirectories that git ignores; `prefix` is the directory's path and a slash, or empty.

    The directory itself is not ignored. The last pattern that matches a subdirectory decides. `name/**` counts as
    ignoring `name`: git would enter it, and find nothing there that it does not ignore.
    """
    return [name for name in names if _is_ignored(f"{prefix}{name}/", f"{name}/", rules)] if rules else []


def ignored_files(prefix: str, names: Sequence[str], rules: Rules) -> frozenset[str]:
    """Those of a directory's files that git ignores; `prefix` is as for `ignored`."""
    return frozenset(name for name in names if _is_ignored(prefix + name, name, rules)) if rules else frozenset()


def _is_ignored(path: str, name: str, rules: Rules) -> bool:
    for strip, prefix, patterns, names, paths in reversed(rules):
        if (names is not None and names.match(name)) or (paths is not None and paths.search(prefix + path[strip:])):
            verdict = _verdict(prefix + path[strip:], patterns)
            if verdict is not None:
                return verdict
    return False


def _verdict(path: str, patterns: Sequence[tuple[re.Pattern[str], bool]]) -> bool | None:
    return next((ignores for pattern, ignores in reversed(patterns) if pattern.search(path)), None)


def own_rules(file: str, directory: str) -> Rules:
    """The rules of a directory's `.gitignore`; none where it is no regular file of readable rules."""
    return _rules(Path(file), len(directory) + 1 if directory else 0, "")


def outer_rules(workspace: Path, known: OuterRules) -> OuterRules:
    """The rules around a workspace; `known` itself where nothing changed.

    They are `info/exclude` of the repository that it is (part of), and the `.gitignore` of the repository's directories
    above it. A workspace that is ignored itself was named on purpose: then only its own rules count.
    """
    repository = _repository(workspace)
    if repository is None:
        return known if known == NO_OUTER_RULES else NO_OUTER_RULES
    parts = workspace.parts[len(repository.parts) :]
    files = [(_exclude_file(repository), 0)]
    files += [(repository.joinpath(*parts[:depth], ".gitignore"), depth) for depth in range(len(parts))]
    signatures = tuple(number for file, _ in files for number in _signature(file))
    if signatures == known.signatures:
        return known
    rules = tuple(rule for file, depth in files for rule in _rules(file, 0, "".join(f"{p}/" for p in parts[depth:])))
    return OuterRules(signatures, NO_RULES if _ignores_itself(rules, parts) else rules)


def spec_of(lines: Sequence[str]) -> GitIgnoreSpec:
    """The rules of these lines; a line that is no rule is passed over, as git does."""
    try:
        return GitIgnoreSpec.from_lines(lines)
    except (ValueError, re.error):
        return GitIgnoreSpec.from_lines([line for line in lines if _is_rule(line)])


def _is_rule(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True


def _ignores_itself(rules: Rules, parts: tuple[str, ...]) -> bool:
    """Whether the workspace, or a directory between it and the repository's root, is ignored."""
    for depth in range(1, len(parts) + 1):
        for rule in reversed(rules):
            base = len(parts) - rule.prefix.count("/")
            verdict = _verdict("/".join(parts[base:depth]) + "/", rule.patterns) if base < depth else None
            if verdict is not None:
                if verdict:
                    return True
                break
    return False


def _repository(workspace: Path) -> Path | None:
    for number, place in enumerate((workspace, *workspace.parents)):
        if number > _MAX_PARENTS:
            return None
        if os.path.lexists(place / ".git"):
            return place
    return None


def _exclude_file(repository: Path) -> Path:
    """`info/exclude` of a repository, which a linked worktree shares with its main one."""
    git = repository / ".git"
    try:
        if git.is_file():
            git = repository / git.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
            common = git / "commondir"
            git = git / common.read_text("utf-8", "replace").strip() if common.is_file() else git
    except (OSError, ValueError):
        pass
    return git / "info" / "exclude"


def _rules(file: Path, strip: int, prefix: str) -> Rules:
    lines = _lines(file)
    patterns: list[tuple[re.Pattern[str], bool]] = []
    names: list[str] = []
    paths: list[str] = []
    for pattern in spec_of(lines).patterns if any(lines) else ():
        if not isinstance(pattern, RegexPattern) or pattern.include is None or pattern.regex is None:
            continue
        regex = _MARK.sub("(?:", pattern.regex.pattern)
        # What ends with a bare slash holds for all that is below; the rest for the directory itself and no other.
        patterns.append((re.compile(regex if regex.endswith("/") else rf"(?:{regex})\Z"), pattern.include))
        name = regex.removeprefix(_ANYWHERE)
        of_names = name != regex and "/" not in _without_tail(name).replace("[^/]", "")
        (names if of_names else paths).append(name if of_names else regex)
    return (Rule(strip, prefix, tuple(patterns), _any(names), _any(paths)),) if patterns else NO_RULES


def _without_tail(regex: str) -> str:
    return next((regex.removesuffix(tail) for tail in _TAILS if regex.endswith(tail)), regex)


def _any(regexes: list[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(f"(?:{regex})" for regex in regexes)) if regexes else None


def _lines(file: Path) -> list[str]:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return []
    with os.fdopen(descriptor, "rb") as opened:
        try:
            raw = opened.read(_MAX_BYTES) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        except OSError:
            return []
    return raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n").split("\n")


def _signature(file: Path) -> tuple[int, ...]:
    try:
        seen = file.lstat()
    except (OSError, ValueError):
        return (0, 0, 0, 0)
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
