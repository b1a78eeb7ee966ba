"""What a call is about: another thing each time, as in a batch, or one thing spelled in other ways."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from .shell_commands import removes, segments

_IDENTITY = re.compile(
    r"(?:.*[_-])?(?:ids?|emails?|iban|url|uri|number|serial|sku|phone|username|user|name|account|customer|contact|card"
    r"|order|ticket|invoice|host|domain|address|isbn|ean|vin|plate|cpf|cnpj|bic|zip|port|member|item|to|recipients?|seat|slot|image|photo|document|file|product"
    r"|slug|handle)|\w+Id",
    re.IGNORECASE,
)
_OF_THE_ITEM = re.compile(
    r"not[ _-]?found|\bno [\w ]{1,30} found"
    r"|\b(?:404|410|409|422)\b|\bgone\b|already|invalid|inv[aá]lid|does(?: not|n't) exist|no such|too late"
    r"|shipped|declined|expired|duplicate|unknown (?:id|user|order)|checksum|ineligible|not eligible|closed|inactive"
    r"|cannot be (?:cancel|refund|delet|chang)|n[aã]o (?:existe|encontrad)|malformed|parse error|unparsable"
    r"|taken|refused",
    re.IGNORECASE,
)
_OF_THE_MACHINE = re.compile(
    r"\btool\b|snapshot|permission|denied|\brate\b|session|credential|unauthori|argument|property", re.IGNORECASE
)
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_KNOCKS = re.compile(r"\s*(?:(?:nc|ncat|telnet|nmap)|\./\S+)\s")
_FED = re.compile(r"[|<]\s*\./[\w./-]+\s*(?:<\s*[\w./-]+)?\Z|\A\s*\./[\w./-]+\s*<\s*[\w./-]+\Z")
"""What is fed to a program of the workspace is another thing each time."""
_DIGITS = re.compile(r"\d+")
_LITERAL = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\b\d+\b")
_SQL = re.compile(r"\b(?:select|update|delete)\b.*\b(?:from|set)\b", re.IGNORECASE | re.DOTALL)
_QUERY_OF_URL = re.compile(r"([?&](?:q|query|s|search|term|keywords?)=)([^&]*)", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{2,5}|(?=[^\s]*\d)[\w.@:/#+-]{1,40}")
_MOST_WORDS: Final = 8
_MOST_CHARS: Final = 600
_DEPTH: Final = 3
_COMMON: Final = frozenset(
    [
        "com",
        "org",
        "net",
        "www",
        "http",
        "https",
        "the",
        "and",
        "for",
        "not",
        "grep",
        "src",
        "rn",
        "com.br",
        "mail",
        "gmail",
        "example",
        "api",
        "name",
        "find",
        "type",
    ]
)


class Target(NamedTuple):
    """`value` names the thing; `shape` is it without figures; `words` are those by which two may be one thing."""

    value: str
    shape: str
    words: frozenset[str]


def target(arguments: Mapping[str, Any], command: str | None) -> Target | None:
    """The thing that a call is done to, if its arguments name one by an identity; None: they do not."""
    if command is not None:
        command = command[:_MOST_CHARS]
        parts = segments(command)
        words = parts[0].split() if len(parts) == 1 else []
        if _FED.search(command):
            return Target(command, command, frozenset())
        if not (removes(command) or _KNOCKS.match(command)):
            return None
        if not 2 <= len(words) <= _MOST_WORDS or any(mark in parts[0] for mark in "'\"<>$`"):
            return None
        return _named(words[-1])
    named = dict(_identities(arguments))
    if not named:
        return None
    of_thing = {name: value for name, value in named.items() if name not in ("url", "uri")} or named
    return _named("\0".join(of_thing[name] for name in sorted(of_thing)))


def tells_of_item(error: str, normal: str) -> bool:
    """Whether a failure is a verdict on the thing that was asked for, not on the tool or on who asks."""
    return bool(_OF_THE_ITEM.search(error)) and not _OF_THE_MACHINE.search(normal[:_MOST_CHARS])


def sought(arguments: Mapping[str, Any], command: str | None) -> Target:
    """What a search looks for. Of a query by its form, the form is what two share, whatever is filled in."""
    command = command[:_MOST_CHARS] if command is not None else None
    texts = [command] if command is not None else [str(value) for value in arguments.values()]
    text = "\0".join(texts)[:_MOST_CHARS]
    if _SQL.search(text):
        form = _LITERAL.sub("?", text)
        return Target(text, text, frozenset([form]) if form != text else frozenset())
    if _QUERY_OF_URL.search(text):
        form = _QUERY_OF_URL.sub(r"\1", text)
        return Target(text, text, frozenset([form]))
    if command is None and len(arguments) > 1 and all(_CODE.fullmatch(text) for text in texts):
        # Codes and days in their fields are gone through; nobody spells them otherwise.
        return Target(text, "\0".join(sorted(arguments)), frozenset())
    if command is not None:
        # Names that differ in a figure are guesses at one name; days are gone through.
        return _named(" ".join(_LITERAL.findall(command)) or command)._replace(shape=text)
    return _named(text)


def _named(value: str) -> Target:
    local = value.split("@", 1)[0]
    path = re.sub(r"\A\w+://[^/]+", "", local)
    words = frozenset(word.lower() for word in _WORD.findall(path)) - _COMMON
    return Target(value, _DIGITS.sub("#", value), words)


def _identities(value: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, one in value.items():
        if isinstance(one, Mapping) and depth < _DEPTH:
            yield from _identities(one, depth + 1)
        elif isinstance(one, str | int) and not isinstance(one, bool) and _IDENTITY.fullmatch(name):
            yield name, str(one)
