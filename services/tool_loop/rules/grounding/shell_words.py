"""Cuts the text of a shell command into words, operators and redirections, with what a shell would put in them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal

_OPERATOR: Final = re.compile(r"&&|\|\||;;&?|;&|\|&|[;|&()\n]")
_REDIRECT: Final = re.compile(r"<<<|<<-?|<>|<&|>>|>\||>&|&>>?|[<>]")
_PLAIN: Final = re.compile(r"[^\s'\"\\$`<>|&;()]+")
_VARIABLE: Final = re.compile(r"\$(?:\{(\w+|@|\*)(?:\[[@*]\])?(?::?([-=+])([^{}]*))?\}|(\w+|@|\*))")
_OTHER_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\n"}
"""A text in which a byte of zero parts words is read as one of lines."""

Kind = Literal["text", "variable", "output", "process"]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a word: `text` as it is, a `variable` by its name, the `output` of a command line, or a `process`, a
    file with such an output. `default`: what stands for a variable that is not set. `bare`: it is not quoted.
    """

    kind: Kind
    text: str
    default: str = ""
    bare: bool = True


@dataclass(frozen=True, slots=True)
class Token:
    """A `word` of parts, an `operator`, or a `redirect`, whose word comes next; that of `<<` is the text it feeds."""

    kind: Literal["word", "operator", "redirect"]
    text: str = ""
    parts: tuple[Part, ...] = ()


def tokens(text: str) -> list[Token]:
    """Read a command line. What is not closed stands for itself."""
    return _Scanner(text).tokens()


@dataclass
class _Scanner:
    _text: str
    _at: int = 0
    _found: list[Token] = field(default_factory=list)
    _parts: list[Part] = field(default_factory=list)
    _open: bool = False
    """Whether a word has begun, be it empty."""
    _closes: bool = True
    """Whether every parenthesis and quote so far was closed: after one that is not, none is looked for."""
    _lines: frozenset[str] = frozenset()
    _documents: list[tuple[int, str, bool]] = field(default_factory=list)
    """Where the text of a here-document goes, the line that ends it, and whether it is quoted."""

    def tokens(self) -> list[Token]:
        self._lines = frozenset(line.strip() for line in self._text.split("\n"))
        while self._at < len(self._text):
            self._step(self._text[self._at])
        self._end_word()
        return self._found

    def _step(self, character: str) -> None:
        text, at = self._text, self._at
        if character in " \t\r":
            self._end_word()
            self._at += 1
        elif character == "#" and not self._open:
            self._at = _or_end(text.find("\n", at), text)
        elif character == "\\":
            self._at += 2
            if text[at + 1 : at + 2] != "\n":
                self._add(Part("text", text[at + 1 : at + 2], bare=False))
        elif text.startswith("<(", at) or text.startswith(">(", at):
            self._nested(at + 2, "process")
        elif (found := _REDIRECT.match(text, at)) is not None:
            self._redirect(found[0])
        elif (found := _OPERATOR.match(text, at)) is not None:
            self._end_word()
            self._found.append(Token("operator", found[0]))
            self._at = found.end()
            if found[0] == "\n":
                self._read_documents()
        elif character == "'" or text.startswith("$'", at):
            self._single(at + (character == "$"), decoded=character == "$")
        elif character == '"' or text.startswith('$"', at):
            self._double(at + (character == "$"))
        else:
            self._special(bare=True) or self._plain()

    def _add(self, part: Part) -> None:
        self._open = True
        self._parts.append(part)

    def _end_word(self) -> None:
        if self._open:
            self._found.append(Token("word", parts=tuple(self._parts)))
        self._parts, self._open = [], False

    def _plain(self) -> bool:
        found = _PLAIN.match(self._text, self._at)
        said = found[0] if found else self._text[self._at]
        self._add(Part("text", said))
        self._at += len(said)
        return True

    def _single(self, at: int, *, decoded: bool) -> None:
        end = self._text.find("'", at + 1)
        said = self._text[at + 1 : end] if end >= 0 else "'"
        self._add(Part("text", escaped(said) if decoded else said, bare=False))
        self._at = end + 1 if end >= 0 else at + 1

    def _double(self, at: int) -> None:
        end = _quote_end(self._text, at + 1) if self._closes else None
        if end is None:
            self._closes = False
            self._add(Part("text", '"', bare=False))
            self._at = at + 1
            return
        self._add(Part("text", "", bare=False))
        for part in quoted_parts(self._text[at + 1 : end]):
            self._add(part)
        self._at = end + 1

    def _special(self, *, bare: bool) -> bool:
        """A substitution or a variable, where one stands here."""
        text, at = self._text, self._at
        if text.startswith("$(", at):
            return self._nested(at + 2, "output", bare=bare)
        if text[at] == "`" and (end := text.find("`", at + 1)) > 0:
            self._add(Part("output", text[at + 1 : end], bare=bare))
            self._at = end + 1
            return True
        found = _VARIABLE.match(text, at)
        if found is not None:
            default = (found[3] or "") if found[2] else ""
            self._add(Part("variable", found[1] or found[4], default, bare))
        elif (found := _OTHER_VARIABLE.match(text, at)) is not None:
            self._add(Part("variable", "", bare=bare))
        else:
            return False
        self._at = found.end()
        return True

    def _nested(self, at: int, kind: Kind, *, bare: bool = True) -> bool:
        end = _closing(self._text, at) if self._closes else None
        if end is None:
            self._closes = False
            self._at = at - 1
            return True
        self._add(Part(kind, self._text[at:end], bare=bare))
        self._at = end + 1
        return True

    def _redirect(self, operator: str) -> None:
        if len(self._parts) == 1 and self._parts[0].text.isdigit():
            self._parts, self._open = [], False
        self._end_word()
        self._found.append(Token("redirect", operator))
        self._at += len(operator)
        if operator in ("<<", "<<-"):
            found = re.compile(r"[ \t]*(['\"\\]?)([\w.!-]+)['\"]?").match(self._text, self._at)
            if found is None:
                return
            self._documents.append((len(self._found), found[2], bool(found[1])))
            self._found.append(Token("word"))
            self._at = found.end()

    def _read_documents(self) -> None:
        for place, end, quoted in self._documents:
            if end not in self._lines:
                continue
            closing = re.compile(rf"^\t*{re.escape(end)}[ \t]*$", re.MULTILINE).search(self._text, self._at)
            if closing is None:
                continue
            said = self._text[self._at : closing.start()]
            parts = (Part("text", said, bare=False),) if quoted else tuple(quoted_parts(said))
            self._found[place] = Token("word", parts=parts)
            self._at = closing.end()
        self._documents = []


def quoted_parts(text: str) -> Iterator[Part]:
    """The parts of a text in double quotes."""
    inner = _Scanner(text)
    while inner._at < len(text):
        if text[inner._at] == "\\" and text[inner._at + 1 : inner._at + 2] in ("$", "`", '"', "\\", "\n"):
            inner._parts.append(Part("text", text[inner._at + 1].strip("\n"), bare=False))
            inner._at += 2
        elif text[inner._at] not in "$`" or not inner._special(bare=False):
            stop = next((at for at in range(inner._at + 1, len(text)) if text[at] in "$`\\"), len(text))
            inner._parts.append(Part("text", text[inner._at : stop], bare=False))
            inner._at = stop
    yield from inner._parts


def escaped(text: str) -> str:
    """A text with what its backslashes stand for."""
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.DOTALL)


def _or_end(at: int, text: str) -> int:
    return at if at >= 0 else len(text)


def _quote_end(text: str, at: int) -> int | None:
    while at < len(text):
        if text[at] == '"':
            return at
        if text.startswith("$(", at):
            end = _closing(text, at + 2)
            if end is None:
                return None
            at = end
        at += 2 if text[at] == "\\" else 1
    return None


_INNER: Final = re.compile(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|[()]", re.DOTALL)


def _closing(text: str, at: int) -> int | None:
    """Where the parenthesis that was opened before a place is closed."""
    open_ = 1
    for found in _INNER.finditer(text, at):
        open_ += {"(": 1, ")": -1}.get(found[0], 0)
        if not open_:
            return found.start()
    return None
