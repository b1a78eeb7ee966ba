"""An HTTP server of a service believes what a proxy says of others only where that proxy is named."""

from __future__ import annotations

from typing import Any

import pytest

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
