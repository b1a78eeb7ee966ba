"""What a task changed is shown, and taken back, through the real commands."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.house import House, last_json
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import call, steps

SCRIPT = steps(
    call("read_file", path="a.txt"),
    call("edit_file", path="a.txt", old_text="one", new_text="two"),
    call("run_command", command="mkdir -p d && echo made > d/b.txt"),
    call("write_file", path="c.txt", content="three\n"),
    call("task_complete", reply="a.txt says two, and c.txt was written."),
)


def changes(house: House, task: str, *options: str) -> dict[str, str]:
    done = house.arreio("diff", task, "--json", *options)
    return {change["path"]: change["kind"] for change in json.loads(done.stdout)["changes"]}


def test_what_a_task_changed_is_shown_between_any_events_and_taken_back(house: House, workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\n")
    (workspace / ".gitignore").write_text("secret.env\n")
    (workspace / "secret.env").write_text("kept apart\n")
    with ScriptedServer(SCRIPT) as server:
        named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url, "--json")
        outcome = last_json(house.arreio("run", *named, "-c", "file_exists: c.txt", "Work.").stdout)
    assert outcome["state"] == "COMPLETE"
    task = outcome["task_id"]
    finished = [event.seq for event in house.events(outcome["session_id"]) if event.type == "tool.finished"]
    read, edited, ran, wrote = finished
    assert changes(house, task) == {"a.txt": "changed", "c.txt": "added", "d/b.txt": "added"}
    assert changes(house, task, "--to", str(read)) == {}
    assert changes(house, task, "--from", str(read), "--to", str(edited)) == {"a.txt": "changed"}
    assert changes(house, task, "--from", str(edited), "--to", str(ran)) == {"d/b.txt": "added"}
    assert changes(house, task, "--from", str(ran), "--to", str(wrote)) == {"c.txt": "added"}
    patch = house.arreio("diff", task).stdout
    assert "-one\n+two\n" in patch and "+made" in patch and "secret" not in patch

    refused = house.arreio("restore", task, "--at", str(edited))
    assert refused.returncode == 1 and "say --yes" in refused.stderr
    assert (workspace / "c.txt").read_text() == "three\n"
    (workspace / "a.txt").write_text("later work\n")
    restored = house.arreio("restore", task, "--at", str(edited), "--yes", "--json")
    assert restored.returncode == 0, restored.stderr
    assert (workspace / "a.txt").read_text() == "two\n"
    assert sorted(path.name for path in workspace.iterdir()) == [".gitignore", "a.txt", "secret.env"]
    back = house.arreio("restore", task, "--tree", json.loads(restored.stdout)["before"], "--yes")
    assert back.returncode == 0, back.stderr
    assert (workspace / "a.txt").read_text() == "later work\n"
    assert (workspace / "d" / "b.txt").read_text() == "made\n"
    house.assert_sound(outcome["session_id"])


def test_what_cannot_be_restored_is_said_in_one_line(house: House, workspace: Path) -> None:
    with ScriptedServer(steps(call("need_input", question="Which file?"))) as server:
        named = ("-w", str(workspace), "--model", "openai/scripted", "--api-base", server.url, "--json")
        task = last_json(house.arreio("run", *named, "Work.").stdout)["task_id"]
    for options, said in (
        (
            (task, "--at", "9", "--yes"),
            f"arreio: task {task} is still open; end it first: `arreio tasks cancel {task}`",
        ),
        ((task, "--yes"), "arreio: restore what?; name an event with --at SEQ, or a snapshot with --tree TREE"),
        (("t_none", "--at", "1"), "arreio: there is no task t_none; see 'arreio tasks list'"),
    ):
        done = house.arreio("restore", *options)
        assert (done.returncode, done.stderr.strip()) == (1, said)
    assert house.arreio("tasks", "cancel", task).returncode == 0
