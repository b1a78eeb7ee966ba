"""Answers the request for a prompt: reads what is new of the session, folds, collects, assembles, stores."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import structlog
from arreio_contracts.messages import AssembleContext, ContextManifest, PendingEvent

from shared.directories import Directory
from shared.taste_file import taste_file
from shared.workspace.worktrees import home_of

from .agents import UnknownAgent, identity
from .assembler import assemble
from .collectors import project_context
from .database import Database, NoDatabase
from .entries import Entry
from .history import FOLDED_TYPES, Event, SessionHistory, TaskHistory
from .instruction_cache import InstructionCache, Loaded, load
from .instruction_changes import Sources, changes, out_of_scope
from .instruction_copies import told_once
from .instruction_files import InstructionFiles
from .layers import ContextUnfittable, Layer, LayerName, Unit
from .render import DEFAULT_BUDGETS, HEADINGS, cut_off, manifest, text_sha256, texts
from .rows import FromDatabase, rule_units, rules_for
from .skills import forced_blobs, skill_units
from .task_state import task_state
from .taste import makes_ui, taste_units
from .tokenizers import LARGEST_FACTOR, LEAST_FACTOR, Approximate, Tokenizer, UnknownTokenizer, tokenizer

_SESSIONS: Final = 256
_WORKSPACES: Final = 32
_KNOWN_BLOBS: Final = 65_536
_PROJECTS: Final = 256

logger = structlog.get_logger()


class Log(Protocol):
    """The part of the event store that is read here."""

    async def read(
        self, session_id: str, *, after: int = 0, upto: int | None = None, types: Sequence[str] | None = None
    ) -> Sequence[Event]:
        """The events of a session with `after < seq <= upto`, in order."""
        ...


class Blobs(Protocol):
    """The part of the blob store that is used here. A blob is never changed or removed while its session lives."""

    async def put_many(self, contents: Sequence[str]) -> Sequence[str]:
        """Store texts; answer with their hashes."""
        ...

    async def get_many(self, hashes: Sequence[str]) -> Mapping[str, bytes]:
        """The contents by hash."""
        ...


@dataclass(frozen=True, slots=True)
class _Told:
    """An event that came with the request."""

    seq: int
    event_id: str
    type: str
    task_id: str | None
    data: Mapping[str, Any]


class ContextBuilder:
    """Makes prompts. What it remembers of a session only saves reading it again: forgetting it changes nothing."""

    def __init__(
        self, store: Log, blobs: Blobs, database: Database | None = None, data_dir: Path | None = None
    ) -> None:
        self._store = store
        self._blobs = blobs
        self._data_dir = data_dir
        self._database = database or NoDatabase()
        self._cache = InstructionCache()
        self._sessions: OrderedDict[str, tuple[asyncio.Lock, SessionHistory]] = OrderedDict()
        self._looked: OrderedDict[str, tuple[str, str, int]] = OrderedDict()
        self._projects: OrderedDict[str, Unit | None] = OrderedDict()
        self._known: OrderedDict[str, None] = OrderedDict()

    async def assemble(self, request: AssembleContext) -> ContextManifest:
        """The prompt of a task's next turn, as a manifest whose units are stored.

        What cannot be made comes back as `unfittable`.

        Raises:
            StoreUnavailable: PostgreSQL cannot be reached; nothing is lost by asking again.
        """
        try:
            who = identity(request.agent)
        except UnknownAgent as error:
            return ContextManifest(unfittable=str(error))
        # The walk waits for the disk, in a thread, while the history waits for the database.
        (task, past, before), (rows, loaded) = await asyncio.gather(self._history(request), self._sources(request))
        project = await self._project(request, task, loaded.walked)
        files = loaded.files
        if request.instructions.scope == "touched":
            files = files.touched(task.touched)
        counter = _counter(request)
        budgets = {name: request.budgets.get(name, default) for name, default in DEFAULT_BUDGETS.items()}
        files = told_once(files, partial(cut_off, LayerName.INSTRUCTION_FILES, budgets, counter))
        task.skill_units = await self._skills(task, budgets[LayerName.TASK_STATE], counter)
        taste = await self._taste(task)
        rules = rules_for(rows.rules, request.workspace, {one.kind for one in task.criteria})
        state = task_state(task, past, budgets[LayerName.TASK_STATE], counter)
        units: dict[LayerName, tuple[Unit, ...]] = {
            LayerName.IDENTITY: (who,),
            LayerName.INSTRUCTION_FILES: files.units,
            LayerName.PROJECT_CONTEXT: (project,) if project else (),
            LayerName.BUSINESS_RULES: (*taste, *rule_units(rules)),
            LayerName.TASK_STATE: state.units,
        }
        layers = [Layer(name, units[name], budgets[name], HEADINGS[name]) for name in LayerName]
        try:
            assembled = assemble(layers, counter)
        except ContextUnfittable as error:
            return ContextManifest(unfittable=str(error))
        known = {unit.id: text_sha256(unit.piece) for unit in files.units}
        kept = {unit.id: unit.piece for unit in (*files.units, *units[LayerName.PROJECT_CONTEXT])}
        if request.summaries:
            kept |= {one.id: text for one, text in zip(state.dropped, state.texts, strict=True)}
        besides = (*kept.values(), *state.stubbed)
        await self._store_texts(texts(assembled) | {text_sha256(text): text for text in besides})
        return manifest(
            assembled,
            files.skipped,
            state.dropped,
            kept={name: text_sha256(text) for name, text in kept.items()},
            changed=changes(before, Sources(known, out_of_scope(files))),
            tokenizer=counter.name,
        )

    async def _history(self, request: AssembleContext) -> tuple[TaskHistory, tuple[Entry, ...], Sources | None]:
        """The task up to the event that the request names, with the pending events folded on a copy."""
        lock, session = self._sessions.get(request.session_id, (asyncio.Lock(), SessionHistory()))
        self._sessions[request.session_id] = (lock, session)
        _bound(self._sessions, request.session_id, _SESSIONS)
        async with lock:
            if session.seq > request.seq:
                session.reset()
            if session.seq < request.seq:
                for event in _told(request, session.seq) or await self._read(request, session.seq):
                    session.fold(event)
                session.seq = request.seq
            task = session.tasks.get(request.task_id, TaskHistory(request.task_id)).fork()
            past, before = session.past, session.sources.get((request.agent, request.workspace))
        for event in _numbered(request, request.pending, request.seq + 1):
            task.fold(event)
        return task, past, before

    async def _read(self, request: AssembleContext, after: int) -> Sequence[Event]:
        return await self._store.read(request.session_id, after=after, upto=request.seq, types=FOLDED_TYPES)

    async def _sources(self, request: AssembleContext) -> tuple[FromDatabase, Loaded]:
        """The database's rows and the instruction files, both as they are now."""
        if request.workspace is None:
            rows = await self._database.read(request.agent, None)
            return rows, Loaded(InstructionFiles().with_rows(rows.instructions), ())
        project, task_id, changes = self._looked.get(request.workspace, ("", "", 0))
        if task_id != request.task_id:
            self._cache.invalidate(project, Path(request.workspace))
        work = partial(
            load,
            self._cache,
            project,
            Path(request.workspace),
            ignored=request.instructions.ignored,
            everything=(task_id, changes) != (request.task_id, request.changes),
        )
        rows, loaded = await asyncio.gather(
            self._database.read(request.agent, home_of(request.workspace)), asyncio.to_thread(work)
        )
        self._looked[request.workspace] = (rows.project, request.task_id, request.changes)
        _bound(self._looked, request.workspace, _WORKSPACES)
        return rows, Loaded(loaded.files.with_rows(rows.instructions), loaded.walked)

    async def _project(self, request: AssembleContext, task: TaskHistory, walked: Sequence[Directory]) -> Unit | None:
        """The project as it was at the task's first turn: the head of a prompt that stays the same is cached."""
        if request.workspace is None:
            return None
        if task.task_id not in self._projects:
            self._projects[task.task_id] = (
                await self._told_before(task)
                if task.prompted
                else await asyncio.to_thread(project_context, Path(request.workspace), walked)
            )
        _bound(self._projects, task.task_id, _PROJECTS)
        return self._projects[task.task_id]

    async def _skills(self, task: TaskHistory, budget: int, counter: Tokenizer) -> tuple[Unit, ...]:
        """What the prompt says of the skills that the router found."""
        if task.skills is None:
            return ()
        found = await self._blobs.get_many(forced_blobs(task.skills))
        texts = {sha256: content.decode() for sha256, content in found.items()}
        return skill_units(task.skills, texts, task.language, budget, counter)

    async def _taste(self, task: TaskHistory) -> tuple[Unit, ...]:
        """The rules of taste, where the task makes what people see."""
        if self._data_dir is None or not makes_ui(*task.ui, task.touched):
            return ()
        return await asyncio.to_thread(taste_units, taste_file(self._data_dir, *task.taste))

    async def _told_before(self, task: TaskHistory) -> Unit | None:
        """The project's text of the task's first prompt."""
        if task.project is None:
            return None
        name, sha256 = task.project
        found = (await self._blobs.get_many([sha256])).get(sha256)
        return None if found is None else Unit(name, found.decode())

    async def _store_texts(self, wanted: Mapping[str, str]) -> None:
        new = {sha256: text for sha256, text in wanted.items() if sha256 not in self._known}
        if new:
            await self._blobs.put_many(list(new.values()))
        for sha256 in new:
            self._known[sha256] = None
        while len(self._known) > _KNOWN_BLOBS:
            self._known.popitem(last=False)


def _told(request: AssembleContext, after: int) -> Sequence[Event]:
    """The committed events behind seq `after`, where the request itself tells all of them."""
    first = request.seq - len(request.recent) + 1
    return () if first > after + 1 else _numbered(request, request.recent, first)


def _numbered(request: AssembleContext, events: Iterable[PendingEvent], first: int) -> list[_Told]:
    return [
        _Told(seq, event.event_id, event.type, request.task_id, event.data) for seq, event in enumerate(events, first)
    ]


def _counter(request: AssembleContext) -> Tokenizer:
    try:
        if request.tokenizer == "approx":
            return Approximate(request.correction)
        return tokenizer(request.tokenizer)
    except UnknownTokenizer as error:
        logger.warning("tokens.estimated", why=str(error))
        return Approximate(min(max(request.correction, LEAST_FACTOR), LARGEST_FACTOR))


def _bound(memory: OrderedDict[str, Any], used: str, limit: int) -> None:
    """Mark `used` as the latest and forget what was not used for longest."""
    memory.move_to_end(used)
    while len(memory) > limit:
        memory.popitem(last=False)
