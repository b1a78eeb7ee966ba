"""What a provider's refusal means for a task: its kind, in the provider's own words, and how long to leave it alone."""

import contextlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from shared.patterns import behind

from .errors import FailureKind, Lacking, ProviderError, masked

SAMPLING: Final = ("temperature", "seed", "parallel_tool_calls")
"""What a model may do without when it refuses it; tools and response formats are never left out."""

_UNSUPPORTED = re.compile(r"(?i)unsupported|not support|unrecognized|unexpected|does not allow|deprecated")
_OVERFLOW = re.compile(r"(?i)context[ _](length|window|size)|maximum context|too many tokens|prompt is too long")
_UNKNOWN_MODEL = re.compile(
    r"(?i)provider not provided|model[ _]?not[ _]?found|invalid model|" + behind("model ", "does not exist")
)
_MISSING_KEY = re.compile(
    r"(?i)unable to locate credentials|"
    + behind("missing ", "api key|credentials")
    + "|"
    + behind("api_key", "must be set")
)
_NO_CREDIT = re.compile(r"(?i)insufficient[_ ]quota|exceeded your current quota")
_REFUSED: Final[Mapping[Lacking, re.Pattern[str]]] = {
    "tools": re.compile(
        r"(?i)(?:not support|unsupported|endpoints found that support|not allow)[^.]{0,60}\b(?:tools?|functions?)\b"
        r"|\b(?:tools?|functions?)\b[^.]{0,60}(?:not support|unsupported|requires? --|not enabled|not allowed)"
    ),
    "response_format": re.compile(
        r"(?i)(?:not support|unsupported|unrecognized|unknown)[^.]{0,60}(?:response_format|json_schema|structured out)"
        r"|(?:response_format|json_schema|structured outputs?)[^.]{0,60}(?:not support|unsupported|unavailable|not all)"
    ),
}
"""How providers and servers say that a model has no tools, or that its replies cannot be constrained."""
_OTHER_MODE: Final = "name a capability profile with another tool_call_mode (--capability)"

_NOISE = re.compile(r"^(?:litellm\.\w+: |\w*(?:Error|Exception)(?::| -) |\w+Exception \w+ - )+")
_SSL_CONTEXT = re.compile(r" ssl:<[^>]*>")


class SamplingRefused(ProviderError):
    """The model takes no `temperature`, `seed` or the like."""


def failure(error: Exception, arguments: Mapping[str, Any], secrets: Sequence[str]) -> ProviderError:
    """The failure that an exception of litellm is; `arguments` are what it was called with. No secret is in it."""
    message = masked(_message(error), secrets)
    lacks = _lacking(message, arguments)
    if lacks is not None:
        return ProviderError("bad_request", message, hint=_OTHER_MODE, lacks=lacks)
    kind = _kind(error, message)
    sampling = [name for name in SAMPLING if name in arguments]
    if kind == "bad_request" and _UNSUPPORTED.search(message) and any(name in message for name in sampling):
        return SamplingRefused(kind, message)
    return ProviderError(kind, message, hint=_HINTS.get(kind, ""), retry_after=_retry_after(error))


_HINTS: Final[Mapping[FailureKind, str]] = {
    "unknown_model": "see which models the provider serves",
    "auth": "give the services a valid API key",
    "missing_key": "set the provider's API key",
}


def _lacking(message: str, arguments: Mapping[str, Any]) -> Lacking | None:
    """What of a request the model, or its server, says that it cannot do."""
    return next((what for what, said in _REFUSED.items() if what in arguments and said.search(message)), None)


def _kind(error: Exception, message: str) -> FailureKind:
    """What a failure means for the task, by the class that litellm gave it and, where that says little, its status."""
    names = {kind.__name__ for kind in type(error).__mro__}
    status = getattr(error, "status_code", None)
    if "ContextWindowExceededError" in names:
        return "context_overflow"
    if _MISSING_KEY.search(message):
        return "missing_key"
    if "Timeout" in names or status in (408, 504):
        return "timeout"
    if status in (401, 403):
        return "auth"
    if _UNKNOWN_MODEL.search(message) or status == 404:
        return "unknown_model"
    if status == 429:
        return "bad_request" if _NO_CREDIT.search(message) else "rate_limit"
    if isinstance(status, int) and 400 <= status < 500:
        return "context_overflow" if status in (400, 413) and _OVERFLOW.search(message) else "bad_request"
    return "unavailable"


def _message(error: Exception) -> str:
    """The provider's own words: without litellm's prefixes, tracebacks and the JSON around them."""
    text = str(getattr(error, "message", "") or error).split("Traceback (most recent call last)")[0]
    text = _NOISE.sub("", text.strip())
    start = text.find("{")
    if start >= 0:
        with contextlib.suppress(ValueError):
            body, _ = json.JSONDecoder().raw_decode(text, start)
            said = body.get("error", body) if isinstance(body, dict) else body
            said = said.get("message") if isinstance(said, dict) else said
            if isinstance(said, str) and said.strip():
                text = text[:start] + said
    return _SSL_CONTEXT.sub("", text).strip() or type(error).__name__


def _retry_after(error: Exception) -> float | None:
    """The seconds that the provider asks for, in either of the places where litellm leaves its headers."""
    response = getattr(error, "response", None)
    for headers in (getattr(error, "litellm_response_headers", None), getattr(response, "headers", None)):
        wish = headers.get("retry-after") if headers else None
        if isinstance(wish, str):
            return _seconds(wish)
    return None


def _seconds(wish: str) -> float | None:
    """A Retry-After header: seconds, or the date until when to wait."""
    with contextlib.suppress(ValueError):
        seconds = float(wish)
        return seconds if math.isfinite(seconds) and seconds >= 0 else None
    with contextlib.suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(wish) - datetime.now(UTC)).total_seconds())
    return None
