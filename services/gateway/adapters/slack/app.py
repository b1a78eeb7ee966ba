"""Slack as a platform: Socket Mode or signed events in, `chat.postMessage` out."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from arreio_contracts.messages import Attachment

from shared.errors import ArreioError
from shared.telemetry import get_logger

from ..fitting import MAX_BYTES, attachment, with_left_out
from ..platform import HandIn
from ..saying import Saying
from ..splitting import split
from .events import inbound, thread_of
from .mrkdwn import WHOLE, mrkdwn
from .receiving import UNREADABLE, wrong_with
from .refusals import told

if TYPE_CHECKING:
    from aiohttp import web
    from slack_bolt.async_app import AsyncApp
    from slack_bolt.authorization import AuthorizeResult
    from slack_bolt.context.async_context import AsyncBoltContext

log = get_logger(__name__)

API: Final = "https://slack.com/api/"
PATH: Final = "/slack/events"
LONGEST_TEXT: Final = 3900
"""Characters; Slack asks for 4,000 at most."""
_OURS: Final = "arreio"
"""Marks a request that came as far as our listener."""
FILE_TRIES: Final = 3
"""How often a file is asked for before its message goes on without it."""


@dataclass(frozen=True)
class Keys:
    """The app's secrets: the bot's token, and the app token for Socket Mode or the secret that signs events."""

    bot_token: str = field(repr=False)
    app_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)


class Slack:
    """An app of one workspace. Slack repeats an event until it is acknowledged, which is done when it was handed in."""

    def __init__(
        self, keys: Keys, *, listen_on: tuple[str, int] | None = None, api_base: str = API, patience: int = 20
    ) -> None:
        """`listen_on`: the host and port where signed events are taken; None: Socket Mode.

        `patience`: seconds that an answer is waited for.
        """
        from slack_bolt.async_app import AsyncApp
        from slack_sdk.web.async_client import AsyncWebClient

        async def authorized() -> AuthorizeResult:  # the library looks at its arguments' names
            return self._authorized()

        quiet = logging.getLogger("slack_bolt.arreio")
        quiet.addFilter(_worth_saying)
        self._keys, self._listen_on = keys, listen_on
        self._api = api_base.rstrip("/") + "/"
        # Nothing is sent again unseen: what may have arrived is for whoever sends to decide.
        self._client = AsyncWebClient(
            keys.bot_token, base_url=self._api, timeout=patience, logger=quiet, retry_handlers=[]
        )
        self._app: AsyncApp = AsyncApp(
            # Without a token it is `authorize` that says who we are. With one, Slack would be asked at the first event,
            # which was acknowledged and lost where it answered that it cannot say.
            client=AsyncWebClient(base_url=self._api, timeout=patience, logger=quiet),
            authorize=authorized,
            # In Socket Mode nothing is signed; a secret that is empty would be looked for in the environment.
            signing_secret=keys.signing_secret or "unused",
            process_before_response=True,
            logger=quiet,
        )
        self._me = ""
        self._known: dict[str, str | None] = {}
        self._hand_in: HandIn | None = None
        # Events come at once; what was said first is handed in first.
        self._in_order = asyncio.Lock()
        self._app.event(re.compile(".*"))(self._on_event)

    async def begin(self) -> str:
        """See Platform."""
        with told():
            known = await self._client.auth_test()
        if not known.get("user_id"):
            raise ArreioError("what answers to auth.test is not Slack: it names nobody", "see --api-base")
        self._me = str(known["user_id"])
        self._known = {name: known.get(name) for name in ("team_id", "enterprise_id", "bot_id")}
        return f"@{known.get('user')} in {known.get('team')}"

    async def listen(self, hand_in: HandIn) -> None:
        """See Platform."""
        self._hand_in = hand_in
        await (self._by_socket() if self._listen_on is None else self._by_http(*self._listen_on))

    def parts(self, saying: Saying) -> Sequence[str]:
        """See Platform."""
        return split(mrkdwn(saying.text), LONGEST_TEXT, whole=WHOLE)

    async def send(self, saying: Saying, number: int, text: str) -> None:
        """See Platform."""
        thread = saying.thread or thread_of(saying.reply_to or "")
        with told():
            await self._client.chat_postMessage(
                channel=saying.conversation,
                text=text,
                thread_ts=thread or None,
                mrkdwn=True,
                unfurl_links=False,
                unfurl_media=False,
            )

    async def close(self) -> None:
        """See Platform."""

    def _authorized(self) -> AuthorizeResult:
        from slack_bolt.authorization import AuthorizeResult

        known = self._known
        return AuthorizeResult(
            enterprise_id=known.get("enterprise_id"),
            team_id=known.get("team_id"),
            bot_user_id=self._me,
            bot_id=known.get("bot_id"),
            bot_token=self._keys.bot_token,
        )

    async def _on_event(self, body: dict[str, Any], context: AsyncBoltContext) -> None:
        context[_OURS] = True
        try:
            message = inbound(body, self._me)
        except (AttributeError, LookupError, TypeError, ValueError):
            # It would come again and again.
            log.exception("an event that cannot be read is left out", event_id=body.get("event_id"))
            return
        if message is None or self._hand_in is None:
            return
        async with self._in_order:
            found = [(str(one.get("name") or "file"), await self._fetched(one)) for one in _files(body)]
            attachments = tuple(content for _, content in found if content is not None)
            names = ", ".join(one.name for one in attachments)
            text = message.text or (f"(attached: {names})" if names else "")
            text = with_left_out(text, *(name for name, content in found if content is None))
            if text:
                await self._hand_in(message.model_copy(update={"text": text, "attachments": attachments}))

    async def _by_socket(self) -> None:
        from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler

        handler = AsyncSocketModeHandler(self._app, self._keys.app_token)
        try:
            with told():
                # Asked for here: the client would ask for ever with a token that is refused.
                handler.client.wss_uri = await handler.client.issue_new_wss_url()
                await handler.connect_async()  # type: ignore[no-untyped-call]
            # The client reconnects by itself, and for ever.
            await asyncio.Event().wait()
        finally:
            await handler.close_async()  # type: ignore[no-untyped-call]

    async def _by_http(self, host: str, port: int) -> None:
        from aiohttp import web

        application = web.Application()
        application.add_routes([web.post(PATH, self._on_request)])
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            await asyncio.Event().wait()
        except OSError as error:
            raise ArreioError(f"{host}:{port} cannot be listened on: {error.strerror}", "choose another") from error
        finally:
            await runner.cleanup()

    async def _on_request(self, request: web.Request) -> web.Response:
        from aiohttp import web
        from slack_bolt.adapter.aiohttp import to_aiohttp_response
        from slack_bolt.request.async_request import AsyncBoltRequest

        raw = await request.read()
        wrong = wrong_with(raw, request.headers, self._keys.signing_secret or "", time.time())
        if wrong is None:
            try:
                asked = AsyncBoltRequest(body=raw.decode(), query=request.query_string, headers=dict(request.headers))
            except (AttributeError, LookupError, TypeError, ValueError):
                wrong = UNREADABLE
            else:
                answer = await self._app.async_dispatch(asked)
                if answer.status < 500 or _OURS in asked.context:
                    return await to_aiohttp_response(answer)
                # It failed before it came to us: Slack's library cannot read it either.
                wrong = UNREADABLE
        log.warning("a request was refused", status=wrong.status, why=wrong.why)
        return web.json_response({"error": wrong.why}, status=wrong.status)

    async def _fetched(self, file: Mapping[str, Any]) -> Attachment | None:
        """A file's content; None where it is too large or not Slack's to give."""
        import httpx

        url = str(file.get("url_private_download") or file.get("url_private") or "")
        size = file.get("size") or 0
        if not isinstance(size, int) or size > MAX_BYTES or not self._is_slacks(url):
            return None
        bearer = {"Authorization": f"Bearer {self._keys.bot_token}"}
        for attempt in range(FILE_TRIES):
            async with httpx.AsyncClient(headers=bearer, timeout=30) as client:
                try:
                    answer = await client.get(url)
                    if answer.is_success and len(answer.content) <= MAX_BYTES:
                        return attachment(file.get("name"), file.get("mimetype"), answer.content)
                    if answer.status_code < 500 and answer.status_code != 429:
                        return None
                except httpx.TransportError as error:
                    log.warning("a file could not be fetched", why=type(error).__name__)
                except (httpx.InvalidURL, ValueError) as error:
                    log.warning("a file could not be fetched", why=type(error).__name__)
                    return None
            if attempt + 1 < FILE_TRIES:
                await asyncio.sleep(2.0**attempt)
        return None

    def _is_slacks(self, url: str) -> bool:
        """Whether the bot's token may be shown to an address: Slack's own, or the API's where that is another."""
        try:
            place, api = urlsplit(url), urlsplit(self._api)
        except ValueError:
            return False
        ours = place.scheme == "https" and (place.hostname or "").endswith(".slack.com")
        return ours or (place.scheme, place.netloc) == (api.scheme, api.netloc)


def _worth_saying(record: logging.LogRecord) -> bool:
    """The library finds the token's variable by itself, and warns of it although that is as it should be."""
    return "`token` will be unused" not in record.getMessage()


def _files(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    files = (body.get("event") or {}).get("files")
    return [one for one in files if isinstance(one, Mapping)] if isinstance(files, list) else []
