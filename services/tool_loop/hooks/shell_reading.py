"""Cuts the text of a shell command into its simple commands, as far as can be told without a shell. Pure."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

_TOKEN: Final = regex.compile(
    r"""
      (?P<comment>(?<![^\s;&|()])\#[^\n]*)
    | (?P<blank>(?:[ \t\r]|\\\n)+)
    | (?P<redirect>(?:(?<![^\s;&|()])\d+)?(?:<<<|<<|<>|<&|<|>>|>&|>\||>)|&>>?)
    | (?P<operator>[;&|()\n]+)
    | (?P<word>(?:
          (?&sub) | \\. | '[^']*+' | "(?&said)*+" | `[^`]*+` | \$\{[^}]*+\} | [^\s;&|()<>'"`\\]
      )++)
    (?(DEFINE)
      (?P<sub>\$\((?&body)*+\))
      (?P<round>\((?&body)*+\))
      (?P<body>\\.|'[^']*+'|"(?&said)*+"|(?&sub)|(?&round)|[^()'"\\])
      (?P<said>\\.|`[^`]*+`|(?&sub)|[^"\\])
    )
    """,
    regex.VERBOSE | regex.DOTALL,
)
_OPENS: Final = frozenset({"if", "then", "elif", "else", "while", "until", "do", "!", "{"})
_UNTOLD: Final = frozenset({"case", "function", "[[", "eval", "alias"})
"""From these on it is not told what would run."""
_CLOSES: Final = frozenset({"fi", "done", "esac", "}", "for", "select"})


class NoShellText(ValueError):
    """A text that no shell takes."""


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """The words of one command without quotes, the operators around it, and the files that it reads from by `<`."""

    words: tuple[str, ...]
    before: str
    after: str
    reads: tuple[str, ...] = ()


def simple_commands(text: str) -> Iterator[SimpleCommand]:
    """The commands in order, up to the first thing that needs a shell to be understood.

    Raises:
        NoShellText: a quote or a substitution is not closed.
    """
    words: list[str] = []
    reads: list[str] = []
    before, redirect = "", ""
    for kind, token in _tokens(text):
        if kind == "word" and redirect:
            if redirect.lstrip("0123456789") == "<":
                reads.append(_unquoted(token))
            redirect = ""
        elif kind == "word":
            words.append(_unquoted(token))
            words = [] if words[0] in _OPENS else words
            if words and words[0] in _UNTOLD:
                return
        elif kind == "redirect":
            redirect = token
            if token.endswith("<<"):
                break
        elif redirect or (words and "(" in token):
            return
        else:
            if words and words[0] not in _CLOSES:
                yield SimpleCommand(tuple(words), before, token, tuple(reads))
            words, reads, before = [], [], token
    if words and words[0] not in _CLOSES:
        yield SimpleCommand(tuple(words), before, "", tuple(reads))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None or found.end() == at:
            raise NoShellText(f"something that {text[at : at + 20]!r} begins is not closed")
        at = found.end()
        kind = next(name for name in ("comment", "blank", "redirect", "operator", "word") if found[name] is not None)
        if kind not in ("comment", "blank"):
            yield kind, found.group()


def _unquoted(word: str) -> str:
    try:
        return " ".join(shlex.split(word.replace("\\\n", "")))
    except ValueError:
        return word
