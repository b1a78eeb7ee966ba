"""What a connection over a network is opened with, so that one that was silently cut off is noticed on both sides.

A network that loses every packet tells nobody: without this, a client waits for its answer for a quarter of an hour or
for ever, and a server keeps the locks of a client that is gone for two hours.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote, urlsplit, urlunsplit

PROBES = 2
"""Unanswered probes after which the other side counts as gone."""


def guarded(url: str, seconds: float) -> str:
    """A PostgreSQL URL whose connections end, on both sides, once the other one has been silent for so long.

    What is silent is first asked whether it is there. What the URL itself says about this stays.
    """
    idle, interval = _keepalives(seconds)
    ours = {
        "keepalives": 1,
        "keepalives_idle": idle,
        "keepalives_interval": interval,
        "keepalives_count": PROBES,
        "tcp_user_timeout": _milliseconds(seconds),
    }
    parts = urlsplit(url)
    pairs = [pair for pair in parts.query.split("&") if pair]
    given = {pair.partition("=")[0] for pair in pairs}
    pairs += [f"{name}={value}" for name, value in ours.items() if name not in given]
    return with_options(urlunsplit(parts._replace(query="&".join(pairs))), _server_options(seconds), first=True)


def with_options(url: str, options: str, *, first: bool = False) -> str:
    """A PostgreSQL URL with more settings of the server's side; `first`: those of the URL win over them."""
    parts = urlsplit(url)
    pairs = [pair for pair in parts.query.split("&") if pair]
    known = [unquote(pair.partition("=")[2]) for pair in pairs if pair.startswith("options=")]
    others = [pair for pair in pairs if not pair.startswith("options=")]
    together = " ".join([options, *known] if first else [*known, options])
    return urlunsplit(parts._replace(query="&".join([*others, f"options={quote(together)}"])))


def nats_pings(seconds: float) -> Mapping[str, float | int]:
    """Arguments of `nats.connect`: a server that answers no ping for so long is left, and looked for again."""
    return {"ping_interval": seconds / (PROBES + 1), "max_outstanding_pings": PROBES}


def _server_options(seconds: float) -> str:
    idle, interval = _keepalives(seconds)
    ours = {
        "tcp_keepalives_idle": idle,
        "tcp_keepalives_interval": interval,
        "tcp_keepalives_count": PROBES,
        "tcp_user_timeout": _milliseconds(seconds),
    }
    return " ".join(f"-c {name}={value}" for name, value in ours.items())


def _keepalives(seconds: float) -> tuple[int, int]:
    """Seconds of silence before the first probe, and between two."""
    return max(1, int(seconds / 2)), max(1, int(seconds / 2 / PROBES))


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
