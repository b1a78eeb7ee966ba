"""Slack's Web API, Socket Mode and Events API as far as an adapter uses them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from aiohttp import WSMsgType, web

from tests.support.stand_in import StandIn

BOT_TOKEN, APP_TOKEN, SIGNING_SECRET = "xoxb-stand-in", "xapp-stand-in", "signing-stand-in"
ME, TEAM = "UBOT", "T1"


class SlackServer(StandIn):
    """`sent` holds what was posted. `answers` are (status, headers, body) for the next posts; None: taken, no answer.

    An event is sent again until it is acknowledged, on every new socket too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []
        self.refused = 0
        self.answers: list[tuple[int, Mapping[str, str], Mapping[str, Any]] | None] = []
        self.files: dict[str, bytes] = {}
        self.acknowledged: list[str] = []
        self._waiting: dict[str, dict[str, Any]] = {}
        self._sockets: list[web.WebSocketResponse] = []
        self._next = 1

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/api/{method}", self._call),
            web.get("/socket", self._socket),
            web.get("/files/{name}", self._file),
        ]

    @property
    def api(self) -> str:
        """What to give as `--api-base`."""
        return f"{self.url}/api/"

    def event(self, text: str, *, channel: str = "D1", user: str | None = "U7", **more: Any) -> dict[str, Any]:
        """The body of an event: somebody says something."""
        ts = more.pop("ts", f"1700000000.{self._next:06d}")
        self._next += 1
        kind = "im" if channel.startswith("D") else "channel"
        said = {
            "type": "message",
            "channel": channel,
            "channel_type": kind,
            "user": user,
            "text": text,
            "ts": ts,
            **more,
        }
        return {
            "type": "event_callback",
            "team_id": TEAM,
            "api_app_id": "A1",
            "event_id": f"E{self._next}",
            "event": said,
        }

    def say(self, text: str, **more: Any) -> str:
        """Somebody says something; Socket Mode tells it. Returns its `ts`."""
        body = self.event(text, **more)
        self.tell(body)
        return str(body["event"]["ts"])

    def tell(self, body: Mapping[str, Any]) -> str:
        """Send an event by Socket Mode; returns the envelope's id."""
        self._next += 1
        name = f"envelope-{self._next}"
        envelope = {"envelope_id": name, "type": "events_api", "accepts_response_payload": False, "payload": body}
        self._waiting[name] = envelope
        self.do(self._send_out(envelope))
        return name

    def texts(self) -> list[str]:
        """What was posted, in order."""
        return [str(one["text"]) for one in self.sent]

    async def _send_out(self, envelope: Mapping[str, Any]) -> None:
        for socket in list(self._sockets):
            with suppress(ConnectionResetError):  # a client that has just died; the envelope waits for the next one
                await socket.send_json(envelope)

    async def _call(self, request: web.Request) -> web.StreamResponse:
        asked: dict[str, Any] = dict(await request.post()) or (await request.json() if request.can_read_body else {})
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        method = request.match_info["method"]
        if token != (APP_TOKEN if method == "apps.connections.open" else BOT_TOKEN):
            return web.json_response({"ok": False, "error": "invalid_auth"})
        match method:
            case "auth.test":
                who = {
                    "user_id": ME,
                    "user": "helper",
                    "team": "Team",
                    "team_id": TEAM,
                    "bot_id": "B1",
                    "url": self.url,
                }
                return web.json_response({"ok": True, **who}, headers={"x-oauth-scopes": "chat:write"})
            case "apps.connections.open":
                return web.json_response({"ok": True, "url": self.url.replace("http", "ws") + "/socket"})
            case "chat.postMessage":
                return await self._post(asked)
        return web.json_response({"ok": False, "error": "unknown_method"})

    async def _post(self, asked: dict[str, Any]) -> web.StreamResponse:
        answer = self.answers.pop(0) if self.answers else (200, {}, {"ok": True})
        if answer is not None and not answer[2].get("ok"):
            self.note(lambda: setattr(self, "refused", self.refused + 1))
            return web.json_response(answer[2], status=answer[0], headers=answer[1])
        self.note(lambda: self.sent.append(asked))
        if answer is None:
            await asyncio.sleep(60)
        return web.json_response({"ok": True, "channel": asked["channel"], "ts": "1.1"})

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"type": "hello"})
        for envelope in list(self._waiting.values()):
            await socket.send_json({**envelope, "retry_attempt": 1, "retry_reason": "timeout"})
        self._sockets.append(socket)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT and (name := json.loads(message.data).get("envelope_id")):
                    self._waiting.pop(name, None)
                    self.note(lambda name=name: self.acknowledged.append(name))  # type: ignore[misc]
        finally:
            self._sockets.remove(socket)
        return socket

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {BOT_TOKEN}":
            raise web.HTTPForbidden
        return web.Response(body=self.files[request.match_info["name"]])

    async def _close(self) -> None:
        for socket in list(self._sockets):
            await socket.close()
        await super()._close()


def post_signed(url: str, body: Mapping[str, Any], *, secret: str = SIGNING_SECRET, **headers: str) -> int:
    """Post an event as Slack signs it; the status of the answer."""
    return post_raw(url, json.dumps(body).encode(), secret=secret, **headers)


def post_raw(url: str, raw: bytes, *, secret: str = SIGNING_SECRET, **headers: str) -> int:
    """Post bytes as Slack signs them; the status of the answer."""
    now = str(int(time.time()))
    mac = hmac.new(secret.encode(), f"v0:{now}:".encode() + raw, hashlib.sha256).hexdigest()
    signed = {"X-Slack-Request-Timestamp": now, "X-Slack-Signature": f"v0={mac}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, raw, {**signed, **headers})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return int(refused.code)
