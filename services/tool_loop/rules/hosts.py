"""Which host a command line asks that names it without a URL: `ping HOST`, `ssh USER@HOST`, `dig NAME`."""

import re
from typing import Final

from .shell_commands import segments

_ASKING: Final = frozenset(
    [
        "ping",
        "ping6",
        "ssh",
        "scp",
        "sftp",
        "telnet",
        "nc",
        "ncat",
        "dig",
        "host",
        "nslookup",
        "traceroute",
        "mtr",
        "nmap",
    ]
)
_WITH_VALUE = re.compile(r"-[cWwiIopPlFJLRtTmsbBDEeQqSx]")
"""A short option whose value is the next word."""
_NAME = re.compile(r"(?:[\w.+-]+@)?([\w-]+(?:[.:][\w-]+)*)(?::\S*)?")


def asked(command: str) -> str:
    """The host, or nothing where no such program is run or none is named."""
    for segment in segments(command):
        program, *words = segment.split()
        if program.rsplit("/", 1)[-1] in _ASKING:
            return _first(words)
    return ""


def _first(words: list[str]) -> str:
    following = iter(words)
    for word in following:
        if _WITH_VALUE.fullmatch(word):
            next(following, "")
        elif word[0] not in "-+@" and (found := _NAME.fullmatch(word)):
            return found[1]
    return ""
