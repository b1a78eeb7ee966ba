"""`arreio backup`: a copy of a data directory from which another Arreio goes on."""

from __future__ import annotations

from pathlib import Path

from tests.support.house import House
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import call, steps

WRITING = steps(
    call("write_file", path="note.txt", content="Hello\n"),
    call("run_command", command="ls -l"),
    call("task_complete", reply="It is done."),
)
HAS_NOTE = "file_contains: note.txt :: Hello"


def test_another_arreio_goes_on_from_the_copy_with_streams_made_anew(
    house: House, workspace: Path, tmp_path: Path
) -> None:
    with ScriptedServer(WRITING) as server:
        asked = house.submit("Write the note.", workspace, server.url, [HAS_NOTE])
        house.wait_for_end(asked.session_id)
        made = house.arreio("backup", str(tmp_path / "copy"))
        assert made.returncode == 0, made.stderr
        assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o700
        before = house.events(asked.session_id)
        (again := tmp_path / "again").mkdir()
        # Nothing is open in the copy, so that both may run at once.
        with House(tmp_path / "copy") as copy:
            assert copy.events(asked.session_id) == before
            assert copy.arreio("replay", "--all", "--verify").returncode == 0
            new = copy.submit("Write the note.", again, server.url, [HAS_NOTE])
            assert copy.wait_for_end(new.session_id).type == "task.completed"
    assert (again / "note.txt").read_text() == "Hello\n"


def test_a_copy_is_written_to_a_new_folder_only(house: House, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine\n")
    refused = house.arreio("backup", str(tmp_path))
    assert refused.returncode == 1 and "is there already" in refused.stderr and refused.stderr.count("\n") == 1
    nowhere = house.arreio("backup", "/proc/nowhere/copy")
    assert nowhere.returncode == 1 and nowhere.stderr.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]
