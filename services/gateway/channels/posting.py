"""Posts one reply to a channel's URL: signed, to an address that is allowed, and without following anything."""

import asyncio
import ipaddress
import socket
import time
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import SplitResult, urlsplit

import httpx

from .addresses import allowed, url_problem
from .webhook import signature

SECONDS: Final = 15.0
"""How long one post may take."""
_GONE: Final = 410


@dataclass(frozen=True)
class Post:
    """A reply and where it goes. Neither URL nor secret is ever shown: both may open something."""

    message_id: str
    body: bytes
    url: str = field(repr=False)
    secret: str = field(repr=False)
    private: bool = False


class NotPosted(Exception):
    """A reply that was not taken. `final`: trying again is of no use; `after`: seconds that the receiver asks for."""

    def __init__(self, why: str, *, final: bool = False, after: float | None = None) -> None:
        super().__init__(why)
        self.final = final
        self.after = after


async def post(client: httpx.AsyncClient, reply: Post) -> None:
    """Post a reply; it is taken when the receiver answers with 2xx.

    Raises:
        NotPosted: it was not.
    """
    problem = url_problem(reply.url, private=reply.private)
    if problem is not None:
        raise NotPosted(f"the reply URL {problem}", final=True)
    timestamp = int(time.time())
    try:
        async with asyncio.timeout(SECONDS):
            parts = urlsplit(reply.url)
            host, address = parts.hostname or "", await _address(parts, private=reply.private)
            netloc = f"[{address}]" if ":" in address else address
            url = parts._replace(netloc=f"{netloc}:{parts.port}" if parts.port else netloc).geturl()
            headers = {
                "Host": parts.netloc,
                "Content-Type": "application/json",
                "User-Agent": "arreio",
                "webhook-id": reply.message_id,
                "webhook-timestamp": str(timestamp),
                "webhook-signature": signature(reply.secret, reply.message_id, timestamp, reply.body),
            }
            request = client.build_request(
                "POST", url, content=reply.body, headers=headers, extensions={"sni_hostname": host}
            )
            answer = await client.send(request, stream=True, follow_redirects=False)
            await answer.aclose()
    except TimeoutError as error:
        raise NotPosted(f"no answer within {SECONDS:g} seconds") from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise NotPosted(f"it cannot be reached: {type(error).__name__}") from error
    if not answer.is_success:
        raise NotPosted(f"it answered {answer.status_code}", final=answer.status_code == _GONE, after=_after(answer))


def new_client() -> httpx.AsyncClient:
    """A client that goes straight to the address: a proxy of the environment would look it up by itself."""
    return httpx.AsyncClient(trust_env=False, timeout=SECONDS, limits=httpx.Limits(max_keepalive_connections=0))


async def _address(parts: SplitResult, *, private: bool) -> str:
    """The first address of the host, provided that all are allowed: which one is taken is not ours to choose."""
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotPosted("its host has no address") from error
    addresses = [str(one[4][0]).partition("%")[0] for one in found]
    if not addresses:
        raise NotPosted("its host has no address")
    if not all(allowed(ipaddress.ip_address(one), private=private) for one in addresses):
        raise NotPosted("its host has an address that replies may not be posted to")
    return addresses[0]


def _after(answer: httpx.Response) -> float | None:
    said = answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdigit() and len(said) < 6 else None
