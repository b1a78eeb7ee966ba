"""The console by HTTP: who is let in, what is done for them and what is not, and what every answer carries."""

from __future__ import annotations

import asyncio
import html
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from services.console import users
from services.console.acts import RECORDS, STREAM
from services.console.followers import MOST_OF_ONE, Followers
from services.console.guard import COOKIE
from services.console.login_limits import PER_ADDRESS, PER_NAME
from services.console.pages.account import KNOWN
from services.console.passwords import new_password
from services.console.site import Lag, Site
from services.console.web import HEADERS, create
from services.console.workings import Asker, Busy, Decision, FilesChanged, Forked, Told, Verified
from services.learning.stream import STREAM as LEARNT
from shared.errors import ArreioError
from shared.settings import Settings
from shared.store.connection import open_pool
from shared.store.events import EventStore
from tests.support.store import event, fresh, store_of

PAGES = ("/", "/tasks", "/sessions", "/sessions/s_1", "/sessions/s_1/live?after=0", "/sessions/s_1/events/1")
MORE = ("/sessions/s_1/prompt?at=1", "/sessions/s_1/state", "/tasks/t_1/diff", "/dead", "/dead/1", "/proposals")
LAST = ("/proposals/p_1", "/engine", "/events/e_1", f"/blobs/{'a' * 64}", "/sessions/s_1/events/1/data")
POSTS = ("/sessions/s_1/verify", "/sessions/s_1/fork", "/dead/1/resend", "/proposals/p_1/approve", "/logout")
MEANINGLESS = (
    *("/tasks?state=NO", "/tasks?at=yesterday", "/sessions/a.b", "/sessions/s_1/state?at=0", "/blobs/xyz", "/dead/0"),
    *(f"/sessions/s_1/events/{1 << 63}", "/sessions/s_1?show=all", f"/sessions/s_1?before={'9' * 5000}"),
    *("/sessions?at=2026-01-01&id=%00", "/tasks?at=2026-01-01&id=%00", "/tasks?at=2026-01-01&id=%ED%A0%80"),
    *("/proposals/p_none", "/tasks/t_none/diff", "/sessions/s_1/prompt?at=1", "/static/%00", "/static/" + "x" * 300),
    *("/sessions/s_none", "/sessions/s_none/state", "/tasks?session=%00"),
)


class NothingWorks:
    """Workings that find nothing and do nothing; they keep what they were asked to fork."""

    def __init__(self) -> None:
        self.forked: list[tuple[str, int]] = []

    def end(self) -> None:
        pass

    async def states(self, session_id: str, at: int, asker: Asker) -> Sequence[dict[str, Any]]:
        return []

    async def prompt(self, session_id: str, at: int, asker: Asker) -> dict[str, Any]:
        raise ArreioError("there is no prompt")

    async def diff(self, task_id: str, begin: int | None, end: int | None, asker: Asker) -> FilesChanged:
        raise ArreioError("there is no such task")

    async def verify(self, session_id: str, asker: Asker) -> Verified:
        return Verified(3, 2, None)

    async def fork(self, session_id: str, at: int, asker: Asker) -> Forked:
        self.forked.append((session_id, at))
        raise ArreioError("it cannot be forked", "look again")

    async def proposals(self) -> Sequence[dict[str, Any]]:
        raise RuntimeError("<b>broken</b>")

    async def proposal(self, proposal_id: str) -> dict[str, Any]:
        raise ArreioError("there is no such proposal")

    async def decide(self, proposal_id: str, decision: Decision, told: Told) -> str:
        raise ArreioError("there is no such proposal")


class Console:
    """A client of the console, with a user of its own."""

    def __init__(self, engine: Settings, site: Site, workings: NothingWorks) -> None:
        self.engine = engine
        self.site = site
        self.workings = workings
        self.name, self.password = fresh("olga")[:40], new_password()
        self.http = self.client()

    def client(self) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=create(self.site), raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url="http://console.test")

    async def sign_in(self, role: users.Role = "operator") -> None:
        async with open_pool(self.engine.database_dsn("operator"), name="test") as pool:
            await users.add_user(pool, self.name, role, self.password)
        answer = await self.try_to_sign_in(self.password)
        assert answer.status_code == 303, answer.text

    async def try_to_sign_in(self, password: str, next: str = "/tasks") -> httpx.Response:
        token = token_of(await self.http.get("/login"))
        form = {"token": token, "name": self.name, "password": password}
        return await self.http.post("/login", params={"next": next}, data=form)

    async def acts(self) -> list[dict[str, Any]]:
        """What was recorded in this user's name."""
        return [one.data for one in await EventStore(self.site.pool).read(STREAM) if one.data["by"] == self.name]


@pytest.fixture
async def console(engine: Settings) -> AsyncIterator[Console]:
    @asynccontextmanager
    async def told(session_id: str) -> AsyncIterator[asyncio.Event]:
        yield asyncio.Event()

    async def lags() -> Sequence[Lag]:
        return [Lag("gateway_inbound", "ARREIO_INBOUND", 0, 0, 0)]

    async with open_pool(engine.database_dsn("console"), name="console-test") as pool:
        workings = NothingWorks()
        made = Console(engine, Site(pool, workings, told, lags, "test"), workings)
        async with made.http:
            yield made


def token_of(answer: httpx.Response) -> str:
    found = re.search(r'name="token" value="([0-9a-f]{64})"', answer.text)
    assert found is not None, answer.text
    return found[1]


@pytest.mark.parametrize("path", [*PAGES, *MORE, *LAST])
async def test_nothing_is_shown_to_a_stranger(console: Console, path: str) -> None:
    answer = await console.http.get(path, follow_redirects=True)
    assert answer.url.path == "/login" and answer.status_code == 200


@pytest.mark.parametrize("path", POSTS)
async def test_nothing_is_done_for_a_stranger(console: Console, path: str) -> None:
    assert (await console.http.post(path, data={"at": "1"})).status_code == 401


async def test_the_right_password_lets_in_and_the_wrong_one_does_not(console: Console) -> None:
    await console.sign_in()
    assert (await console.http.get("/tasks")).status_code == 200
    console.http.cookies.clear()
    refused = await console.try_to_sign_in("not the password")
    assert refused.status_code == 401 and "no user of this name" in refused.text
    assert (await console.http.get("/tasks")).status_code == 303


async def test_the_cookie_is_kept_from_scripts_and_other_sites(console: Console) -> None:
    await console.sign_in()
    console.http.cookies.clear()
    made = (await console.try_to_sign_in(console.password)).headers["set-cookie"].lower()
    assert "httponly" in made and "samesite=strict" in made and "path=/" in made and "secure" not in made
    secure = await console.client().get("https://console.test/login")
    assert "; secure" in secure.headers["set-cookie"].lower()


async def test_after_five_wrong_passwords_the_right_one_must_wait(console: Console) -> None:
    await console.sign_in()
    console.http.cookies.clear()
    for _ in range(PER_NAME):
        assert (await console.try_to_sign_in("not the password")).status_code == 401
    refused = await console.try_to_sign_in(console.password)
    assert refused.status_code == 429 and int(refused.headers["retry-after"]) > 0


async def test_who_signed_in_here_before_is_not_locked_out_by_a_stranger(console: Console) -> None:
    await console.sign_in()
    for number in range(PER_ADDRESS):
        console.site.limits.failed(f"made_up_{number}", "127.0.0.1", time.monotonic())
        console.site.limits.failed(console.name, "127.0.0.1", time.monotonic())
    console.http.cookies.delete(COOKIE)
    assert (await console.try_to_sign_in(console.password)).status_code == 303
    console.http.cookies.clear()
    assert (await console.try_to_sign_in(console.password)).status_code == 429


async def test_a_browser_is_known_to_several_people_until_their_passwords_change(console: Console) -> None:
    await console.sign_in()
    first, password, console.name, console.password = console.name, console.password, fresh("vera")[:40], new_password()
    console.http.cookies.delete(COOKIE)
    await console.sign_in("viewer")
    known = {name for name in console.http.cookies if name.startswith(KNOWN)}
    assert len(known) == 2
    for _ in range(PER_ADDRESS):
        console.site.limits.failed("made_up", "127.0.0.1", time.monotonic())
    console.http.cookies.delete(COOKIE)
    assert (await console.try_to_sign_in(console.password)).status_code == 303
    console.http.cookies.delete(COOKIE)
    console.name = first
    async with open_pool(console.engine.database_dsn("operator"), name="test") as pool:
        await users.change_user(pool, first, role="viewer")
        assert (await console.try_to_sign_in(password)).status_code == 303, "another role is no other password"
        console.http.cookies.delete(COOKIE)
        changed = new_password()
        await users.change_user(pool, first, password=changed)
    assert (await console.try_to_sign_in(changed)).status_code == 429


async def test_signing_in_leads_nowhere_else(console: Console) -> None:
    await console.sign_in()
    console.http.cookies.clear()
    assert (await console.try_to_sign_in(console.password, "//evil.example/")).headers["location"] == "/tasks"


async def test_signing_out_ends_the_session_in_every_browser(console: Console) -> None:
    await console.sign_in()
    async with console.client() as other:
        other.cookies = console.http.cookies
        page = await other.get("/tasks")
        assert page.status_code == 200
        assert (await console.http.post("/logout", data={"token": token_of(page)})).status_code == 303
        assert (await other.get("/tasks")).status_code == 303


@pytest.mark.parametrize("token", ["", "0" * 64, "\udcff"])
@pytest.mark.parametrize("path", POSTS)
async def test_a_form_of_another_site_does_nothing(console: Console, path: str, token: str) -> None:
    await console.sign_in()
    body = f"at=1&token={token}".encode("utf-8", "surrogatepass")
    answer = await console.http.post(path, content=body)
    assert answer.status_code in (400, 403)
    assert await console.acts() == [] and console.workings.forked == []


async def test_a_form_without_end_is_refused(console: Console) -> None:
    await console.sign_in()
    assert (await console.http.post("/sessions/s_1/fork", content=b"a" * 100_000)).status_code == 413


async def test_a_viewer_looks_and_does_nothing(console: Console) -> None:
    await console.sign_in("viewer")
    token = token_of(await console.http.get("/tasks"))
    for path in POSTS[:-1]:
        answer = await console.http.post(path, data={"token": token, "at": "1"})
        assert answer.status_code == 403 and "may only look" in answer.text
    assert await console.acts() == [] and console.workings.forked == []


async def test_an_act_is_recorded_with_who_did_it_also_where_it_fails(console: Console) -> None:
    await console.sign_in()
    token = token_of(await console.http.get("/tasks"))
    assert (await console.http.post("/sessions/s_1/verify", data={"token": token})).status_code == 200
    answer = await console.http.post("/sessions/s_1/fork", data={"token": token, "at": "7"})
    assert answer.status_code == 409 and "it cannot be forked" in answer.text
    assert console.workings.forked == [("s_1", 7)]
    verified, well, forked, failed = await console.acts()
    assert (verified["act"], verified["target"], well["done"]) == ("session.verify", "s_1", True)
    assert (forked["act"], forked["details"]) == ("session.fork", {"at": "7"})
    assert (failed["done"], failed["result"]) == (False, "it cannot be forked; look again")


@pytest.mark.parametrize("at", ["", "0", "-1", "x", "\u0663", "9" * 30, "9" * 5000])
async def test_a_fork_wants_the_number_of_an_event(console: Console, at: str) -> None:
    await console.sign_in()
    token = token_of(await console.http.get("/tasks"))
    assert (await console.http.post("/sessions/s_1/fork", data={"token": token, "at": at})).status_code == 422
    assert console.workings.forked == []


@pytest.mark.parametrize(
    "path", ["/login", "/tasks", "/static/console.css", "/nowhere", "/sessions/%3Cscript%3E", "/healthz", "/dead/x"]
)
async def test_every_answer_lets_nothing_of_others_run(console: Console, path: str) -> None:
    answer = await console.http.get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "<script>" not in answer.text and "onerror" not in answer.text


async def test_an_address_that_means_nothing_is_refused_with_what_is_wrong(console: Console) -> None:
    await console.sign_in()
    for path in MEANINGLESS:
        answer = await console.http.get(path)
        assert answer.status_code in (404, 422) and "It cannot be done" in answer.text, path
        assert "Sign out" in answer.text and console.name in answer.text, "who is signed in still is"


async def test_a_list_goes_on_from_any_moment_or_refuses_it(console: Console) -> None:
    await console.sign_in()
    for at in ("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "1e30", "-1", "nan"):
        for path in ("/tasks", "/sessions"):
            assert (await console.http.get(path, params={"at": at, "id": "x"})).status_code in (200, 422), at


async def test_a_record_of_acts_is_not_forked(console: Console) -> None:
    await console.sign_in()
    token = token_of(await console.http.get("/tasks"))
    assert {STREAM, LEARNT} == RECORDS
    for stream in RECORDS:
        answer = await console.http.post(f"/sessions/{stream}/fork", data={"token": token, "at": "1"})
        assert answer.status_code == 409 and "not a session of people" in answer.text
    await console.http.post("/sessions/s_1/verify", data={"token": token})
    assert "/fork" not in (await console.http.get(f"/sessions/{STREAM}")).text
    assert console.workings.forked == []


@pytest.mark.parametrize("text", ["\0", "%", "\ud800", "' OR 1=1 --", "<b>", "x" * 200])
async def test_whatever_is_looked_for_is_looked_for(console: Console, text: str) -> None:
    await console.sign_in()
    asked = urlencode({"text": text.encode("utf-8", "surrogatepass")})
    for path in ("/tasks", "/sessions"):
        answer = await console.http.get(f"{path}?{asked}")
        assert answer.status_code == 200 and "<b>" not in answer.text


async def test_an_event_that_no_contract_knows_is_shown_as_it_was_recorded(console: Console) -> None:
    await console.sign_in()
    session = fresh()
    async with store_of(console.engine, "tool_loop") as (store, _):
        await store.append_fact(session, [event("tool.started", said="<i>a text\u202e</i>")])
    page = await console.http.get(f"/sessions/{session}")
    whole = await console.http.get(f"/sessions/{session}/events/1")
    assert page.status_code == whole.status_code == 200
    assert "this version cannot read it" in page.text
    assert "&lt;i&gt;a text\\u202e" in whole.text and "<i>" not in whole.text


async def test_a_page_that_breaks_says_so_and_nothing_of_why(console: Console) -> None:
    await console.sign_in()
    answer = await console.http.get("/proposals")
    assert answer.status_code == 500 and "its log tells more" in answer.text and "broken" not in answer.text
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize("name", ["", "a b", "<b>", "x" * 65, "olga\n", "a\0b", "\u00e9lise"])
async def test_a_name_that_cannot_be_a_users_is_refused(console: Console, name: str) -> None:
    async with open_pool(console.engine.database_dsn("operator"), name="test") as pool:
        with pytest.raises(ArreioError, match="cannot be a user's name"):
            await users.add_user(pool, name, "viewer", new_password())


async def test_another_password_or_role_and_a_removal_end_a_persons_sessions(console: Console) -> None:
    await console.sign_in()
    async with open_pool(console.engine.database_dsn("operator"), name="test") as pool:
        with pytest.raises(ArreioError, match="already"):
            await users.add_user(pool, console.name, "viewer", new_password())
        assert (await console.http.get("/tasks")).status_code == 200
        await users.change_user(pool, console.name, role="viewer")
        assert (await console.http.get("/tasks")).status_code == 303
        console.http.cookies.clear()
        assert (await console.try_to_sign_in(console.password)).status_code == 303
        await users.change_user(pool, console.name, password=new_password())
        assert (await console.http.get("/tasks")).status_code == 303
        assert (await console.try_to_sign_in(console.password)).status_code == 401
        await users.remove_user(pool, console.name)
        with pytest.raises(users.NoSuchUser):
            await users.remove_user(pool, console.name)


async def test_a_timeline_shows_one_task_alone_and_goes_on_to_both_sides_with_its_filters(console: Console) -> None:
    await console.sign_in()
    session, mine, other = fresh(), fresh("t"), fresh("t")
    async with store_of(console.engine, "tool_loop") as (store, _):
        for first in range(0, 300, 50):
            await store.append_fact(
                session, [event("tool.started", task_id=(mine, other)[n % 2]) for n in range(first, first + 50)]
            )

    def seqs(page: httpx.Response) -> list[int]:
        return [int(text) for text in re.findall(r'id="e(\d+)"', page.text)]

    def link(page: httpx.Response, name: str) -> str:
        found = re.search(rf'<a href="([^"]*)">{name}</a>', page.text)
        assert found is not None, name
        return html.unescape(found[1])

    last = await console.http.get(f"/sessions/{session}?show=tools&task={mine}")
    assert seqs(last) == list(range(101, 300, 2))
    earlier = await console.http.get(link(last, "Earlier"))
    assert seqs(earlier) == list(range(1, 100, 2))
    later = await console.http.get(link(earlier, "Later"))
    assert seqs(later) == seqs(last) and f"task={mine}" in link(later, "Earlier")
    assert f"show=tools&task={mine}" in link(later, "Earlier") and f"task={mine}" in link(later, "states")


async def test_who_follows_too_many_timelines_is_refused_with_why_and_when_to_come_again(console: Console) -> None:
    await console.sign_in("viewer")
    with ExitStack() as followed:
        for _ in range(MOST_OF_ONE):
            followed.enter_context(console.site.followers.place(console.name))
        answer = await console.http.get("/sessions/s_1/live?after=0")
    assert answer.status_code == 503 and int(answer.headers["Retry-After"]) > 0
    assert f"you follow {MOST_OF_ONE} timelines already" in answer.text and "close one of them" in answer.text


async def test_a_timeline_has_its_place_until_it_ends(console: Console) -> None:
    await console.sign_in("viewer")
    console.site.followers = Followers(most=1)
    followed = []

    @asynccontextmanager
    async def told(session_id: str) -> AsyncIterator[asyncio.Event]:
        with pytest.raises(Busy), console.site.followers.place("another"):
            pass
        followed.append(session_id)
        async with open_pool(console.engine.database_dsn("operator"), name="test") as pool:
            await users.remove_user(pool, console.name)  # which ends the stream
        yield asyncio.Event()

    console.site.told = told
    answer = await console.http.get("/sessions/s_1/live?after=999")
    assert answer.status_code == 200 and "event: out" in answer.text and followed == ["s_1"]
    with console.site.followers.place("another"):
        pass


async def test_an_id_from_anywhere_leads_to_its_page(console: Console) -> None:
    await console.sign_in()
    session, made = fresh(), event("tool.started")
    async with store_of(console.engine, "tool_loop") as (store, _):
        await store.append_fact(session, [made])
    for id, place in {
        session: f"/sessions/{session}",
        made.event_id: f"/sessions/{session}/events/1",
        f" {session} ": f"/sessions/{session}",
        "no such & id": "/tasks?text=no+such+%26+id",
    }.items():
        answer = await console.http.get("/find", params={"id": id})
        assert (answer.status_code, answer.headers["location"]) == (303, place)
