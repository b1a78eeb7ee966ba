"""`arreio events tail|show`: what happens, and what happened."""

import asyncio
import fnmatch
import json
import sys
from typing import Annotated

import typer
from arreio_contracts import envelope, subjects
from arreio_contracts.envelope import Envelope
from arreio_contracts.events import EventData
from rich.console import Console

from arreio.client import connected
from arreio.live import Narrator
from arreio.options import DataDirOption, JsonOption
from arreio.reading import reading
from shared.errors import ArreioError
from shared.settings import Settings, load_settings
from shared.store.events import EventStore, RecordedEvent

app = typer.Typer(no_args_is_help=True, help="Events: tail, show.")


@app.command()
def tail(
    session: Annotated[str | None, typer.Option(help="Only this session's.")] = None,
    task: Annotated[str | None, typer.Option(help="Only this task's.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Only types that match, as 'task.*'.")] = None,
    from_: Annotated[int, typer.Option("--from", min=0, help="Skip events of a session before this seq.")] = 0,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Print the stream's events, then those to come, until Ctrl-C."""
    settings = load_settings(data_dir)
    try:
        asyncio.run(_tail(settings, session, task, type_, from_, as_json))
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


@app.command()
def show(
    session: Annotated[str, typer.Argument(help="The session's id.")],
    task: Annotated[str | None, typer.Option(help="Only this task's.")] = None,
    type_: Annotated[str | None, typer.Option("--type", help="Only types that match, as 'task.*'.")] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Print every event of a session, from the database."""
    settings = load_settings(data_dir)
    for event in asyncio.run(_read(settings, session)):
        if _wanted(event.type, event.task_id, task, type_):
            _print(_envelope_of(event), event.contract, as_json)


async def _tail(
    settings: Settings, session: str | None, task: str | None, type_: str | None, start: int, as_json: bool
) -> None:
    if session is not None:
        subjects.token(session, "session")
    async with connected(settings) as client:
        async for received in client.follow(session):
            attributes = received.envelope
            kind = attributes.type.removeprefix("arreio.")
            if (attributes.seq or 0) >= start and _wanted(kind, attributes.subject, task, type_):
                assert isinstance(received.data, EventData)
                _print(attributes, received.data, as_json)


async def _read(settings: Settings, session: str) -> list[RecordedEvent]:
    async with reading(settings) as pool:
        found = await EventStore(pool).read(session)
    if not found:
        raise ArreioError(f"there is no session {session}", "see 'arreio tasks list'")
    return found


def _wanted(kind: str, about: str | None, task: str | None, pattern: str | None) -> bool:
    return (task is None or about == task) and (pattern is None or fnmatch.fnmatchcase(kind, pattern))


def _envelope_of(event: RecordedEvent) -> Envelope:
    metadata = event.metadata
    return envelope.envelope(
        event.type,
        id=event.event_id,
        source=metadata.service,
        time=event.recorded_at,
        subject=event.task_id,
        partitionkey=event.session_id,
        sequence=envelope.sequence(event.seq),
        correlationid=metadata.correlation or None,
        causationid=metadata.causation or None,
        traceparent=metadata.traceparent or None,
    )


def _print(attributes: Envelope, data: EventData, as_json: bool) -> None:
    if as_json:
        line = envelope.structured(attributes, data.model_dump(mode="json"))
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        return
    time = attributes.time.astimezone().strftime("%H:%M:%S.%f")[:-3] if attributes.time else "-" * 12
    said = " ".join(line.plain.strip() for line in Narrator().lines(data))
    kind = attributes.type.removeprefix("arreio.")
    console = Console(highlight=False)
    console.print(
        f"{time} {attributes.partitionkey} {attributes.seq:>5} {kind:<22} {said}", soft_wrap=True, markup=False
    )
