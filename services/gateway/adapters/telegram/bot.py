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
from .updates import File, Post, files, inbound, place_of, posts

if TYPE_CHECKING:
    from telegram import Bot, User

log = get_logger(__name__)

API: Final = "https://api.telegram.org"
LONGEST_TEXT: Final = 4096
"""UTF-16 code units that a message may have."""
POLL: Final = 25
"""Seconds that Telegram holds a request for updates open."""
FILE_TRIES: Final = 4
"""How often a file is asked for before its message goes on without it."""


class Telegram:
    """A bot. Telegram keeps an update until a later one is asked for, which is done only when it was handed in."""

    def __init__(self, token: str, api_base: str = API) -> None:
        from telegram import Bot
        from telegram.request import HTTPXRequest

        self._token = token
        base = api_base.rstrip("/")
        self._bot: Bot = Bot(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            request=HTTPXRequest(read_timeout=20, connect_timeout=10, pool_timeout=10),
            get_updates_request=HTTPXRequest(read_timeout=POLL + 10, connect_timeout=10),
        )
        self._me: User | None = None

    async def begin(self) -> str:
        """See Platform."""
        with self._told():
            await self._bot.initialize()
            self._me = self._bot.bot
            return f"@{self._me.username}"

    async def listen(self, hand_in: HandIn) -> None:
        """See Platform."""
        offset: int | None = None
        while True:
            with self._told():
                updates = await self._bot.get_updates(offset=offset, timeout=POLL, allowed_updates=["message"])
            for post in posts(updates):
                try:
                    message = await self._read(post)
                except (AttributeError, LookupError, TypeError, ValueError):
                    # It would come again and again, and nothing after it.
                    log.exception("a message that cannot be read is left out", update=post.last_update)
                    message = None
                if message is not None:
                    await hand_in(message)
                offset = post.last_update + 1

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

    async def _read(self, post: Post) -> InboundMessage | None:
        assert self._me is not None
        message = inbound(post, self._me)
        if message is None:
            return None
        found = [(file, await self._fetched(file)) for file in files(post.messages)]
        left_out = [file.name for file, content in found if content is None]
        attachments = tuple(content for _, content in found if content is not None)
        names = ", ".join(one.name for one in attachments)
        text = message.text or (f"(attached: {names})" if names else "")
        return message.model_copy(update={"text": with_left_out(text, *left_out), "attachments": attachments})

    async def _fetched(self, file: File) -> Attachment | None:
        from telegram.error import BadRequest, TelegramError

        if file.size is not None and file.size > MAX_BYTES:
            return None
        for attempt in range(FILE_TRIES):
            try:
                content = await (await self._bot.get_file(file.id)).download_as_bytearray()
                return attachment(file.name, file.media_type, bytes(content)) if len(content) <= MAX_BYTES else None
            except BadRequest as error:
                log.warning("Telegram does not give a file", why=self._without_token(error))
                return None
            except TelegramError as error:
                log.warning("a file could not be fetched", why=self._without_token(error))
                await asyncio.sleep(_delay(error) or 2.0**attempt)
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
            raise Away(self._without_token(error), _delay(error)) from None

    def _without_token(self, error: Exception) -> str:
        return str(error).replace(self._token, "<token>")


def _delay(error: Exception) -> float | None:
    """The seconds that Telegram wants us to wait, where it says so."""
    wanted = getattr(error, "retry_after", None)
    return wanted.total_seconds() if isinstance(wanted, timedelta) else wanted
