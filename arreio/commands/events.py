"""`arreio events tail|show|forget`: what happens, and what happened."""

from __future__ import annotations

import asyncio
import contextlib
import fnmatch
import sys
from collections.abc import AsyncIterator, Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Annotated

import typer
from arreio_contracts import envelope, subjects
from arreio_contracts.envelope import Envelope
from arreio_contracts.errors import ContractError
from arreio_contracts.events import EVENTS, EventData, Metadata

from arreio.client import Client, connected
from arreio.engine_watch import watched
from arreio.live import Narrator
from arreio.options import LARGEST_SEQ, DataDirOption, JsonOption, say, say_json
from arreio.reading import reading
from arreio.terminal import visible_line
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

# psycopg takes a fifth of a second to import, which `--help` must not wait for.
if TYPE_CHECKING:
    from arreio.tailing import Tail
    from shared.store.events import RecordedEvent

app = typer.Typer(no_args_is_help=True, help="Events: tail, show, forget.")


@app.command()
def tail(
    session: Annotated[str | None, typer.Option(help="Only this session's.")] = None,
    task: Annotated[str | None, typer.Option(help="Only this task's.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Only types that match, as 'task.*'.")] = None,
    from_: Annotated[
        int, typer.Option("--from", metavar="SEQ", min=0, max=LARGEST_SEQ, help="Begin at this seq of each session.")
    ] = 0,
    resume: Annotated[
        str | None, typer.Option(metavar="NAME", help="Go on where the tail of this name left off; begin it, if new.")
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Only events that come from now on.")] = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Print the events that there are, then those to come, each session's in order, until Ctrl-C.

    A server that goes away is waited for; an engine that was stopped ends it.
    """
    if sum((bool(from_), resume is not None and not new, new)) > 1:
        raise ArreioError("--from, --resume and --new each say where to begin", "give one of them")
    for name, value in (("session", session), ("resume", resume)):
        if value is not None:
            subjects.token(value, name)
    _refuse_unknown(type_)
    settings = load_settings(data_dir)
    wanted = partial(_wanted, task=task, pattern=type_)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_tail(settings, session, task, from_, resume, new, wanted, as_json))


@app.command()
def forget(
    name: Annotated[str, typer.Argument(help="The name given to `tail --resume`.")], data_dir: DataDirOption = None
) -> None:
    """Forget how far a named tail has come: the next one begins anew."""
    if not asyncio.run(_forget(load_settings(data_dir), name)):
        raise ArreioError(f"there is no tail of the name {name}")


@app.command()
def show(
    session: Annotated[str, typer.Argument(help="The session's id.")],
    task: Annotated[str | None, typer.Option(help="Only this task's.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Only types that match, as 'task.*'.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Print every event of a session, from the database."""
    _refuse_unknown(type_)
    settings = load_settings(data_dir)
    for event in asyncio.run(_read(settings, session)):
        if _wanted(event.type, event.task_id, task=task, pattern=type_):
            _print(event, as_json)


async def _tail(
    settings: Settings,
    session: str | None,
    task: str | None,
    start: int,
    name: str | None,
    new_only: bool,
    wanted: Callable[[str, str | None], bool],
    as_json: bool,
) -> None:
    from arreio.tailing import Tail
    from shared.store.events import EventStore
    from shared.store.tasks import show_task

    async with reading(settings) as pool, _with_nats(settings) as client:
        if session is not None and not (await EventStore(pool).head(session)).seq:
            raise ArreioError(f"there is no session {session}", "see 'arreio tasks list'")
        if task is not None and await show_task(pool, task) is None:
            raise ArreioError(f"there is no task {task}", "see 'arreio tasks list'")
        tail = Tail(pool, client.connection, session=session, start=start, name=name, new_only=new_only, say=_note)
        ended = await watched(settings, _follow(tail, wanted, as_json))
        ended.result()


async def _follow(tail: Tail, wanted: Callable[[str, str | None], bool], as_json: bool) -> None:
    try:
        async with contextlib.aclosing(tail.events()) as events:
            async for event in events:
                if wanted(event.type, event.task_id):
                    _print(event, as_json)
                tail.printed(event)
                await tail.save_if_due()
    finally:
        if not await tail.save():
            _note("how far this tail came was not kept, so some events will be shown again")


@contextlib.asynccontextmanager
async def _with_nats(settings: Settings) -> AsyncIterator[Client]:
    """The connection to NATS, whose breaks are said. What is new is seen meanwhile too, only later."""
    over = False

    def lost() -> None:
        if not over:
            _note("NATS went away; the database is looked at now and then until it is back")

    def back() -> None:
        _note("NATS is back")

    async with connected(settings, lost=lost, back=back) as client:
        try:
            yield client
        finally:
            over = True


def _note(line: str) -> None:
    sys.stderr.write(f"arreio: {visible_line(line)}\n")
    sys.stderr.flush()


async def _forget(settings: Settings, name: str) -> bool:
    from arreio.tailing import forget

    async with reading(settings) as pool:
        return await forget(pool, name)


async def _read(settings: Settings, session: str) -> list[RecordedEvent]:
    from shared.store.events import EventStore

    async with reading(settings) as pool:
        store = EventStore(pool)
        found, head = await store.read(session), await store.head(session)
    if not found and head.seq:
        raise ArreioError(f"session {session} was pruned at seq {head.seq}", "import its export first")
    if not found:
        raise ArreioError(f"there is no session {session}", "see 'arreio tasks list'")
    return found


def _refuse_unknown(pattern: str | None) -> None:
    """Nothing would ever be shown."""
    if pattern is not None and not fnmatch.filter(EVENTS, pattern):
        raise ArreioError(f"no type of event matches {pattern!r}", "they are as task.created; give one, or a glob")


def _wanted(kind: str, about: str | None, *, task: str | None, pattern: str | None) -> bool:
    return (task is None or about == task) and (pattern is None or fnmatch.fnmatchcase(kind, pattern))


def _envelope_of(event: RecordedEvent) -> Envelope:
    try:
        metadata: Metadata | None = event.metadata
    except ContractError:
        metadata = None  # it is shown all the same; `arreio replay --verify` says what is wrong with it
    kind = EVENTS.get(event.type)
    return Envelope(
        id=event.event_id,
        source=f"{envelope.SOURCE_ROOT}/{metadata.service if metadata else 'unknown'}",
        type=f"arreio.{event.type}",
        dataschema=envelope.dataschema(event.type, kind.version if kind else event.schema_version),
        time=event.recorded_at,
        subject=event.task_id,
        partitionkey=event.session_id,
        sequence=envelope.sequence(event.seq),
        correlationid=(metadata and metadata.correlation) or None,
        causationid=(metadata and metadata.causation) or None,
        traceparent=(metadata and metadata.traceparent) or None,
    )


def _print(event: RecordedEvent, as_json: bool) -> None:
    """Print one event, at once. One that no contract reads is shown as it stands in the log."""
    try:
        data: EventData | None = event.contract
    except ContractError:
        data = None
    attributes = _envelope_of(event)
    if as_json:
        say_json(envelope.structured(attributes, event.data if data is None else data.model_dump(mode="json")))
    else:
        time = event.recorded_at.astimezone().strftime("%H:%M:%S.%f")[:-3]
        lines = [] if data is None else _narrator(event.session_id, event.task_id).lines(data)
        said = " ".join(line.plain.strip() for line in lines)
        say(f"{time} {event.session_id} {event.seq:>5} {event.type:<22} {said}".rstrip())
    sys.stdout.flush()


@lru_cache(maxsize=256)
def _narrator(_session_id: str, _task_id: str | None) -> Narrator:
    """The narrator of one task, which remembers its step and totals from line to line."""
    return Narrator()
