"""The console in Debian's Chromium: what a person sees of a running house, and what they do to it."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from arreio_contracts import envelope, subjects
from playwright.sync_api import Browser, expect

from arreio.client import Submitted, connected
from tests.support.browsers import needs_browser
from tests.support.console import PHONE, Person, add_user, aside, chromium, console_url, person
from tests.support.house import Event, House
from tests.support.much import long_session, many_tasks
from tests.support.programs import until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, answering_late, call, steps

pytestmark = needs_browser

HOSTILE = "<script>document.title='taken'</script><img src=x onerror=alert(1)> \u202egnirts \x1b[31m"


@dataclass
class Watched:
    """A house with its console, a browser, and an operator who has signed in."""

    house: House
    browser: Browser
    url: str
    password: str

    def operator(self, **how: object) -> Person:
        """The operator in a fresh browser."""
        found = person(self.browser, self.url, **how)  # type: ignore[arg-type]
        found.sign_in("olga", self.password)
        return found

    def acts(self) -> list[Event]:
        """What people did by the console."""
        return self.house.events("console_acts")


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with House(tmp_path_factory.mktemp("watched"), ARREIO_CONSOLE=":0") as house:
        url, password = console_url(house), add_user(house, "olga", "operator")
        with chromium() as browser:
            yield Watched(house, browser, url, password)


@pytest.fixture
def done(watched: Watched, repository: Path, mending: Script) -> Submitted:
    """A session whose task mended a repository."""
    with ScriptedServer(mending) as server:
        sent = submit(watched, f"Mend add in {repository}. {HOSTILE}", repository, server)
        aside(lambda: watched.house.wait_for_end(sent.session_id))
    return sent


def submit(watched: Watched, goal: str, workspace: Path, server: ScriptedServer, *criteria: str) -> Submitted:
    return aside(
        lambda: watched.house.submit(goal, workspace, server.url, criteria or ("tests: python3 -m pytest -q",))
    )


def test_a_live_task_is_followed_to_its_end_without_loading_the_page_again(
    watched: Watched, repository: Path, mending: Script
) -> None:
    operator, release = watched.operator(), threading.Event()
    with ScriptedServer(answering_late(mending, 1, release)) as server:
        sent = submit(watched, f"Mend add while somebody looks on. {HOSTILE}", repository, server)
        aside(lambda: watched.house.wait_for(sent.session_id, "tool.finished"))
        operator.go(f"/sessions/{sent.session_id}")
        expect(operator.page.locator("#following")).to_contain_text("Following")
        operator.page.evaluate("window.first = true")
        expect(operator.page.locator(".tasks .state")).to_have_text("IN_PROGRESS")
        operator.page.set_viewport_size({"width": 1280, "height": 400})
        operator.page.evaluate("scrollTo(0, 0)")
        release.set()
        expect(operator.page.locator(".tasks .state")).to_have_text("COMPLETE")
    assert operator.page.evaluate("scrollY") == 0, "who reads at the top is not moved"
    operator.page.get_by_role("link", name=re.compile("new events? below")).click()
    expect(operator.page.locator("#below")).to_be_hidden()
    expect(operator.page.locator(".timeline")).to_contain_text("gate PASS")
    assert operator.page.evaluate("window.first"), "the page was loaded again"
    seqs = [int(text) for text in operator.page.locator(".event .seq").all_inner_texts()]
    assert seqs == sorted(set(seqs)) and len(seqs) == seqs[-1]
    assert operator.page.title() != "taken" and "\u202e" not in operator.page.inner_text("main")
    operator.page.locator(".event", has_text="edit_file ok").locator("summary").click()
    expect(operator.page.locator(".event[id] details[open] pre")).to_contain_text("calculator.py")
    operator.assert_well("timeline")


def test_the_prompt_state_and_files_of_any_event_are_shown(watched: Watched, done: Submitted) -> None:
    operator = watched.operator()
    events = watched.house.events(done.session_id)
    requested = [one.seq for one in events if one.type == "context.built"]
    operator.go(f"/sessions/{done.session_id}/prompt?at={requested[-1]}")
    assert operator.page.locator("meter").count() >= 4
    expect(operator.page.locator("main")).to_contain_text("Mend add in")
    operator.assert_well("prompt")
    operator.go(f"/sessions/{done.session_id}/state")
    expect(operator.page.locator("#state .state")).to_have_text("COMPLETE")
    operator.page.locator("input[type=range]").focus()
    operator.page.keyboard.press("Home")
    expect(operator.page.locator("#shown-at")).to_have_text("1")
    expect(operator.page.locator("#state")).to_contain_text("No task yet")
    started = next(one.seq for one in events if one.type == "tool.started")
    operator.go(f"/sessions/{done.session_id}/state?at={started}")
    told = watched.house.arreio("replay", done.session_id, "--at", str(started), "--json").stdout
    assert json.loads(told)["tasks"][0]["open_call"] in operator.page.inner_text("#state")
    operator.assert_well("state")
    operator.go(f"/tasks/{done.task_id}/diff")
    expect(operator.page.locator(".patch .plus")).to_have_text(re.compile(r"\+    return a \+ b"))
    expect(operator.page.locator(".patch .minus")).to_have_text(re.compile(r"-    return a - b"))
    operator.assert_well("diff")
    operator.go(f"/sessions/{done.session_id}/events/{started}")
    operator.assert_well("event")


def test_a_session_is_verified_and_forked_and_both_are_recorded_with_who_did_it(
    watched: Watched, done: Submitted
) -> None:
    operator = watched.operator()
    operator.go(f"/sessions/{done.session_id}")
    operator.page.get_by_role("button", name="Verify").click()
    expect(operator.page.get_by_role("heading", level=1)).to_have_text("It verifies")
    operator.assert_well("verified")
    seq = next(one.seq for one in watched.house.events(done.session_id) if one.type == "tool.finished")
    operator.go(f"/sessions/{done.session_id}")
    operator.page.get_by_label("Fork at event").fill(str(seq))
    operator.page.get_by_role("button", name="Fork").click()
    operator.page.wait_for_url(lambda url: done.session_id not in url)
    fork = operator.page.url.rpartition("/")[2]
    expect(operator.page.locator(".timeline")).to_contain_text(f"a copy of {done.session_id} up to event {seq}")
    expect(operator.page.locator(".tasks .state")).to_have_text("NEEDS_INPUT")
    operator.assert_well("fork")
    assert watched.house.arreio("replay", fork, "--verify").returncode == 0
    verified, forked = (acts_on(watched, done.session_id, act) for act in ("session.verify", "session.fork"))
    assert [one.data["by"] for one in (*verified, *forked)] == ["olga"] * 2
    assert forked[0].data["details"] == {"at": str(seq)}
    assert any(one.data.get("acted") and one.data.get("result") == f"session {fork}" for one in watched.acts())


def acts_on(watched: Watched, target: str, act: str) -> list[Event]:
    return [one for one in watched.acts() if one.data.get("target") == target and one.data["act"] == act]


def test_a_dead_letter_is_looked_at_and_sent_again(watched: Watched) -> None:
    def malformed() -> None:
        async def publish() -> None:
            async with connected(watched.house.settings) as client:
                about = envelope.headers(envelope.envelope("inbound.message", id="broken", source="test"))
                body = json.dumps({"conversation": "x", "text": HOSTILE}).encode()
                await client.connection.jetstream().publish(subjects.inbound("cli"), body, headers=about)

        asyncio.run(publish())

    aside(malformed)
    rows = until(
        lambda: watched.house.rows("SELECT id FROM arreio.dead_letters WHERE resolved_at IS NULL"), what="a dead letter"
    )
    operator = watched.operator()
    operator.go("/dead")
    operator.assert_well("dead-letters")
    operator.page.get_by_role("link", name=str(rows[0][0]), exact=True).click()
    expect(operator.page.locator("main")).to_contain_text("gateway_inbound")
    operator.assert_well("dead-letter")
    operator.page.get_by_role("button", name="Send it again").click()
    expect(operator.page.get_by_role("heading", level=1)).to_contain_text("resent")
    (recorded,) = acts_on(watched, str(rows[0][0]), "dead.resend")
    assert recorded.data["by"] == "olga"
    # It is as malformed as before: the gateway, which got it again, gives it up again.
    until(
        lambda: watched.house.rows("SELECT id FROM arreio.dead_letters WHERE resolved_at IS NULL"), what="a second one"
    )


def test_proposals_of_a_rule_and_of_a_persona_are_read_and_approved(watched: Watched, workspace: Path) -> None:
    rule = "From now on, end every letter with the word Saudações."
    persona = "From now on, always answer me in a formal tone."
    wish = f"Write letter.txt. {rule} {persona}"
    script = steps(
        call("write_file", path="letter.txt", content="Olá!\n"), call("task_complete", reply="The letter is written.")
    )
    with ScriptedServer(script) as server:
        sent = submit(watched, wish, workspace, server, "file_contains: letter.txt :: Olá")
        aside(lambda: watched.house.wait_for_end(sent.session_id))
    query = "SELECT kind, proposal_id FROM learning.proposals WHERE state = 'proposed'"

    def both() -> dict[str, str]:
        found = dict(watched.house.rows(query))
        return found if {"rule", "persona"} <= found.keys() else {}

    made = until(both, what="a proposal of each kind")
    operator = watched.operator()
    operator.go("/proposals")
    operator.assert_well("proposals")
    for kind in ("rule", "persona"):
        proposal_id = made[kind]
        operator.go(f"/proposals/{proposal_id}")
        operator.assert_well(f"proposal-{kind}")
        operator.page.get_by_role("button", name="Approve").click()
        expect(operator.page.locator("main")).to_contain_text("approved by olga")
        told = watched.house.rows(
            "SELECT state, decided_by FROM learning.proposals WHERE proposal_id = %s", proposal_id
        )
        assert told == [("approved", "olga")]
        assert [one.data["by"] for one in acts_on(watched, proposal_id, "proposal.approve")] == ["olga"]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", PHONE), ("dark", PHONE)])
def test_every_page_is_accessible_light_and_dark_and_on_a_phone(
    watched: Watched, done: Submitted, scheme: str, width: int
) -> None:
    stranger = person(watched.browser, watched.url, scheme=scheme, width=width)  # type: ignore[arg-type]
    stranger.go("/login")
    stranger.assert_well("login")
    operator = watched.operator(scheme=scheme, width=width)
    session = f"/sessions/{done.session_id}"
    pages = {
        "tasks": "/tasks",
        "sessions": "/sessions",
        "session": session,
        "event": f"{session}/events/5",
        "prompts": f"{session}/prompt?at=100",
        "states": f"{session}/state",
        "files": f"/tasks/{done.task_id}/diff",
        "dead": "/dead",
        "learnt": "/proposals",
        "engine": "/engine",
        "acts": "/sessions/learning_proposals",
    }
    for name, path in pages.items():
        operator.go(path)
        operator.assert_well(name)


def test_who_only_looks_can_do_nothing(watched: Watched, done: Submitted) -> None:
    viewer = person(watched.browser, watched.url)
    viewer.sign_in("vera", add_user(watched.house, "vera", "viewer"))
    viewer.go(f"/sessions/{done.session_id}")
    assert viewer.page.get_by_role("button", name="Verify").count() == 0
    token = viewer.page.locator("input[name=token]").first.get_attribute("value")
    before = watched.acts()
    for path in (f"/sessions/{done.session_id}/fork", f"/sessions/{done.session_id}/verify", "/dead/1/resend"):
        answer = viewer.page.request.post(watched.url + path, form={"token": token or "", "at": "3"})
        assert answer.status == 403, path
    assert watched.acts() == before
    assert watched.house.arreio("console", "users", "rm", "vera").returncode == 0
    viewer.page.goto(f"{watched.url}/tasks")
    assert "/login" in viewer.page.url


def test_ten_thousand_tasks_are_read_page_by_page_and_none_is_shown_twice(watched: Watched) -> None:
    many_tasks(watched.house.settings, 10_000)
    operator = watched.operator()
    operator.go("/tasks?state=FAILED&text=one+of+many")
    seen: list[str] = []
    for _ in range(3):
        seen += operator.page.locator("td.wide small").all_inner_texts()
        assert len(operator.page.content()) < 200_000
        operator.page.get_by_role("link", name="Older").click()
        operator.page.wait_for_load_state()
    wanted = watched.house.rows(
        "SELECT task_id FROM arreio.tasks WHERE state = 'FAILED' AND starts_with(goal, 'one of many') "
        "ORDER BY created_at DESC, task_id DESC LIMIT 150"
    )
    assert seen == [task_id for (task_id,) in wanted]
    operator.assert_well("many-tasks")
    operator.go("/sessions?text=much_")
    assert operator.page.locator("tbody tr").count() == 50
    operator.assert_well("many-sessions")


def test_a_session_of_twenty_thousand_events_is_read_in_windows(watched: Watched) -> None:
    count = aside(lambda: asyncio.run(long_session(watched.house.settings, "long_session", 20_000)))
    operator = watched.operator()
    operator.go("/sessions/long_session")
    seqs = operator.page.locator(".event .seq").all_inner_texts()
    assert seqs == [str(seq) for seq in range(count - 99, count + 1)]
    assert len(operator.page.content()) < 400_000
    operator.page.get_by_role("link", name="Earlier").click()
    expect(operator.page.locator(".event .seq").last).to_have_text(str(count - 100))
    operator.page.get_by_role("link", name="Later").click()
    expect(operator.page.locator(".event .seq").last).to_have_text(str(count))
    operator.page.get_by_label("Up to event").fill("150")
    operator.page.get_by_role("button", name="Go").click()
    expect(operator.page.locator(".event .seq").first).to_have_text("50")
    operator.go("/sessions/long_session?show=gates")
    assert operator.page.locator(".event").count() == 100
    operator.go("/sessions/long_session/state")
    expect(operator.page.locator("#state")).to_contain_text("tasks had ended")
    assert len(operator.page.content()) < 200_000
    operator.go(f"/sessions/long_session/prompt?at={count}")
    operator.assert_well("long-session")
