"""Which lines of which file a command line shows: `sed -n`, `awk`, `head`, `tail`, `bat`, alone or in a pipe."""

import re
from typing import Final, NamedTuple

TO_THE_END: Final = 10**9
"""The last line where a command shows a file to its end."""
_MOST_CHARS: Final = 500
_WORD = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s'\"]+)")
_GOING = re.compile(r"\A\s*(?:cd\s+\S+\s*(?:&&|;)\s*)+")
_NO_READ = re.compile(r"&&|\|\||;|[<>`]|\$\(|\n")
_SED = re.compile(r"\A(\d+)(?:,(\+?\d+|\$))?p\Z")
_AWK: Final = (
    (re.compile(r"NR\s*>=\s*(\d+)\s*&&\s*NR\s*<=\s*(\d+)"), 0, 0),
    (re.compile(r"NR\s*>\s*(\d+)\s*&&\s*NR\s*<\s*(\d+)"), 1, -1),
    (re.compile(r"NR\s*==\s*(\d+)\s*,\s*NR\s*==\s*(\d+)"), 0, 0),
    (re.compile(r"NR\s*==\s*(\d+)()"), 0, 0),
    (re.compile(r"NR\s*>=\s*(\d+)()"), 0, TO_THE_END),
    (re.compile(r"NR\s*>\s*(\d+)()"), 1, TO_THE_END),
    (re.compile(r"()NR\s*<=\s*(\d+)"), 1, 0),
)
_WHOLE: Final = frozenset(["cat", "nl", "bat", "batcat", "less", "more", "tac"])
_HEAD_LINES: Final = 10


class _Range(NamedTuple):
    first: int
    last: int


def lines_of_command(command: str) -> tuple[str, int, int] | None:
    """The file, and the first and the last line, counted from 1, or back from -1 at the file's end.

    None where the command does something else too, or does not show lines of one file.
    """
    text = _GOING.sub("", command.strip())
    if len(text) > _MOST_CHARS or _NO_READ.search(re.sub(r"'[^']*'|\"[^\"]*\"", "", text).replace("2>/dev/null", "")):
        return None
    stages = [_words(stage) for stage in _stages(text.replace("2>/dev/null", ""))]
    if not stages or not all(stages):
        return None
    path, span = "", None
    for number, words in enumerate(stages):
        shown = _shown(words)
        if shown is None or (number and shown[0]):
            return None
        path = path or shown[0]
        span = shown[1] if span is None else _of(span, shown[1])
    return (path, *span) if path and span is not None and span.last >= span.first else None


def _stages(text: str) -> list[str]:
    """The programs of a pipe; a bar inside quotes is none."""
    return [stage.strip() for stage in re.findall(r"(?:'[^']*'|\"[^\"]*\"|[^|'\"])+", text)]


def _words(stage: str) -> list[str]:
    return [found[1] or found[2] or found[3] or "" for found in _WORD.finditer(stage)]


def _of(outer: _Range, inner: _Range) -> _Range:
    """The lines that a program shows of what the one before it shows."""
    if outer.first < 0:
        return outer
    if inner.first < 0:
        return inner if outer.last == TO_THE_END else _Range(max(outer.first, outer.last + inner.first + 1), outer.last)
    return _Range(outer.first + inner.first - 1, min(outer.last, outer.first + inner.last - 1))


def _shown(words: list[str]) -> tuple[str, _Range] | None:
    """The file that a program reads (empty: what is piped to it) and the lines that it shows."""
    program, *rest = words
    program = program.rsplit("/", 1)[-1]
    if program == "sed":
        return _sed(rest)
    if program in ("awk", "gawk"):
        return _awk(rest)
    if program in ("head", "tail"):
        return _end(program, rest)
    if program in _WHOLE:
        return _whole(rest)
    return None


def _sed(words: list[str]) -> tuple[str, _Range] | None:
    plain = [word for word in words if not word.startswith("-")]
    if not any(word in ("-n", "-ne", "-nE", "--quiet") for word in words) or not 1 <= len(plain) <= 2:
        return None
    found = _SED.match(plain[0].replace(" ", ""))
    if found is None:
        return None
    first, until = int(found[1]), found[2] or found[1]
    last = TO_THE_END if until == "$" else first + int(until) if until.startswith("+") else int(until)
    return plain[1] if len(plain) == 2 else "", _Range(first, last)


def _awk(words: list[str]) -> tuple[str, _Range] | None:
    plain = [word for word in words if not word.startswith("-")]
    if not 1 <= len(plain) <= 2:
        return None
    for pattern, more_first, more_last in _AWK:
        if found := pattern.search(plain[0]):
            first = int(found[1] or 0) + more_first
            last = int(found[2]) + more_last if found[2] else more_last or first
            return plain[1] if len(plain) == 2 else "", _Range(first, last)
    return None


def _end(program: str, words: list[str]) -> tuple[str, _Range] | None:
    count, plain = str(_HEAD_LINES), list[str]()
    following = iter(words)
    for word in following:
        if word in ("-n", "--lines"):
            count = next(following, "")
        elif word.startswith(("-n", "--lines=")):
            count = word.removeprefix("--lines=").removeprefix("-n")
        elif word[:1] in "-+" and word[1:].isdigit():
            count = word[1:] if word[0] == "-" else word
        elif word.startswith("-"):
            return None
        else:
            plain.append(word)
    if len(plain) > 1 or not re.fullmatch(r"\+?\d+", count):
        return None
    lines, path = int(count), plain[0] if plain else ""
    if program == "head":
        return path, _Range(1, lines)
    return path, _Range(lines, TO_THE_END) if count.startswith("+") else _Range(-lines, -1)


def _whole(words: list[str]) -> tuple[str, _Range] | None:
    span, plain = _Range(1, TO_THE_END), list[str]()
    following = iter(words)
    for word in following:
        ranged = word.removeprefix("--line-range=") if word.startswith("--line-range=") else ""
        ranged = next(following, "") if word in ("-r", "--line-range") else ranged
        if found := re.fullmatch(r"(\d*):(\d*)", ranged):
            span = _Range(int(found[1] or 1), int(found[2] or TO_THE_END))
        elif not word.startswith("-"):
            plain.append(word)
    return (plain[0] if plain else "", span) if len(plain) <= 1 else None
