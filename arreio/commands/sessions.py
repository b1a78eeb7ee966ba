"""`arreio fork|export|import|prune`: whole sessions copied, carried elsewhere, and dropped once they are old."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated, BinaryIO, TextIO, cast

import typer

from arreio.options import LARGEST_SEQ, DataDirOption, JsonOption, folder, say, say_json
from arreio.reading import reading
from arreio.written_files import written
from shared.errors import ArreioError
from shared.settings import Settings, load_settings

if TYPE_CHECKING:
    from arreio.forking import Forked
    from services.tool_loop.copying import Copy
    from shared.store.connection import Pool
    from shared.store.events import StoredSession
    from shared.store.hashing import Anchor

SessionArgument = Annotated[str, typer.Argument(help="The session's id.")]
BATCH_BYTES = 4 << 20


def fork(
    session: SessionArgument,
    at: Annotated[
        int | None, typer.Option("--at", metavar="SEQ", min=1, max=LARGEST_SEQ, help="The last event to copy.")
    ] = None,
    workspace: Annotated[
        Path | None,
        typer.Option(
            "--workspace",
            "-w",
            metavar="DIR",
            parser=folder,
            help="Where its open tasks go on; a new folder if not given. One that is empty gets what was there at SEQ.",
        ),
    ] = None,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Copy a session up to an event into a new one. A task that was open then asks before it goes on."""
    settings = load_settings(data_dir)
    place = None if workspace is None else Path(os.path.abspath(workspace))  # noqa: PTH100 - keep the user's links
    if place is not None and not place.is_dir():
        raise ArreioError(f"no such workspace: {place}", "name an existing folder with --workspace")
    done = asyncio.run(_fork(settings, session, at, place))
    made, conversation, upto = done.copy, done.conversation, done.upto
    tasks = [{"task_id": task.task_id, "state": task.state.value} for task in made.parked]
    if as_json:
        found = {"session_id": made.session_id, "conversation": conversation, "source": session, "at": upto}
        kept = {"workspace": str(done.place), "restored": not done.why_not} if made.parked else {}
        say_json({**found, "events": len(made.events), "tasks": tasks, **kept})
        return
    say(f"session {made.session_id} is a copy of {session} up to event {upto}")
    if made.parked and done.why_not:
        say(f"it works in {done.place}, which holds what you put there: {done.why_not}")
    elif made.parked:
        say(f"it works in {done.place}, which holds what its workspace held after event {upto}")
    for task in made.parked:
        say(f"task {task.task_id} asks before it goes on: `arreio answer {task.task_id} TEXT`")
    if not made.parked:
        say(f"no task is open in it; `arreio send --channel cli --conversation {conversation} …` gives it a new one")


async def _fork(settings: Settings, session_id: str, at: int | None, workspace: Path | None) -> Forked:
    from arreio.forking import fork_session

    async with reading(settings) as pool:
        return await fork_session(pool, settings.data_dir, session_id, at, workspace)


def export(
    sessions: Annotated[list[str], typer.Argument(help="Sessions to export.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Else standard output (-).")
    ] = None,
    data_dir: DataDirOption = None,
) -> None:
    """Write whole sessions with their blobs as NDJSON CloudEvents, which `arreio import` checks and reads."""
    asyncio.run(_export(load_settings(data_dir), sessions, output))


async def _export(settings: Settings, sessions: Iterable[str], output: Path | None) -> None:
    from arreio.forking import sound

    async with reading(settings) as pool:
        with written(output) as out:
            for session_id in dict.fromkeys(sessions):
                out.writelines(await _lines(pool, await sound(pool, session_id)))


def import_(
    files: Annotated[list[Path], typer.Argument(help="Exported files; - reads standard input.")],
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Add exported sessions as they were. What is incomplete or changed is refused; what is here already stays."""
    settings = load_settings(data_dir)
    for file in files:
        asyncio.run(_import(settings, file, as_json))


async def _import(settings: Settings, file: Path, as_json: bool) -> None:
    """Look at the whole file, and then add what is in it; of neither is more than one session kept in memory."""
    from arreio_contracts.errors import ContractError

    from services.tool_loop import copying
    from shared.store.errors import SessionExists
    from shared.store.exports import BadExport, Blob, read_parts
    from shared.store.sessions import add_session, here_already
    from shared.version import CODE_VERSION

    def copy_of(session: StoredSession) -> Copy:
        return copying.imported(session, now_ms=_now_ms(), code_version=CODE_VERSION)

    anchors: dict[str, Anchor] = {}
    with _opened(file) as lines:
        try:
            for part in read_parts(lines):
                if not isinstance(part, Blob):
                    copy_of(part)
                    if part.anchor is not None:
                        anchors[part.session_id] = part.anchor
        except BadExport as error:
            raise BadExport(error.line_number, f"{error.problem} ({file}); nothing was imported") from error
        except ContractError as error:
            raise ArreioError(f"{file}: {error}", "was it exported by a newer Arreio? nothing was imported") from error
        lines.seek(0)
        async with reading(settings) as pool:
            here = await here_already(pool, anchors)
            if here and here == anchors.keys():
                raise SessionExists(f"session {min(here)} exists; nothing was imported")
            blobs = _Blobs(pool)
            for part in read_parts(lines):
                if isinstance(part, Blob):
                    await blobs.put(part.content)
                    continue
                await blobs.flush()
                if part.session_id in here:
                    # As after an import that was ended between two sessions.
                    typer.echo(f"session {part.session_id} is here already", err=True)
                    blobs.count = 0
                    continue
                copy = copy_of(part)
                await add_session(pool, copy.session_id, part.base, copy.events, copy.tasks)
                _say_imported(copy, blobs.count, as_json)
                blobs.count = 0


def _say_imported(copy: Copy, blobs: int, as_json: bool) -> None:
    if as_json:
        tasks = [state.task_id for state in copy.parked]
        say_json({"session_id": copy.session_id, "events": len(copy.events), "parked": tasks})
        return
    say(f"session {copy.session_id}: {len(copy.events)} events and {blobs} blobs imported")
    for state in copy.parked:
        say(f"task {state.task_id} asks before it goes on: `arreio answer {state.task_id} TEXT`")


def prune(
    sessions: Annotated[list[str] | None, typer.Argument(help="Sessions to prune.")] = None,
    before: Annotated[datetime | None, typer.Option(help="Every session that was last written to before then.")] = None,
    to: Annotated[Path | None, typer.Option(metavar="DIR", help="Export each session into this folder first.")] = None,
    discard: Annotated[bool, typer.Option("--discard", help="Drop them without an export.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say which.")] = False,
    as_json: JsonOption = False,
    data_dir: DataDirOption = None,
) -> None:
    """Export finished sessions and drop them whole. Their blobs stay, and `arreio import` brings them back.

    Exit status 1 when one was left: it is not finished, or does not fit its hash chain.
    """
    if not sessions and before is None:
        raise ArreioError("no session was named", "give one or more, or --before TIME")
    if not dry_run and (to is None) is not discard:
        raise ArreioError("say where the sessions go", "--to DIR exports them first, --discard drops them for good")
    settings = load_settings(data_dir)
    whole = True
    for session_id, events, left in asyncio.run(_prune(settings, sessions or [], before, to, dry_run)):
        whole = whole and left is None
        if as_json:
            say_json({"session_id": session_id, "events": events, "pruned": left is None and not dry_run, "left": left})
        elif left is None:
            say(f"session {session_id}: {events} events, {'would be pruned' if dry_run else 'pruned'}")
        else:
            say(f"session {session_id}: {events} events, left: {left}")
    if not whole:
        raise typer.Exit(1)


async def _prune(
    settings: Settings, named: list[str], before: datetime | None, to: Path | None, dry_run: bool
) -> list[tuple[str, int, str | None]]:
    """Each session with its number of events, and why it was left, if it was."""
    from arreio.forking import NotSound, sound
    from shared.store.connection import open_pool
    from shared.store.sessions import finished_sessions, prune_session

    seen: list[tuple[str, int, str | None]] = []
    if to is not None and not dry_run:
        to.mkdir(parents=True, exist_ok=True)
    async with reading(settings) as pool, open_pool(settings.database_dsn("maintenance"), name="arreio-prune") as own:
        old = [] if before is None else await finished_sessions(pool, before=before.astimezone())
        for session_id in dict.fromkeys([*named, *old]):
            try:
                session = await sound(pool, session_id)
            except NotSound as error:
                seen.append((session_id, 0, error.line()))
                continue
            assert session.anchor is not None
            left = None
            if not dry_run:
                if to is not None:
                    with written(to / f"{session_id}.{session.anchor.seq}.ndjson") as out:
                        out.writelines(await _lines(pool, session))
                if not await prune_session(own, session_id, session.anchor):
                    left = "a task of it is open, it holds none, it went on, or not all of it is published"
            seen.append((session_id, len(session.events), left))
    return seen


async def _lines(pool: Pool, session: StoredSession) -> Iterator[str]:
    from shared.store.blobs import BlobStore
    from shared.store.exports import named_blobs, write_export

    return write_export(session, await BlobStore(pool).get_many(named_blobs(session.events)))


class _Blobs:
    """Blobs that are put into the store some at a time; `count` are all of them."""

    def __init__(self, pool: Pool) -> None:
        from shared.store.blobs import BlobStore

        self._store, self._batch, self._size = BlobStore(pool), list[bytes](), 0
        self.count = 0

    async def put(self, content: bytes) -> None:
        """Put one, now or later."""
        self._batch.append(content)
        self._size += len(content)
        self.count += 1
        if self._size > BATCH_BYTES:
            await self.flush()

    async def flush(self) -> None:
        """Put what is left."""
        await self._store.put_many(self._batch)
        self._batch, self._size = [], 0


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    """The lines of a file, which can be read twice: what cannot (a pipe) is kept in a temporary file."""
    try:
        with ExitStack() as stack:
            if str(file) != "-" and file.is_file():
                found = cast("BinaryIO", stack.enter_context(file.open("rb")))
            else:
                source = sys.stdin.buffer if str(file) == "-" else stack.enter_context(file.open("rb"))
                found = cast("BinaryIO", stack.enter_context(TemporaryFile()))
                copyfileobj(source, found)
                found.seek(0)
            yield stack.enter_context(TextIOWrapper(found, encoding="utf-8", newline="\n"))
    except OSError as error:
        if error.strerror is None:
            raise
        raise ArreioError(f"{file}: {error.strerror}", "name a file that `arreio export` wrote") from error
    except UnicodeDecodeError as error:
        raise ArreioError(f"{file} is not UTF-8", "name a file that `arreio export` wrote") from error


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
