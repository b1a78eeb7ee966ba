"""Which profile a message gets: the one whose patterns say most about who asks. Pure, and always the same.

Of two that fit, the one with more parts said exactly wins; then the one with more patterns, then with more letters in
them; then the one about the person, thread, conversation, account, channel, in this order; then the first by name.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from arreio_contracts.messages import InboundMessage

from .profile import Match, NamedProfile

DEFAULT: Final = "default"
"""The profile of those whom no other fits; its file may be missing."""
_ORDER: Final = ("sender", "thread", "conversation", "account", "channel")
_WILD: Final = frozenset("*?[")
_CLOSED: Final = re.compile(r"\[!?[^\0][^\]]*\]")

Rank = tuple[int, int, int, tuple[bool, ...]]


@dataclass(frozen=True)
class Chosen:
    """A profile, and why it is this one."""

    named: NamedProfile
    why: str


def choose(
    profiles: Mapping[str, NamedProfile], channel: str, message: InboundMessage, *, local: bool
) -> Chosen | None:
    """The profile of a message that names none; None: no file has a say.

    `local`: it comes from the operator at this machine, who gets a profile only where its pattern names the channel.
    """
    who = identity(channel, message)
    fitting = [
        (rank(match), named, match)
        for named in profiles.values()
        for match in named.profile.match
        if fits(match, who) and not (local and match.channel != channel)
    ]
    if fitting:
        best = max(one[0] for one in fitting)
        first = min((one for one in fitting if one[0] == best), key=lambda one: one[1].name)
        return Chosen(first[1], told(first[2]))
    default = profiles.get(DEFAULT)
    return Chosen(default, "no other fits") if default is not None and not default.profile.match else None


def named(profiles: Mapping[str, NamedProfile], name: str, channel: str, message: InboundMessage) -> Chosen | None:
    """The profile of a name, where the message fits one of its patterns; None where it fits none."""
    who = identity(channel, message)
    wanted = profiles[name]
    fitting = [match for match in wanted.profile.match if fits(match, who)]
    return Chosen(wanted, f"named; {told(max(fitting, key=rank))}") if fitting else None


def identity(channel: str, message: InboundMessage) -> dict[str, str]:
    """Who asks, by the words of a match."""
    return {
        "channel": channel,
        "account": message.account,
        "conversation": message.conversation,
        "thread": message.thread,
        "sender": message.sender,
    }


def fits(match: Match, who: Mapping[str, str]) -> bool:
    """Whether every pattern of a match fits."""
    return all(fnmatchcase(who[part], pattern) for part, pattern in match.parts.items())


def rank(match: Match) -> Rank:
    """How much a match says; the greater is the more specific."""
    parts = match.parts
    exact = [part for part, pattern in parts.items() if not _WILD & set(pattern)]
    loose = [part for part, pattern in parts.items() if part not in exact and pattern.strip("*")]
    letters = sum(len([one for one in parts[part] if one not in _WILD]) for part in loose)
    return len(exact), len(loose), letters, tuple(part in exact for part in _ORDER)


def told(match: Match) -> str:
    """A match as people read it."""
    return ", ".join(f"{part} {pattern}" for part, pattern in match.parts.items())


def unclosed(match: Match) -> list[str]:
    """The parts whose pattern has a `[` that nothing closes: it stands for itself there, which is rarely meant."""
    return [part for part, pattern in match.parts.items() if "[" in _CLOSED.sub("", pattern)]


def alike(profiles: Iterable[NamedProfile]) -> list[tuple[str, str, str]]:
    """Profiles of which two have the very same match, so that only their names decide: both names and the match."""
    seen: dict[Match, str] = {}
    found = []
    for one in sorted(profiles, key=lambda profile: profile.name):
        for match in dict.fromkeys(one.profile.match):
            if match in seen:
                found.append((seen[match], one.name, told(match)))
            seen.setdefault(match, one.name)
    return found
