"""Requests to Telegram whose answers are read one by one: an update that cannot be read takes nothing with it."""

from __future__ import annotations

import json
from typing import Any

from telegram import Update
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

from shared.telemetry import get_logger

log = get_logger(__name__)


class Requests(HTTPXRequest):
    """`HTTPXRequest` that logs nobody's words: the library would log an answer that it cannot read."""

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """See `BaseRequest.parse_json_payload`."""
        try:
            found = json.loads(payload.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise TelegramError("Invalid server response") from None
        return found


class UpdateRequests(Requests):
    """`Requests` for updates. One that the library cannot read comes as an update without a message, and is logged.

    So it is confirmed as any other. An update without a number, which nobody can confirm, is left out.
    """

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """See `BaseRequest.parse_json_payload`."""
        found = Requests.parse_json_payload(payload)
        if "result" not in found:
            return found
        updates = found["result"] if isinstance(found["result"], list) else [None]
        numbered = [one for one in updates if isinstance(one, dict) and type(one.get("update_id")) is int]
        if updates and not numbered:
            raise TelegramError("Invalid server response")
        return {**found, "result": [_readable(one) for one in numbered]}


def _readable(update: dict[str, Any]) -> dict[str, Any]:
    try:
        message = Update.de_json(update, None).message
        # The library takes a message that stands nowhere, and nothing can be made of it.
        _ = message.chat.id if message is not None else None
    except Exception as error:  # noqa: BLE001 - whatever the library raises means that it cannot read it
        number = update["update_id"]
        log.warning("a message that cannot be read is left out", update=number, why=type(error).__name__)
        return {"update_id": number}
    return update
