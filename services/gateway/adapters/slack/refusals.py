"""What Slack's API refuses, in the words of a platform."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from shared.errors import ArreioError

from ..platform import Away, Undeliverable

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


@contextlib.contextmanager
def told() -> Iterator[None]:
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
        never_sent = isinstance(error, aiohttp.ClientConnectorError | aiohttp.ConnectionTimeoutError)
        raise Away(f"{type(error).__name__}: {error}", unknown=not never_sent) from None


def _retry_after(headers: Mapping[str, Any]) -> float | None:
    said = next((value for name, value in headers.items() if name.lower() == "retry-after"), None)
    value = said[0] if isinstance(said, list) and said else said
    text = str(value)
    return float(text) if text.isascii() and text.isdigit() else None
