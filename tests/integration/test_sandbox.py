"""The sandbox on the real bubblewrap: what a command can see, change and use up, and how it ends."""

import asyncio
import fcntl
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.processes import is_alive
from shared.sandbox import (
    CommandResult,
    Limits,
    SandboxUnavailable,
    confined,
    end_orphans,
    exceeded,
    run,
    sandbox_works,
)

pytestmark = pytest.mark.skipif(sandbox_works() is not None, reason=f"bubblewrap: {sandbox_works()}")
MIB = 1024 * 1024


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    place = tmp_path / "workspace"
    place.mkdir()
    return place


async def test_a_command_writes_in_the_workspace_and_nowhere_else(workspace: Path) -> None:
    outside = workspace.parent / "outside"
    result = await run(f"echo in > a.txt; pwd; touch {outside}; ! touch /etc/x && ! touch /usr/x", workspace=workspace)
    assert result.exit_status == 0, result.output
    assert str(workspace) in result.output
    assert (workspace / "a.txt").read_text() == "in\n"
    assert not outside.exists()  # what it saw was a private /tmp
    assert not Path("/etc/x").exists()


async def test_output_and_exit_status_are_the_commands_own(workspace: Path) -> None:
    result = await run("echo out; echo err >&2; exit 7", workspace=workspace)
    assert result == CommandResult(7, "out\nerr\n", False, False, None, result.seconds, 0)
    assert (await run("kill -9 $$", workspace=workspace)).exit_status == 137
    assert (await run("no-such-program", workspace=workspace)).exit_status == 127


async def test_standard_input_is_empty(workspace: Path) -> None:
    assert (await run("cat; echo end", workspace=workspace)).output == "end\n"


async def test_home_tmp_and_other_peoples_files_are_hidden(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = workspace.parent / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id").write_text("PRIVATE")
    monkeypatch.setenv("HOME", str(home))
    result = await run(f"cat {home}/.ssh/id; ls -A {home} /run; echo x > $HOME/x && cat $HOME/x", workspace=workspace)
    assert "PRIVATE" not in result.output and result.output.endswith("x\n")
    assert not (home / "x").exists()


async def test_the_home_as_workspace_still_hides_its_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh" / "id").write_text("PRIVATE")
    (tmp_path / ".netrc").write_text("PRIVATE")
    (tmp_path / "code.py").write_text("visible")
    monkeypatch.setenv("HOME", str(tmp_path))
    result = await run("cat .ssh/id .netrc; cat code.py", workspace=tmp_path)
    assert "PRIVATE" not in result.output and "visible" in result.output


@pytest.mark.parametrize("place", ["data", "workspace/.data"])
async def test_the_data_directory_is_hidden_wherever_it_lies(
    workspace: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = workspace.parent / place
    data.mkdir()
    (data / "credentials.json").write_text("PRIVATE")
    for hide in ((data,), ()):
        monkeypatch.setenv("ARREIO_HOME", str(data if not hide else workspace.parent / "elsewhere"))
        result = await run(f"cat {data}/credentials.json; ls {data}", workspace=workspace, hide=hide)
        assert "PRIVATE" not in result.output and "credentials" not in result.output.replace(
            f"{data}/credentials.json", ""
        )


async def test_a_data_directory_around_the_workspace_is_hidden_but_for_the_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "data" / "workspace"
    workspace.mkdir(parents=True)
    (tmp_path / "data" / "credentials").write_text("PRIVATE")
    result = await run("cat ../credentials; echo ok > here && cat here", workspace=workspace, hide=[tmp_path / "data"])
    assert "PRIVATE" not in result.output and result.output.endswith("ok\n")


async def test_no_secret_of_the_harness_reaches_the_environment(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ARREIO_DATABASE_URL", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"):
        monkeypatch.setenv(name, "PRIVATE")
    monkeypatch.setenv("PIP_INDEX_URL", "https://user:PRIVATE@example.org/simple")
    for network in (False, True):
        result = await run("env; cat /proc/*/environ; cat /proc/*/cmdline", workspace=workspace, network=network)
        assert "PRIVATE" not in result.output
    assert "X=1" in (await run("env", workspace=workspace, env={"X": "1"})).output


async def test_there_is_no_network_unless_allowed(workspace: Path) -> None:
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connect = f"{sys.executable} -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 3)'"
    async with server:
        assert (await run(connect, workspace=workspace)).exit_status == 1
        assert (await run(connect, workspace=workspace, network=True)).exit_status == 0


async def test_the_users_pytest_is_found(workspace: Path) -> None:
    (workspace / "test_it.py").write_text("def test_it():\n    assert True\n")
    result = await run("python3 -m pytest -q -p no:cacheprovider || pytest -q -p no:cacheprovider", workspace=workspace)
    assert "1 passed" in result.output, result.output


async def test_root_inside_has_no_privilege(workspace: Path) -> None:
    result = await run(
        "grep CapEff /proc/self/status; cat /etc/shadow; mount -o remount,rw / 2>&1", workspace=workspace
    )
    assert "root:" not in result.output
    assert result.exit_status != 0


async def test_an_overlay_leaves_the_workspace_as_it_was(workspace: Path) -> None:
    (workspace / "kept").write_text("old")
    result = await run("echo new > kept; echo x > made; rm -rf gone; cat kept made", workspace=workspace, overlay=True)
    assert result.output == "new\nx\n"
    assert (workspace / "kept").read_text() == "old"
    assert sorted(path.name for path in workspace.iterdir()) == ["kept"]


async def test_a_command_that_takes_too_long_is_ended_with_its_children(workspace: Path) -> None:
    result = await run("sleep 300 & sleep 300 & echo started; wait", workspace=workspace, limits=Limits(seconds=0.5))
    assert (result.exit_status, result.timed_out, result.killed_by) == (None, True, "time")
    assert result.output == "started\n"
    assert result.seconds < 5


async def test_background_processes_end_with_the_command(workspace: Path) -> None:
    result = await run("(setsid sleep 299 &) ; (sleep 0.2; echo late > late) & echo done", workspace=workspace)
    assert (result.exit_status, result.output) == (0, "done\n")
    assert result.seconds < 2
    assert _processes_in(workspace) == []


async def test_head_and_tail_of_long_output_are_kept(workspace: Path) -> None:
    result = await run("seq 1 200000", workspace=workspace, limits=Limits(kept_output_bytes=1000))
    assert result.exit_status == 0 and result.truncated
    assert result.output.startswith("1\n2\n") and result.output.endswith("199999\n200000\n")
    assert f"{result.dropped_bytes} bytes dropped" in result.output
    assert len(result.output) < 1100


async def test_endless_output_ends_the_command(workspace: Path) -> None:
    result = await run("yes", workspace=workspace, limits=Limits(seconds=20, output_bytes=5 * MIB))
    assert result.killed_by == "output" and result.exit_status is None


async def test_binary_output_becomes_text(workspace: Path) -> None:
    result = await run(r"printf 'a\000\377\r\nb'", workspace=workspace)
    assert result.output == "a\ufffd\ufffd\nb"


async def test_too_much_memory_ends_the_command(workspace: Path) -> None:
    eat = f"{sys.executable} -c 'x = [bytearray(8 << 20) for _ in range(30)]; import time; time.sleep(30)'"
    result = await run(f"{eat} & wait", workspace=workspace, limits=Limits(seconds=20, memory_bytes=100 * MIB))
    assert result.killed_by == "memory"


async def test_too_many_processes_end_the_command(workspace: Path) -> None:
    many = "i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i+1)); done; wait"
    result = await run(many, workspace=workspace, limits=Limits(seconds=30, processes=40))
    assert result.killed_by == "processes"


@pytest.mark.parametrize("overlay", [False, True])
async def test_too_much_written_ends_the_command(workspace: Path, overlay: bool) -> None:
    write = (
        "i=0; while [ $i -lt 100 ]; do dd if=/dev/zero of=f$i bs=1M count=4 2>/dev/null; i=$((i+1)); sleep 0.02; done"
    )
    result = await run(write, workspace=workspace, overlay=overlay, limits=Limits(seconds=30, written_bytes=40 * MIB))
    assert result.killed_by == "disk"


async def test_cancelling_the_coroutine_ends_the_namespace(workspace: Path) -> None:
    task = asyncio.create_task(run("echo $$ > started; sleep 300 && echo late > late", workspace=workspace))
    await _until(lambda: (workspace / "started").exists())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert _processes_in(workspace) == []


async def test_an_event_ends_the_namespace_and_keeps_the_output(workspace: Path) -> None:
    cancel = asyncio.Event()
    asyncio.get_running_loop().call_later(0.3, cancel.set)
    result = await run("echo before; sleep 300", workspace=workspace, cancel=cancel)
    assert (result.killed_by, result.output) == ("cancelled", "before\n")


async def test_the_lock_is_held_while_the_namespace_lives_and_the_command_cannot_release_it(workspace: Path) -> None:
    lock = workspace.parent / "lock"
    held = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(held, fcntl.LOCK_EX)
    task = asyncio.create_task(run("touch started; ls /proc/self/fd; sleep 1", workspace=workspace, inherit_fds=[held]))
    await _until(lambda: (workspace / "started").exists())
    os.close(held)
    other = os.open(lock, os.O_RDWR)
    with pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    await task
    fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(other)


@pytest.mark.parametrize("sandbox", ["bubblewrap", "none"])
async def test_a_command_dies_with_the_killed_harness(workspace: Path, sandbox: str) -> None:
    code = (
        "import asyncio, sys; from pathlib import Path; from shared.sandbox import run; "
        f"asyncio.run(run('sleep 300 & touch started; sleep 300', workspace=Path(sys.argv[1]), sandbox={sandbox!r}))"
    )
    harness = await asyncio.create_subprocess_exec(sys.executable, "-c", code, str(workspace))
    await _until(lambda: (workspace / "started").exists())
    assert _processes_in(workspace)
    harness.kill()
    await harness.wait()
    await _until(lambda: not _processes_in(workspace))


async def test_without_bubblewrap_limits_and_the_scrubbed_environment_remain(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "PRIVATE")
    result = await run("env; (sleep 300 &); sleep 300", workspace=workspace, sandbox="none", limits=Limits(seconds=0.5))
    assert result.killed_by == "time" and "PRIVATE" not in result.output
    assert (await run("exit 3", workspace=workspace, sandbox="none")).exit_status == 3
    with pytest.raises(SandboxUnavailable):
        await run("true", workspace=workspace, sandbox="none", overlay=True)


_LEAVING = """
import subprocess, sys
from pathlib import Path
from shared.sandbox import Limits, confined
argv = confined(["sleep", "1000"], workspace=Path(sys.argv[1]), limits=Limits())
argv.remove("--die-with-parent")
left = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
print(left.pid, flush=True)
"""


async def test_a_sandbox_that_its_dead_harness_left_is_ended_and_those_of_the_living_are_not(workspace: Path) -> None:
    """bubblewrap that was killed before it could tie its life to its parent's, as the fault suite found it."""
    argv = confined(["sleep", "1000"], workspace=workspace, limits=Limits())
    mine = await asyncio.create_subprocess_exec(*argv)
    harness = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _LEAVING, str(workspace)), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await harness.communicate()
    try:
        end_orphans()  # any Arreio of this machine may have been quicker
        await _until(lambda: not is_alive(int(said)))
        end_orphans()
        assert mine.returncode is None and is_alive(mine.pid)
    finally:
        mine.kill()
        await mine.wait()


async def test_a_command_that_is_ended_at_once_leaves_nothing(workspace: Path) -> None:
    for _ in range(20):
        at_once = asyncio.Event()
        at_once.set()
        result = await run("sleep 1000", workspace=workspace, cancel=at_once)
        assert result.killed_by == "cancelled"
    assert not _processes_in(workspace)


@pytest.mark.parametrize("workspace_path", ["/", "/no/such/place"])
async def test_what_cannot_be_a_workspace_is_refused(workspace_path: str) -> None:
    with pytest.raises(SandboxUnavailable):
        await run("true", workspace=Path(workspace_path))


async def test_a_workspace_with_spaces_and_unicode_works(tmp_path: Path) -> None:
    place = tmp_path / "meu espaço ção"
    place.mkdir()
    assert (await run("pwd", workspace=place)).output == f"{place}\n"


async def test_the_disk_under_an_overlay_that_is_not_mounted_yet_is_nobodys_writing(workspace: Path) -> None:
    outside = await asyncio.create_subprocess_exec("sleep", "1000")
    try:
        assert exceeded(outside.pid, Limits(written_bytes=1024 * 1024), str(workspace)) is None
    finally:
        outside.kill()
        await outside.wait()


async def test_no_descriptor_is_left_open(workspace: Path) -> None:
    await run("true", workspace=workspace)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for command in ("true", "exit 1", "sleep 9"):
        await run(command, workspace=workspace, limits=Limits(seconds=0.2))
    assert len(list(Path("/proc/self/fd").iterdir())) <= before  # what other tests left may be closed meanwhile


async def _until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited in vain"
        await asyncio.sleep(0.01)


def _processes_in(workspace: Path) -> list[int]:
    """Live processes whose current directory is the workspace."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            alive = entry.name.isdigit() and (entry / "stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
            if alive and (entry / "cwd").readlink() == workspace:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


_SHORT_OF_FILES = """
import resource
from shared.sandbox import sandbox_works
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (4, hard))
assert "cannot be started" in sandbox_works()
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
assert sandbox_works() is None, sandbox_works()
print("asked again")
"""


def test_a_machine_that_could_not_start_the_sandbox_for_a_moment_is_asked_again() -> None:
    done = subprocess.run([sys.executable, "-c", _SHORT_OF_FILES], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("asked again\n", "")


_AS_USER = """
import asyncio, sys
from pathlib import Path
from shared.sandbox import Limits, run, sandbox_works
assert sandbox_works() is None, sandbox_works()
async def main(workspace):
    changed = await run("echo hi > a; cat a; id -u; ! touch /etc/x", workspace=workspace)
    assert changed.exit_status == 0 and changed.output.startswith("hi\\n12345\\n"), changed
    laid_over = await run("echo new > a; cat a", workspace=workspace, overlay=True)
    assert laid_over.output == "new\\n" and (workspace / "a").read_text() == "hi\\n", laid_over
    many = "i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i+1)); done; wait"
    assert (await run(many, workspace=workspace, limits=Limits(processes=40))).killed_by == "processes"
    write = "i=0; while [ $i -lt 99 ]; do dd if=/dev/zero of=f$i bs=1M count=4; i=$((i+1)); sleep 0.02; done"
    for overlay in (False, True):
        limits = Limits(written_bytes=40 << 20, seconds=30)
        assert (await run(write, workspace=workspace, overlay=overlay, limits=limits)).killed_by == "disk"
asyncio.run(main(Path(sys.argv[1])))
print("all held")
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become an ordinary user")
async def test_an_ordinary_user_has_the_same_sandbox() -> None:
    python = Path("/usr/bin/python3")
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    root = Path(__file__).parents[2]
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        os.chown(place, 12345, 12345)
        become = ["setpriv", "--reuid=12345", "--regid=12345", "--clear-groups"]
        probe = [*become, "env", "-i", "PATH=/usr/bin:/bin", f"HOME={place}", f"PYTHONPATH={root}:{packages}"]
        try:
            check = await _output(
                *probe, str(python), "-c", "import sys; assert sys.version_info >= (3, 11); import shared.sandbox"
            )
        except FileNotFoundError as missing:
            pytest.skip(f"{missing.filename} is not installed")
        if check[0] != 0:
            pytest.skip("an ordinary user cannot read this checkout with the system's Python")
        assert await _output(*probe, str(python), "-B", "-c", _AS_USER, place) == (0, "all held\n")


async def _output(*command: str) -> tuple[int | None, str]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=asyncio.subprocess.STDOUT)
    out, _ = await process.communicate()
    return process.returncode, out.decode()
