"""Commands that only run another command, and which one that is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from .shell_commands import ASSIGNMENT
from .shell_feeds import Feed

SHELLS: Final = frozenset({"sh", "bash", "zsh", "dash", "ash", "ksh", "fish"})
_PLAIN: Final = """
nohup exec command builtin stdbuf doas xvfb-run corepack setsid unbuffer chronic busybox catchsegv caffeinate coproc
"""
_WRAPPERS: Final[Mapping[str, frozenset[str]]] = {
    "sudo": frozenset({"-u", "-g", "--user", "--group"}),
    "env": frozenset({"-u", "-C", "--unset", "--chdir"}),
    "time": frozenset({"-f", "-o"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n", "-p"}),
    "chrt": frozenset({"-p"}),
    "taskset": frozenset(),
    "strace": frozenset({"-o", "-e", "-p"}),
    "prlimit": frozenset(),
    "choom": frozenset({"-n"}),
    **dict.fromkeys(_PLAIN.split(), frozenset()),
}
_TAKES_ONE: Final = frozenset({"timeout", "chrt", "taskset"})
"""Wrappers with a word of their own before the command."""
_LINES: Final = frozenset({"su", "script", "runuser", "sg", "flock", "watch", "newgrp", "dbus-run-session"})
"""Programs that run a command line, given by `-c` or as it is."""
_ELSEWHERE: Final = """
docker podman nerdctl kubectl ssh docker-compose chroot unshare runuser tmux screen systemd-run nix-shell
start-stop-daemon nsenter firejail bwrap script expect
"""
_FAR: Final = frozenset(_ELSEWHERE.split())
"""Programs that run a command somewhere else or later, behind words of their own, as words or as one line."""
_XARGS_VALUED: Final = frozenset({"-n", "-I", "-P", "-L", "-d", "-a", "-E", "-s", "--arg-file", "--delimiter"})
_TOOL = re.compile(r"(.*/)?(pip[\d.]*|python[\d.]*|uvx?|npm|npx|yarn|pnpm|pnpx|bunx?|poetry|pipx|conda|(ba|z|da)?sh)")
_LINE = re.compile(rf"(?:spawn )?{_TOOL.pattern}\s")


def unwrapped(words: Sequence[str]) -> Sequence[str]:
    """A command without what only runs it: assignments, sudo, env, time."""
    while words:
        name = words[0].rpartition("/")[2]
        if ASSIGNMENT.fullmatch(words[0]):
            words = words[1:]
        elif name == "env" and words[1:2] in (["-S"], ("-S",)) and len(words) > 2:
            words = [*words[2].split(), *words[3:]]
        elif name in _WRAPPERS:
            words = after_options(words[1:], _WRAPPERS[name])
            words = words[1:] if name in _TAKES_ONE else words
        else:
            break
    return words


def after_options(words: Sequence[str], valued: frozenset[str]) -> Sequence[str]:
    """The words behind the options at their beginning."""
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in valued else words[1:]
    return words


def carried_lines(run: Sequence[str]) -> Iterator[str]:
    """The command lines that a program is given as one argument."""
    name = run[0].rpartition("/")[2]
    if name == "eval":
        yield " ".join(run[1:])
    elif name == "trap":
        yield from run[1:2]
    elif name in _LINES:
        for place, word in enumerate(run[1:], 1):
            if re.fullmatch(r"-[A-Za-z]*c|--command", word):
                yield from run[place + 1 : place + 2]
            elif word.startswith("--command="):
                yield word.partition("=")[2]
    if name in _FAR:
        yield from (word for word in run[1:] if _LINE.match(word))
    elif name == "watch":
        yield " ".join(after_options(run[1:], frozenset({"-n", "--interval"})))


def carried_words(run: Sequence[str], fed: Feed) -> Iterator[Sequence[str]]:
    """The commands that a program is given as words of its own. `fed`: what it reads."""
    name = run[0].rpartition("/")[2]
    match name:
        case "find":
            yield from _executed(run)
        case "xargs":
            yield _filled(after_options(run[1:], _XARGS_VALUED), list(fed.words()), _placeholder(run))
        case "parallel":
            yield from _parallel(run, fed)
        case "flock":
            yield after_options(run[1:], frozenset({"-w", "-E"}))[1:]
    if name in _FAR:
        first = next((place for place, word in enumerate(run[1:], 1) if _TOOL.fullmatch(word)), None)
        if first is not None:
            yield [word for word in run[first:] if name != "start-stop-daemon" or word != "--"]


def _executed(run: Sequence[str]) -> Iterator[Sequence[str]]:
    for place, word in enumerate(run):
        if word in ("-exec", "-execdir", "-ok", "-okdir"):
            ends = (at for at in range(place + 1, len(run)) if run[at] in (";", "+"))
            yield run[place + 1 : next(ends, len(run))]


def _placeholder(run: Sequence[str]) -> str:
    for place, word in enumerate(run[:-1]):
        if word.startswith("-I"):
            return word[2:] or run[place + 1]
    return ""


def _filled(words: Sequence[str], fed: Sequence[str], placeholder: str) -> Sequence[str]:
    if not placeholder:
        return [*words, *fed]
    if any(placeholder in word and word != placeholder for word in words):
        joined = " ".join(fed)
        return [word.replace(placeholder, joined) for word in words]
    return [each for word in words for each in (fed if word == placeholder else [word])]


def _parallel(run: Sequence[str], fed: Feed) -> Iterator[Sequence[str]]:
    valued = frozenset({"-j", "--jobs", "-n", "-N", "-a", "--delay", "-I"})
    words = list(after_options(run[1:], valued))
    if ":::" in words:
        place = words.index(":::")
        items = [word for word in words[place + 1 :] if word != ":::"]
        words = words[:place]
    else:
        items = list(fed.words())
    # One word that holds a whole command line is one.
    words = words[0].split() if len(words) == 1 else words
    yield _filled(words, items, "{}" if any("{}" in word for word in words) else "")
