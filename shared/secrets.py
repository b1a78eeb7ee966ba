"""Finds secrets in text and masks them, before anything is recorded or sent.

A secret is the value of a variable of this process's environment whose name says so, or has the shape of a well-known
kind of key. There is no rule for what merely looks random: hashes, ids and encoded images stay as they are.
Finding is linear in the text's length.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MASK = "***"
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEYS?|KEY|TOKENS?|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|PASS|PAT|CREDENTIALS?)(?:$|_)", re.IGNORECASE
)
_SHORTEST = 8
_SHORTEST_LINE = 16
_TERMINAL_CODE = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[ -/]{0,8}[0-Z\\^-~])"
)
"""An escape sequence: of control (colours, the cursor), of the operating system (titles, links), or a short one."""
Span = tuple[int, int]


@dataclass(frozen=True)
class _Shape:
    """A kind of key: where `begins` stands, `pattern` is matched; its group 1 is the secret, or all of it."""

    begins: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(begins: str, pattern: str) -> _Shape:
    return _Shape(tuple(begins.split()), re.compile(pattern))


def _token(begins: str, rest: str) -> _Shape:
    """A key that stands by itself, not in a word or in a longer run of encoded text."""
    return _shape(begins, rf"(?<![A-Za-z0-9_-])(?:{'|'.join(map(re.escape, begins.split()))}){rest}")


_END = r"(?![A-Za-z0-9+/=])"
_MIXED = r"(?=[\w-]*\d)(?=[\w-]*[A-Z])"
_USUAL = (
    "password passwd pass pwd secret postgres postgresql mysql root admin user guest test testing example changeme "
    "change-me dummy foo bar xxx"
)
_PLACEHOLDERS = frozenset(_USUAL.split())
_TOKENS: tuple[_Shape, ...] = (
    _token("sk-", rf"{_MIXED}[\w-]{{20,}}+"),
    _token("sk- sk-or-v1-", rf"[0-9a-f]{{32,}}+{_END}"),
    _token("sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ whsec_", rf"[A-Za-z0-9]{{16,}}+{_END}"),
    _token("ghp_ gho_ ghu_ ghs_ ghr_", rf"[A-Za-z0-9]{{30,}}+{_END}"),
    _token("github_pat_", r"\w{40,}+"),
    _token("glpat- gldt- glrt-", r"[\w-]{20,}+"),
    _token("xoxa- xoxb- xoxe- xoxe. xoxo- xoxp- xoxr- xoxs- xapp-", r"(?=[A-Za-z0-9.-]{0,256}\d)[A-Za-z0-9.-]{10,}+"),
    _token("AKIA ASIA", rf"[0-9A-Z]{{16}}{_END}"),
    _token("AIza", r"[\w-]{35}(?![\w-])"),
    _token("ya29.", r"[\w-]{20,}+"),
    _token("hf_ gsk_ npm_ r8_ xai- pplx- fw_", rf"(?=[A-Za-z]*\d)[A-Za-z0-9]{{30,}}+{_END}"),
    _token("pypi-AgE", r"[\w-]{50,}+"),
    _token("nvapi-", r"[\w-]{40,}+"),
    _token("arreio_", r"[\w-]{43}(?![\w-])"),
    _token("dop_v1_ shpat_ shpss_ shppa_", r"[0-9a-f]{32,}+"),
    _token("SG.", r"[\w-]{16,}+\.[\w-]{16,}+"),
    _token("AGE-SECRET-KEY-1", r"[0-9A-Z]{50,}+"),
)
_JWT = _shape("eyJ", r"(?<![\w.-])eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}+")
_PRIVATE_KEY = _shape(
    "-----BEGIN",
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:\s|\\[nr]|\d{1,6}\||[A-Z][A-Za-z-]{2,20}: [^\n]{1,100})*+"
    r"[A-Za-z0-9+/=]{32}(?:[\w+/=\s|]|\\[nr])*+"
    r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?",
)
_AWS_SECRET = _shape(
    "aws_secret_access_key AWS_SECRET_ACCESS_KEY SecretAccessKey",
    r"""\w{15,21}["']?\s{0,8}[:=]\s{0,8}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])""",
)
_AUTHORIZATION = _shape(
    "Authorization authorization AUTHORIZATION X-Api-Key x-api-key X-API-Key",
    r"""(?i:authorization|x-api-key)["']?\s{0,8}[:=]\s{0,8}["']?(?:(?i:bearer|basic|token|digest)\s{1,8})?"""
    r"""(?=[\w.~+/=-]*\d)([A-Za-z0-9._~+/=-]{8,}+)""",
)
_BASIC = _shape("Basic basic", r"(?i:basic)\s{1,8}(?=[A-Za-z0-9+/]{4,}={1,2}|[A-Za-z0-9+/]*\d)([A-Za-z0-9+/]{8,}+=*)")
_BEARER = _shape("Bearer bearer", r"(?i:bearer)\s{1,8}(?=[\w.~+/-]*\d)([A-Za-z0-9._~+/-]{20,}+=*)")
_URL_PASSWORD = _shape("://", r"""://[^\s:/@'"`<>]{0,64}:([^\s@/'"`<>$\{][^\s@/'"`<>]{2,127})@""")
_SHAPES = (*_TOKENS, _JWT, _PRIVATE_KEY, _AWS_SECRET, _AUTHORIZATION, _BASIC, _BEARER, _URL_PASSWORD)


_remembered: tuple[str, ...] = ()


def remember(secret: str) -> None:
    """Mask this value too, and each long line of it, as long as this process lives."""
    global _remembered  # a new tuple: other threads may be looking through the one before
    lines = [line for line in secret.splitlines() if len(line) >= _SHORTEST_LINE] if "\n" in secret else []
    new = {one for one in (secret, *lines) if len(one) >= _SHORTEST}
    if not new <= set(_remembered):
        _remembered = tuple(sorted({*_remembered, *new}, key=len, reverse=True))


def mask(text: str) -> str:
    """The text without what this process knows as a secret and without what has the shape of one."""
    return masked(text, secrets_in(text))


def without_keys(text: str) -> str:
    """The text without known secrets and providers' keys alone, for a password in a URL may be what is asked for."""
    return masked(text, _merged([*_known_in(text), *_found(text, _TOKENS)]))


def holds_key(value: Any) -> bool:
    """Whether a JSON value holds, in any of its strings, a known secret or a provider's key (not: any password)."""
    if isinstance(value, str):
        return bool(next(_known_in(value), None) or next(_found(value, _TOKENS), None))
    if isinstance(value, dict):
        return any(holds_key(part) for pair in value.items() for part in pair)
    return isinstance(value, list | tuple) and any(map(holds_key, value))


def names_secret(name: str) -> bool:
    """Whether a variable of such a name holds a secret."""
    return _SECRET_NAME.search(name) is not None


def secrets_in(text: str) -> list[Span]:
    """Where secrets stand in a text, in order, none touching another; also those that a terminal's codes cut."""
    spans = [*_known_in(text), *_found(text, _SHAPES)]
    if "\x1b" in text:
        spans += _cut_by_codes(text)
    return _merged(spans)


def _cut_by_codes(text: str) -> Iterator[Span]:
    """Secrets of the text as a terminal shows it, where they stand in the text with its codes."""
    plain: list[str] = []
    starts: list[int] = []
    offsets: list[int] = []
    length = at = 0
    for code in (*_TERMINAL_CODE.finditer(text), None):
        piece = text[at : code.start() if code else len(text)]
        starts.append(length)
        offsets.append(at - length)
        plain.append(piece)
        length += len(piece)
        at = code.end() if code else at
    shown = "".join(plain)

    def place(index: int) -> int:
        return index + offsets[bisect_right(starts, index) - 1]

    for start, stop in (*_known_in(shown), *_found(shown, _SHAPES)):
        yield place(start), place(stop - 1) + 1


def masked(text: str, spans: Iterable[Span], begin: int = 0, end: int | None = None) -> str:
    """The part of a text from `begin` to `end`, each secret masked, and line by line; one that a border cuts too."""
    end = len(text) if end is None else end
    parts: list[str] = []
    at = begin
    for start, stop in spans:
        if stop <= begin or start >= end:
            continue
        lines = text.count("\n", max(start, begin), min(stop, end))
        parts += [text[at : max(at, start)], "\n".join([MASK] * (lines + 1))]
        at = min(stop, end)
    return "".join([*parts, text[at:end]])


def _found(text: str, shapes: Iterable[_Shape]) -> Iterator[Span]:
    for shape in shapes:
        for begins in shape.begins:
            at = text.find(begins)
            while at >= 0:
                match = shape.pattern.match(text, at)
                if match is not None and not (shape is _URL_PASSWORD and _placeholder(match)):
                    yield match.span(1 if shape.pattern.groups else 0)
                at = text.find(begins, match.end() if match is not None else at + len(begins))


def _placeholder(match: re.Match[str]) -> bool:
    """A password that everybody uses where none is needed, or the user's name again: no secret."""
    user = match[0][3:].partition(":")[0]
    return match[1].lower() in _PLACEHOLDERS or match[1] == user or set(match[1]) <= set("*.x")


def _known_in(text: str) -> Iterator[Span]:
    for secret in (*_known(tuple(sorted(os.environ.items()))), *_remembered):
        at = text.find(secret)
        while at >= 0:
            yield at, at + len(secret)
            at = text.find(secret, at + len(secret))


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


@lru_cache(maxsize=4)
def _known(environment: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    named = [value for name, value in environment if names_secret(name)]
    lines = [line for value in named if "\n" in value for line in value.splitlines() if len(line) >= _SHORTEST_LINE]
    found = {value for value in named if len(value) >= _SHORTEST} | set(lines)
    return tuple(sorted(found, key=len, reverse=True))
