"""To which addresses replies may be posted, so that no channel makes the gateway speak to what is private. Pure."""

import ipaddress
from typing import Final
from urllib.parse import urlsplit

_LONGEST: Final = 2048
_NAT64: Final = ipaddress.ip_network("64:ff9b::/96")
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def url_problem(url: str, *, private: bool) -> str | None:
    """What is wrong with a URL, without repeating it, since it may hold a token; None: it can be used."""
    if len(url) > _LONGEST or not url.isascii() or not url.isprintable() or " " in url:
        return "is too long, or holds what no URL can"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "cannot be read"
    if parts.scheme not in ("https", "http") or not host or port == 0:
        return "is no http or https URL"
    if "@" in parts.netloc or parts.fragment:
        return "has a user, a password or a fragment in it"
    if parts.scheme == "http" and not private:
        return "is not https"
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return None
    return None if allowed(literal, private=private) else "is an address that replies may not be posted to"


def allowed(address: Address, *, private: bool) -> bool:
    """Whether a reply may be sent to an address: the world's; `private`: this machine's and private networks' too.

    Addresses of links, in which clouds tell their machines secrets, never are.
    """
    address = _meant(address)
    if address.is_link_local or address.is_multicast or address.is_unspecified:
        return False
    if address.is_loopback or (address.is_private and not address.is_reserved):
        return private
    return address.is_global


def _meant(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        return inner or address
    return address
