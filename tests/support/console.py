"""The console in a real browser: a person who signs in, looks, and does things; and what the browser had against it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from services.gate_runner.browser import browser_program
from tests.support.house import House, last_json

Scheme = Literal["light", "dark"]
Value = TypeVar("Value")
expect.set_options(timeout=60_000)
PHONE = 390
"""CSS pixels of a phone's width."""


def aside(work: Callable[[], Value]) -> Value:
    """Run `work` in a thread: Playwright's own event loop lives in this one, and there can be no second."""
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(work).result()


def console_url(house: House) -> str:
    """Where the console of a house listens that is ready: it does by then."""
    url = json.loads(house.arreio("info", "--json").stdout)["console"]["url"]
    assert url is not None, "ready, and no console"
    return str(url)


def add_user(house: House, name: str, role: str) -> str:
    """Let a person sign in; their password."""
    return str(last_json(house.arreio("console", "users", "add", name, "--role", role, "--json").stdout)["password"])


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which(browser_program() or ""), args=["--no-sandbox"]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Person:
    """Somebody in front of a browser. `complaints` is all that the browser wrote to its console, and every failure."""

    page: Page
    url: str
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def go(self, path: str) -> None:
        """Open a page of the console."""
        answer = self.page.goto(self.url + path)
        assert answer is not None and answer.ok, (path, answer and answer.status, self.page.inner_text("body")[:500])

    def sign_in(self, name: str, password: str) -> None:
        """Sign in with the keyboard alone."""
        self.go("/login")
        self.page.locator("input[name=name]:focus").wait_for()
        self.page.keyboard.type(name)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(password)
        self.page.keyboard.press("Enter")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("Tasks")

    def assert_well(self, name: str) -> None:
        """The page is accessible and fits its width, and the browser is content; a picture is kept if asked."""
        folder = os.environ.get("ARREIO_TEST_SCREENSHOTS")
        if folder:
            width = (self.page.viewport_size or {"width": 0})["width"]
            dark = self.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{name}-{width}-{'dark' if dark else 'light'}.png")
        found = Axe().run(self.page).response["violations"]
        assert not found, [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in found]
        wide = self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} is {wide} pixels wider than the screen"
        assert not self.complaints, self.complaints


def person(browser: Browser, url: str, *, scheme: Scheme = "light", width: int = 1280, **more: Any) -> Person:
    """Somebody with a browser of their own."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, **more)
    context.set_default_timeout(60_000)
    return Person(context.new_page(), url)
