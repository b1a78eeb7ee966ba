"""Git's patterns as regular expressions that no text can make slow. Pure.

Source: git's `wildmatch.c` and `dir.c`. Patterns match bytes: texts here hold one character per byte (`octets`). Every
star is matched at its first fitting place and never again, which is enough because what stands behind it is of fixed
length, and is what keeps the time polynomial.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

LONGEST: Final = 4096
"""Bytes of the longest path; a pattern that needs more matches none."""

_STAR: Final = "*"
_NO_SLASH: Final = "[^/]"
_ANY_DEPTH: Final = "**"
_SPECIAL: Final = frozenset("*?[\\")
_ASCII: Final = tuple(map(chr, range(128)))
_CLASSES: Final = {
    "alnum": frozenset(filter(str.isalnum, _ASCII)),
    "alpha": frozenset(filter(str.isalpha, _ASCII)),
    "blank": frozenset(" \t"),
    "cntrl": frozenset(map(chr, (*range(32), 127))),
    "digit": frozenset("0123456789"),
    "graph": frozenset(map(chr, range(33, 127))),
    "lower": frozenset(filter(str.islower, _ASCII)),
    "print": frozenset(map(chr, range(32, 127))),
    "punct": frozenset(one for one in map(chr, range(33, 127)) if not one.isalnum()),
    "space": frozenset(" \t\n\r"),
    "upper": frozenset(filter(str.isupper, _ASCII)),
    "xdigit": frozenset("0123456789abcdefABCDEF"),
}


class Pattern(NamedTuple):
    """One line of a `.gitignore`.

    It is matched with a name (`by_name`) or with the path below the directory of its file; a directory's ends in a
    slash. `literal` is the text that it matches, without wildcards; else `regex` matches the whole of it.
    """

    takes_back: bool
    directories_only: bool
    by_name: bool
    literal: str | None
    regex: str
    contents_only: bool = False
    """It ends in `/**`: it matches all that is in a directory, and not that."""
    per_byte: int = 0
    per_slash: int = 0
    """Matching it takes at most about so many steps for each byte, and each slash, of what it is matched with."""


def octets(text: str) -> str:
    """The bytes of a path as the system gives it, one character each."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def pattern(line: str) -> Pattern | None:
    """What a line of a `.gitignore` says, given as octets and without its line end; None where it can match nothing."""
    line = _without_trailing_spaces(line.partition("\x00")[0])
    if line.startswith("#"):
        return None
    takes_back, text = line.startswith("!"), line.removeprefix("!")
    directories_only = text.endswith("/")
    text = text[:-1] if directories_only else text
    by_name = "/" not in text
    text = text.removeprefix("/")
    if not text:
        return None
    if _SPECIAL.isdisjoint(text):
        usable = len(text) <= LONGEST and "" not in text.split("/")
        return Pattern(takes_back, directories_only, by_name, text, "") if usable else None
    segments = _segments(text)
    if segments is None:
        return None
    tail = "/" if directories_only else "/?"
    groups = _groups(segments)
    regex = rf"{_path_regex(groups)}{tail}\Z"
    return Pattern(takes_back, directories_only, by_name, None, regex, _is_contents(segments), *_steps(groups))


def _is_contents(segments: Sequence[Sequence[str] | str]) -> bool:
    return len(segments) > 1 and segments[-1] == _ANY_DEPTH


def emptied_regex(of: Pattern) -> str:
    """For a pattern that ends in `/**`: what matches the directory itself instead."""
    return of.regex.replace(_CONTENTS, "")


_CONTENTS: Final = "(?:[^/].*)"


def _without_trailing_spaces(line: str) -> str:
    kept = line.rstrip(" ")
    backslashes = len(kept) - len(kept.rstrip("\\"))
    return f"{kept} " if backslashes % 2 and len(kept) < len(line) else kept


def _segments(text: str) -> list[Sequence[str] | str] | None:
    """The parts between slashes, each as its atoms (one byte each, or a star), or `**`; None: it can match nothing."""
    found: list[Sequence[str] | str] = []
    atoms: list[str] = []
    length = 0
    for atom in (*_atoms(text), "/"):
        if atom is None:
            return None
        if atom != "/":
            length += atom != _STAR
            # Further stars add nothing but the depth of a part that holds nothing else.
            if atom != _STAR or atoms[-2:] != [_STAR, _STAR]:
                atoms.append(atom)
            continue
        if not atoms or length > LONGEST:
            return None
        if atoms != [_STAR, _STAR]:
            found.append(_collapsed(atoms))
        elif not found or found[-1] != _ANY_DEPTH:
            found.append(_ANY_DEPTH)
        atoms, length = [], length + 1
    return found


def _collapsed(atoms: Sequence[str]) -> list[str]:
    return [atom for number, atom in enumerate(atoms) if atom != _STAR or atoms[number - 1 : number] != [_STAR]]


def _atoms(text: str) -> Iterator[str | None]:
    """Regular expressions of one byte, stars and slashes; None for what git takes for malformed."""
    place = 0
    while place < len(text):
        one = text[place]
        place += 1
        if one in (_STAR, "/"):
            yield one
        elif one == "?":
            yield _NO_SLASH
        elif one == "[":
            bracket = _bracket(text, place)
            if bracket is None:
                yield None
                return
            atom, place = bracket
            yield atom
        elif one == "\\":
            if place == len(text):
                yield None
                return
            yield "/" if text[place] == "/" else re.escape(text[place])
            place += 1
        else:
            yield re.escape(one)


def _bracket(text: str, place: int) -> tuple[str, int] | None:
    """The set that begins behind a `[`, and the place behind it."""
    negated = text[place : place + 1] in ("!", "^") and place < len(text)
    place += negated
    members: set[str] = set()
    before, first = "", True
    while first or text[place : place + 1] != "]":
        first = False
        read = _member(text, place, before)
        if read is None:
            return None
        more, before, place = read
        members |= more
    return _set_regex(members, negated=negated), place + 1


def _member(text: str, place: int, before: str) -> tuple[frozenset[str], str, int] | None:
    """One character, range or class of a set: what it adds, what a range may begin with next, and the place behind."""
    one = text[place : place + 1]
    if one == "-" and before and text[place + 1 : place + 2] not in ("", "]"):
        return _range(text, place + 1, before)
    if one == "[" and text[place + 1 : place + 2] == ":":
        end = text.find("]", place + 2)
        if end < 0:
            return None
        name = text[place + 2 : end]
        if name.endswith(":"):
            known = _CLASSES.get(name[:-1])
            return None if known is None else (known, "", end + 1)
    if one == "\\":
        place += 1
        one = text[place : place + 1]
    return (frozenset(one), one, place + 1) if one else None


def _range(text: str, place: int, start: str) -> tuple[frozenset[str], str, int] | None:
    if text[place] == "\\":
        place += 1
        if place == len(text):
            return None
    return frozenset(map(chr, range(ord(start), ord(text[place]) + 1))), "", place + 1


def _set_regex(members: set[str], *, negated: bool) -> str:
    numbers = sorted(map(ord, members - {"/"}))
    starts = [number for number in numbers if number - 1 not in numbers]
    ends = [number for number in numbers if number + 1 not in numbers]
    ranges = "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in zip(starts, ends, strict=True))
    if negated:
        return f"[^/{ranges}]"
    return f"[{ranges}]" if ranges else "(?!)"


def _groups(segments: Sequence[Sequence[str] | str]) -> list[list[Sequence[str]]]:
    """The parts between `**`."""
    groups: list[list[Sequence[str]]] = [[]]
    for segment in segments:
        if isinstance(segment, str):
            groups.append([])
        else:
            groups[-1].append(segment)
    return groups


def _steps(groups: Sequence[Sequence[Sequence[str]]]) -> tuple[int, int]:
    """What matching takes for a byte and for a slash, at most, in steps of a few nanoseconds (measured)."""
    if len(groups) > 1:
        return max(sum(len(segment) + 1 for segment in group) for group in groups), 75 * (len(groups) - 1)
    chunks = [len(chunk) for segment in groups[0] for chunk in _chunks(segment)[1:]]
    return (3 + max(chunks) if chunks else 1), 0


def _path_regex(groups: Sequence[Sequence[Sequence[str]]]) -> str:
    """Parts between `**` at their first place, the last of them at the end."""
    first, *others = [[_segment_regex(segment) for segment in group] for group in groups]
    if not others:
        return "/".join(first)
    found = "".join(f"{segment}/" for segment in first)
    *middle, last = others
    for group in middle:
        found += f"(?>(?:[^/]++/)*?{''.join(f'{segment}/' for segment in group)})"
    return found + (f"(?:[^/]++/)*{'/'.join(last)}" if last else _CONTENTS)


def _segment_regex(atoms: Sequence[str]) -> str:
    if list(atoms) == [_STAR]:
        return "[^/]+"
    first, *others = map("".join, _chunks(atoms))
    if not others:
        return first
    *middle, last = others
    return f"{first}{''.join(f'(?>[^/]*?{chunk})' for chunk in middle)}[^/]*{last}"


def _chunks(atoms: Sequence[str]) -> list[list[str]]:
    """The atoms between stars."""
    chunks: list[list[str]] = [[]]
    for atom in atoms:
        if atom == _STAR:
            chunks.append([])
        else:
            chunks[-1].append(atom)
    return chunks
