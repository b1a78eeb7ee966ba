"""What an adapter's options and secrets must look like, told at once: a slip would otherwise be tried for ever."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from urllib.parse import SplitResult, urlsplit

from shared.errors import ArreioError

HTTP: Final = ("http", "https")
NATS: Final = ("nats", "tls", "ws", "wss")


def http_address(option: str, url: str) -> str:
    """The address, which has a scheme of HTTP's and a host.

    Raises:
        ArreioError: it has not.
    """
    if _place(url, HTTP) is None:
        raise ArreioError(f"{option} {url}: that is no address of HTTP", "name one, as in https://api.example.org")
    return url


def nats_addresses(option: str, urls: str) -> tuple[str, ...]:
    """The addresses of NATS servers that a comma stands between; a host alone is one too. Without users.

    Raises:
        ArreioError: one of them is none.
    """
    found = []
    for url in filter(None, (one.strip() for one in urls.split(","))):
        place = _place(url if "://" in url else f"nats://{url}", NATS)
        if place is None or place.path.strip("/"):
            raise ArreioError(
                f"{option} {_without_user(url)}: that is no address of NATS", "name one, as nats://HOST:4222"
            )
        found.append(place._replace(netloc=_without_user(place.netloc)).geturl())
    if not found:
        raise ArreioError(f"{option} names no address of NATS", "name one, as nats://HOST:4222")
    return tuple(found)


def token(variable: str, held: str) -> str:
    """A token as platforms give them: printable ASCII without blanks, since it goes into a header or an address.

    Raises:
        ArreioError: it is none; what was held is not repeated.
    """
    if not held.isascii() or not held.isprintable() or " " in held:
        raise ArreioError(f"what {variable} holds is no token", "copy it again: letters, digits and signs on one line")
    return held


def _place(url: str, schemes: Collection[str]) -> SplitResult | None:
    if not url.isprintable() or any(one.isspace() for one in url):
        return None
    try:
        place = urlsplit(url)
        fits = place.scheme in schemes and bool(place.hostname) and place.port != 0
    except ValueError:  # a port that is none, or brackets that do not close
        return None
    return place if fits else None


def _without_user(place: str) -> str:
    return place.rpartition("@")[2]
