"""Where replies may be posted, and how often progress is said."""

import ipaddress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.channels.addresses import allowed, url_problem
from services.gateway.progress import Throttle, progress_text

NEVER = ["169.254.169.254", "fe80::1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "0.0.0.0", "::", "224.0.0.1"]
NEAR = ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "fd00::1"]
NEAR += ["2002:7f00:1::", "64:ff9b::7f00:1"]
FAR = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]


@pytest.mark.parametrize("text", NEVER)
def test_addresses_of_links_and_of_many_are_never_posted_to(text: str) -> None:
    assert not any(allowed(ipaddress.ip_address(text), private=private) for private in (False, True))


@pytest.mark.parametrize("text", NEAR)
def test_this_machine_and_private_networks_only_where_that_is_configured(text: str) -> None:
    assert [allowed(ipaddress.ip_address(text), private=private) for private in (False, True)] == [False, True]


@pytest.mark.parametrize("text", FAR)
def test_the_world_may_be_posted_to(text: str) -> None:
    assert allowed(ipaddress.ip_address(text), private=False)


@given(st.ip_addresses())
def test_what_is_allowed_at_all_is_the_worlds_unless_configured(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if allowed(address, private=False):
        assert address.is_global and not address.is_loopback and allowed(address, private=True)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org", "https://", "//example.org", "https://me:pw@example.org/", "https://example.org/#x",
        "https://127.0.0.1/", "https://[::1]/", "https://169.254.169.254/latest", "http://example.org/",
        "https://exa mple.org/", "https://example.org/\n", "https://example.org:0/", "https://example.org:99999/",
        "https://[", "https://example.org/" + "x" * 3000,
    ],
)  # fmt: skip
def test_a_url_that_cannot_be_used_is_refused_without_being_repeated(url: str) -> None:
    problem = url_problem(url, private=False)
    assert problem is not None and "example" not in problem and "pw" not in problem


def test_a_url_near_by_needs_to_be_configured() -> None:
    assert url_problem("https://example.org/hook?token=x", private=False) is None
    assert url_problem("http://127.0.0.1:8080/hook", private=True) is None
    assert url_problem("http://169.254.169.254/", private=True) is not None


@given(st.lists(st.floats(0, 30), max_size=60), st.floats(1, 60))
def test_progress_is_never_said_twice_within_its_period_nor_before_the_first(pauses: list[float], every: float) -> None:
    throttle, now, said = Throttle(), 100.0, []
    began = now
    for pause in pauses:
        now += pause
        if throttle.period("t", age=now - began, every=every, now=now) is not None:
            said.append(now)
    assert all(later - earlier >= every for earlier, later in pairwise(said))
    assert not said or said[0] - began >= every * (1 - 1e-9)
    if now - began >= 2 * every and pauses and max(pauses) < every:
        assert said


def test_progress_is_told_in_whole_words() -> None:
    assert progress_text(1, 0) == "Still at work: 1 step, 0 calls of tools."
    assert progress_text(12, 1) == "Still at work: 12 steps, 1 call of tools."
