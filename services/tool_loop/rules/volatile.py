"""The arguments of a call that are made anew for each and say nothing: request ids, nonces, times, cache busters.

A call without them is the same call for the rules against loops alone: what is refused, and what is kept as an effect,
goes by the whole of it (`fingerprint.py`), in which digits are identity.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from . import tool_kinds

_NAMES: Final = frozenset(
    ["nonce", "idempotencykey", "cachebust", "cachebuster", "cachekey", "_", "rand", "random", "salt", "clienttoken"]
)
_IDS: Final = frozenset(
    ["requestid", "reqid", "traceid", "correlationid", "spanid", "callid", "invocationid", "messageuuid", "uuid"]
)
_TIMES: Final = frozenset(["ts", "timestamp", "now", "requesttime", "requestedat", "sentat", "t"])
_RANDOM = re.compile(r"(?=\D*\d)[\w-]{8,}")
_TIME = re.compile(r"\d{10}(?:\d{3})?(?:\.\d+)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
_IN_URL = re.compile(
    r"(?<=[?&])(?:_|ts?|cb|cachebust(?:er)?|nonce|rand|rnd|random|nocache)=(?:\d{6,}[.\d]*|\$\([^)]*\)|\$\w+|[0-9a-f-]{8,})",
    re.IGNORECASE,
)
_SCRATCH = re.compile(r"(?<=/tmp/)[\w.-]*?(?=[a-z]*\d)(?=[0-9]*[a-f])[0-9a-f]{6,}(?=[.\s'\"]|\Z)")
_MOST_CHARS: Final = 2000
_NEAR: Final = 16
"""Pixels between which a click does not tell one place from another."""
_PLACES: Final = frozenset(["coordinate", "x", "y", "coordinates", "position"])


def without_volatile(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments without what is made anew each time, and with clicks by their rough place; None: no such thing."""
    looks = tool_kinds.probes(tool, arguments, None)
    kept: dict[str, Any] = {}
    moves = tool_kinds.moves(tool, arguments)
    found = False
    for name, value in arguments.items():
        if _is_volatile(name, value, looks=looks) and len(arguments) > 1:
            found = True
            continue
        kept[name] = _rough(value) if moves and name in _PLACES else _steady(value)
        found = found or kept[name] is not value
    return kept if found else None


def _is_volatile(name: str, value: Any, *, looks: bool) -> bool:
    plain = name.lower().replace("_", "").replace("-", "") or "_"
    if plain in _NAMES:
        return True
    text = str(value) if isinstance(value, str | int | float) else ""
    return (looks and plain in _IDS and bool(_RANDOM.fullmatch(text))) or (
        plain in _TIMES and bool(_TIME.fullmatch(text))
    )


def _steady(value: Any) -> Any:
    if not isinstance(value, str) or len(value) > _MOST_CHARS:
        return value
    steady = _SCRATCH.sub("#", _IN_URL.sub("#", value))
    return steady if steady != value else value


def _rough(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_rough(one) for one in value]
    return round(value / _NEAR) if isinstance(value, int | float) else value
