"""Pages in a real browser: what is measured is what is seen, nothing else is reached, and nothing stays behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.gate_runner.browser import (
    PHONE,
    SCREEN,
    BrowserFailed,
    BrowserUnavailable,
    Browsing,
    Screen,
    Shown,
    render,
)
from services.gate_runner.taste import Taste
from services.gate_runner.taste.rendered import shown_violations
from tests.support.browsers import needs_browser

CHECKS = ("rendered_contrast", "overflow", "text_size", "tap_targets", "control_names", "screenshot")
TASTE = Taste.model_validate({"rules": [{"name": check, "check": check} for check in CHECKS]})
HEAD = '<!doctype html><meta name=viewport content="width=device-width"><title>t</title>'

Rendered = Callable[..., list[Shown]]


@pytest.fixture(scope="module")
def shows() -> Iterator[Rendered]:
    """One browser for all pages that end well."""
    with asyncio.Runner() as runner:
        browsing = Browsing()
        yield lambda *what: runner.run(browsing.render(*what))
        runner.run(browsing.__aexit__())


@pytest.fixture
def rendered(tmp_path: Path, shows: Rendered) -> Rendered:
    def rendered(
        files: dict[str, str], page: str = "a.html", screens: tuple[Screen, ...] = (SCREEN, PHONE)
    ) -> list[Shown]:
        for name, content in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)
        before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
        shown = shows(tmp_path, page, screens)
        assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
        return shown

    return rendered


def broken(shown: list[Shown]) -> dict[str, list[str]]:
    """What was found, by rule, on either screen."""
    found: dict[str, list[str]] = {}
    for one in shown:
        for line in shown_violations("a.html", one.screen.width, one.screen.phone, one.measures, TASTE.rendered):
            found.setdefault(line.rule, []).append(line.said)
    return found


BAD = f"""{HEAD}<link rel=stylesheet href=/looks/s.css>
<main class=card><p class=pale>Pale words</p><small class=tiny>Tiny print</small></main>
<div class=wide>A wide box</div><a href=1 class=dot>x</a><a href=2 class=dot>y</a>
<button class=icon><i></i></button><input>
<details><summary></summary><p class=pale>Pale words inside</p><a href=3></a></details>"""
LOOKS = """.card { background: #fff } .pale { color: #bbb } .tiny { font-size: 9px } .wide { width: 700px }
.dot { display: inline-block; width: 12px; height: 12px; overflow: hidden } .icon { width: 40px; height: 40px }"""
GOOD = f"""{HEAD}<style>
body {{ color: #222 }} .dark {{ background: #123; color: #eee }} .dark a {{ color: #9cf }}
.scroll {{ overflow-x: auto }} .wide {{ width: 900px }} .hero {{ background: linear-gradient(#000, #222); color: #fff }}
.heard {{ position: absolute; width: 1px; height: 1px; overflow: hidden; font-size: 1px }} nav a {{ padding: 8px }}
.off {{ position: fixed; left: -300px; width: 280px }} .over {{ position: absolute; top: 4px; color: #fff }}
.picture {{ position: relative; height: 40px }} .picture svg {{ position: absolute; inset: 0 }}
</style>
<nav><a href=1>Home</a> <a href=2>Fees</a></nav>
<div class=dark><p>Light words and <a href=x>a link</a> in them.</p></div>
<div class=hero>White on a gradient</div><span class=heard>Only heard</span><div class=off>A drawer</div>
<div class=scroll><div class=wide>A wide table that scrolls by itself</div></div>
<div class=picture><svg width=300 height=40 aria-hidden=true><rect width=300 height=40 /></svg>
<span class=over>White on a picture</span></div>
<form><label for=n>Name</label> <input id=n> <label><input type=checkbox> Remember me</label> <button>Send</button>
<button disabled style="color: #ccc; background: #ddd">Later</button></form>
<p>H<sub style="font-size: 10px">2</sub>O</p>"""


@needs_browser
def test_what_can_only_be_seen_in_a_browser_is_found(rendered: Rendered) -> None:
    shown = rendered({"a.html": BAD, "looks/s.css": LOOKS})
    found = broken(shown)
    assert {*found} == {*CHECKS} - {"screenshot"}
    assert (
        found["rendered_contrast"][0]
        == "<p.pale> “Pale words”: #bbbbbb on #ffffff has a contrast of 1.91, less than 4.5"
    )
    assert any("<div.wide>" in line for line in found["overflow"])
    assert any("Tiny print" in line for line in found["text_size"]) and len(found["tap_targets"]) == 2
    assert any("Pale words inside" in line for line in found["rendered_contrast"])
    unnamed = {line.split(" has")[0] for line in found["control_names"]}
    assert unnamed == {'<button class="icon">', "<input>", "<summary>", '<a href="3">'}
    assert all(one.screenshot.startswith(b"\x89PNG") and one.browser for one in shown)


@needs_browser
def test_its_honest_twin_is_left_alone(rendered: Rendered) -> None:
    assert broken(rendered({"a.html": GOOD})) == {}


@needs_browser
def test_a_built_page_finds_its_modules_from_its_own_root(rendered: Rendered) -> None:
    files = {
        "dist/index.html": f'{HEAD}<div id=app></div><script type=module src="/assets/m.js"></script>',
        "dist/assets/m.js": 'import { words } from "./w.js"; document.getElementById("app").textContent = words;',
        "dist/assets/w.js": 'export const words = "made by a module";',
    }
    (wide,) = rendered(files, "dist/index.html", (SCREEN,))
    assert "made by a module" in wide.measures.texts[0].what and wide.measures.errors == ()


@needs_browser
def test_a_page_reaches_nothing_but_the_workspace(rendered: Rendered, tmp_path: Path) -> None:
    (tmp_path.parent / "secret.txt").write_text("secret")
    tries = [
        "http://localhost/../secret.txt",
        "/%2e%2e/secret.txt",
        "file:///etc/hostname",
        "http://127.0.0.1:80/",
        "https://example.org/",
    ]
    script = f"""
      Promise.all({tries}.map((url) => fetch(url).then((got) => got.ok).catch(() => false)))
        .then((got) => {{ document.body.textContent = "reached " + got.filter(Boolean).length; }});"""
    (wide,) = rendered({"a.html": f"{HEAD}<body>waits</body><script>{script}</script>"}, screens=(SCREEN,))
    assert "reached 0" in wide.measures.texts[0].what


@needs_browser
def test_errors_missing_files_dialogs_and_what_lies_elsewhere_are_told(rendered: Rendered) -> None:
    page = f"""{HEAD}<p>x</p><script>alert("stop"); confirm("sure?")</script><script src=gone.js></script>
<script src="https://cdn.example.org/x.js"></script><link rel=stylesheet href="https://fonts.example.org/a.css">
<script>nobody()</script>"""
    measures = rendered({"a.html": page}, screens=(SCREEN,))[0].measures
    assert measures.elsewhere == ("cdn.example.org",) and not measures.blank
    assert measures.errors[0] == "gone.js is not there" and "nobody is not defined" in measures.errors[1]


@needs_browser
def test_a_page_cannot_bend_its_measures(rendered: Rendered) -> None:
    lies = "Element.prototype.getBoundingClientRect = () => ({}); window.getComputedStyle = () => ({});"
    assert "text_size" in broken(
        rendered({"a.html": f"{HEAD}<script>{lies}</script><p style='font-size:5px'>tiny</p>"}, screens=(SCREEN,))
    )


@needs_browser
def test_a_page_that_shows_nothing_is_blank_and_one_with_a_picture_is_not(rendered: Rendered) -> None:
    pages = {
        "a.html": f"{HEAD}<div id=root></div>",
        "b.html": f"{HEAD}<svg width=9 height=9><rect width=9 height=9 /></svg>",
    }
    assert [rendered(pages, page, (SCREEN,))[0].measures.blank for page in pages] == [True, False]


@needs_browser
def test_pages_in_one_browser_share_nothing(rendered: Rendered) -> None:
    script = """const left = [localStorage.left, document.cookie].filter(Boolean).length;
      document.body.textContent = `found ${left}`; localStorage.left = document.cookie = "left=1";"""
    pages = dict.fromkeys(("a.html", "b.html"), f"{HEAD}<body></body><script>{script}</script>")
    assert ["found 0" in rendered(pages, page, (SCREEN,))[0].measures.texts[0].what for page in pages] == [True, True]


@needs_browser
def test_a_page_that_hangs_is_given_up_and_its_browser_ends_and_the_next_page_has_another(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"{HEAD}<p>x</p><script>for (;;);</script>")
    (tmp_path / "b.html").write_text(f"{HEAD}<p>y</p>")
    before = _children()

    async def both() -> list[Shown]:
        async with Browsing() as browsing:
            with pytest.raises(BrowserFailed, match="not shown within"):
                await browsing.render(tmp_path, "a.html", [SCREEN], seconds=1)
            assert {pid: name for pid, name in _children().items() if pid not in before} == {}
            return await browsing.render(tmp_path, "b.html", [SCREEN])

    assert "y" in asyncio.run(both())[0].measures.texts[0].what
    assert {pid: name for pid, name in _children().items() if pid not in before} == {}


def _children() -> dict[str, str]:
    """The processes that this one started and that still run: their ids and names.

    Other tests that ran in this process may have left some that they keep, so what counts is what is new.
    """
    found = {}
    for pid in os.listdir("/proc"):  # noqa: PTH208 - names suffice
        with contextlib.suppress(OSError):
            before, _, after = (Path("/proc") / pid / "stat").read_text().rpartition(")")
            state, parent = after.split()[:2]
            if parent == str(os.getpid()) and state != "Z":
                found[pid] = before.partition("(")[2]
    return found


def test_without_a_browser_it_is_said_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "a.html").write_text(GOOD)
    with pytest.raises(BrowserUnavailable) as caught:
        asyncio.run(render(tmp_path, "a.html", [SCREEN]))
    assert "no browser is installed" in caught.value.message and "apt-get install chromium" in caught.value.hint


def test_a_page_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(BrowserFailed, match=r"no page gone\.html"):
        asyncio.run(render(tmp_path, "gone.html", [SCREEN]))
