"""What Slack's events mean to us: whether one is for us, in which conversation and thread, and what it says."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any, Final

from arreio_contracts.messages import InboundMessage

from ...control_words import control

_SUBTYPES: Final = frozenset({None, "file_share", "thread_broadcast"})
"""What a person says. Everything else (edits, deletions, joins, bots) is not said to us."""
_LINK: Final = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
_OURS: Final = "!"
"""Slack keeps words that begin with `/` to itself, so `!cancel`, `!status` and `!help` stand for ours."""


def inbound(body: Mapping[str, Any], me: str) -> InboundMessage | None:
    """The message that an event is, without its files; None where it is not for us. `me` is our user's id.

    For us are direct messages, and posts elsewhere that mention us. A thread is a thread: a mention outside of one
    begins one. Direct messages outside of threads are one conversation.
    """
    event = body.get("event") or {}
    if event.get("type") not in ("message", "app_mention") or event.get("subtype") not in _SUBTYPES:
        return None
    sender, channel, ts = event.get("user"), event.get("channel"), event.get("ts")
    if not all(isinstance(one, str) and one for one in (sender, channel, ts)):
        return None
    if sender == me or event.get("bot_id") or event.get("hidden"):
        return None
    text = str(event.get("text") or "")
    direct = event.get("channel_type") == "im" or str(channel).startswith("D")
    if not direct and f"<@{me}>" not in text and f"<@{me}|" not in text:
        return None
    thread = str(event.get("thread_ts") or ("" if direct else ts))
    return InboundMessage(
        account=str(body.get("team_id") or event.get("team") or ""),
        conversation=str(channel),
        thread=thread,
        message_id=message_id(thread, str(ts)),
        sender=str(sender),
        direct=direct,
        text=spoken(text, me),
        reply_to=message_id(thread, thread) if event.get("thread_ts") and thread != ts else None,
    )


def message_id(thread: str, ts: str) -> str:
    """How we name a message: a receipt brings the name back alone, and the refusal belongs into the same thread."""
    return f"{thread}:{ts}" if thread else ts


def thread_of(name: str) -> str:
    """The thread of a message that we named."""
    return name.rpartition(":")[0]


def spoken(text: str, me: str) -> str:
    """Slack's markup as plain text, without our own name at its ends."""
    plain = html.unescape(_LINK.sub(_plain_link, _without_mentions(text.strip(), me))).strip()
    word = "/" + plain.removeprefix(_OURS)
    return word.lower() if plain.startswith(_OURS) and control(word) else plain


def _without_mentions(text: str, me: str) -> str:
    """The text without our name at its ends. Each character is looked at once, however often we are named."""
    named = re.compile(rf"<@{re.escape(me)}(?:\|[^<>]*)?>")
    begin, end = 0, len(text)
    while found := named.match(text, begin):
        begin = found.end()
        while begin < end and (text[begin].isspace() or text[begin] in ",:"):
            begin += 1
    while (start := text.rfind("<", begin, end)) >= 0 and named.fullmatch(text, start, end):
        end = start
        while end > begin and text[end - 1].isspace():
            end -= 1
    return text[begin:end]


def _plain_link(found: re.Match[str]) -> str:
    target, label = found[1], found[2] or ""
    match target[0]:
        case "@" | "#":
            return target[0] + (label or target[1:])
        case "!":
            return label or "@" + target[1:].partition("^")[0]
        case _:
            address = target.removeprefix("mailto:")
            return f"{label} ({address})" if label and label not in (address, target) else address
