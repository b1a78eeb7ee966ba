"""What Telegram's messages mean to us: whether one is for us, in which conversation, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arreio_contracts.messages import InboundMessage

if TYPE_CHECKING:
    from telegram import Message, Update, User

ALBUM: Final = 10
"""The most messages of an album."""
_GREETING: Final = re.compile(r"/start(?:\s+[\w-]{1,64})?\s*", re.ASCII | re.IGNORECASE)
"""What Telegram sends when somebody opens the bot, perhaps by a link that holds a word for it; it is answered with how
things stand."""
_COMMAND: Final = re.compile(r"(/\w+)(?:@(\w+))?(?!\S)", re.ASCII)
_FILES: Final = (
    ("document", "", None),
    ("audio", ".mp3", None),
    ("voice", ".ogg", None),
    ("video", ".mp4", None),
    ("animation", ".mp4", None),
    ("video_note", ".mp4", "video/mp4"),
)
"""Kinds of files, with the ending and type of one that has none."""
_UNREADABLE: Final = {
    "sticker": "a sticker",
    "venue": "a place",
    "location": "a location",
    "contact": "a contact",
    "poll": "a poll",
    "dice": "a dice",
    "game": "a game",
    "story": "a story",
    "checklist": "a checklist",
    "paid_media": "paid media",
    "invoice": "an invoice",
    "giveaway": "a giveaway",
    "live_photo": "a live photo",
    "passport_data": "a passport",
}
"""What people send and nothing here can read, by the words for it."""


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
    updates: tuple[int, ...]

    @property
    def may_grow(self) -> bool:
        """Whether it is an album of which more pictures may be on their way."""
        return bool(self.messages and self.messages[0].media_group_id) and len(self.messages) < ALBUM


def posts(updates: Iterable[Update]) -> list[Post]:
    """The updates in order, with each album, which Telegram sends as a message for every picture, as one post.

    What others say meanwhile may stand between the pictures of an album.
    """
    found: list[Post] = []
    albums: dict[tuple[int, str], int] = {}
    for update in updates:
        message = update.message
        if message is not None and message.media_group_id:
            at = albums.setdefault((message.chat.id, message.media_group_id), len(found))
            if at < len(found):
                found[at] = Post((*found[at].messages, message), (*found[at].updates, update.update_id))
                continue
        found.append(Post((message,) if message else (), (update.update_id,)))
    return found


def inbound(post: Post, me: User) -> InboundMessage | None:
    """The message that a post is, without its files; None where it is not for us.

    In a group only commands, mentions and replies to us are; a topic of a group is a thread. Posts of bots, channels
    and nobody (somebody joined, a title was changed) never are.
    """
    if not _for_us(post, me) or not any(_says_something(one) for one in post.messages):
        return None
    first = post.messages[0]
    sender, private = first.from_user, first.chat.type == "private"
    assert sender is not None
    text = "\n".join(filter(None, (one.text or one.caption for one in post.messages)))
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


def unreadable(post: Post, me: User) -> str | None:
    """What a post for us holds that cannot be read, as `a sticker`; None where all of it can."""
    if not _for_us(post, me):
        return None
    for one in post.messages:
        for kind, called in _UNREADABLE.items():
            if getattr(one, kind, None) and not files([one]):
                return called
        if one.api_kwargs and one.chat.type == "private" and not _says_something(one):
            # Younger than the library.
            return "a message of that kind"
    return None


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
        for kind, ending, usual in _FILES:
            media = getattr(one, kind)
            if media is not None and not (kind == "document" and one.animation):
                name = getattr(media, "file_name", None) or f"{kind}-{one.message_id}{ending}"
                found.append(File(media.file_id, name, getattr(media, "mime_type", usual), media.file_size))
    return found


def _says_something(message: Message) -> bool:
    return bool(message.text or message.caption or files([message]))


def _for_us(post: Post, me: User) -> bool:
    if not post.messages:
        return False
    sender, chat = post.messages[0].from_user, post.messages[0].chat
    if sender is None or sender.is_bot:
        return False
    return chat.type == "private" or any(_addressed(one, me) for one in post.messages)


def _addressed(message: Message, me: User) -> bool:
    text = message.text or message.caption or ""
    answered = message.reply_to_message
    to_us = answered is not None and answered.from_user is not None and answered.from_user.id == me.id
    return to_us or text.startswith("/") or (bool(me.username) and _name(me).search(text) is not None)


def _name(me: User) -> re.Pattern[str]:
    """Our name where it is one, and not the beginning of another's or a part of an address."""
    return re.compile(rf"(?<!\w)@{re.escape(me.username or '')}(?!\w)", re.ASCII | re.IGNORECASE)


def _spoken(text: str, me: User, private: bool) -> str | None:
    """What is said to us, without our name; None for a command to another bot."""
    if command := _COMMAND.match(text):
        if command[2] and command[2].lower() != (me.username or "").lower():
            return None
        spoken = command[1] + text[command.end() :]
        return "/status" if _GREETING.fullmatch(spoken) else spoken
    if not private and me.username and (named := _name(me).match(text)):
        return text[named.end() :].lstrip(" \t\n,:")
    return text


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
