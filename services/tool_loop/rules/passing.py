"""Failures that may be gone by themselves: a lock that somebody else holds, a service that is away for a moment."""

import re
from typing import Final

_MOST_CHARS: Final = 600
_LOCK = re.compile(
    r"\bcould not get lock\b|\bwaiting for (?:the )?(?:file |cache |state )?lock\b"
    r"|\bunable to acquire\b[^\n]{0,40}\block\b"
    r"|\.lock['\"]?: file exists|\banother (?:\w+ ){0,3}process (?:is|seems to be|has)\b|\bdatabase is locked\b"
    r"|\b(?:acquiring|acquire) the (?:\w+ )?lock\b|\bis (?:locked|held) by (?:another )?process\b|\blocked by process\b"
    r"|\b(?:another|conflicting|previous)\b[^\n]{0,60}\b(?:operation|update|deployment|build|job|change)s?\b[^\n]{0,40}"
    r"\bin progress\b"
    r"|\bresource temporarily unavailable\b|\btext file busy\b|\bdevice or resource busy\b",
    re.IGNORECASE,
)
_AWAY = re.compile(
    r"\b(?:read|connect(?:ion)?)[ _-]?time(?:d[ _-]?)?out|\bReadTimeout|\bETIMEDOUT\b|\bEAI_AGAIN\b|\bECONNRESET\b"
    r"|\bconnection (?:was )?reset\b|\btemporary failure\b|\btemporarily unavailable\b|\btoo many requests\b"
    r"|\brate[ _-]?limit|\bservice unavailable\b|\bgateway time-?out\b|\bbad gateway\b|\btry again (?:later|in)\b"
    r"|\bretry-after\b|\boverloaded\b|\bTLS handshake timeout\b"
    r"|\bfailed to connect to (?:ESP\w*|the (?:target|device|board|probe|chip))|\bno serial data received\b"
    r"|\b(?:device|board|target|probe|chip|sensor|programmer|printer|modem) (?:is |was )?"
    r"(?:not (?:responding|found|detected)|did not respond|unresponsive|offline)\b|\bnot in sync\b"
    r"|\bno route to host\b|\bhost is down\b",
    re.IGNORECASE,
)


def lock_held(normal: str) -> bool:
    """Whether a text says that somebody else holds what the call needs, who will let go of it."""
    return bool(_LOCK.search(normal[:_MOST_CHARS]))


def away(normal: str) -> bool:
    """Whether a text says that what was asked is away for the moment, so that the same may do in a while."""
    return bool(_AWAY.search(normal[:_MOST_CHARS]))
