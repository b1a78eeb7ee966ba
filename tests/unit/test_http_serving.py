"""An HTTP server of a service believes what a proxy says of others only where that proxy is named."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import httpx
import pytest

from shared import http_serving
from shared.http_serving import quiet_server


@pytest.mark.parametrize(
    ("proxies", "believed"),
    [(None, False), ("", False), ("127.0.0.1", True), ("10.0.0.0/8", False), ("10.0.0.0/8, 127.0.0.1", True)],
)
async def test_forwarded_addresses_are_believed_of_named_proxies_alone(
    proxies: str | None, believed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if proxies is not None:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxies)
    seen: list[tuple[str, str]] = []

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        seen.append((scope["client"][0], scope["scheme"]))

    config = quiet_server(app).config
    config.load()
    headers = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-proto", b"https")]
    scope = {"type": "http", "client": ("127.0.0.1", 5), "scheme": "http", "headers": headers}
    await config.loaded_app(scope, None, None)
    assert seen == [("203.0.113.9", "https") if believed else ("127.0.0.1", "http")]


async def _answer(send: Any, kind: bytes) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", kind)]})
    await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})


async def test_a_server_that_is_stopped_answers_everybody_and_logs_no_failure(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(http_serving, "LAST_ANSWERS", 0)
    asked = {"/stream": asyncio.Event(), "/waits": asyncio.Event()}

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["path"] == "/stream":
            await _answer(send, b"text/event-stream")
        asked[scope["path"]].set()
        await asyncio.Event().wait()

    listening = http_serving.listen("127.0.0.1", 0, what="a test", variable="NONE")
    server = quiet_server(app)
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    async with httpx.AsyncClient(base_url=http_serving.url_of(listening), timeout=60) as client:
        answers = [asyncio.create_task(client.get(path)) for path in asked]
        for one in asked.values():
            await one.wait()
        server.should_exit = True
        stream, waiting = await asyncio.gather(*answers)
    await serving
    assert (stream.status_code, stream.text) == (200, ": open\n\n")
    assert waiting.status_code == 503 and waiting.headers["retry-after"]
    assert [one.message for one in caplog.records if one.levelno >= logging.WARNING] == []
