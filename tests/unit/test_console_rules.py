"""The console's rules: passwords, cookies, tries to sign in, lines of the timeline, and text of others on a page."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import EVENTS
from hypothesis import given
from hypothesis import strategies as st

from services.console import cookies
from services.console.login_limits import PER_ADDRESS, PER_NAME, WINDOW, LoginLimits
from services.console.pages.account import HOME, _inside
from services.console.passwords import BadPassword, is_password, new_password, password_hash
from services.console.rendering import _ago, _clock, _lasted, fragment
from services.console.timeline import GROUPS, line_of
from tests.support.histories import NAMES, history

KEY = b"k" * 32
OLGA = cookies.Person("olga", "a hash")
FIXTURES = sorted((Path(__file__).parents[1] / "data" / "events").glob("*.json"))


def test_a_password_is_known_again_by_its_hash_and_no_other_is() -> None:
    password = new_password()
    kept = password_hash(password)
    assert password not in kept and kept != password_hash(password)
    assert is_password(password, kept)
    assert not is_password(password + "x", kept) and not is_password("", kept)
    assert not is_password(password, None)


@pytest.mark.parametrize("password", ["", "short", "x" * 1025])
def test_a_password_that_is_too_short_or_too_long_is_refused(password: str) -> None:
    with pytest.raises(BadPassword):
        password_hash(password)


def test_a_session_is_read_back_until_it_is_too_old() -> None:
    session = cookies.new_session("olga", 3, now=1000)
    sealed = cookies.sealed(session, KEY)
    assert cookies.opened(sealed, KEY, now=1001) == session
    assert cookies.opened(sealed, KEY, now=1000 + cookies.LIFETIME) is None
    assert cookies.opened(sealed, b"j" * 32, now=1001) is None


@given(place=st.integers(min_value=0, max_value=400), letter=st.characters())
def test_a_cookie_that_was_changed_anywhere_is_never_taken(place: int, letter: str) -> None:
    sealed = cookies.sealed(cookies.Session("an id", "olga", 1, 1000), KEY)
    at = place % len(sealed)
    changed = sealed[:at] + letter + sealed[at + 1 :]
    assert changed == sealed or cookies.opened(changed, KEY, now=1001) is None


@given(st.text())
def test_no_text_is_taken_for_a_cookie_or_a_forms_token(text: str) -> None:
    session = cookies.new_session(now=1000)
    assert cookies.opened(text, KEY, now=1001) is None
    assert not cookies.is_form_token(text, session, KEY)


def test_a_forms_token_is_of_one_session_alone() -> None:
    mine, other = (cookies.new_session("olga", 1, now=1000) for _ in range(2))
    token = cookies.form_token(mine, KEY)
    assert cookies.is_form_token(token, mine, KEY) and not cookies.is_form_token(token, other, KEY)


def test_after_five_wrong_passwords_a_name_waits_and_others_do_not() -> None:
    limits = LoginLimits()
    for second in range(PER_NAME):
        assert limits.wait("olga", "here", second) == 0
        limits.failed("olga", "here", second)
    assert limits.wait("olga", "here", PER_NAME) == WINDOW - PER_NAME
    assert limits.wait("vera", "here", PER_NAME) == 0 and limits.wait("olga", "there", PER_NAME) == 0
    assert limits.wait("olga", "here", WINDOW) == 0


def test_a_known_browser_waits_for_its_own_tries_alone() -> None:
    limits = LoginLimits()
    for second in range(PER_ADDRESS):
        limits.failed("olga", "here", second)
    assert limits.wait("olga", "here", 20) > 0 and limits.wait("olga", "here", 20, "mine") == 0
    for second in range(PER_NAME):
        limits.failed("olga", "here", second, "mine")
    assert limits.wait("olga", "here", 20, "mine") > 0 and limits.wait("olga", "here", 20, "other") == 0
    limits.succeeded("olga", "here", "mine")
    assert limits.wait("olga", "here", 20, "mine") == 0 and limits.wait("olga", "here", 20) > 0


def test_a_mark_ends_with_its_time_and_with_the_password_and_signing_in_renews_it() -> None:
    mark, late = cookies.browser_mark(OLGA, KEY, now=1000), 1000 + cookies.KNOWN
    browser = cookies.known_browser(mark, OLGA, KEY, now=late - 1)
    assert browser and not cookies.known_browser(mark, OLGA, KEY, now=late)
    assert not cookies.known_browser(mark, OLGA, KEY, now=999), "it is of no time to come"
    assert not cookies.known_browser(mark, cookies.Person("olga", "another hash"), KEY, now=1001)
    again = cookies.browser_mark(OLGA, KEY, now=late - 1, browser=browser)
    assert cookies.known_browser(again, OLGA, KEY, now=late) == browser


@given(st.integers(min_value=0, max_value=200), st.characters(codec="ascii"))
def test_a_mark_that_was_changed_anywhere_is_never_taken(place: int, letter: str) -> None:
    mark = cookies.browser_mark(OLGA, KEY, now=1000)
    at = place % len(mark)
    changed = mark[:at] + letter + mark[at + 1 :]
    assert changed == mark or not cookies.known_browser(changed, OLGA, KEY, now=1001)


def test_marks_that_were_heaped_up_give_no_more_tries_than_an_address() -> None:
    limits, failures = LoginLimits(), 0
    for number in range(PER_ADDRESS * 3):
        if limits.wait("olga", "here", 1, f"browser {number}") == 0:
            limits.failed("olga", "here", 1, f"browser {number}")
            failures += 1
    assert failures == PER_ADDRESS and limits.wait("vera", "here", 1, "browser 1") == 0


@given(st.text(), st.text(max_size=5))
def test_a_browser_is_known_for_one_user_and_by_our_mark_alone(text: str, other: str) -> None:
    mark = cookies.browser_mark(OLGA, KEY, now=1000)
    assert cookies.known_browser(mark, OLGA, KEY, now=1001)
    assert not cookies.known_browser(mark, OLGA, b"j" * 32, now=1001)
    assert not cookies.known_browser(mark, cookies.Person(other, "a hash"), KEY, now=1001)
    assert not cookies.known_browser(text, OLGA, KEY, now=1001)
    assert cookies.opened(mark, KEY, now=1) is None and cookies.opened(f"{mark}.{text}", KEY, now=1) is None


def test_one_who_signs_in_again_and_again_never_waits() -> None:
    limits = LoginLimits()
    for second in range(PER_ADDRESS * 2):
        assert limits.wait("olga", "here", second) == 0
        limits.failed("olga", "here", second)
        limits.succeeded("olga", "here")


@given(st.lists(st.tuples(st.text(max_size=3), st.floats(min_value=0, max_value=WINDOW - 1)), max_size=80))
def test_an_address_never_fails_more_often_than_its_limit_within_the_window(tries: list[tuple[str, float]]) -> None:
    limits, failures = LoginLimits(), 0
    for name, at in sorted(tries, key=lambda one: one[1]):
        if limits.wait(name, "here", at) == 0:
            limits.failed(name, "here", at)
            failures += 1
    assert failures <= PER_ADDRESS


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_every_event_has_a_line(path: Path) -> None:
    kind = path.name.rpartition(".v")[0]
    data: dict[str, Any] = json.loads(path.read_text())
    contract = EVENTS[kind]
    if contract.version != int(path.stem.rpartition(".v")[2]):
        return  # an old version is brought up before it is shown
    line = line_of(kind, data, contract.model_validate(data))
    assert line.title and len(line.text) <= 300


def test_what_is_shown_alone_are_types_that_there_are() -> None:
    assert {kind for kinds in GROUPS.values() for kind in kinds} <= EVENTS.keys()


def test_the_evidence_behind_a_refusal_and_the_ladder_is_named() -> None:
    data = {"loop": {"evidence": ["e1", "e2"]}, "reason": {"evidence": ["e2"]}, "results": [{"blob": "a" * 64}]}
    line = line_of("no.such", data, None)
    assert line.evidence == ("e1", "e2")
    assert [(one.label, one.sha256) for one in line.blobs] == [("results.blob", "a" * 64)]


@pytest.mark.parametrize("name", NAMES)
def test_every_event_of_a_recorded_history_has_a_line(name: str) -> None:
    for event in history(name).session.events:
        assert line_of(event.type, event.data, event.contract).title


@given(st.text())
def test_text_of_others_is_never_markup_and_hides_nothing(text: str) -> None:
    shown = fragment("_data.html", data={"said": text}).removeprefix("<pre>").rpartition("</pre>")[0]
    assert "<" not in shown and ">" not in shown
    assert not set(shown) & set("\u202e\u2066\u200b\x1b\x07\x00")
    shown.encode()


@pytest.mark.parametrize(
    "next",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/login", "/a\nb", ""],
)
def test_signing_in_leads_to_a_page_of_the_console_alone(next: str) -> None:
    assert _inside(next) == HOME
    assert _inside("/sessions/s_1?show=tools") == "/sessions/s_1?show=tools"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "0 s"),
        (0, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h"),
        (86400, "1 d"),
        (9e6, "104 d"),
    ],
)
def test_how_long_ago_something_was_is_said_in_its_largest_unit(seconds: float, said: str) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert _ago(now - timedelta(seconds=seconds), now) == f"{said} ago"


def test_the_time_of_an_event_of_another_day_has_its_date() -> None:
    at = datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC)
    assert _clock(at, at) == "23:59:59"
    assert _clock(at, at + timedelta(seconds=1)) == "2026-03-01 23:59:59"


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.14, "0.1 s"), (59.0, "59.0 s"), (61, "1 min 1 s"), (7260, "2 h 1 min")]
)
def test_how_long_something_lasted(seconds: float, said: str) -> None:
    assert _lasted(seconds) == said
