"""The workspace lock with real processes: who gets it, who waits, and who is ended."""

import asyncio
import sys
from pathlib import Path

import pytest

from shared.workspace import WorkspaceBusy, WorkspaceLock, WorkspaceSuperseded, acquire

_HOLD = """
import asyncio, os, subprocess, sys
from pathlib import Path
from shared.workspace import acquire
data, workspace, task, epoch, child = sys.argv[1:]
lock = asyncio.run(acquire(Path(data), Path(workspace), task_id=task, epoch=int(epoch), owner="other"))
if child == "child":
    quiet = dict(stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.Popen(["sleep", "300"], pass_fds=[lock.fd], cwd=workspace, **quiet)
print("held", flush=True)
sys.stdin.read()
"""


class Elsewhere:
    """Another process that holds the workspace until it is told to end, or is killed."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def release(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        await self.process.wait()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "workspace").mkdir()
    return tmp_path


async def _take(place: Path, task: str, epoch: int, wait: float = 5.0) -> WorkspaceLock:
    return await acquire(place / "data", place / "workspace", task_id=task, epoch=epoch, owner="me", wait_seconds=wait)


async def _elsewhere(place: Path, task: str, epoch: int, child: str = "alone") -> Elsewhere:
    arguments = [str(place / "data"), str(place / "workspace"), task, str(epoch), child]
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _HOLD, *arguments, stdin=pipe, stdout=pipe)
    assert process.stdout and await process.stdout.readline() == b"held\n"
    return Elsewhere(process)


async def test_a_free_workspace_is_taken_and_released_again_and_again(place: Path) -> None:
    for epoch in (1, 2, 2):
        lock = await _take(place, "t", epoch)
        lock.release()
        lock.release()
    with pytest.raises(ValueError):
        _ = lock.fd


async def test_another_task_finds_it_busy_until_it_is_released(place: Path) -> None:
    other = await _elsewhere(place, "t1", 1)
    with pytest.raises(WorkspaceBusy, match="t1"):
        await _take(place, "t2", 9)
    assert other.process.returncode is None
    await other.release()
    (await _take(place, "t2", 9)).release()


async def test_a_newer_epoch_ends_the_old_holder(place: Path) -> None:
    other = await _elsewhere(place, "t", 1)
    lock = await _take(place, "t", 2)
    assert await other.process.wait() == -9
    assert lock.holder.epoch == 2
    lock.release()


async def test_an_older_or_equal_epoch_ends_nobody(place: Path) -> None:
    other = await _elsewhere(place, "t", 5)
    with pytest.raises(WorkspaceSuperseded):
        await _take(place, "t", 4)
    with pytest.raises(WorkspaceBusy):
        await _take(place, "t", 5)
    assert other.process.returncode is None
    await other.release()


@pytest.mark.parametrize("task", ["t", "another"])
async def test_what_a_dead_holder_left_running_is_ended(place: Path, task: str) -> None:
    other = await _elsewhere(place, "t", 1, child="child")
    children = _in(place / "workspace")
    assert len(children) == 1
    other.process.kill()
    await other.process.wait()
    (await _take(place, task, 2)).release()
    assert _in(place / "workspace") == []


async def test_a_takeover_ends_the_holders_children_too(place: Path) -> None:
    await _elsewhere(place, "t", 1, child="child")
    (await _take(place, "t", 2)).release()
    assert _in(place / "workspace") == []


async def test_the_same_process_is_never_ended_by_itself(place: Path) -> None:
    lock = await _take(place, "t", 1)
    with pytest.raises(WorkspaceBusy, match="this process"):
        await _take(place, "t", 2)
    lock.release()


async def test_of_many_at_once_one_gets_it_and_none_is_hurt(place: Path) -> None:
    takers = await asyncio.gather(*(_take(place, f"t{n}", 1) for n in range(8)), return_exceptions=True)
    got = [taker for taker in takers if isinstance(taker, WorkspaceLock)]
    assert len(got) == 1
    assert all(isinstance(taker, WorkspaceBusy) for taker in takers if taker is not got[0])
    got[0].release()


async def test_another_name_of_the_workspace_is_the_same_workspace(place: Path) -> None:
    (place / "link").symlink_to(place / "workspace")
    lock = await _take(place, "t1", 1)
    with pytest.raises(WorkspaceBusy):
        await acquire(place / "data", place / "link", task_id="t2", epoch=1, owner="me")
    lock.release()


def _in(directory: Path) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            alive = entry.name.isdigit() and (entry / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
            if alive and (entry / "cwd").readlink() == directory:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


async def test_a_holder_in_another_container_is_asked_to_let_go_of_an_older_epoch(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = await _take(place, "t", 1)
    monkeypatch.setattr("shared.workspace.lock.pid_space", lambda: "another")
    with pytest.raises(WorkspaceBusy, match="from another machine or container"):
        await _take(place, "other", 7)
    assert not held.superseded()  # another task's wish says nothing of this lease
    with pytest.raises(WorkspaceBusy):
        await _take(place, "t", 2)
    assert held.superseded()
    held.release()
    newer = await _take(place, "t", 2)
    assert not newer.superseded()
    newer.release()
