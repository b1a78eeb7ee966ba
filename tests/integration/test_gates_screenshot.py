"""A screenshot holds for the page that was asked for, where it shows something and nothing of it fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from arreio_contracts.task import ScreenshotCriterion

from services.gate_runner.browser import Browsing
from services.gate_runner.commands import SandboxedCommands
from services.gate_runner.criteria import Bench
from services.gate_runner.criteria.screenshot import ScreenshotJudge
from tests.support.browsers import needs_browser

HI = "<!doctype html><title>t</title><h1>Hi</h1>"


Verdict = Callable[[str], tuple[str, str]]


@pytest.fixture(scope="module")
def browsing() -> Iterator[tuple[asyncio.Runner, Browsing]]:
    """One browser for all pages."""
    with asyncio.Runner() as runner:
        found = Browsing()
        yield runner, found
        runner.run(found.__aexit__())


@pytest.fixture
def verdict(tmp_path: Path, browsing: tuple[asyncio.Runner, Browsing]) -> Verdict:
    runner, found = browsing
    judge = ScreenshotJudge(lambda place, page, screens, _: found.render(place, page, screens))
    (tmp_path / "other.html").write_text("<h1>Another page</h1>")

    def verdict(page: str) -> tuple[str, str]:
        (tmp_path / "p.html").write_text(page)
        bench = Bench(tmp_path, SandboxedCommands(tmp_path))
        result = runner.run(judge.judge(ScreenshotCriterion(path="p.html"), bench))
        return result.verdict, result.seen

    return verdict


@needs_browser
@pytest.mark.parametrize(
    ("page", "said"),
    [
        (
            "<script>window.onerror = () => true</script>" + HI + "<script>boom()</script>",
            "p.html:1: ReferenceError: boom",
        ),
        (
            "<script>onunhandledrejection = (e) => e.preventDefault()</script>"
            + HI
            + "<script>Promise.reject(Error('rej'))</script>",
            "Error: rej",
        ),
        (HI + "<script>try { boom() } catch (e) { console.error('it broke', e) }</script>", "console.error: it broke"),
        (HI + "<script>location = 'data:text/html,<h1>x'</script>", "data"),
        (HI + "<script>location = 'other.html'</script>", "leads to other.html"),
        (HI + "<meta http-equiv=refresh content='0;url=other.html'>", "leads to other.html"),
        (HI + "<script>location = 'https://example.org/'</script>", "leads to"),
        (HI + "<iframe src='file:///etc/passwd'></iframe>", "file:///etc/passwd"),
        ("<p style='color: white'>text</p>", "shows nothing"),
        ("<body style='background: #fefefe'><p style='color: #fdfdfd'>text</p>", "shows nothing"),
        (HI + "<div style='position: fixed; inset: 0; background: #fff'></div>", "shows nothing"),
        ("", "shows nothing"),
        ("<div style='width: 9px; height: 9px; background: white'></div>", "shows nothing"),
    ],
)
def test_a_page_that_fails_shows_nothing_or_is_another_is_named(verdict: Verdict, page: str, said: str) -> None:
    found, seen = verdict(page)
    assert found == "FAIL" and said in seen, seen


@needs_browser
@pytest.mark.parametrize(
    "page",
    [
        HI,
        HI + "<script>console.log('x'); console.warn('y'); console.info('z')</script>",
        HI + "<script>window.onerror = () => true; try { boom() } catch {}</script>",
        HI + "<script>history.pushState({}, '', '/fees?x=1#part')</script>",
        HI + "<script>if (!location.hash) { location.hash = 'a' }</script>",
        HI
        + "<img src='data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' alt='' width=9>",
        HI + "<iframe srcdoc='<p>inside</p>'></iframe>",
        "<body style='background: #222; color: #eee'>Light words</body>",
        "<canvas id=c width=50 height=50></canvas><script>c.getContext('2d').fillRect(5, 5, 9, 9)</script>",
        HI + "<link rel=stylesheet href='https://fonts.example.org/a.css'>",
    ],
)
def test_its_honest_twin_passes(verdict: Verdict, page: str) -> None:
    assert verdict(page) == ("PASS", "")
