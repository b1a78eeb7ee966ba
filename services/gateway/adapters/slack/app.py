"""Slack as a platform: Socket Mode or signed events in, `chat.postMessage` out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from arreio_contracts.messages import Attachment

from shared.errors import ArreioError
from shared.telemetry import get_logger

from ..fitting import MAX_BYTES, attachment, with_left_out
from ..platform import Away, HandIn, Undeliverable
from ..saying import Saying
from ..splitting import split
from .events import inbound, thread_of
from .mrkdwn import mrkdwn

if TYPE_CHECKING:
    from slack_bolt.async_app import AsyncApp

log = get_logger(__name__)

API: Final = "https://slack.com/api/"
PATH: Final = "/slack/events"
LONGEST_TEXT: Final = 3900
"""Characters; Slack asks for 4,000 at most."""
FILE_TRIES: Final = 4
"""How often a file is asked for before its message goes on without it."""
_REFUSED: Final = frozenset(
    {
        *("invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"),
        "not_allowed_token_type",
    }
)
_AWAY: Final = frozenset(
    {
        "ratelimited",
        "rate_limited",
        "internal_error",
        "fatal_error",
        "service_unavailable",
        "request_timeout",
        "team_added_to_org",
        "org_login_required",
    }
)
"""What Slack answers where trying again later is right."""


@dataclass(frozen=True)
class Keys:
    """The app's secrets: the bot's token, and the app token for Socket Mode or the secret that signs events."""

    bot_token: str = field(repr=False)
    app_token: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)


class Slack:
    """An app of one workspace. Slack repeats an event until it is acknowledged, which is done when it was handed in."""

    def __init__(self, keys: Keys, *, listen_on: tuple[str, int] | None = None, api_base: str = API) -> None:
        """`listen_on`: the host and port where signed events are taken; None: Socket Mode."""
        from slack_bolt.async_app import AsyncApp
        from slack_sdk.web.async_client import AsyncWebClient

        quiet = logging.getLogger("slack_bolt.arreio")
        self._keys, self._listen_on = keys, listen_on
        self._api = api_base.rstrip("/") + "/"
        self._client = AsyncWebClient(keys.bot_token, base_url=self._api, timeout=20, logger=quiet)
        self._app: AsyncApp = AsyncApp(
            client=self._client,
            # In Socket Mode nothing is signed; a secret that is empty would be looked for in the environment.
            signing_secret=keys.signing_secret or "unused",
            process_before_response=True,
            logger=quiet,
        )
        self._me = ""
        self._hand_in: HandIn | None = None
        # Events come at once; what was said first is handed in first.
        self._in_order = asyncio.Lock()
        self._app.event(re.compile(".*"))(self._on_event)

    async def begin(self) -> str:
        """See Platform."""
        with _told():
            known = await self._client.auth_test()
        self._me = str(known["user_id"])
        return f"@{known['user']} in {known['team']}"

    async def listen(self, hand_in: HandIn) -> None:
        """See Platform."""
        self._hand_in = hand_in
        await (self._by_socket() if self._listen_on is None else self._by_http(*self._listen_on))

    def parts(self, saying: Saying) -> Sequence[str]:
        """See Platform."""
        return split(mrkdwn(saying.text), LONGEST_TEXT)

    async def send(self, saying: Saying, number: int, text: str) -> None:
        """See Platform."""
        thread = saying.thread or thread_of(saying.reply_to or "")
        with _told():
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

    async def _on_event(self, body: dict[str, Any]) -> None:
        message = inbound(body, self._me)
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
            with _told():
                # Asked for here: the client would ask for ever with a token that is refused.
                handler.client.wss_uri = await handler.client.issue_new_wss_url()
                await handler.connect_async()  # type: ignore[no-untyped-call]
            # The client reconnects by itself, and for ever.
            await asyncio.Event().wait()
        finally:
            await handler.close_async()  # type: ignore[no-untyped-call]

    async def _by_http(self, host: str, port: int) -> None:
        from aiohttp import web

        runner = web.AppRunner(self._app.web_app(PATH), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            await asyncio.Event().wait()
        except OSError as error:
            raise ArreioError(f"{host}:{port} cannot be listened on: {error.strerror}", "choose another") from error
        finally:
            await runner.cleanup()

    async def _fetched(self, file: Mapping[str, Any]) -> Attachment | None:
        """A file's content; None where it is too large or not Slack's to give."""
        import httpx

        url = str(file.get("url_private_download") or file.get("url_private") or "")
        if int(file.get("size") or 0) > MAX_BYTES or not self._is_slacks(url):
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
            await asyncio.sleep(2.0**attempt)
        return None

    def _is_slacks(self, url: str) -> bool:
        """Whether the bot's token may be shown to an address: Slack's own, or the API's where that is another."""
        place, api = urlsplit(url), urlsplit(self._api)
        ours = place.scheme == "https" and (place.hostname or "").endswith(".slack.com")
        return ours or (place.scheme, place.netloc) == (api.scheme, api.netloc)


def _files(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list((body.get("event") or {}).get("files") or ())


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """What Slack refuses, in the words of a platform."""
    import aiohttp
    from slack_sdk.errors import SlackApiError, SlackClientError

    try:
        yield
    except SlackApiError as error:
        answer: Any = error.response
        code = str(answer.get("error") or answer.status_code)
        if code in _REFUSED:
            raise ArreioError(
                f"Slack refuses the app's token: {code}", "see the app's tokens at api.slack.com"
            ) from None
        if code in _AWAY or answer.status_code == 429 or answer.status_code >= 500:
            raise Away(code, _retry_after(answer.headers)) from None
        raise Undeliverable(code) from None
    except (SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
        raise Away(f"{type(error).__name__}: {error}") from None


def _retry_after(headers: Mapping[str, Any]) -> float | None:
    said = next((value for name, value in headers.items() if name.lower() == "retry-after"), None)
    value = said[0] if isinstance(said, list) and said else said
    return float(str(value)) if str(value).isdigit() else None
