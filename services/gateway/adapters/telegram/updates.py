"""What Telegram's messages mean to us: whether one is for us, in which conversation, and what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arreio_contracts.messages import InboundMessage

if TYPE_CHECKING:
    from telegram import Message, Update, User

GREETING: Final = "/start"
"""What Telegram sends when somebody opens the bot; it is answered with how things stand."""


@dataclass(frozen=True)
class File:
    """A file of a message. `size` is in bytes, as Telegram tells it, or None."""

    id: str
    name: str
    media_type: str | None
    size: int | None


@dataclass(frozen=True)
class Post:
    """What one person sent at once: a message, or the messages of an album."""

    messages: tuple[Message, ...]
    last_update: int


def posts(updates: Iterable[Update]) -> list[Post]:
    """The updates in order, with each album, which Telegram sends as a message for every picture, as one post."""
    found: list[Post] = []
    for update in updates:
        message = update.message
        before = found[-1].messages[-1:] if found else ()
        album = message.media_group_id if message else None
        if message and album and before and before[0].media_group_id == album:
            found[-1] = Post((*found[-1].messages, message), update.update_id)
        else:
            found.append(Post((message,) if message else (), update.update_id))
    return found


def inbound(post: Post, me: User) -> InboundMessage | None:
    """The message that a post is, without its files; None where it is not for us.

    In a group only commands, mentions and replies to us are; a topic of a group is a thread. Posts of bots, channels
    and nobody (somebody joined, a title was changed) never are.
    """
    if not post.messages:
        return None
    first = post.messages[0]
    sender, private = first.from_user, first.chat.type == "private"
    if sender is None or sender.is_bot or not any(_says_something(one) for one in post.messages):
        return None
    text = "\n".join(filter(None, (one.text or one.caption for one in post.messages)))
    if not private and not any(_addressed(one, me) for one in post.messages):
        return None
    spoken = _spoken(text, me, private)
    if spoken is None:
        return None
    thread = str(first.message_thread_id) if first.is_topic_message and first.message_thread_id else ""
    answered = first.reply_to_message
    return InboundMessage(
        account=str(me.id),
        conversation=str(first.chat.id),
        thread=thread,
        message_id=message_id(thread, first.message_id),
        sender=str(sender.id),
        direct=private,
        text=spoken,
        reply_to=message_id(thread, answered.message_id) if answered and not answered.forum_topic_created else None,
    )


def message_id(thread: str, number: int) -> str:
    """How we name a message: a receipt brings the name back alone, and the refusal belongs into the same topic."""
    return f"{thread}:{number}" if thread else str(number)


def place_of(name: str) -> tuple[int | None, int | None]:
    """The topic and number of a message that we named; None where there is none."""
    thread, _, number = name.rpartition(":")
    return _number(thread), _number(number)


def files(messages: Sequence[Message]) -> list[File]:
    """The files of a post; of a picture its largest size."""
    found = []
    for one in messages:
        if one.photo:
            largest = one.photo[-1]
            found.append(File(largest.file_id, f"photo-{one.message_id}.jpg", "image/jpeg", largest.file_size))
        for kind, ending in (("document", ""), ("audio", ".mp3"), ("voice", ".ogg"), ("video", ".mp4")):
            media = getattr(one, kind)
            if media is not None and not (kind == "document" and one.animation):
                name = getattr(media, "file_name", None) or f"{kind}-{one.message_id}{ending}"
                found.append(File(media.file_id, name, media.mime_type, media.file_size))
    return found


def _says_something(message: Message) -> bool:
    return bool(message.text or message.caption or files([message]))


def _addressed(message: Message, me: User) -> bool:
    text = message.text or message.caption or ""
    answered = message.reply_to_message
    to_us = answered is not None and answered.from_user is not None and answered.from_user.id == me.id
    named = bool(me.username) and f"@{me.username}".lower() in text.lower()
    return to_us or named or text.startswith("/")


def _spoken(text: str, me: User, private: bool) -> str | None:
    """What is said to us, without our name; None for a command to another bot."""
    word, space, rest = text.partition(" ")
    if word.startswith("/"):
        command, _, bot = word.partition("@")
        if bot and bot.lower() != (me.username or "").lower():
            return None
        spoken = command + space + rest
        return "/status" if spoken.strip() == GREETING else spoken
    mention = f"@{me.username}"
    if not private and me.username and text.lower().startswith(mention.lower()):
        return text[len(mention) :].lstrip(" ,:")
    return text


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
