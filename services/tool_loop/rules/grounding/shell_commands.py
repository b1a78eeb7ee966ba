"""The simple commands of a shell's command line, as far as its text tells them. Nothing is run."""

import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_SEPARATORS = frozenset({";", "&&", "||", "|", "&", "(", ")", "\n", "{", "}", "!", "then", "do", "else", "if", "while"})
_HERE_DOCUMENT = re.compile(r"<<-?[ \t]*(['\"]?)(\w+)\1")
_FED_TO_A_SHELL = re.compile(r"\s*(sudo\s+)?(ba|z|da|k)?sh\b")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_OPERATORS = frozenset("();<>|&\n")
_OPERATOR = re.compile(r"&&|\|\||[()\n;]|&?[<>]+[<>&|]*|[|&]")
_DECLARING = frozenset({"export", "declare", "local", "readonly", "typeset"})
_WORDS_OF_A_FILE = re.compile(r"\$\(\s*(?:cat\s+|<\s*)([\w./-]+)\s*\)|`cat\s+([\w./-]+)\s*`")
FED: Final = "--arreio-words-of="
"""Stands before a file whose words the shell would put there."""


@dataclass(frozen=True, slots=True)
class Command:
    """The words of a command without redirections, its variables filled in as far as they are plainly set.

    `folder`: where it runs, relative to where the line started; None: that cannot be told. `fed`: files whose text
    it is given.
    """

    words: tuple[str, ...]
    folder: str | None
    fed: tuple[str, ...] = ()


@dataclass
class _Shell:
    """What commands so far have set."""

    folder: str | None
    values: dict[str, str] = field(default_factory=dict)

    def filled(self, word: str) -> list[str]:
        """A word with its variables' values; one that is a variable and nothing else may be several words."""
        filled = _VARIABLE.sub(lambda found: self.values.get(found[1] or found[2], found[0]), word)
        return filled.split() if _VARIABLE.fullmatch(word) else [filled]

    def take(self, words: Sequence[str]) -> None:
        """Follow a command that changes the folder or sets variables."""
        if words[:1] == ["cd"] and len(words) == 2:
            told = self.folder is not None and not words[1].startswith(("-", "~", "$"))
            self.folder = posixpath.normpath(posixpath.join(self.folder or "", words[1])) if told else None
        elif len(words) > 3 and words[0] == "for" and words[2] == "in":
            self.values[words[1]] = " ".join(words[3:])
        else:
            given = words[1:] if words and words[0] in _DECLARING else words
            if all(ASSIGNMENT.fullmatch(word) for word in given):
                self.values |= {name: value for name, _, value in (word.partition("=") for word in given)}


def simple_commands(line: str, folder: str | None = "") -> Iterator[Command]:
    """The commands of a line; substitutions are commands too."""
    for inner in re.findall(r"\$\(([^()]*)\)|`([^`]*)`", line):
        yield from simple_commands("".join(inner), folder)
    line = _WORDS_OF_A_FILE.sub(lambda found: FED + (found[1] or found[2]), line)
    shell = _Shell(folder)
    words: list[str] = []
    fed: list[str] = []
    redirection = ""
    for word in _words(line):
        if word in _SEPARATORS:
            yield Command(tuple(words), shell.folder, tuple(fed))
            fed = words[1:] if word == "|" and words[:1] == ["cat"] else []
            shell.take(words)
            words = []
        elif redirection:
            fed += shell.filled(word) if redirection == "<" else ()
            redirection = ""
        elif word and set(word) <= set("<>&|"):
            redirection = word
            if words and words[-1].isdigit():
                words.pop()
        else:
            words += shell.filled(word)
    yield Command(tuple(words), shell.folder, tuple(fed))


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
        # Operators side by side come as one word.
        yield from _OPERATOR.findall(word) if word and set(word) <= _OPERATORS else (word,)


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
