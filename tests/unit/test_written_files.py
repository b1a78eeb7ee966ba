"""What a command writes is there whole or not at all, and nothing but a file is ever replaced."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arreio.written_files import written
from shared.errors import ArreioError

WRITE = """
import sys
from pathlib import Path
from arreio.written_files import written
with written(Path(sys.argv[1])) as out:
    out.write("é\\n")
"""


def test_a_file_is_replaced_whole_and_is_the_users_alone(tmp_path: Path) -> None:
    (file := tmp_path / "out").write_text("old")
    with written(file) as out:
        out.write("new\n")
        assert file.read_text() == "old"
    assert file.read_text() == "new\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_what_fails_half_way_leaves_what_was_there(tmp_path: Path) -> None:
    (file := tmp_path / "out").write_text("old")
    with pytest.raises(RuntimeError), written(file) as out:
        out.write("new")
        raise RuntimeError
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_file_is_written(tmp_path: Path, there: bool) -> None:
    target = tmp_path / "elsewhere" / "out"
    target.parent.mkdir()
    if there:
        target.write_text("old")
    (link := tmp_path / "link").symlink_to(target)
    with written(link) as out:
        out.write("new")
    assert link.is_symlink() and target.read_text() == "new"


@pytest.mark.parametrize("linked", [True, False])
def test_a_pipe_is_written_to_and_stays(tmp_path: Path, linked: bool) -> None:
    os.mkfifo(pipe := tmp_path / "pipe")
    (link := tmp_path / "link").symlink_to(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_text)
        with written(link if linked else pipe) as out:
            out.write("new")
        assert read.result() == "new"
    assert pipe.is_fifo() and link.is_symlink()


def test_a_pipe_that_comes_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(ArreioError, match="no file"), written(tmp_path / "out") as out:
        os.mkfifo(tmp_path / "out")
        out.write("new")
    assert (tmp_path / "out").is_fifo()
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArreioError, match="Is a directory"), written(tmp_path):
        pass


@pytest.mark.parametrize("name", ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_every_name_of_standard_output_is_standard_output(tmp_path: Path, name: str) -> None:
    (log := tmp_path / "log").write_text("kept\n")
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with log.open("a") as appended:
        subprocess.run([sys.executable, "-c", WRITE, name], stdout=appended, cwd=tmp_path, env=here, check=True)
    assert log.read_text() == "kept\né\n"
    assert list(tmp_path.iterdir()) == [log]
