"""What can go wrong between the tool-loop and a model, and nothing of it tells a secret.

ArreioError
├── ProviderError          a request that got no reply; its `kind` is what `model.failed` records
│   └── LocalModelError    a `local/` model that cannot be served here
└── CapabilityError        a capability profile that is unknown, or a file of profiles that cannot be read
"""

import re
from collections.abc import Iterable
from typing import Final, Literal

from shared.errors import ArreioError
from shared.secrets import MASK, mask
from shared.telemetry import mask_passwords

from .replies import whole

FailureKind = Literal[
    "rate_limit",
    "timeout",
    "unavailable",
    "auth",
    "context_overflow",
    "bad_request",
    "unknown_model",
    "missing_key",
]
"""Why a request got no reply. The first three may pass by themselves; a context overflow by a shorter prompt."""

Lacking = Literal["tools", "response_format"]
"""What a provider may refuse since the model, or its server, cannot do it."""

MESSAGE_LIMIT: Final = 600
"""Characters of a provider's message that are kept."""

_SHORTEST_SECRET: Final = 4
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{6,}")
_KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|xai|gsk|hf|ghp|ghs|AIza|AKIA)[-_A-Za-z0-9*]{12,}")
_QUERY = re.compile(r"(?i)([?&](?:api[-_]?key|key|token|access_token|sig)=)[^&\s\"']+")


class ProviderError(ArreioError):
    """A request that got no reply.

    `kind` says why, `retry_after` how many seconds the provider wants to be left alone (None: it did not say), `lacks`
    what the model cannot do, where it was refused for that.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        *,
        hint: str = "",
        retry_after: float | None = None,
        lacks: Lacking | None = None,
    ) -> None:
        super().__init__(masked(message), hint)
        self.kind: FailureKind = kind
        self.retry_after = retry_after
        self.lacks: Lacking | None = lacks


class LocalModelError(ProviderError):
    """A model of this machine that cannot be served: no such file, the extra is not installed, its server died."""


class CapabilityError(ArreioError):
    """A capability profile that does not exist, or a file of profiles that does not fit."""


def masked(text: str, secrets: Iterable[str] = ()) -> str:
    """A provider's message in one line of bounded length, without anything that looks like or is a secret.

    Secrets are those given, what this process knows as such, and the common shapes of keys.
    """
    text = whole(text)
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, MASK)
    text = mask_passwords(mask(text))
    text = _BEARER.sub(rf"\1 {MASK}", text)
    text = _QUERY.sub(rf"\1{MASK}", text)
    text = " ".join(_KEY_LIKE.sub(MASK, text).split())
    return text if len(text) <= MESSAGE_LIMIT else text[: MESSAGE_LIMIT - 1] + "…"
