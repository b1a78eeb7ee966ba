"""Worktrees on a real git: one a session, kept and found again, with the checkout untouched and nothing run."""

import subprocess
from pathlib import Path

import pytest

from shared.sandbox import run
from shared.workspace.worktrees import WorktreeError, home_of, make_worktree, remove_worktree, worktrees


def git(where: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(where), *arguments], capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a commit, a file that is not committed, and a hook that would leave a mark."""
    place = tmp_path / "shop"
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    (place / "a.txt").write_text("one\n")
    git(place, "add", ".")
    git(place, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "first")
    (place / "a.txt").write_text("mine\n")
    (place / "new.txt").write_text("mine too\n")
    hook = place / ".git" / "hooks" / "post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/hook-ran\n")
    hook.chmod(0o755)
    return place


def status(place: Path) -> str:
    return git(place, "status", "--porcelain") + git(place, "branch", "--show-current") + (place / "a.txt").read_text()


def test_each_session_has_a_branch_of_its_own_and_the_checkout_is_untouched(repository: Path, tmp_path: Path) -> None:
    before, folder = status(repository), tmp_path / "workspaces"
    for session in ("s_1", "s_2"):
        make_worktree(str(repository), folder / session)
        (folder / session / "a.txt").write_text(session)
    assert [(one.path.name, one.branch, one.changed) for one in worktrees(folder)] == [
        ("s_1", "arreio/s_1", 1),
        ("s_2", "arreio/s_2", 1),
    ]
    assert status(repository) == before and not (tmp_path / "hook-ran").exists()


def test_a_worktree_that_is_there_is_kept_as_it_is(repository: Path, tmp_path: Path) -> None:
    place = tmp_path / "w" / "s_1"
    make_worktree(str(repository), place)
    (place / "a.txt").write_text("work")
    make_worktree(str(repository), place)
    assert (place / "a.txt").read_text() == "work"


def test_what_was_committed_in_a_worktree_is_there_when_the_session_comes_again(
    repository: Path, tmp_path: Path
) -> None:
    place = tmp_path / "w" / "s_1"
    make_worktree(str(repository), place)
    (place / "a.txt").write_text("work")
    git(place, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "work")
    remove_worktree(place)
    assert not place.exists() and worktrees(place.parent) == []
    make_worktree(str(repository), place)
    assert (place / "a.txt").read_text() == "work"


def test_a_folder_that_was_deleted_by_hand_is_made_again_and_other_worktrees_are_left_alone(
    repository: Path, tmp_path: Path
) -> None:
    place, other = tmp_path / "w" / "s_1", tmp_path / "elsewhere"
    git(repository, "worktree", "add", "-q", "-b", "theirs", str(other))
    make_worktree(str(repository), place)
    for gone in (place, other):
        subprocess.run(["rm", "-r", str(gone)], check=True)
    make_worktree(str(repository), place)
    assert (place / "a.txt").read_text() == "one\n"
    assert "theirs" in git(repository, "worktree", "list")


def test_what_is_not_committed_is_lost_only_by_force(repository: Path, tmp_path: Path) -> None:
    place = tmp_path / "w" / "s_1"
    make_worktree(str(repository), place)
    (place / "new.txt").write_text("work")
    with pytest.raises(WorktreeError, match=r"1 paths .* not committed"):
        remove_worktree(place)
    remove_worktree(place, force=True)
    assert not place.exists() and "arreio/s_1" in git(repository, "branch", "--list", "arreio/*")


def test_git_never_runs_in_a_worktree_whose_link_was_bent(repository: Path, tmp_path: Path) -> None:
    place = tmp_path / "w" / "s_1"
    make_worktree(str(repository), place)
    evil = place / "evil"
    git(place, "init", "-q", "--bare", str(evil))
    git(evil, "config", "core.fsmonitor", f"touch {tmp_path}/ran; false")
    (place / ".git").write_text(f"gitdir: {evil}\n")
    assert worktrees(place.parent) == []
    with pytest.raises(WorktreeError):
        remove_worktree(place, force=True)
    with pytest.raises(WorktreeError, match="is no worktree"):
        make_worktree(str(repository), place)
    assert not (tmp_path / "ran").exists()


def test_what_cannot_be_a_worktree_is_said_and_changes_nothing(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    taken = tmp_path / "w" / "taken"
    taken.mkdir(parents=True)
    (taken / "theirs.txt").write_text("x")
    with pytest.raises(WorktreeError, match="no git repository"):
        make_worktree(str(tmp_path / "plain"), tmp_path / "w" / "s_1")
    with pytest.raises(WorktreeError, match="there is no repository"):
        make_worktree(str(tmp_path / "gone"), tmp_path / "w" / "s_1")
    with pytest.raises(WorktreeError, match="is no worktree"):
        make_worktree(str(repository), taken)
    with pytest.raises(WorktreeError, match="failed"):
        make_worktree(str(repository), tmp_path / "w" / "s_1", base="nowhere")
    assert not (tmp_path / "w" / "s_1").exists()


def test_what_is_said_for_a_repository_holds_in_its_worktrees(repository: Path, tmp_path: Path) -> None:
    place = tmp_path / "w" / "s_1"
    make_worktree(str(repository), place)
    assert home_of(str(place)) == str(repository)
    git(tmp_path, "clone", "-q", "--bare", str(repository), str(tmp_path / "bare.git"))
    make_worktree(str(tmp_path / "bare.git"), tmp_path / "w" / "s_2")
    assert home_of(str(tmp_path / "w" / "s_2")) == str(tmp_path / "bare.git")
    (tmp_path / "link").symlink_to(repository)
    assert home_of(str(repository)) == home_of(str(tmp_path / "link")) == str(repository)


async def test_a_task_can_read_the_history_of_its_worktree_and_not_write_it(repository: Path, tmp_path: Path) -> None:
    place = tmp_path / "w" / "s_1"
    make_worktree(str(repository), place)
    command = (
        "git log --format=%s; echo work > a.txt; git diff --name-only; "
        "git -c user.name=a -c user.email=a@b commit -qam x 2>/dev/null || echo no commit; "
        f"touch {repository}/.git/hooks/evil 2>/dev/null || echo no hook; "
        f"cat {repository}/new.txt 2>/dev/null || echo no checkout"
    )
    done = await run(command, workspace=place)
    assert done.output.splitlines() == ["first", "a.txt", "no commit", "no hook", "no checkout"]
    assert not (repository / ".git" / "hooks" / "evil").exists()
