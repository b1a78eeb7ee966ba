"""No page of the console leads to one that is not there, whatever happened to the tasks that it shows."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace

import httpx

from arreio.console.workings import HouseWorkings
from services.console import users
from services.console.acts import STREAM
from services.console.passwords import new_password
from services.console.site import Lag, Site
from services.console.web import create
from services.learning.stream import STREAM as LEARNT
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import open_pool
from shared.store.hashing import START
from shared.store.sessions import add_session
from tests.integration.test_console import token_of
from tests.support.histories import NAMES, history
from tests.support.much import again
from tests.support.store import fresh

_LINK = re.compile(r'(?:href|src|data-source)="(/[^"]*)"')


async def _remember(engine: Settings) -> list[str]:
    """Every recorded history as a session of its own, with its task in the list of tasks; their ids."""
    made = []
    async with open_pool(engine.database_dsn("operator"), name="links", size=1) as pool:
        for name in NAMES:
            export = history(name)
            made.append(fresh())
            await BlobStore(pool).put_many(list(export.blobs.values()))
            events, tasks = again(export, made[-1])
            await add_session(pool, made[-1], START, events, tasks)
    return made


@asynccontextmanager
async def _told(session_id: str) -> AsyncIterator[asyncio.Event]:
    yield asyncio.Event()


async def _lags() -> Sequence[Lag]:
    return [Lag("gateway_inbound", "ARREIO_INBOUND", 0, 0, 0)]


@asynccontextmanager
async def _signed_in(engine: Settings) -> AsyncIterator[httpx.AsyncClient]:
    name, password = fresh("olga")[:40], new_password()
    async with open_pool(engine.database_dsn("operator"), name="links") as pool:
        await users.add_user(pool, name, "operator", password)
    async with open_pool(engine.database_dsn("console"), name="console-links") as pool:
        workings = HouseWorkings(engine, SimpleNamespace(client=None), pool)  # type: ignore[arg-type]
        app = create(Site(pool, workings, _told, _lags, "test"))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://console.test") as client:
            form = {"token": token_of(await client.get("/login")), "name": name, "password": password}
            assert (await client.post("/login", data=form)).status_code == 303
            token = token_of(await client.get("/tasks"))
            assert (await client.post("/sessions/s_none/verify", data={"token": token})).status_code == 409
            yield client
        workings.end()


async def test_every_link_of_every_page_of_tasks_of_all_kinds_leads_somewhere(engine: Settings) -> None:
    ours = await _remember(engine)
    async with _signed_in(engine) as client:
        seen = {"/tasks", "/dead", "/proposals", "/engine", *(f"/sessions/{one}" for one in (*ours, STREAM))}
        todo, wrong = sorted(seen), list[tuple[str, int, str]]()
        while todo:
            path = todo.pop()
            answer = await client.get(path, follow_redirects=True)
            if answer.status_code >= 400:
                said = re.search(r'role="alert">([^<]*)', answer.text)
                wrong.append((path, answer.status_code, said[1] if said else ""))
            if answer.headers.get("content-type", "").startswith("text/html"):
                new = {html.unescape(link) for link in _LINK.findall(answer.text)} - seen
                # Sessions and tasks of other tests may hold anything.
                new = {one for one in new if not one.startswith(("/sessions/s_", "/tasks/t_")) or _is_ours(one, ours)}
                seen |= new
                todo += sorted(new)
    assert wrong == [], wrong
    assert LEARNT and len(seen) > 40 * len(NAMES)


def _is_ours(path: str, ours: Sequence[str]) -> bool:
    return path.startswith("/tasks/") or any(one in path for one in ours)
