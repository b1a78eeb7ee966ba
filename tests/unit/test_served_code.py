"""Which older code a database still serves: what of a NATS user's rights counts as taken away."""

from __future__ import annotations

import pytest

from shared.served_code import PARTS, NatsRight, now_served, provisioned_for, takes_nats


def allowed(*patterns: str, user: str = "gateway", rule: str = "allow") -> set[NatsRight]:
    return {(user, "publish", rule, pattern) for pattern in patterns}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (allowed("a.b"), allowed("a.*")),
        (allowed("a.*"), allowed("a.>")),
        (allowed("a.>"), allowed(">")),
        (allowed("a.b.c"), allowed("a.*.c", "x")),
        (allowed("a", "b"), allowed("b", "a")),
        (set(), allowed("a")),
        (allowed("a"), allowed("a") | allowed("b", user="new") | allowed("c", user="new", rule="deny")),
        (allowed("a.*") | allowed("a.b", rule="deny"), allowed("a.*")),
    ],
)
def test_a_right_that_is_the_same_or_wider_is_kept(before: set[NatsRight], after: set[NatsRight]) -> None:
    assert not takes_nats(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (allowed("a.*"), allowed("a.b")),
        (allowed("a.>"), allowed("a.*")),
        (allowed("a.>"), allowed("a")),
        (allowed("a.b"), allowed("a")),
        (allowed("a"), allowed("a.>")),
        (allowed("a.b"), allowed("a.b.>")),
        (allowed("a"), allowed("a", user="learning")),
        (allowed("a"), {("gateway", "subscribe", "allow", "a")}),
        (allowed("a.*"), allowed("a.*") | allowed("a.b", rule="deny")),
        (allowed("a"), set()),
    ],
)
def test_a_right_that_is_gone_narrower_or_denied_is_taken(before: set[NatsRight], after: set[NatsRight]) -> None:
    assert takes_nats(before, after)


def test_a_provisioning_that_did_not_end_is_nobodys_but_those_whom_it_serves() -> None:
    old, new = (dict.fromkeys(PARTS, text) for text in ("old", "new"))
    halfway = dict.fromkeys(now_served(old, new, broken=False), "")
    assert provisioned_for(halfway, old) and not provisioned_for(halfway, new)
    ended = {**dict.fromkeys(now_served(halfway, new, broken=False), ""), **new}
    assert provisioned_for(ended, old) and provisioned_for(ended, new)
    broken = dict.fromkeys(now_served(old, new, broken=True), "")
    ended = {**dict.fromkeys(now_served(broken, new, broken=False), ""), **new}
    assert not provisioned_for(ended, old) and provisioned_for(ended, new)
