"""Snapshots of a workspace with a real git: what they hold, what they leave alone, and how they are put back."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.workspace import snapshots
from shared.workspace.snapshots import Left, NotKeptError, Snapshots


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "w").mkdir()
    return tmp_path / "w"


@pytest.fixture
def taken(tmp_path: Path, workspace: Path) -> Snapshots:
    return Snapshots(tmp_path / "data", workspace)


def git(where: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=where, capture_output=True, text=True, check=True)
    return done.stdout


def contents(folder: Path) -> dict[str, bytes | str]:
    """Every file and link below a folder but git's own, by path."""
    found: dict[str, bytes | str] = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if ".git" in path.relative_to(folder).parts:
            continue
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_bytes()
    return found


def test_what_changed_between_two_snapshots_is_named(taken: Snapshots, workspace: Path) -> None:
    (workspace / "kept.txt").write_text("kept")
    (workspace / "gone.txt").write_text("gone")
    (workspace / "edited.txt").write_text("before")
    first = taken.take()
    (workspace / "gone.txt").unlink()
    (workspace / "edited.txt").write_text("after")
    (workspace / "new").mkdir()
    (workspace / "new" / "made.txt").write_text("made")
    second = taken.take()
    found = {change.path: change.kind for change in taken.changes(first.tree, second.tree)}
    assert found == {"gone.txt": "deleted", "edited.txt": "changed", "new/made.txt": "added"}
    assert {"-before", "+after"} <= set(taken.patch(first.tree, second.tree).splitlines())
    assert taken.read(first.tree, "edited.txt") == b"before"
    assert taken.read(second.tree, "gone.txt") is None


def test_the_same_content_is_the_same_snapshot(taken: Snapshots, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a")
    first = taken.take()
    (workspace / "a.txt").write_text("b")
    assert taken.take() != first
    (workspace / "a.txt").write_text("a")
    assert taken.take() == first


def test_a_file_replaced_by_one_of_the_same_size_and_time_is_seen(taken: Snapshots, workspace: Path) -> None:
    file = workspace / "a.txt"
    file.write_text("one")
    before = file.stat()
    first = taken.take()
    file.write_text("two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [change.path for change in taken.changes(first.tree, taken.take().tree)] == ["a.txt"]


def test_the_users_repository_is_not_touched(taken: Snapshots, workspace: Path) -> None:
    git(workspace, "init", "-q")
    (workspace / "a.txt").write_text("a")
    git(workspace, "add", ".")
    git(workspace, "commit", "-qm", "first")
    (workspace / "b.txt").write_text("b")
    before = {path: path.read_bytes() for path in (workspace / ".git").rglob("*") if path.is_file()}
    taken.take()
    (workspace / "a.txt").write_text("other")
    taken.take()
    assert {path: path.read_bytes() for path in (workspace / ".git").rglob("*") if path.is_file()} == before


def test_content_is_kept_byte_for_byte_whatever_the_attributes_say(taken: Snapshots, workspace: Path) -> None:
    (workspace / ".gitattributes").write_text("* text=auto eol=lf\n*.utf working-tree-encoding=UTF-16\n*.f filter=no\n")
    written = {"crlf.txt": b"a\r\nb\r\n", "x.utf": b"\xff\xfea\x00", "y.f": b"$Id$", "bin": bytes(range(256))}
    for name, content in written.items():
        (workspace / name).write_bytes(content)
    tree = taken.take().tree
    assert {name: taken.read(tree, name) for name in written} == written


def test_what_git_ignores_is_left_out_and_what_was_held_before_is_not(taken: Snapshots, workspace: Path) -> None:
    (workspace / ".gitignore").write_text("build/\n")
    (workspace / "build").mkdir()
    (workspace / "build" / "out").write_text("out")
    (workspace / "tests").mkdir()
    (workspace / "tests" / "test_a.py").write_text("assert True")
    first = taken.take()
    assert sorted(taken.files(first.tree)) == [".gitignore", "tests/test_a.py"]
    (workspace / ".gitignore").write_text("build/\ntests/\n")
    (workspace / "tests" / "test_a.py").unlink()
    found = {change.path: change.kind for change in taken.changes(first.tree, taken.take().tree)}
    assert found == {".gitignore": "changed", "tests/test_a.py": "deleted"}


@pytest.mark.parametrize("committed", [True, False])
def test_a_repository_inside_is_walked_like_any_folder(taken: Snapshots, workspace: Path, committed: bool) -> None:
    inside = workspace / "inside"
    (inside / "deep").mkdir(parents=True)
    git(inside, "init", "-q")
    (inside / "a.txt").write_text("a")
    (inside / "deep" / "b.txt").write_text("b")
    if committed:
        git(inside, "add", ".")
        git(inside, "commit", "-qm", "first")
    first = taken.take()
    assert sorted(taken.files(first.tree)) == ["inside/a.txt", "inside/deep/b.txt"]
    (inside / "c.txt").write_text("c")
    assert [change.path for change in taken.changes(first.tree, taken.take().tree)] == ["inside/c.txt"]


def test_names_of_any_bytes_and_files_of_any_kind_are_met(taken: Snapshots, workspace: Path) -> None:
    names = [os.fsdecode(b"bad\xff"), "new\nline", "spa ce", "*", ":(top)x", "-dash", "é"]
    for name in names:
        (workspace / name).write_text(name[0])
    (workspace / "link").symlink_to("/etc/passwd")
    os.mkfifo(workspace / "pipe")
    tree = taken.take().tree
    assert sorted(taken.files(tree)) == sorted([*names, "link"])
    assert taken.read(tree, "*") == b"*"
    assert taken.read(tree, "link") == b"/etc/passwd"


def test_a_huge_file_is_named_and_not_kept(taken: Snapshots, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "MOST_BYTES", 10)
    (workspace / "small").write_text("small")
    (workspace / "grows").write_text("grows")
    assert taken.take().left == ()
    (workspace / "grows").write_text("grows and grows")
    found = taken.take()
    assert found.left == (Left("grows", "too large"),)
    assert list(taken.files(found.tree)) == ["small"]


def test_a_file_becomes_a_folder_a_link_a_pipe_and_back(taken: Snapshots, workspace: Path) -> None:
    place = workspace / "x"
    place.write_text("file")
    as_file = taken.take().tree
    place.unlink()
    place.mkdir()
    (place / "in").write_text("in")
    as_folder = taken.take().tree
    assert list(taken.files(as_folder)) == ["x/in"]
    (place / "in").unlink()
    place.rmdir()
    os.mkfifo(place)
    assert taken.files(taken.take().tree) == {}
    place.unlink()
    taken.restore(as_file)
    assert place.read_text() == "file"
    taken.restore(as_folder)
    assert (place / "in").read_text() == "in"


def test_a_folder_that_became_a_link_out_is_put_back_without_touching_what_it_leads_to(
    taken: Snapshots, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "d").mkdir()
    (workspace / "d" / "a").write_text("ours")
    first = taken.take().tree
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a").write_text("theirs")
    (workspace / "d" / "a").unlink()
    (workspace / "d").rmdir()
    (workspace / "d").symlink_to(outside)
    second = taken.take().tree
    assert {change.path: change.kind for change in taken.changes(first, second)} == {"d": "added", "d/a": "deleted"}
    taken.restore(first)
    assert not (workspace / "d").is_symlink()
    assert (workspace / "d" / "a").read_text() == "ours"
    assert (outside / "a").read_text() == "theirs"


def test_a_file_that_grew_too_large_is_not_overwritten(
    taken: Snapshots, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "MOST_BYTES", 10)
    (workspace / "grows").write_text("small")
    (workspace / "other").write_text("one")
    first = taken.take().tree
    (workspace / "grows").write_text("later work, and much of it")
    (workspace / "other").write_text("two")
    before = contents(workspace)
    with pytest.raises(NotKeptError, match="grows") as refused:
        taken.restore(first)
    assert refused.value.paths == ("grows",)
    assert contents(workspace) == before
    (workspace / "grows").rename(workspace / "aside, as it is told")
    taken.restore(first)
    assert (workspace / "grows").read_text() == "small" and (workspace / "other").read_text() == "one"
    assert (workspace / "aside, as it is told").read_text() == "later work, and much of it"


def test_a_folder_with_an_ignored_file_in_a_files_place_stops_it_before_anything_is_done(
    taken: Snapshots, workspace: Path
) -> None:
    (workspace / "x").write_text("file")
    first = taken.take().tree
    (workspace / ".gitignore").write_text("*.log\n")
    (workspace / "x").unlink()
    (workspace / "x" / "empty").mkdir(parents=True)
    (workspace / "x" / "a.txt").write_text("a")
    (workspace / "x" / "keep.log").write_text("ignored")
    before = contents(workspace)
    with pytest.raises(NotKeptError, match=r"x/keep\.log"):
        taken.restore(first)
    assert contents(workspace) == before
    (workspace / "x" / "keep.log").unlink()
    taken.restore(first)
    assert contents(workspace) == {"x": b"file"}


def test_an_ignored_file_in_a_folders_place_or_a_files_is_not_removed(taken: Snapshots, workspace: Path) -> None:
    (workspace / "d").mkdir()
    (workspace / "d" / "in").write_text("in")
    (workspace / "f").write_text("ours")
    first = taken.take().tree
    shutil.rmtree(workspace / "d")
    (workspace / "f").unlink()
    taken.take()
    (workspace / ".gitignore").write_text("/d\n/f\n")
    (workspace / "d").write_text("a file now")
    (workspace / "f").write_text("another")
    before = contents(workspace)
    with pytest.raises(NotKeptError) as refused:
        taken.restore(first)
    assert refused.value.paths == ("d", "f")
    assert contents(workspace) == before


def test_ignored_files_that_are_in_nobodys_way_stay(taken: Snapshots, workspace: Path) -> None:
    (workspace / ".gitignore").write_text("*.log\n")
    (workspace / "d").mkdir()
    first = taken.take().tree
    (workspace / "d" / "keep.log").write_text("ignored")
    (workspace / "d" / "new.txt").write_text("new")
    taken.restore(first)
    assert contents(workspace) == {".gitignore": b"*.log\n", "d/keep.log": b"ignored"}


def test_a_tree_can_be_laid_into_an_empty_folder(taken: Snapshots, workspace: Path, tmp_path: Path) -> None:
    (workspace / "run.sh").write_text("#!/bin/sh\n")
    (workspace / "run.sh").chmod(0o755)
    (workspace / "l").symlink_to("run.sh")
    tree = taken.take().tree
    (tmp_path / "copy").mkdir()
    taken.restore(tree, into=tmp_path / "copy")
    assert contents(tmp_path / "copy") == contents(workspace)
    assert os.access(tmp_path / "copy" / "run.sh", os.X_OK)


_NAMES = st.sampled_from(["a", "b", "d/a", "d/b", "d/e/a", "x y"])
_STATES = st.dictionaries(_NAMES, st.binary(max_size=8), max_size=6)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states=st.lists(_STATES, min_size=2, max_size=4))
def test_any_state_comes_back_whatever_happened_since(
    tmp_path_factory: pytest.TempPathFactory, states: list[dict[str, bytes]]
) -> None:
    base = tmp_path_factory.mktemp("states")
    workspace = base / "w"
    workspace.mkdir()
    taken = Snapshots(base / "data", workspace)
    trees = []
    for state in states:
        for path in sorted(contents(workspace)):
            (workspace / path).unlink()
        for path, content in state.items():
            (workspace / path).parent.mkdir(parents=True, exist_ok=True)
            (workspace / path).write_bytes(content)
        trees.append((taken.take().tree, contents(workspace)))
    for tree, held in reversed(trees):
        taken.restore(tree)
        assert contents(workspace) == held
        assert taken.take().tree == tree


def test_a_process_killed_in_the_middle_leaves_nothing_that_stops_the_next(
    taken: Snapshots, workspace: Path, tmp_path: Path
) -> None:
    for number in range(400):
        (workspace / f"{number}.txt").write_text(str(number))
    program = (
        "import sys; from pathlib import Path; from shared.workspace.snapshots import Snapshots; "
        "print('go', flush=True); Snapshots(Path(sys.argv[1]), Path(sys.argv[2])).take()"
    )
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "data"), str(workspace)], stdout=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    first = taken.take()
    (shadow,) = (tmp_path / "data" / "snapshots").iterdir()
    (shadow / "index.lock").touch()
    (workspace / "0.txt").write_text("other")
    assert [change.path for change in taken.changes(first.tree, taken.take().tree)] == ["0.txt"]
    assert len(taken.files(taken.take().tree)) == 400


def test_a_shadow_repository_that_a_power_cut_spoilt_is_set_aside(
    taken: Snapshots, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "a.txt").write_text("a")
    first = taken.take()
    (shadow,) = (tmp_path / "data" / "snapshots").iterdir()
    for file in [shadow / "index", *(shadow / "objects").rglob("*")]:
        if file.is_file():
            file.chmod(0o600)
            file.write_bytes(b"")
    (workspace / "b.txt").write_text("b")
    again = taken.take()
    assert sorted(taken.files(again.tree)) == ["a.txt", "b.txt"]
    assert not taken.holds(first.tree)
    assert len([*shadow.glob("broken-*/objects")]) == 1


def test_many_new_files_are_kept_as_well_as_few(taken: Snapshots, workspace: Path) -> None:
    written = {f"{number}.txt": str(number).encode() * number for number in range(300)}
    for name, content in written.items():
        (workspace / name).write_bytes(content)
    tree = taken.take().tree
    assert {name: taken.read(tree, name) for name in list(written)[::37]} == {
        name: written[name] for name in list(written)[::37]
    }
    assert len(taken.files(tree)) == 300


def test_two_processes_at_once_wait_for_each_other(taken: Snapshots, workspace: Path, tmp_path: Path) -> None:
    for number in range(200):
        (workspace / f"{number}.txt").write_text(str(number))
    program = (
        "import sys; from pathlib import Path; from shared.workspace.snapshots import Snapshots; "
        "print(Snapshots(Path(sys.argv[1]), Path(sys.argv[2])).take().tree)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "data"), str(workspace)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    trees = {process.communicate()[0].strip() for process in running}
    assert [process.returncode for process in running] == [0] * 4
    assert trees == {taken.take().tree}


def test_files_are_written_into_a_tree_without_the_workspace(taken: Snapshots, workspace: Path) -> None:
    (workspace / "run.sh").write_text("old")
    (workspace / "run.sh").chmod(0o755)
    (workspace / "d").write_text("a file")
    tree = taken.take().tree
    before = contents(workspace)
    made = taken.with_files(tree, {"run.sh": b"new", "d/e/*": b"deep"})
    assert contents(workspace) == before and taken.take().tree == tree
    assert {change.path: change.kind for change in taken.changes(tree, made)} == {
        "d": "deleted",
        "d/e/*": "added",
        "run.sh": "changed",
    }
    assert {change.mode_after for change in taken.changes(tree, made) if change.path == "run.sh"} == {0o100755}
    assert taken.read(made, "d/e/*") == b"deep"


def test_trees_that_are_shared_stay_when_the_other_workspace_is_forgotten(
    taken: Snapshots, workspace: Path, tmp_path: Path
) -> None:
    (workspace / "a").write_text("one\n")
    for number in range(snapshots.ONE_BY_ONE + 1):  # so many lie in a pack
        (workspace / f"file{number}").write_text(f"{number}\n")
    tree = taken.take().tree
    (tmp_path / "other").mkdir()
    other = Snapshots(tmp_path / "data", tmp_path / "other")
    other.share(taken)
    other.share(taken)
    taken.share(taken)
    shutil.rmtree(taken._shadow)
    other.restore(tree)
    assert contents(tmp_path / "other") == contents(workspace)
    assert other.take().tree == tree
