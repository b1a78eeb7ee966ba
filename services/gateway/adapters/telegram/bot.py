"""Telegram as a platform: long polling in, `sendMessage` out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from arreio_contracts.messages import Attachment, InboundMessage

from shared.errors import ArreioError
from shared.telemetry import get_logger

from ..fitting import MAX_BYTES, attachment, with_left_out
from ..platform import Away, HandIn, Undeliverable
from ..saying import Saying
from ..splitting import split, utf16_units
from .updates import File, Post, files, inbound, place_of, posts, unreadable

if TYPE_CHECKING:
    from telegram import Bot, Message, Update, User

log = get_logger(__name__)

API: Final = "https://api.telegram.org"
LONGEST_TEXT: Final = 4096
"""UTF-16 code units that a message may have."""
POLL: Final = 25
"""Seconds that Telegram holds a request for updates open."""
ALBUM_PAUSE: Final = 1.0
"""Seconds after which it is looked for more pictures of an album."""
LONGEST_PAUSE: Final = 5.0
"""Seconds between two tries to fetch a file; where Telegram wants us to wait longer, its message goes on without it.

Everybody's messages wait meanwhile.
"""
FILE_TRIES: Final = 3
"""How often a file is asked for before its message goes on without it."""


class Telegram:
    """A bot. Telegram keeps an update until a later one is asked for, which is done only when it was handed in."""

    def __init__(self, token: str, api_base: str = API, *, patience: float = 20.0) -> None:
        """`patience`: seconds that an answer is waited for."""
        from telegram import Bot

        from .requests import Requests, UpdateRequests

        self._token = token
        base = api_base.rstrip("/")
        self._bot: Bot = Bot(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            request=Requests(read_timeout=patience, connect_timeout=10, pool_timeout=10),
            get_updates_request=UpdateRequests(read_timeout=POLL + 10, connect_timeout=10),
        )
        self._me: User | None = None

    async def begin(self) -> str:
        """See Platform."""
        with self._told():
            # Once it knows itself it asks no more, and this is asked to see whether Telegram answers.
            await (self._bot.initialize() if self._me is None else self._bot.get_me())
            self._me = self._bot.bot
            return f"@{self._me.username}"

    async def listen(self, hand_in: HandIn) -> None:
        """See Platform."""
        offset: int | None = None
        while True:
            updates = await self._updates(offset, POLL)
            handed_in: set[int] = set()
            while updates:
                post, updates = await self._first(updates)
                await self._hand_in(post, hand_in)
                handed_in.update(post.updates)
                updates = [one for one in updates if one.update_id not in handed_in]
                offset = updates[0].update_id if updates else max(handed_in) + 1

    def parts(self, saying: Saying) -> Sequence[str]:
        """See Platform."""
        return split(saying.text, LONGEST_TEXT, utf16_units)

    async def send(self, saying: Saying, number: int, text: str) -> None:
        """See Platform."""
        from telegram.error import ChatMigrated

        try:
            with self._told():
                await self._send(saying.conversation, saying, number, text)
        except ChatMigrated as moved:
            with self._told():
                await self._send(str(moved.new_chat_id), saying, number, text)

    async def close(self) -> None:
        """See Platform."""
        await self._bot.shutdown()

    async def _send(self, chat: str, saying: Saying, number: int, text: str) -> None:
        from telegram import LinkPreviewOptions, ReplyParameters
        from telegram.error import BadRequest

        topic, answered = place_of(saying.reply_to or "")
        thread = int(saying.thread) if saying.thread else topic
        quoted = ReplyParameters(answered, allow_sending_without_reply=True) if answered and number == 0 else None
        plain = LinkPreviewOptions(is_disabled=True)
        try:
            await self._bot.send_message(
                chat, text, message_thread_id=thread, reply_parameters=quoted, link_preview_options=plain
            )
        except BadRequest as error:
            if thread is None or "thread" not in str(error).lower():
                raise
            # The topic was deleted; the chat is still there.
            await self._bot.send_message(chat, text, link_preview_options=plain)

    async def _updates(self, offset: int | None, seconds: int) -> list[Update]:
        with self._told():
            return list(await self._bot.get_updates(offset=offset, timeout=seconds, allowed_updates=["message"]))

    async def _first(self, updates: list[Update]) -> tuple[Post, list[Update]]:
        """The first post, an album whole, and the updates that there are then.

        Pictures of an album may come with the next updates, so it is looked for more until there are none. Nothing is
        confirmed by that but what stands before the album.
        """
        post = posts(updates)[0]
        while post.may_grow:
            await asyncio.sleep(ALBUM_PAUSE)
            again = await self._updates(post.updates[0], 0)
            seen = posts(again)[:1]
            if not seen or len(seen[0].messages) <= len(post.messages):
                break
            (post,), updates = seen, again
        return post, updates

    async def _hand_in(self, post: Post, hand_in: HandIn) -> None:
        assert self._me is not None
        try:
            message, left_out = await self._read(post), unreadable(post, self._me)
        except (AttributeError, LookupError, TypeError, ValueError):
            # It would come again and again, and nothing after it.
            log.exception("a message that cannot be read is left out", update=post.updates[-1])
            return
        if message is not None:
            await hand_in(message)
        elif left_out is not None:
            await self._say_unread(post.messages[0], left_out)

    async def _say_unread(self, message: Message, what: str) -> None:
        """Tell somebody that what was sent cannot be read, so that nobody waits for an answer. Once, or not at all."""
        thread = str(message.message_thread_id) if message.is_topic_message and message.message_thread_id else ""
        text = f"I cannot read {what}. Please write what you need, or send it as a file."
        try:
            await self.send(Saying(str(message.chat.id), thread, str(message.message_id), text), 0, text)
        except (Away, Undeliverable) as error:
            log.warning("somebody was not told that a message cannot be read", why=str(error))

    async def _read(self, post: Post) -> InboundMessage | None:
        assert self._me is not None
        message = inbound(post, self._me)
        if message is None:
            return None
        found = [(file, await self._fetched(file)) for file in files(post.messages)]
        unread = unreadable(post, self._me)
        left_out = [*(file.name for file, content in found if content is None), *([unread] if unread else [])]
        attachments = tuple(content for _, content in found if content is not None)
        names = ", ".join(one.name for one in attachments)
        text = message.text or (f"(attached: {names})" if names else "")
        return message.model_copy(update={"text": with_left_out(text, *left_out), "attachments": attachments})

    async def _fetched(self, file: File) -> Attachment | None:
        from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

        if file.size is not None and file.size > MAX_BYTES:
            return None
        for attempt in range(FILE_TRIES):
            try:
                content = await (await self._bot.get_file(file.id)).download_as_bytearray()
                return attachment(file.name, file.media_type, bytes(content)) if len(content) <= MAX_BYTES else None
            except (BadRequest, Forbidden, InvalidToken) as error:
                # What is not there is refused as a wrong token is.
                log.warning("Telegram does not give a file", why=self._without_token(error))
                return None
            except TelegramError as error:
                log.warning("a file could not be fetched", why=self._without_token(error))
                pause = _delay(error) or 2.0**attempt
                if attempt + 1 == FILE_TRIES or pause > LONGEST_PAUSE:
                    return None
                await asyncio.sleep(pause)
        return None

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """What Telegram refuses, in the words of a platform."""
        from telegram import error as errors

        try:
            yield
        except errors.ChatMigrated:
            raise
        except errors.InvalidToken:
            raise ArreioError("Telegram refuses the bot's token", "ask @BotFather for the bot's token") from None
        except errors.Conflict:
            raise Away("another process reads this bot's messages, or it has a webhook", 10.0) from None
        except (errors.BadRequest, errors.Forbidden) as error:
            raise Undeliverable(self._without_token(error)) from None
        except errors.TelegramError as error:
            raise Away(self._without_token(error), _delay(error), unknown=_may_have_arrived(error)) from None
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise Away(f"an answer that cannot be read ({type(error).__name__})", unknown=True) from None

    def _without_token(self, error: Exception) -> str:
        return str(error).replace(self._token, "<token>")


def _delay(error: Exception) -> float | None:
    """The seconds that Telegram wants us to wait, where it says so."""
    wanted = getattr(error, "retry_after", None)
    return wanted.total_seconds() if isinstance(wanted, timedelta) else wanted


def _may_have_arrived(error: Exception) -> bool:
    """Whether the request was sent, and it is the answer that is missing."""
    import httpx

    cause = error.__cause__
    never_sent = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
    return isinstance(cause, httpx.TransportError) and not isinstance(cause, never_sent)
