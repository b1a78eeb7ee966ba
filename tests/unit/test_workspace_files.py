"""Paths stay in the workspace whatever they are made of, and a write leaves the old content or the new."""

import os
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.workspace import PathRefused, confine, file_sha256, read_regular, sha256, write_atomic

_PARTS = st.sampled_from(["..", ".", "a", "b", "out", "in", "loop", "", "~", "etc", "a\nb", "é"])


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("place") / "workspace"
    (root / "a" / "b").mkdir(parents=True)
    (root / "in").symlink_to("a")
    (root / "out").symlink_to("/etc")
    (root / "loop").symlink_to("loop")
    return root


@given(parts=st.lists(_PARTS, min_size=1, max_size=6), absolute=st.booleans())
@settings(deadline=None)
def test_a_confined_path_never_leads_out(workspace: Path, parts: list[str], absolute: bool) -> None:
    try:
        place = confine(workspace, ("/" if absolute else "") + "/".join(parts))
    except PathRefused:
        return
    root = workspace.resolve()
    assert place.real == root or root in place.real.parents
    assert place.name == "." or root / place.name == place.real


def test_paths_inside_are_named_relative_to_the_workspace(workspace: Path) -> None:
    assert confine(workspace, "a/../a/b").name == "a/b"
    assert confine(workspace, str(workspace / "a")).name == "a"
    assert confine(workspace, "in/new.txt").name == "a/new.txt"
    assert confine(workspace, ".").name == "."


@pytest.mark.parametrize("path", ["", "  ", "..", "/etc/passwd", "out/passwd", "a/../../x", "a\0b", "\ud800"])
def test_paths_outside_are_refused(workspace: Path, path: str) -> None:
    with pytest.raises(PathRefused):
        confine(workspace, path)


def test_a_sibling_with_the_workspaces_name_as_prefix_is_outside(workspace: Path) -> None:
    with pytest.raises(PathRefused):
        confine(workspace, f"{workspace}-other/x")


def test_a_write_keeps_the_mode_and_leaves_no_other_file(tmp_path: Path) -> None:
    script = tmp_path / "deep" / "er" / "run.sh"
    write_atomic(script, b"one")
    script.chmod(0o751)
    write_atomic(script, b"two")
    assert script.read_bytes() == b"two"
    assert stat.S_IMODE(script.stat().st_mode) == 0o751
    assert [path.name for path in script.parent.iterdir()] == ["run.sh"]


def test_a_failed_write_leaves_the_old_content_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"old")

    def fail(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_atomic(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for name in ("pipe", "socket"):
            with pytest.raises(PathRefused):
                read_regular(tmp_path / name)
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path)
    (tmp_path / "file").write_bytes(b"12345")
    with pytest.raises(PathRefused):
        read_regular(tmp_path / "file", most_bytes=4)
    with pytest.raises(PathRefused):
        read_regular(tmp_path / "file" / "below")
    assert read_regular(tmp_path / "none") is None
    assert file_sha256(tmp_path / "file") == sha256(b"12345")
