"""What is found when all is over: in the database, on the disk, and at a subscriber of the events."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import psycopg

from arreio.commands.replay import DIVERGED
from tests.chaos.jobs import MARKS, Job
from tests.chaos.reader import Reader, outbound
from tests.support.house import Event, House, assert_orderly, file_writes

AT_ONCE: Final = 40
"""Sessions that one command replays, so that it ends in time also on a slow machine."""


@dataclass
class Findings:
    """Counts by name, and every broken promise as a sentence."""

    counts: dict[str, object] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """The counts, then what is broken."""
        return [
            *(f"{name:<34} {count}" for name, count in self.counts.items()),
            *(f"BROKEN: {it}" for it in self.broken),
        ]


def examine(house: House, all_jobs: Sequence[Job], sessions: Mapping[int, str], reader: Reader) -> Findings:
    """Everything that is promised, checked; the house must run and be at rest."""
    found = Findings()
    events = {job.number: house.events(sessions[job.number]) for job in all_jobs}
    _tasks(found, all_jobs, events)
    _effects(found, all_jobs, events)
    _disk(found, all_jobs)
    _delivery(found, house, reader)
    _said(found, house, [sessions[job.number] for job in all_jobs], events)
    _letters(found, house)
    _replay(found, house, [sessions[job.number] for job in all_jobs])
    _control(found, house, sessions[all_jobs[0].number])
    return found


def _tasks(found: Findings, all_jobs: Sequence[Job], events: Mapping[int, Sequence[Event]]) -> None:
    states = Counter(
        event.type
        for job in all_jobs
        for event in events[job.number]
        if event.type.startswith("task.") and _ends(event)
    )
    kinds = Counter(event.type for log in events.values() for event in log)
    found.counts["tasks"] = len(all_jobs)
    found.counts["ended"] = ", ".join(f"{kind} {count}" for kind, count in sorted(states.items()))
    found.counts["events of the tasks"] = sum(kinds.values())
    found.counts["taken over or handed over"] = kinds["task.resumed"]
    for job in all_jobs:
        log = events[job.number]
        try:
            assert_orderly(log)
        except AssertionError as error:
            found.broken.append(f"job {job.number}: its log is not orderly: {str(error)[:200]}")
        accepted = Counter(event.data["message"]["message_id"] for event in log if event.type == "message.received")
        if any(count > 1 for count in accepted.values()):
            found.broken.append(f"job {job.number}: a message was accepted more than once: {dict(accepted)}")
        for event in log:
            if _ends(event) and event.type != "task.completed":
                found.broken.append(f"job {job.number} ended {event.type}: {event.data}")


def _ends(event: Event) -> bool:
    return event.type in ("task.completed", "task.blocked", "task.failed")


def _effects(found: Findings, all_jobs: Sequence[Job], events: Mapping[int, Sequence[Event]]) -> None:
    written = interrupted = ran = left = 0
    for job in all_jobs:
        log = events[job.number]
        writes = file_writes(log)
        written += len(writes)
        if writes != list(job.writes):
            found.broken.append(f"job {job.number} wrote {writes}, not {list(job.writes)}")
        ok, cut_off = _commands(log)
        ran, interrupted = ran + ok, interrupted + cut_off
        marks = Counter(_marks(job))
        left += sum(marks.values())
        if any(count > 1 for count in marks.values()) or not set(marks) <= set(job.tokens):
            found.broken.append(f"job {job.number} left the tokens {dict(marks)}")
        if not ok <= sum(marks.values()) <= ok + cut_off:
            found.broken.append(f"job {job.number}: {ok} commands ended, {cut_off} were cut off, tokens: {dict(marks)}")
    found.counts["file writes (each once)"] = f"{written} of {sum(len(job.writes) for job in all_jobs)}"
    found.counts["commands ended / cut off / tokens"] = f"{ran} / {interrupted} / {left}"


def _commands(log: Iterable[Event]) -> tuple[int, int]:
    """How many commands ended, and how many were cut off."""
    commands, status = set[str](), Counter[str]()
    for event in log:
        if event.type == "tool.started" and event.data["effect"] == "command":
            commands.add(event.data["call_id"])
        elif event.type == "tool.finished" and event.data["call_id"] in commands:
            status[event.data["status"]] += 1
    return status["ok"], status.total() - status["ok"]


def _marks(job: Job) -> list[str]:
    log = job.place / MARKS
    return log.read_text().split() if log.exists() else []


def _disk(found: Findings, all_jobs: Sequence[Job]) -> None:
    files = 0
    for job in all_jobs:
        there = {path.name: path.read_text() for path in job.place.iterdir() if path.name != MARKS}
        files += len(there)
        if there != dict(job.files):
            wrong = sorted(name for name in {*there, *job.files} if there.get(name) != job.files.get(name))
            found.broken.append(f"job {job.number}: these files are not as they should be: {wrong}")
    found.counts["files as they should be"] = files


def _delivery(found: Findings, house: House, reader: Reader) -> None:
    heads = dict(house.rows("SELECT session_id, seq FROM arreio.session_heads"))
    found.counts["sessions / events in the log"] = f"{len(heads)} / {sum(heads.values())}"
    found.counts["events at the subscriber / repeats"] = f"{sum(map(len, reader.seen.values()))} / {reader.repeats}"
    for session, head in heads.items():
        if reader.seen[session] != list(range(1, head + 1)):
            missing = sorted(set(range(1, head + 1)) - set(reader.seen[session]))
            found.broken.append(f"the subscriber saw {session} out of order, or not at all: missing {missing}")
    if reader.repeats:
        found.broken.append(f"{reader.repeats} events stand in the stream a second time, under another message id")
    ((waiting,),) = house.rows("SELECT count(*) FROM arreio.outbox WHERE published_at IS NULL")
    if waiting:
        found.broken.append(f"{waiting} rows of the outbox are not published")


def _said(found: Findings, house: House, sessions: Sequence[str], events: Mapping[int, Sequence[Event]]) -> None:
    """Every reply, question and receipt of the log reached its channel, in order and once."""
    reached = asyncio.run(outbound(house.settings))
    found.counts["replies and receipts that went out"] = sum(map(len, reached.values()))
    for session, log in zip(sessions, events.values(), strict=True):
        said = [event.seq for event in log if event.type in ("message.received", "reply.queued")]
        if reached[session] != said:
            found.broken.append(f"what was to be said in {session}: events {said}; what went out: {reached[session]}")


def _letters(found: Findings, house: House) -> None:
    letters = house.rows("SELECT source, consumer, subject, code, problem FROM arreio.dead_letters")
    found.counts["dead letters"] = len(letters)
    found.broken += [f"a dead letter: {letter}" for letter in letters]


def _replay(found: Findings, house: House, sessions: Sequence[str]) -> None:
    sound = 0
    for first in range(0, len(sessions), AT_ONCE):
        verified = house.arreio("replay", *sessions[first : first + AT_ONCE], "--verify")
        sound += verified.stdout.count(" verifies: ")
        if verified.returncode:
            found.broken.append(f"replay: {verified.stdout[-500:]} {verified.stderr[-500:]}")
    found.counts["sessions that verify"] = sound
    if sound < len(sessions):
        found.broken.append(f"{sound} of {len(sessions)} sessions verify")


def _control(found: Findings, house: House, session: str) -> None:
    """The check is checked: an event that is changed behind the store's back must be named."""
    with psycopg.connect(house.settings.database_dsn("admin")) as connection:
        connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
        connection.execute(
            "UPDATE arreio.session_events SET metadata = metadata || ' ' WHERE session_id = %s AND seq = 2", (session,)
        )
    if house.arreio("replay", session, "--verify").returncode != DIVERGED:
        found.broken.append("replay does not notice an event that was changed")
