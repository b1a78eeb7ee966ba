"""Calls that may be made again to be sure: measurements, and checks of what comes out now so, now so."""

import re
from typing import Final

from . import tool_kinds

_MEASURING = re.compile(
    r"(?<![\w-])(?:time|timeit|hyperfine|ping6?|wrk|ab|iperf3?|perf|sar|vegeta|hey|k6|locust|sysbench|fio)(?![\w-])"
    r"|\b\w*(?:bench|stress|soak|race|flaky|fuzz|loadtest)\w*\b",
    re.IGNORECASE,
)
_CHECKING = re.compile(
    r"\b\w*(?:test|spec|tox|jest|playwright|cypress|rspec|repro|verify)\w*\b|\bcheck\b", re.IGNORECASE
)
_OF_THE_HARNESS = re.compile(r"(?:wall time|duration_seconds|elapsed)[^\n,}]*", re.IGNORECASE)
_AGE = re.compile(r"<span> ago\b|\b(?:up|since|age|uptime)[:= ]+<span>", re.IGNORECASE)
_FIGURES = re.compile(r"<(?:span|rate)>")
_MADE = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    r"|\b(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{12,}\b|[?&][\w-]+=[\w.%-]{8,}"
)
_FOR_THE_CALL = re.compile(
    r"(?:request|req|trace|span|correlation|session|event|log|build|etag|nonce"
    r"|invocation)[-_ ]?(?:id)?[\"']?\s*[:=]\s*[\"']?\Z",
    re.IGNORECASE,
)
_MAKERS: Final = frozenset(
    [
        "create",
        "make",
        "new",
        "generate",
        "add",
        "issue",
        "mint",
        "next",
        "pop",
        "rotate",
        "allocate",
        "reserve",
        "book",
        "upload",
        "draft",
        "start",
        "submit",
        "register",
        "open",
        "clone",
        "copy",
        "sign",
        "gen",
    ]
)
_MAKING = re.compile(
    r"\b(?:uuidgen|openssl rand|pwgen|mktemp|\S*keygen|gpg --gen\S*|secrets\.token\w*|uuid4?\b)", re.IGNORECASE
)
_BEFORE: Final = 24
_MOST_CHARS: Final = 2000


def measures(tool: str, command: str | None, normal: str, *, shows: bool) -> bool:
    """Whether a call that succeeded measured something, or checked what may come out otherwise the next time."""
    if command is None:
        return bool(tool_kinds.words(tool) & {"ping", "benchmark", "measure", "speedtest", "bench"})
    if _MEASURING.search(command[:_MOST_CHARS]):
        return True
    # How long ago something was grows by itself, and measures nothing.
    return not shows and bool(_FIGURES.search(_AGE.sub("", _OF_THE_HARNESS.sub("", normal))))


def checks(command: str | None) -> bool:
    """Whether a command checks what holds or does not, so that the time that it took tells nothing."""
    return (
        command is not None
        and not _MEASURING.search(command[:_MOST_CHARS])
        and bool(_CHECKING.search(command[:_MOST_CHARS]))
    )


def is_maker(tool: str) -> bool:
    """Whether the tool's name says that it makes something, or sets it going."""
    return bool(tool_kinds.words(tool) & _MAKERS)


def makes(tool: str, command: str | None, result: str, looks: bool) -> bool:
    """Whether what a call made has an id, a key or an address of its own, which then is what is new."""
    if command is not None:
        return bool(_MAKING.search(command[:_MOST_CHARS]))
    if looks or not is_maker(tool):
        return False
    return any(
        not _FOR_THE_CALL.search(result[max(0, found.start() - _BEFORE) : found.start()])
        for found in _MADE.finditer(result[:_MOST_CHARS])
    )
