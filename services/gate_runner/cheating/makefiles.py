"""What of a Makefile judges: the targets that a command names, with what they need, the variables in them and those
that all recipes have in their environment."""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from shared.patterns import INDENT

_VARIABLE: Final = re.compile(r"^(?:export\s+|override\s+)*([\w.-]+)\s*(?:[:?+!]|::)?=\s*(.*)$")
_RULE: Final = re.compile(r"^([^\t#:=][^:=]*+)::?(?!=)\s*([^;]*)(?:;(.*))?$")
_EXPORT: Final = re.compile(r"^(?:override\s+)?(?:un)?export(?:\s+([^:?+!=]*))?$")
_EXPORTED: Final = re.compile(r"^(?:override\s+)*export\s")
_OF_THE_ENVIRONMENT: Final = re.compile(r"PATH|HOME|TMPDIR|LANG|LC_\w+|PYTHON[A-Z]+|NODE_(?:OPTIONS|ENV|PATH)|LD_\w+")
"""What make hands on without being told, as it comes from the environment."""
_VALUED: Final = frozenset({"-C", "-f", "--directory", "--file", "--makefile"})
_USED: Final = re.compile(r"\$(?:[({]([\w.-]+)[)}]|(\w))")
_WHOLE: Final = re.compile(
    INDENT + r"(?:-?include|sinclude|define|ifn?eq|ifn?def|else|endif|\.ONESHELL|\.IGNORE|\.SILENT|\.SHELLFLAGS|SHELL|"
    r"MAKEFLAGS|vpath|VPATH|\$\(eval)",
    re.MULTILINE,
)


@dataclass
class _Makefile:
    variables: dict[str, list[str]] = field(default_factory=dict)
    rules: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    exports: list[str] = field(default_factory=list)
    """The lines that say which variables all recipes have in their environment."""
    first: str | None = None

    @property
    def exported(self) -> list[str]:
        """The variables that recipes have in their environment, whatever they name; without a name, all."""
        names = {name for line in self.exports for name in _EXPORT.sub(r"\1", line).split()}
        everything = any(_EXPORT.sub(r"\1", line) == "" for line in self.exports)
        everything = everything or ".EXPORT_ALL_VARIABLES" in self.rules
        return [
            name
            for name, lines in sorted(self.variables.items())
            if everything or name in names or _OF_THE_ENVIRONMENT.fullmatch(name) or any(map(_EXPORTED.match, lines))
        ]


def targets_of(command: str) -> list[str]:
    """The targets that `make` is told in a command; none: its first one."""
    found: list[str] = []
    for part in re.split(r"[;&|()\n]+", command):
        try:
            words = shlex.split(part)
        except ValueError:
            words = part.split()
        while words and re.fullmatch(r"\w+=.*", words[0]):
            words.pop(0)
        if words and words[0].rsplit("/", 1)[-1] in ("make", "gmake"):
            given = [word for option, word in pairwise(words) if option not in _VALUED]
            found += [word for word in given if not word.startswith("-") and "=" not in word]
    return found


def same_for(before: str, now: str, targets: Sequence[str]) -> bool:
    """Whether the targets do the same by both texts. What is not understood for certain counts as part of all."""
    if before == now:
        return True
    if _WHOLE.search(before) or _WHOLE.search(now):
        return False
    old, new = _parsed(before), _parsed(now)
    wanted = list(targets) or [name for name in (old.first,) if name is not None]
    if not targets and old.first != new.first:
        return False
    return [*_meaning(old, wanted)] == [*_meaning(new, wanted)]


def only_grown(before: str, now: str, targets: Sequence[str]) -> bool:
    """Whether the targets do the same, or all that was there is there and what is new are targets of other names."""
    if same_for(before, now, targets):
        return True
    left = [*reversed(before.splitlines())]
    added: list[str] = []
    for line in now.splitlines():
        if left and line == left[-1]:
            left.pop()
        else:
            added.append(line)
    text = "\n".join(added)
    held, new = _parsed(before), _parsed(text)
    steers = (
        _WHOLE.search(text) is not None
        or bool(new.variables or new.exports)
        or any(name.startswith(".") and name != ".PHONY" for name in new.rules)
    )
    begins = next((line for line in added if line.strip()), "")
    named = {name for name in new.rules if name in held.rules or "%" in name} - {".PHONY"}
    return not left and not steers and not named and not begins.startswith("\t") and held.first == _parsed(now).first


def _meaning(makefile: _Makefile, targets: Sequence[str]) -> Iterator[object]:
    """All that decides what targets do: their rules, those of what they need, and each variable in them."""
    seen: set[str] = set()
    variables: set[str] = set()
    left = list(targets)
    while left:
        name = left.pop(0)
        if name in seen:
            continue
        seen.add(name)
        rules = [
            *makefile.rules.get(name, []),
            *(rule for key, held in makefile.rules.items() if "%" in key for rule in held),
        ]
        yield name, rules
        for rule in rules:
            left += rule[0].split()
            variables.update(a or b for line in rule for a, b in _USED.findall(line))
    yield makefile.exports
    variables.update(makefile.exported)
    waiting = sorted(variables)
    while waiting:
        name = waiting.pop(0)
        values = makefile.variables.get(name, [])
        yield name, values
        further = {a or b for value in values for a, b in _USED.findall(value)} - variables
        variables |= further
        waiting += sorted(further)


def _parsed(text: str) -> _Makefile:
    found = _Makefile()
    names: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for name in names:
                found.rules[name][-1] = (*found.rules[name][-1], line.strip())
            continue
        bare = line.split("#", 1)[0].strip()
        if not bare:
            continue
        if _EXPORT.match(bare):
            found.exports.append(bare)
            names = []
        elif variable := _VARIABLE.match(bare):
            found.variables.setdefault(variable[1], []).append(bare)
            names = []
        elif rule := _RULE.match(bare):
            names = rule[1].split()
            found.first = found.first or next((name for name in names if not name.startswith(".")), None)
            for name in names:
                recipe = (rule[3].strip(),) if rule[3] else ()
                found.rules.setdefault(name, []).append((rule[2].strip(), *recipe))
    return found
