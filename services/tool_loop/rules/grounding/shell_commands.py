"""The simple commands of a shell's command line, as far as its text tells them. Nothing is run."""

import itertools
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from .shell_feeds import HELD, UNTOLD, Feed, Written, through, together
from .shell_words import Part, Token, quoted_parts, tokens

ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*(\[\w*\])?\+?=.*", re.DOTALL)
_DECLARING: Final = frozenset({"export", "declare", "local", "readonly", "typeset"})
_OPENS: Final = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time", "fi", "done"})
_BRACES: Final = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST_COMMANDS: Final = 1_000
_MOST_WORDS: Final = 200
"""Words that braces may make of one."""
_DEEPEST: Final = 4


@dataclass(frozen=True, slots=True)
class Command:
    """The words of a command without redirections, its variables filled in as far as they are plainly set.

    `folder`: where it runs, relative to where the line started; None: that cannot be told. `fed`: what it reads.
    `written`: what commands before it wrote to files, by their paths.
    """

    words: tuple[str, ...]
    folder: str | None
    fed: Feed = field(default_factory=Feed)
    written: Mapping[str, Written] = field(default_factory=dict)


def simple_commands(line: str, folder: str | None = "", arguments: Sequence[str] = ()) -> Iterator[Command]:
    """The commands of a line; substitutions are commands too. `arguments`: what `$0`, `$1`, … stand for."""
    shell = _Shell(folder)
    shell.give(arguments)
    shell.run(tokens(line))
    return iter(shell.ran)


@dataclass
class _Shell:
    """What commands so far have set, and which were found."""

    folder: str | None
    deep: int = 0
    values: dict[str, list[str]] = field(default_factory=dict)
    functions: dict[str, list[Token]] = field(default_factory=dict)
    aliases: dict[str, list[Token]] = field(default_factory=dict)
    written: dict[str, Written] = field(default_factory=dict)
    ran: list[Command] = field(default_factory=list)

    def give(self, arguments: Sequence[str]) -> None:
        """Set `$0`, `$1`, … and `$@`."""
        if arguments:
            self.values |= {str(place): [word] for place, word in enumerate(arguments)}
            self.values |= {"@": list(arguments[1:]), "*": list(arguments[1:])}

    def run(self, found: Sequence[Token]) -> Feed:
        """Follow tokens; what the commands write is told."""
        place, feed, start = 0, Feed(), 0
        told: list[Feed] = []
        folders: list[str | None] = []
        while place <= len(found) and len(self.ran) < _MOST_COMMANDS:
            token = found[place] if place < len(found) else Token("operator", "\n")
            if token.kind != "operator":
                place += 1
                continue
            words = found[start:place]
            ahead = self._defined(found, words, place) or self._array(found, words, place)
            if ahead is not None:
                place = start = ahead
                continue
            writes = self._command(words, feed, found[start:])
            piped = token.text in ("|", "|&")
            feed = writes if piped else Feed()
            told += [writes] if words and not piped else []
            if token.text == "(":
                folders.append(self.folder)
            elif token.text == ")" and folders:
                self.folder = folders.pop()
            place += 1
            start = place
        return together(told)

    def _defined(self, found: Sequence[Token], words: Sequence[Token], place: int) -> int | None:
        """Where tokens go on behind the function that is defined here."""
        said = [_plain(word) for word in words]
        if _opens(found, place) and (len(said) == 1 or (said[:1] == ["function"] and len(said) == 2)):
            name, begin = said[-1], place + 2
        elif said[:1] == ["function"] and len(said) > 2:
            name, begin = said[1], place - len(words) + 2
        else:
            return None
        while begin < len(found) and found[begin].text == "\n":
            begin += 1
        if begin >= len(found) or _plain(found[begin]) != "{":
            return None
        depth = 0
        for end in range(begin, len(found)):
            depth += {"{": 1, "}": -1}.get(_plain(found[end]), 0)
            if not depth:
                self.functions[name] = list(found[begin + 1 : end])
                return end + 1
        return None

    def _array(self, found: Sequence[Token], words: Sequence[Token], place: int) -> int | None:
        """Where tokens go on behind `NAME=(…)`."""
        name = re.fullmatch(r"(\w+)\+?=", _plain(words[-1])) if words else None
        if name is None or place >= len(found) or found[place].text != "(":
            return None
        end = next((at for at in range(place, len(found)) if found[at].text == ")"), None)
        if end is None:
            return None
        before = self.values.get(name[1], []) if "+" in name[0] else []
        items = (self.filled(each) for each in found[place:end] if each.kind == "word")
        self.values[name[1]] = [*before, *itertools.chain.from_iterable(items)]
        return end + 1

    def _command(self, words: Sequence[Token], feed: Feed, rest: Sequence[Token]) -> Feed:
        """Follow one command with its redirections; what it writes is told."""
        while words and words[0].kind == "word" and _plain(words[0]) in _OPENS:
            words = words[1:]
        if words and (alias := self.aliases.get(_plain(words[0]))) is not None:
            words = [*alias, *words[1:]]
        said: list[str] = []
        targets: list[tuple[str, str]] = []
        redirection = ""
        for token in words:
            if token.kind == "redirect":
                redirection = token.text
                continue
            filled = self.filled(token)
            if not redirection:
                said += filled
            elif redirection in ("<", "<<<", "<<", "<<-"):
                feed = self._read(redirection, filled)
            elif redirection in (">", ">>", ">|", "&>", "&>>"):
                targets += ((redirection, path) for path in filled[:1])
            redirection = ""
        told = self._ran(said, feed, rest)
        for how, path in (*targets, *((">>", path) for path in _teed(said))):
            self._write(how, path, feed if said[:1] == ["tee"] else told)
        return Feed("") if targets else told

    def _ran(self, said: list[str], feed: Feed, rest: Sequence[Token]) -> Feed:
        if not said:
            return feed
        bare = list(itertools.dropwhile(ASSIGNMENT.fullmatch, said))
        if bare[:1] == ["read"]:
            self._loop(bare, feed, rest)
        elif bare[:1] in (["mapfile"], ["readarray"]):
            self.values[bare[-1]] = list(feed.words())
        body = self.functions.get(said[0])
        if body is not None and self.deep < _DEEPEST:
            before = dict(self.values)
            self.deep += 1
            self.give(said)
            told = self.run(body)
            self.deep -= 1
            self.values = before
            return told
        self.ran.append(Command(tuple(said), self.folder, feed, dict(self.written)))
        self._take(said)
        return through(bare, feed, self._path).known(self.written) if bare else Feed("")

    def _read(self, redirection: str, filled: Sequence[str]) -> Feed:
        if redirection == "<" and filled[:1] and filled[0].startswith(HELD):
            return Feed(filled[0].removeprefix(HELD))
        if redirection == "<":
            return through(["cat", *filled], Feed(), self._path).known(self.written)
        text = " ".join(filled)
        return Feed(untold=True) if UNTOLD in text else Feed(text)

    def _write(self, how: str, path: str, told: Feed) -> None:
        place = self._path(path)
        if place is None or told.text is None:
            return
        before = self.written.get(place, Written("", whole=False)) if ">>" in how else Written("", whole=True)
        self.written[place] = Written(f"{before.text}{told.text}\n", before.whole)

    def _path(self, path: str) -> str | None:
        """A path from where the line started; None: that cannot be told."""
        if self.folder is None or not path or "$" in path or "://" in path:
            return None
        return posixpath.normpath(posixpath.join(self.folder, path))

    def _loop(self, said: Sequence[str], feed: Feed, rest: Sequence[Token]) -> None:
        """`while read NAME`: a name stands for all that is read, which may come from behind `done`."""
        end = next((at for at, token in enumerate(rest) if _plain(token) == "done"), None)
        if end is not None and rest[end + 1 : end + 2] and rest[end + 1].kind == "redirect" and len(rest) > end + 2:
            feed = self._read(rest[end + 1].text, self.filled(rest[end + 2]))
        names = [word for word in said[1:] if re.fullmatch(r"[A-Za-z_]\w*", word)]
        self.values |= {name: list(feed.words()) for name in names[:1]}

    def _take(self, said: Sequence[str]) -> None:
        """Follow a command that changes the folder or sets something."""
        if said[0] in ("cd", "pushd") and len(said) == 2:
            told = self.folder is not None and not said[1].startswith(("-", "~", "$"))
            self.folder = posixpath.normpath(posixpath.join(self.folder or "", said[1])) if told else None
        elif len(said) > 3 and said[0] == "for" and said[2] == "in":
            self.values[said[1]] = list(said[3:])
        elif said[:2] == ["set", "--"]:
            self.give(["sh", *said[2:]])
        elif said[0] == "alias":
            pairs = (word.partition("=") for word in said[1:])
            self.aliases |= {name: tokens(value) for name, equals, value in pairs if equals}
        else:
            given = said[1:] if said[0] in _DECLARING else said
            if all(ASSIGNMENT.fullmatch(word) for word in given):
                self.values |= {name.rstrip("+"): value.split() for name, _, value in (w.partition("=") for w in given)}

    def filled(self, token: Token) -> list[str]:
        """The words that a shell would make of one. What cannot be told stays as a variable would stand there."""
        if len(token.parts) == 1 or (len(token.parts) == 2 and token.parts[0] == Part("text", "", bare=False)):
            words = self._part(token.parts[-1])
        else:
            words = ["".join(" ".join(self._part(part)) for part in token.parts)]
        bare = any(part.bare and part.kind == "text" and "{" in part.text for part in token.parts)
        return [each for word in words for each in _braced(word)] if bare else words

    def _part(self, part: Part) -> list[str]:
        if part.kind == "text":
            return [part.text]
        if part.kind == "variable":
            value = self.values.get(part.text)
            if value is None and part.default:
                value = self.filled(Token("word", parts=tuple(quoted_parts(part.default))))
            return value if value is not None else [f"${part.text or '?'}"]
        if self.deep >= _DEEPEST:
            return [UNTOLD]
        inner = replace(self, deep=self.deep + 1, values=dict(self.values), written=dict(self.written))
        told = inner.run(tokens(part.text))
        if part.kind == "process":
            return [f"{HELD}{told.text}"] if told.text is not None else list(told.words())[:1] or [UNTOLD]
        return list(told.words()) or [UNTOLD]


def _opens(found: Sequence[Token], place: int) -> bool:
    return [each.text for each in found[place : place + 2]] == ["(", ")"]


def _plain(token: Token) -> str:
    """The text of a word without quotes or substitutions; empty: it is none."""
    return token.parts[0].text if len(token.parts) == 1 and token.parts[0].kind == "text" else ""


def _teed(said: Sequence[str]) -> Iterator[str]:
    return (word for word in said[1:] if not word.startswith("-")) if said[:1] == ["tee"] else iter(())


def _braced(word: str) -> list[str]:
    words = [word]
    while (found := _BRACES.search(words[0])) is not None and len(words) < _MOST_WORDS:
        choices = found[1].split(",")
        words = [
            f"{each[: inner.start()]}{choice}{each[inner.end() :]}"
            for each in words
            for choice in choices
            if (inner := _BRACES.search(each)) is not None
        ]
    return words[:_MOST_WORDS]
