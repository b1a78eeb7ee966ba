"""Every act is recorded with who did it: before it is carried out, and what came of it."""

from collections.abc import Awaitable, Callable
from typing import Final

from arreio_contracts.events import EventData, Metadata, OperatorAct, OperatorActed, OperatorActEnded

from shared.errors import ArreioError
from shared.store import own_streams
from shared.store.events import event_of

from .guard import Acting
from .site import Site

STREAM: Final = own_streams.CONSOLE
"""Where the console records: one stream of its own, which no session of people has."""
RECORDS: Final = frozenset({STREAM, own_streams.LEARNING})
"""Streams that no people talk in: what was done by the console, and what learning was told. Neither is copied."""


async def act(
    site: Site, acting: Acting, what: OperatorAct, target: str, work: Callable[[], Awaitable[str]], **details: str
) -> str:
    """Have `work` done in a person's name, and return what it says.

    Raises:
        StoreUnavailable: the act could not be recorded; it was not carried out.
        ArreioError: it could not be done, which is recorded.
    """
    said = {name: value for name, value in details.items() if value}
    acted = OperatorActed(by=acting.by, act=what, target=target, details=said)
    asked = await _record(site, acted)
    try:
        result = await work()
    except Exception as error:
        problem = error.line() if isinstance(error, ArreioError) else f"{type(error).__name__}: {error}"
        await _record(site, _ended(acted, asked, problem, done=False), asked)
        raise
    await _record(site, _ended(acted, asked, result, done=True), asked)
    return result


def _ended(acted: OperatorActed, asked: str, result: str, *, done: bool) -> OperatorActEnded:
    return OperatorActEnded(by=acted.by, act=acted.act, acted=asked, done=done, result=result)


async def _record(site: Site, data: EventData, causation: str = "") -> str:
    metadata = Metadata(service="console", code_version=site.code_version, causation=causation)
    event = event_of(data, metadata)
    await site.store.append_fact(STREAM, [event])
    return event.event_id
