"""No page of the console leads to one that is not there, whatever happened to the tasks that it shows."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import httpx
import pytest

from arreio.console.aside import Aside
from arreio.console.workings import HouseWorkings
from services.console import users
from services.console.acts import STREAM
from services.console.passwords import new_password
from services.console.site import Lag, Site
from services.console.web import create
from services.console.workings import Asker
from services.learning.stream import STREAM as LEARNT
from services.tool_loop import copying
from shared.settings import Settings
from shared.store.blobs import BlobStore
from shared.store.connection import Pool, open_pool
from shared.store.hashing import START
from shared.store.sessions import add_session
from shared.store.tasks import TaskPatch
from tests.integration.test_console import token_of
from tests.support.histories import history
from tests.support.store import fresh

KINDS = ("asked", "cancelled", "gate_failed", "provider_refuses", "window_hopeless")
"""Histories whose tasks wait, or ended in every state; some had no prompt, or none that fits."""
_LINK = re.compile(r'(?:href|src|data-source)="(/[^"]*)"')


async def _remember(engine: Settings) -> list[str]:
    """Recorded histories, each as a session of its own, with its task in the list of tasks; their ids."""
    made = []
    async with open_pool(engine.database_dsn("operator"), name="links", size=1) as pool:
        for name in KINDS:
            export, names = history(name), copying.fork_names()
            made.append(names.session_id)
            await BlobStore(pool).put_many(list(export.blobs.values()))
            copy = copying.fork(export.session, export.session.events[-1].seq, names, "/nowhere", now_ms=1)
            # Nothing shall wake for them: other tests look for what is to be run.
            events = [replace(event, published=False) for event in copy.events]
            await add_session(pool, names.session_id, START, events, [_asleep(task) for task in copy.tasks])
    return made


def _asleep(task: TaskPatch) -> TaskPatch:
    return cast(TaskPatch, {**{name: value for name, value in task.items() if name != "wake_in"}, "wake_at": None})


@asynccontextmanager
async def _told(session_id: str) -> AsyncIterator[asyncio.Event]:
    yield asyncio.Event()


async def _lags() -> Sequence[Lag]:
    return [Lag("gateway_inbound", "ARREIO_INBOUND", 0, 0, 0)]


@asynccontextmanager
async def _signed_in(engine: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    name, password = fresh("olga")[:40], new_password()
    async with open_pool(engine.database_dsn("operator"), name="links") as pool:
        await users.add_user(pool, name, "operator", password)
    async with open_pool(engine.database_dsn("console"), name="console-links") as pool:
        monkeypatch.setattr(HouseWorkings, "_opening", lambda _: nullcontext(pool))
        workings = HouseWorkings(engine, SimpleNamespace(client=None), pool)  # type: ignore[arg-type]
        app = create(Site(pool, workings, _told, _lags, "test"))
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://console.test") as client:
            form = {"token": token_of(await client.get("/login")), "name": name, "password": password}
            assert (await client.post("/login", data=form)).status_code == 303
            yield client
        workings.end()


async def _at_once(self: Aside, work: Callable[[Pool], Awaitable[object]], asker: Asker) -> object:
    """What long work comes to, without a thread and connections for each of a thousand pages."""
    async with self._opening() as pool:
        return await work(pool)


async def test_every_link_of_every_page_of_tasks_of_all_kinds_leads_somewhere(
    engine: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Aside, "run", _at_once)
    ours = await _remember(engine)
    async with _signed_in(engine, monkeypatch) as client:
        seen = {"/tasks", "/dead", "/proposals", "/engine", *(f"/sessions/{one}" for one in (*ours, STREAM, LEARNT))}
        todo, wrong = sorted(seen), list[tuple[str, int, str]]()
        while todo:
            path = todo.pop()
            answer = await client.get(path, follow_redirects=True)
            if answer.status_code >= 400:
                said = re.search(r'role="alert">([^<]*)', answer.text)
                wrong.append((path, answer.status_code, said[1] if said else ""))
            if answer.headers.get("content-type", "").startswith("text/html"):
                new = {html.unescape(link) for link in _LINK.findall(answer.text)} - seen
                # Sessions, tasks and proposals of other tests may hold anything, and name events that never were.
                new = {one for one in new if not one.startswith(("/sessions/s_", "/tasks/t_")) or _is_ours(one, ours)}
                if not any(one in path for one in ours):
                    new = {one for one in new if not one.startswith("/events/")}
                seen |= new
                todo += sorted(new)
    assert wrong == [], wrong
    assert len(seen) > 40 * len(KINDS)


def _is_ours(path: str, ours: Sequence[str]) -> bool:
    return path.startswith("/tasks/") or any(one in path for one in ours)
