"""Telegram's Bot API as far as an adapter uses it: updates that are kept until a later one is asked for, and sends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.support.stand_in import StandIn

TOKEN = "123456:stand-in-token"
ME = {"id": 123456, "is_bot": True, "first_name": "Helper", "username": "helper_bot"}


class TelegramServer(StandIn):
    """`sent` holds what was taken. `answers` are (status, body) for the next sends; None: taken, but never answered.

    While `forgetful`, no update is confirmed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []
        self.refused = 0
        self.answers: list[tuple[int, Mapping[str, Any]] | None] = []
        self.files: dict[str, bytes] = {}
        self.forgetful = False
        self.given_out: set[int] = set()
        self._updates: list[dict[str, Any]] = []
        self._next = 1

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/bot{token}/{method}", self._call),
            web.get("/file/bot{token}/{name}", self._file),
        ]

    def say(
        self, text: str | None = None, *, sender: int = 7, chat: Mapping[str, Any] | None = None, **more: Any
    ) -> int:
        """Somebody says something; returns the message's number."""
        number = self._next
        self._next += 1
        person = {"id": sender, "is_bot": False, "first_name": "Ana"}
        private = {"id": sender, "type": "private", "first_name": "Ana"}
        message = {"message_id": number, "date": 1_760_000_000, "chat": chat or private, "from": person, **more}
        if text is not None:
            message["text"] = text
        self.note(lambda: self._updates.append({"update_id": number, "message": message}))
        return number

    def pending(self) -> list[int]:
        """The numbers of the updates that nobody has confirmed."""
        return [one["update_id"] for one in self._updates]

    def texts(self) -> list[str]:
        """What was said, in order."""
        return [str(one["text"]) for one in self.sent]

    async def _call(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != TOKEN:
            return _refused(401, "Unauthorized")
        asked = {name: _value(str(value)) for name, value in (await request.post()).items()}
        match request.match_info["method"].lower():
            case "getme":
                return _good(ME)
            case "getupdates":
                return _good(await self._pending(asked))
            case "getfile":
                return self._named(str(asked["file_id"]))
            case "sendmessage":
                return await self._send(asked)
        return _refused(404, "Not Found")

    async def _pending(self, asked: Mapping[str, Any]) -> list[dict[str, Any]]:
        offset = asked.get("offset")
        for _ in range(max(int(asked.get("timeout") or 0) * 50, 1)):
            with self.changed:
                if offset is not None and not self.forgetful:
                    self._updates = [one for one in self._updates if one["update_id"] >= offset]
                if new := [one for one in self._updates if one["update_id"] >= (offset or 0)]:
                    self.given_out.update(one["update_id"] for one in new)
                    return new
            await asyncio.sleep(0.02)
        return []

    async def _send(self, asked: dict[str, Any]) -> web.StreamResponse:
        if len(str(asked.get("text", "")).encode("utf-16-le")) // 2 > 4096:
            return _refused(400, "Bad Request: message is too long")
        answer = self.answers.pop(0) if self.answers else (200, {})
        if answer is not None and answer[0] != 200:
            self.note(lambda: setattr(self, "refused", self.refused + 1))
            return web.json_response({"ok": False, "error_code": answer[0], **answer[1]}, status=answer[0])
        self.note(lambda: self.sent.append(asked))
        if answer is None:
            await asyncio.sleep(60)
        chat = {"id": int(asked["chat_id"]), "type": "private"}
        return _good({"message_id": 1000 + len(self.sent), "date": 1_760_000_000, "chat": chat, "text": asked["text"]})

    def _named(self, name: str) -> web.StreamResponse:
        if name not in self.files:
            return _refused(400, "Bad Request: wrong file_id")
        found = {"file_id": name, "file_unique_id": name, "file_size": len(self.files[name]), "file_path": name}
        return _good(found)

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return web.Response(body=self.files[request.match_info["name"]])


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _good(result: Any) -> web.StreamResponse:
    return web.json_response({"ok": True, "result": result})


def _refused(status: int, description: str) -> web.StreamResponse:
    return web.json_response({"ok": False, "error_code": status, "description": description}, status=status)
