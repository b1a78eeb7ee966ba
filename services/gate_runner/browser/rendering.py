"""Shows one page of a workspace on one screen: what is measured there, and a screenshot."""

import asyncio
import base64
import json
import secrets
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

from ..measures import Measures, Unnamed, measures_of
from ..taste.naming import has_words
from .devtools import Devtools
from .errors import BrowserFailed, PageFailed
from .serving import ORIGIN, is_ours, path_of, served
from .starting import Browser
from .uniform import is_uniform

PAGE_SECONDS: Final = 30.0
"""How long one page may take on one screen."""
_QUIET_SECONDS: Final = 6.0
"""How long a page that goes on asking for things is waited for."""
_MOST_HEIGHT: Final = 6_000
_MOST_ERRORS: Final = 10
_MOST_UNNAMED: Final = 30
_HEARD_OTHERWISE: Final = ("network", "javascript")
"""Sources of the browser's log of which better is heard: what was asked for and not there, what was thrown."""
_CONTROLS: Final = frozenset(
    {"button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "slider", "spinbutton"}
    | {"switch", "tab", "menuitem", "ComboBoxSelect", "popUpButton", "DisclosureTriangle", "menuitemcheckbox"}
    | {"menuitemradio", "treeitem"}
)


class Screen(NamedTuple):
    """A screen, in CSS pixels; `phone`: pages are laid out as on a phone."""

    width: int
    height: int
    phone: bool = False


SCREEN: Final = Screen(1280, 800)
PHONE: Final = Screen(360, 640, phone=True)


class Shown(NamedTuple):
    """A page on one screen; the screenshot is a PNG of the whole page, up to 6,000 pixels of it. `browser`: which."""

    screen: Screen
    measures: Measures
    screenshot: bytes
    browser: str


@dataclass(slots=True)
class _Heard:
    """What a page does while it is shown."""

    errors: dict[str, None] = field(default_factory=dict)
    elsewhere: dict[str, None] = field(default_factory=dict)
    quiet: asyncio.Event = field(default_factory=asyncio.Event)
    answering: set[asyncio.Task[None]] = field(default_factory=set)


async def shown_on(browser: Browser, session: str, workspace: Path, page: str, screen: Screen) -> Shown:
    """A page of the workspace as a session of the browser shows it on one screen.

    Raises:
        BrowserFailed: the browser ended, or the page cannot be measured or does not stay.
    """
    devtools, heard = browser.devtools, _Heard()
    _listen(devtools, session, workspace, page, heard)
    try:
        await _prepare(devtools, session, screen)
        loader = await _load(devtools, session, page, heard)
        world = await _world(devtools, session)
        await _evaluated(devtools, session, world, f"{_script('open_details.js')}(true)")
        found = await _evaluated(devtools, session, world, _script("measure.js"))
        unnamed = await _unnamed(devtools, session)
        height = await _evaluated(devtools, session, world, f"{_script('open_details.js')}(false)")
        found["scroll_height"] = height
        screenshot = await _screenshot(devtools, session, screen, found)
        await _still_there(devtools, session, page, loader)
    finally:
        for task in heard.answering:
            task.cancel()
    errors, elsewhere = [*heard.errors][:_MOST_ERRORS], [*heard.elsewhere][:_MOST_ERRORS]
    found["blank"] = found["blank"] or await asyncio.to_thread(is_uniform, screenshot)
    measures = measures_of(found, unnamed=unnamed, errors=errors, elsewhere=elsewhere)
    return Shown(screen, measures, screenshot, browser.version)


def _listen(devtools: Devtools, session: str, workspace: Path, page: str, heard: _Heard) -> None:
    def asked(event: dict[str, Any]) -> None:
        task = asyncio.create_task(_answer(devtools, session, workspace, page, event, heard))
        heard.answering.add(task)
        task.add_done_callback(heard.answering.discard)

    def thrown(event: dict[str, Any]) -> None:
        details = event["exceptionDetails"]
        said = str(details.get("exception", {}).get("description") or details.get("text", "")).split("\n")[0]
        place = f"{path_of(details.get('url', ''))}:{details.get('lineNumber', 0) + 1}"
        heard.errors[f"{place}: {said[:200]}"] = None

    def kept_quiet(event: dict[str, Any]) -> None:
        told = json.loads(event["payload"])
        heard.errors[f"{path_of(told['url'])}:{told['line']}: {told['said'][:200]}"] = None

    def said(event: dict[str, Any]) -> None:
        if event["type"] in ("error", "assert"):
            words = " ".join(str(one.get("value", one.get("description", ""))) for one in event["args"])
            heard.errors[f"console.{event['type']}: {words.splitlines()[0][:200] if words else ''}"] = None

    def logged(event: dict[str, Any]) -> None:
        entry = event["entry"]
        if entry["level"] == "error" and entry["source"] not in _HEARD_OTHERWISE:
            heard.errors[entry["text"][:200]] = None

    def lived(event: dict[str, Any]) -> None:
        if event.get("name") == "networkIdle":
            heard.quiet.set()

    def opening(_: dict[str, Any]) -> None:
        call = devtools.call("Page.handleJavaScriptDialog", session, accept=True)
        task = asyncio.create_task(_ignored(call))
        heard.answering.add(task)
        task.add_done_callback(heard.answering.discard)

    devtools.on("Fetch.requestPaused", asked, session=session)
    devtools.on("Runtime.exceptionThrown", thrown, session=session)
    devtools.on("Runtime.bindingCalled", kept_quiet, session=session)
    devtools.on("Runtime.consoleAPICalled", said, session=session)
    devtools.on("Log.entryAdded", logged, session=session)
    devtools.on("Page.lifecycleEvent", lived, session=session)
    devtools.on("Page.javascriptDialogOpening", opening, session=session)


async def _ignored(call: Any) -> None:
    try:
        await call
    except BrowserFailed:
        return


async def _answer(
    devtools: Devtools, session: str, workspace: Path, page: str, event: dict[str, Any], heard: _Heard
) -> None:
    """Answer what a page asks for from the workspace, and refuse all else."""
    url, kind, request = event["request"]["url"], event.get("resourceType"), event["requestId"]
    if not is_ours(url):
        host = urlsplit(url).hostname or ""
        if kind in ("Stylesheet", "Script") and "font" not in host:
            heard.elsewhere[host] = None
        await _ignored(devtools.call("Fetch.failRequest", session, requestId=request, errorReason="BlockedByClient"))
        return
    found = await asyncio.to_thread(served, workspace, page, url)
    if found is None and kind in ("Stylesheet", "Script", "Image", "Document") and path_of(url) != "favicon.ico":
        heard.errors[f"{path_of(url)[:200]} is not there"] = None
    headers = [{"name": "Content-Type", "value": found.media_type if found else "text/plain"}]
    body = base64.b64encode(found.content if found else b"").decode()
    status = 200 if found else 404
    answer = {"requestId": request, "responseCode": status, "responseHeaders": headers, "body": body}
    await _ignored(devtools.call("Fetch.fulfillRequest", session, **answer))


async def _prepare(devtools: Devtools, session: str, screen: Screen) -> None:
    await devtools.call("Fetch.enable", session, patterns=[{"urlPattern": "*"}])
    for domain in ("Page", "Runtime", "Log", "DOM", "Accessibility"):
        await devtools.call(f"{domain}.enable", session)
    # A name that no page knows, so that none speaks in its place.
    name = f"arreio_{secrets.token_hex(8)}"
    await devtools.call("Runtime.addBinding", session, name=name)
    source = _script("hear.js").replace("ARREIO", name)
    await devtools.call("Page.addScriptToEvaluateOnNewDocument", session, source=source)
    await devtools.call("Page.setLifecycleEventsEnabled", session, enabled=True)
    size = {"width": screen.width, "height": screen.height, "deviceScaleFactor": 1, "mobile": screen.phone}
    await devtools.call("Emulation.setDeviceMetricsOverride", session, **size)
    still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    await devtools.call("Emulation.setEmulatedMedia", session, features=still)


async def _load(devtools: Devtools, session: str, page: str, heard: _Heard) -> str:
    """Open the page and wait until it asks for nothing more; one that never does is taken as it then is.

    The id of its loading comes back: another one tells that the browser was led elsewhere.
    """
    heard.quiet.clear()
    answered = await devtools.call("Page.navigate", session, url=f"{ORIGIN}/{quote(page)}")
    if answered.get("errorText"):
        raise PageFailed(f"{page} cannot be opened: {answered['errorText']}")
    try:
        async with asyncio.timeout(_QUIET_SECONDS):
            await heard.quiet.wait()
    except TimeoutError:
        pass
    return str(answered.get("loaderId", ""))


async def _still_there(devtools: Devtools, session: str, page: str, loader: str) -> None:
    """Nothing, where what is shown is the page that was asked for, be it loaded again.

    Raises:
        PageFailed: the page leads elsewhere.
    """
    frame = (await devtools.call("Page.getFrameTree", session))["frameTree"]["frame"]
    url = str(frame["url"])
    if frame["loaderId"] != loader and not (is_ours(url) and path_of(url) == page):
        where = path_of(url) if is_ours(url) else url[:100]
        raise PageFailed(f"{page} leads to {where} by itself; the page that is asked for must stay")


async def _world(devtools: Devtools, session: str) -> int:
    """A world of our own in the page, which the page's scripts cannot touch."""
    frame = (await devtools.call("Page.getFrameTree", session))["frameTree"]["frame"]["id"]
    return int((await devtools.call("Page.createIsolatedWorld", session, frameId=frame))["executionContextId"])


async def _evaluated(devtools: Devtools, session: str, world: int, script: str) -> Any:
    """What a script of ours comes to."""
    answer = await devtools.call("Runtime.evaluate", session, expression=script, contextId=world, returnByValue=True)
    if "exceptionDetails" in answer:
        raise BrowserFailed(f"the page cannot be measured: {answer['exceptionDetails'].get('text')}")
    return answer["result"].get("value")


async def _unnamed(devtools: Devtools, session: str) -> list[Unnamed]:
    nodes = (await devtools.call("Accessibility.getFullAXTree", session))["nodes"]
    found = []
    for node in nodes:
        role = str(node.get("role", {}).get("value", ""))
        named = has_words(str(node.get("name", {}).get("value", "")))
        if node.get("ignored") or role not in _CONTROLS or named or "backendDOMNodeId" not in node:
            continue
        element = (await devtools.call("DOM.describeNode", session, backendNodeId=node["backendDOMNodeId"]))["node"]
        found.append(Unnamed(what=_tag(element), role=role))
        if len(found) >= _MOST_UNNAMED:
            break
    return found


def _tag(element: dict[str, Any]) -> str:
    listed = element.get("attributes", [])
    given = dict(zip(listed[::2], listed[1::2], strict=True))
    told = [f'{name}="{given[name][:40]}"' for name in ("id", "class", "name", "type", "href") if given.get(name)]
    return f"<{' '.join([str(element.get('localName') or element.get('nodeName')), *told])}>"


async def _screenshot(devtools: Devtools, session: str, screen: Screen, found: dict[str, Any]) -> bytes:
    height = min(_MOST_HEIGHT, max(screen.height, int(found.get("scroll_height", 0))))
    width = max(screen.width, min(2 * screen.width, int(found.get("scroll_width", 0))))
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    taken = await devtools.call("Page.captureScreenshot", session, format="png", captureBeyondViewport=True, clip=clip)
    return base64.b64decode(taken["data"])


@cache
def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")
