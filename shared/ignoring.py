"""Which files git ignores: the rules of a workspace's own `.gitignore` files, and of the repository around it."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from shared.rule_files import ANYWHERE, MAX_BYTES, Patterns, Wildcards, Work, patterns_of
from shared.wildmatch import octets

_MAX_PARENTS: Final = 40
_NONE: Final[dict[str, int]] = {}


class Rule(NamedTuple):
    """One file of rules. A path is matched without its first `strip` octets and with `prefix` before it."""

    strip: int
    prefix: str
    patterns: Patterns

    def verdicts(self, place: str, names: Sequence[str], work: Work, *, directories: bool) -> dict[str, bool]:
        """Which names in the directory `place` it ignores or takes back; on others it says nothing."""
        base, end = self.prefix + place[self.strip :], "/" if directories else ""
        ignores, literals, by_name, by_path, _, _ = self.patterns
        if (by_name or by_path) and not work.affords(_steps(by_name, "", names) + _steps(by_path, base, names)):
            by_name = by_path = None
        anywhere, here = (literals[directories].get(which, _NONE) for which in (ANYWHERE, base))
        found = {}
        for name in names:
            number = anywhere.get(name, -1)
            if here:
                number = max(number, here.get(name, -1))
            if by_name is not None:
                number = max(number, by_name.last(name + end))
            if by_path is not None:
                number = max(number, by_path.last(base + name + end))
            if number >= 0:
                found[name] = ignores[number]
        return found

    def emptied(self, place: str, names: Sequence[str], work: Work) -> frozenset[str]:
        """The subdirectories of the directory `place` in which it ignores everything, and not them."""
        base, by_path = self.prefix + place[self.strip :], self.patterns.emptied
        if by_path is None or not work.affords(_steps(by_path, base, names)):
            return frozenset()
        return frozenset(name for name in names if by_path.last(f"{base}{name}/") >= 0)


def _steps(wildcards: Wildcards | None, base: str, names: Sequence[str]) -> int:
    """What it may cost to match names, each with `base` before it."""
    if wildcards is None:
        return 0
    per_name = wildcards.per_byte * (len(base) + 1) + wildcards.per_slash * (base.count("/") + 1)
    return wildcards.per_byte * sum(map(len, names)) + per_name * len(names)


Rules = tuple[Rule, ...]
NO_RULES: Final[Rules] = ()


class OuterRules(NamedTuple):
    """The rules around a workspace, and the signatures of the files that hold them."""

    signatures: tuple[int, ...]
    rules: Rules


NO_OUTER_RULES: Final = OuterRules((), NO_RULES)


def ignored(prefix: str, names: Sequence[str], rules: Rules, work: Work) -> frozenset[str]:
    """Those of a directory's subdirectories that git ignores; `prefix` is the directory's path and a slash, or empty.

    The directory itself is not ignored. The last pattern that matches decides.
    """
    return _ignored(prefix, names, rules, work, directories=True) if rules else frozenset()


def emptied(prefix: str, names: Sequence[str], rules: Rules, work: Work) -> frozenset[str]:
    """Those of a directory's subdirectories in which git ignores everything, unless rules of their own take it back."""
    if all(rule.patterns.emptied is None for rule in rules):
        return frozenset()
    place, asked, found = octets(prefix), list(map(octets, names)), frozenset[str]()
    for rule in reversed(rules):
        found |= rule.emptied(place, asked, work)
        if not all(rule.patterns.ignores):
            break
    return frozenset(name for name in names if octets(name) in found) if found else found


def ignored_files(prefix: str, names: Sequence[str], rules: Rules, work: Work) -> frozenset[str]:
    """Those of a directory's files that git ignores; `prefix` is as for `ignored`."""
    return _ignored(prefix, names, rules, work, directories=False) if rules else frozenset()


def _ignored(prefix: str, names: Sequence[str], rules: Rules, work: Work, *, directories: bool) -> frozenset[str]:
    place = octets(prefix)
    verdicts: dict[str, bool] = {}
    unsaid = list(map(octets, names))
    for rule in reversed(rules):
        said = rule.verdicts(place, unsaid, work, directories=directories)
        if said:
            verdicts |= said
            unsaid = [name for name in unsaid if name not in said]
    return frozenset(name for name in names if verdicts.get(octets(name))) if verdicts else frozenset()


def own_rules(file: str, directory: str, work: Work) -> Rules:
    """The rules of a directory's `.gitignore`; none where it is no regular file of rules that can be afforded."""
    return _rules(Path(file), len(octets(directory)) + 1 if directory else 0, "", work)


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
    names = tuple(map(octets, parts))
    work = Work()
    rules = tuple(
        rule for file, depth in files for rule in _rules(file, 0, "".join(f"{n}/" for n in names[depth:]), work)
    )
    return OuterRules(signatures, NO_RULES if _ignores_itself(rules, names, work) else rules)


def unheeded(rules: Rules) -> str | None:
    """What of the rules was too much to be heeded."""
    return next((rule.patterns.unheeded for rule in rules if rule.patterns.unheeded is not None), None)


def _ignores_itself(rules: Rules, parts: tuple[str, ...], work: Work) -> bool:
    """Whether the workspace, or a directory between it and the repository's root, is ignored."""
    for depth in range(1, len(parts) + 1):
        for rule in reversed(rules):
            base = len(parts) - rule.prefix.count("/")
            if base >= depth:
                continue
            place = "".join(f"{part}/" for part in parts[base : depth - 1])
            verdicts = rule._replace(prefix="").verdicts(place, [parts[depth - 1]], work, directories=True)
            if verdicts:
                if verdicts[parts[depth - 1]]:
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


def _rules(file: Path, strip: int, prefix: str, work: Work) -> Rules:
    raw = b"" if work.exhausted else _content(file)
    if not raw or not work.affords_file(raw):
        return NO_RULES
    patterns = patterns_of(raw)
    return (Rule(strip, prefix, patterns),) if patterns.ignores or patterns.unheeded else NO_RULES


def _content(file: Path) -> bytes:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return b""
    with os.fdopen(descriptor, "rb") as opened:
        try:
            return opened.read(MAX_BYTES + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
        except OSError:
            return b""


def _signature(file: Path) -> tuple[int, ...]:
    try:
        seen = file.lstat()
    except (OSError, ValueError):
        return (0, 0, 0, 0)
    return (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
