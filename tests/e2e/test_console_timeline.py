"""The timeline's script in a browser, with a server that refuses: what it says and when it asks again."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Route, expect

import services.console
from tests.support.browsers import needs_browser
from tests.support.console import chromium

pytestmark = needs_browser
SCRIPT = Path(services.console.__file__).parent / "static" / "timeline.js"
PAGE = """<title>s</title><ol id="timeline" data-live="/live?show=tools&amp;after=7"></ol><a id="below" hidden></a>
<p id="following"></p><script type="module" src="/timeline.js"></script>"""
LINE = {"markup": '<li id="e9">nine</li>', "seq": 9, "type": "tool.finished", "task": "t_1"}
STREAM = f"retry: 1\nevent: line\nid: 9\ndata: {json.dumps(LINE)}\n\n"


def test_a_refused_stream_is_asked_for_again_with_growing_pauses_from_where_it_was() -> None:
    answers = [502, 503, 200, 502, 503]
    asked: list[str] = []

    def live(route: Route) -> None:
        asked.append(parse_qs(urlsplit(route.request.url).query)["after"][0])
        status = answers.pop(0)
        route.fulfill(status=status, content_type="text/event-stream", body=STREAM if status == 200 else "")

    with chromium() as browser:
        page = browser.new_page()
        page.clock.install()
        page.route("http://console.test/", lambda route: route.fulfill(content_type="text/html", body=PAGE))
        page.route("**/timeline.js", lambda route: route.fulfill(content_type="text/javascript", path=SCRIPT))
        page.route("**/live?*", live)
        page.goto("http://console.test/")
        following = page.locator("#following")
        expect(following).to_contain_text("tried again in 5 seconds")
        page.clock.run_for(5_000)
        expect(following).to_contain_text("tried again in 10 seconds")
        page.clock.run_for(9_000)
        assert asked == ["7", "7"]
        page.clock.run_for(1_000)
        expect(page.locator("#e9")).to_have_text("nine")
        # It ended, which the browser mends by itself; that was refused too.
        expect(following).to_contain_text("tried again in 5 seconds")
        page.clock.run_for(5_000)
        expect(following).to_contain_text("tried again in 10 seconds")
    assert asked == ["7", "7", "7", "7", "9"]
