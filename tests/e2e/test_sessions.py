"""`arreio replay|fork|export|import|prune|dead|events tail` on sessions of real runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.histories import HISTORIES
from tests.support.house import House, interrupt
from tests.support.programs import until
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, call, goal, steps
from tests.support.store import connect

NOTE = call("write_file", path="note.txt", content="Hello\n")
CLAIM = call("task_complete", reply="It is done.")
HAS_NOTE = "file_contains: note.txt :: Hello"
WRITING = steps(NOTE, CLAIM)


def done(house: House, workspace: Path, script: Script = WRITING) -> str:
    """A task that was carried out; its session."""
    with ScriptedServer(script) as server:
        asked = house.submit("Write the note.", workspace, server.url, [HAS_NOTE])
        house.wait_for_end(asked.session_id)
    return asked.session_id


def said(house: House, *arguments: str, status: int = 0) -> Any:
    """What a command answers in JSON."""
    found = house.arreio(*arguments, "--json")
    assert found.returncode == status, found.stdout + found.stderr
    return json.loads(found.stdout)


def seq_of(house: House, session: str, kind: str) -> int:
    return next(event.seq for event in house.events(session) if event.type == kind)


def test_a_fork_goes_on_from_its_event_in_its_own_folder_once_a_person_says_so(house: House, workspace: Path) -> None:
    source = done(house, workspace, steps(NOTE, call("read_file", path="note.txt"), CLAIM))
    before = house.events(source)
    at = seq_of(house, source, "tool.finished")
    # Another model is asked from there on; what it is told begins with the history that was copied.
    with ScriptedServer(steps(NOTE, call("write_file", path="note.txt", content="Hello, fork\n"), CLAIM)) as server:
        (workspace / "note.txt").write_text("Hello\n")
        forked = said(house, "fork", source, "--at", str(at))
        session, (task,) = forked["session_id"], forked["tasks"]
        house.wait_for(session, "task.needs_input")
        assert house.arreio("replay", session, "--verify").returncode == 0
        until(lambda: "NEEDS_INPUT" in house.arreio("tasks", "show", task["task_id"]).stdout)
        assert server.requests == []
        copied = house.events(session)
        assert [event.type for event in copied[:at]] == [event.type for event in before[:at]]
    # The model's address is in the contract, and that server is gone: the fork says so, and its source is untouched.
    place = house.settings.data_dir / "workspaces" / session
    assert [(file.name, file.read_text()) for file in place.iterdir()] == [("note.txt", "Hello\n")]
    assert forked["workspace"] == str(place) and forked["restored"]
    assert house.events(source) == before
    cancelled = house.arreio("tasks", "cancel", task["task_id"])
    assert cancelled.returncode == 0, cancelled.stderr
    house.wait_for(session, "task.blocked")
    assert house.arreio("replay", session, source, "--verify").returncode == 0


def test_a_fork_has_the_files_as_they_were_at_its_event_and_its_gates_see_what_changed_since_the_start(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "kept.txt").write_text("from before\n")
    first, second = (call("write_file", path="note.txt", content=text) for text in ("Hello\n", "Hello again\n"))
    with ScriptedServer(steps(first, call("run_command", command="mkdir d; echo > d/x"), second, CLAIM)) as server:
        asked = house.submit("Write the note.", workspace, server.url, [HAS_NOTE, "diff: note.txt, d/*"])
        assert house.wait_for_end(asked.session_id).type == "task.completed"
        (workspace / "kept.txt").write_text("changed by somebody later\n")
        finished = [event for event in house.events(asked.session_id) if event.type == "tool.finished"]
        at = next(event.seq for event in finished if event.data["tool"] == "run_command")
        forked = said(house, "fork", asked.session_id, "--at", str(at))
        place = Path(forked["workspace"])
        found = {str(file.relative_to(place)): file.read_text() for file in place.rglob("*") if file.is_file()}
        assert found == {"kept.txt": "from before\n", "note.txt": "Hello\n", "d/x": "\n"}
        house.wait_for(forked["session_id"], "task.needs_input")
        until(lambda: "NEEDS_INPUT" in house.arreio("tasks", "show", forked["tasks"][0]["task_id"]).stdout)
        assert house.arreio("answer", forked["tasks"][0]["task_id"], "Go on.").returncode == 0
        assert house.wait_for_end(forked["session_id"]).type == "task.completed"
    assert (place / "note.txt").read_text() == "Hello again\n"
    assert (workspace / "kept.txt").read_text() == "changed by somebody later\n"


def test_a_fork_leaves_a_folder_that_holds_something_as_it_is(house: House, workspace: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.txt").write_text("mine\n")
    source = done(house, workspace, steps(NOTE, call("read_file", path="note.txt"), CLAIM))
    forked = said(house, "fork", source, "--at", str(seq_of(house, source, "tool.finished")), "-w", str(other))
    assert [file.name for file in other.iterdir()] == ["mine.txt"] and not forked["restored"]
    assert house.arreio("tasks", "cancel", forked["tasks"][0]["task_id"]).returncode == 0


def test_an_answered_fork_is_carried_out(house: House, workspace: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    # The same model; but once it reads the person's answer, it writes the note.
    lazy = steps(call("list_files", path="."), call("task_blocked", reason="no idea"))

    def script(request: dict[str, Any]) -> Any:
        assert goal(request)
        told = any("Plan B" in str(message["content"]) for message in request["messages"])
        return (NOTE if not (other / "note.txt").exists() else CLAIM) if told else lazy(request)

    with ScriptedServer(script) as server:
        asked = house.submit("Write the note.", workspace, server.url, [HAS_NOTE])
        assert house.wait_for_end(asked.session_id).type == "task.blocked"
        at = seq_of(house, asked.session_id, "tool.finished")
        forked = said(house, "fork", asked.session_id, "--at", str(at), "-w", str(other))
        (task,) = forked["tasks"]
        house.wait_for(forked["session_id"], "task.needs_input")
        until(lambda: "NEEDS_INPUT" in house.arreio("tasks", "show", task["task_id"]).stdout)
        answered = house.arreio("answer", task["task_id"], "Plan B.")
        assert answered.returncode == 0, answered.stdout + answered.stderr
    assert (other / "note.txt").read_text() == "Hello\n" and not (workspace / "note.txt").exists()
    assert house.arreio("replay", forked["session_id"], "--verify").returncode == 0


def test_a_session_is_exported_pruned_and_comes_back_as_it_was(house: House, workspace: Path, tmp_path: Path) -> None:
    session = done(house, workspace)
    file = tmp_path / "session.ndjson"
    assert house.arreio("export", session, "-o", str(file)).returncode == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert house.arreio("export", session).stdout == file.read_text()
    again = house.arreio("import", str(file))
    assert again.returncode == 1 and "exists" in again.stderr
    # What is here already holds up no other: an import that was ended in between may be repeated.
    (both := tmp_path / "both.ndjson").write_text(file.read_text() + (HISTORIES / "edited.ndjson").read_text())
    went_on = house.arreio("import", str(both))
    assert went_on.returncode == 0 and f"session {session} is here already" in went_on.stderr

    def pruned() -> bool:
        found = house.arreio("prune", session, "--to", str(tmp_path / "pruned"), "--json")
        said = json.loads(found.stdout)
        assert (said["session_id"], said["events"]) == (session, count)
        assert (found.returncode == 0) is said["pruned"] is (said["left"] is None)
        return bool(said["pruned"])

    count = len(house.events(session))
    listed = house.arreio("prune", "--before", "2999-01-01", "--dry-run").stdout
    assert f"session {session}: {count} events, would be pruned" in listed
    until(pruned, what="everything to be published")
    assert house.events(session) == []
    gone = house.arreio("replay", session, "--verify")
    assert gone.returncode == 1 and "was pruned" in gone.stderr
    assert session not in house.arreio("replay", "--all", "--verify").stdout
    (kept,) = (tmp_path / "pruned").glob(f"{session}.*.ndjson")
    assert kept.read_text() == file.read_text()
    (tampered := tmp_path / "tampered.ndjson").write_text(file.read_text().replace("Hello", "Bye"))
    refused = house.arreio("import", str(tampered))
    assert refused.returncode == 1 and "does not fit" in refused.stderr and "nothing was imported" in refused.stderr
    assert said(house, "import", str(kept)) == {"session_id": session, "events": count, "parked": []}
    assert house.arreio("replay", session, "--verify").returncode == 0
    assert house.arreio("export", session).stdout == file.read_text()


@pytest.mark.parametrize("name", ["completed", "asked", "large_output"])
def test_a_session_of_another_installation_is_imported_and_replayed(house: House, name: str) -> None:
    imported = said(house, "import", str(HISTORIES / f"{name}.ndjson"))
    replayed = said(house, "replay", imported["session_id"], "--verify")
    assert replayed["verified"] and replayed["events"] == imported["events"]
    listed = house.arreio("tasks", "list", "--session", imported["session_id"], "--json").stdout.splitlines()
    assert [json.loads(line)["state"] for line in listed] == ["COMPLETE"]


def test_replay_shows_a_state_and_what_todays_rules_say(house: House, workspace: Path) -> None:
    session = done(house, workspace, steps("I will write it now.", NOTE, CLAIM))
    at = seq_of(house, session, "turn.rejected")
    state = said(house, "replay", session, "--at", str(at))
    assert (state["tasks"][0]["state"], state["tasks"][0]["rejected_in_a_row"]) == ("IN_PROGRESS", 1)
    beyond = house.arreio("replay", session, "--at", "9999")
    assert beyond.returncode == 1 and "its last is" in beyond.stderr
    today = house.arreio("replay", session, "--heuristics")
    assert today.returncode == 0 and "judge everything as it was recorded" in today.stdout
    verified = house.arreio("replay", session, "--at", str(at), "--verify")
    assert verified.returncode == 0
    assert f"session {session} verifies" in verified.stdout and "IN_PROGRESS" in verified.stdout
    both = house.arreio("replay", session, session, "--since", "2020-01-01", "--verify")
    assert both.stdout.count(f"session {session} verifies") == 1


def test_a_session_that_cannot_even_be_read_diverges_and_keeps_no_other_from_being_verified(
    house: House, workspace: Path
) -> None:
    sound, other = done(house, workspace), done(house, workspace / "..")
    at = seq_of(house, other, "task.created")
    with connect(house.settings, "admin") as connection:

        def force(statement: str) -> None:
            connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
            connection.execute(statement, (other, at))
            connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_append_only")
            connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_whole")

        (kept,) = connection.execute(
            "SELECT recorded_at FROM arreio.session_events WHERE session_id = %s AND seq = %s", (other, at)
        ).fetchone() or (None,)
        connection.execute("ALTER TABLE arreio.session_events DROP CONSTRAINT session_events_recorded_at")
        try:
            force("UPDATE arreio.session_events SET recorded_at = 'infinity' WHERE session_id = %s AND seq = %s")
            found = house.arreio("replay", other, sound, "--verify")
            assert found.returncode == 5
            assert f"session {other} DIVERGES at seq {at} (row)" in found.stdout
            assert f"session {sound} verifies" in found.stdout
        finally:
            force(f"UPDATE arreio.session_events SET recorded_at = '{kept}' WHERE session_id = %s AND seq = %s")
        assert house.arreio("replay", other, "--verify").returncode == 0


def test_a_row_of_a_task_that_its_events_do_not_make_diverges(house: House, workspace: Path) -> None:
    session = done(house, workspace)
    last = house.wait_for(session, "reply.queued").seq

    def divergence() -> Any:
        return said(house, "replay", session, "--verify", status=5)["divergence"]

    with connect(house.settings, "admin") as connection:
        where = "FROM arreio.tasks WHERE session_id = %s"
        kept = connection.execute(f"SELECT to_jsonb(tasks) {where}", (session,)).fetchone()
        connection.execute("UPDATE arreio.tasks SET state = 'BLOCKED' WHERE session_id = %s", (session,))
        changed = divergence()
        connection.execute(f"DELETE {where}", (session,))
        gone = divergence()
        connection.execute(
            "INSERT INTO arreio.tasks SELECT * FROM jsonb_populate_record(NULL::arreio.tasks, %s)",
            (json.dumps(kept and kept[0]),),
        )
    assert (changed["kind"], changed["recorded"]["state"], changed["recomputed"]["state"]) == (
        *("task", "BLOCKED"),
        "COMPLETE",
    )
    assert (gone["kind"], gone["seq"], gone["recorded"], gone["recomputed"]["state"]) == (
        *("task", last),
        *(None, "COMPLETE"),
    )
    assert said(house, "replay", session, "--verify")["verified"]


def test_a_log_whose_tail_was_cut_with_its_head_set_back_diverges_from_its_tasks_row(
    house: House, workspace: Path
) -> None:
    session = done(house, workspace)
    last, at = house.wait_for(session, "reply.queued").seq, seq_of(house, session, "task.completed")
    with connect(house.settings, "admin") as connection:
        ahead = connection.execute("SELECT last_seq FROM arreio.tasks WHERE session_id = %s", (session,)).fetchone()
        head = (
            "UPDATE arreio.session_heads h SET seq = e.seq, hash = e.hash FROM arreio.session_events e "
            "WHERE h.session_id = %s AND e.session_id = h.session_id AND e.seq = %s"
        )
        connection.execute("CREATE TEMPORARY TABLE kept AS SELECT * FROM arreio.session_events LIMIT 0")
        connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
        try:
            connection.execute(
                "WITH cut AS (DELETE FROM arreio.session_events WHERE session_id = %s AND seq >= %s RETURNING *) "
                "INSERT INTO kept SELECT * FROM cut",
                (session, at),
            )
            connection.execute(head, (session, at - 1))
            found = said(house, "replay", session, "--verify", status=5)["divergence"]
        finally:
            connection.execute("INSERT INTO arreio.session_events SELECT * FROM kept")
            connection.execute(head, (session, last))
            connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_append_only")
            connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_whole")
    assert (found["kind"], found["recomputed"]) == ("task", {"head": at - 1})
    assert ahead is not None and found["recorded"]["last_seq"] == found["seq"] == ahead[0]
    assert said(house, "replay", session, "--verify")["verified"]


def test_an_event_whose_metadata_cannot_be_read_is_named_by_replay_and_shown_by_show_and_tail(
    house: House, workspace: Path
) -> None:
    session = done(house, workspace)
    at, _ = seq_of(house, session, "task.created"), house.wait_for(session, "reply.queued")
    count = len(house.events(session))
    change = "UPDATE arreio.session_events SET metadata = %s WHERE session_id = %s AND seq = %s"
    with connect(house.settings, "admin") as connection:
        row = connection.execute(
            "SELECT metadata FROM arreio.session_events WHERE session_id = %s AND seq = %s", (session, at)
        ).fetchone()
        connection.execute("ALTER TABLE arreio.session_events DISABLE TRIGGER ALL")
        connection.execute(change, ("{}", session, at))
        try:
            found = said(house, "replay", session, "--verify", status=5)["divergence"]
            assert (found["session_id"], found["seq"]) == (session, at)
            shown = house.arreio("events", "show", session).stdout.splitlines()
            tail = house.start("events", "tail", "--session", session)
            tailed = [tail.line(session) for _ in range(count)]
            interrupt(tail)
            assert tail.process.wait(20) == 0
            assert len(shown) == count and tailed == shown
        finally:
            connection.execute(change, (row and row[0], session, at))
            connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_append_only")
            connection.execute("ALTER TABLE arreio.session_events ENABLE ALWAYS TRIGGER session_events_whole")


def test_a_named_tail_goes_on_where_it_was_interrupted(house: House, workspace: Path) -> None:
    name = "console"
    session = done(house, workspace)
    first = house.start("events", "tail", "--session", session, "--resume", name, "--json")
    shown = [json.loads(first.line(lambda line: line.startswith("{"))) for _ in house.events(session)]
    interrupt(first)
    assert first.process.wait(20) == 0
    assert [one["sequence"] for one in shown] == [f"{seq:020d}" for seq in range(1, len(shown) + 1)]
    # The conversation goes on while nobody looks.
    with ScriptedServer(WRITING) as server:
        house.submit("Write the note.", workspace, server.url, [HAS_NOTE])
    second = house.start("events", "tail", "--resume", name, "--type", "task.*", "--json")
    other = done(house, workspace / "..", WRITING)
    line = json.loads(second.line(lambda line: other in line))
    assert line["type"] == "arreio.task.created"
    interrupt(second)
    assert second.process.wait(20) == 0
    assert not [line for line in second.lines if f'"partitionkey": "{session}"' in line]
    assert house.arreio("events", "forget", name).returncode == 0
    assert house.arreio("events", "forget", name).returncode == 1


def test_dead_letters_are_listed_shown_resent_and_skipped(house: House) -> None:
    before = {letter["id"] for letter in _dead(house)}

    def new() -> list[dict[str, Any]]:
        return [letter for letter in _dead(house) if letter["id"] not in before]

    sent = _publish_rubbish(house)
    (letter,) = until(new)
    assert (letter["source"], letter["code"], letter["body"]) == ("consumer", "invalid_body", sent)
    number = str(letter["id"])
    assert f" {number} " in house.arreio("dead", "list").stdout
    assert sent in house.arreio("dead", "show", number).stdout
    # It is still rubbish: sent again it is given up again, as another dead letter.
    assert house.arreio("dead", "resend", number).returncode == 0
    (again,) = until(lambda: [one for one in new() if one["id"] != letter["id"]])
    assert again["body"] == sent and again["headers"]["ce-type"] == letter["headers"]["ce-type"]
    assert house.arreio("dead", "skip", str(again["id"])).returncode == 0
    assert new() == []
    decided = {one["id"]: one["resolution"] for one in _dead(house, "--all")}
    assert (decided[letter["id"]], decided[again["id"]]) == ("resent", "skipped")
    for command in ("show", "resend", "skip"):
        missing = house.arreio("dead", command, "999999")
        assert missing.returncode == 1 and "there is no open dead letter 999999" in missing.stderr


def _dead(house: House, *options: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in house.arreio("dead", "list", "--json", *options).stdout.splitlines()]


def _publish_rubbish(house: House) -> str:
    import asyncio

    import nats
    from arreio_contracts import envelope, subjects

    body = '{"conversation": 7}'

    async def publish() -> None:
        client = await nats.connect(**house.settings.nats_options("operator"))
        head = envelope.headers(envelope.envelope("inbound.message", id="1", source="test"))
        await client.jetstream().publish(subjects.inbound("test"), body.encode(), headers=head)
        await client.close()

    asyncio.run(publish())
    return body


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("fork", "s_none"), "there is no session s_none"),
        (("export", "s_none"), "there is no session s_none"),
        (("replay", "s_none"), "there is no session s_none"),
        (("replay",), "no session was named"),
        (("replay", "a", "b", "--at", "1"), "--at wants exactly one session"),
        (("import", "/nonexistent"), "No such file"),
        (("import", "/dev/null"), "the file holds no session"),
        (("prune", "--before", "2020-01-01"), "say where the sessions go"),
        (("prune", "--discard"), "no session was named"),
        (("events", "tail", "--from", "3", "--new"), "each say where to begin"),
        (("events", "tail", "--resume", "a b"), "is not 1 to 128 of"),
        (("events", "tail", "--task", "t_none"), "there is no task t_none"),
        (("events", "tail", "--type", ""), "no type of event matches ''"),
        (("events", "show", "s_none", "--type", "nope.*"), "no type of event matches 'nope.*'"),
        (("fork", "s_none", "-w", "/nonexistent"), "no such workspace"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(house: House, arguments: tuple[str, ...], problem: str) -> None:
    found = house.arreio(*arguments)
    assert found.returncode == 1
    assert problem in found.stderr and found.stderr.count("\n") == 1
