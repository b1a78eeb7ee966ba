"""Attempts to get out of the workspace, through the tools that a model has. Nothing outside is read or changed."""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from services.tool_loop.tools import FilePlan, FileTool, ToolContext, ToolResult, registry
from shared.sandbox import Limits, sandbox_works
from shared.sandbox.privileges import take_privileges
from shared.settings import Settings
from shared.workspace import acquire, sha256

SECRET = "the-content-that-nobody-inside-may-see"
MIB = 1024 * 1024
TOOLS = registry()
sandboxed = pytest.mark.skipif(sandbox_works() is not None, reason=f"bubblewrap: {sandbox_works()}")


@dataclass
class Place:
    """A workspace beside a folder that is not the task's."""

    workspace: Path
    outside: Path
    context: ToolContext
    seen: dict[str, str] = field(default_factory=dict)

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        result = await TOOLS[tool].run(arguments, replace(self.context, seen=dict(self.seen)))
        self.seen |= result.seen
        return result

    async def command(self, text: str, **limits: Any) -> ToolResult:
        self.context = replace(self.context, limits=Limits(seconds=60, **limits))
        return await self.call("run_command", command=text)

    def assert_untouched(self) -> None:
        assert {path.name: path.read_text() for path in self.outside.iterdir()} == {"secret.txt": SECRET}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    workspace, outside = tmp_path / "workspace", tmp_path / "outside"
    for folder in (workspace, outside):
        folder.mkdir()
    (outside / "secret.txt").write_text(SECRET)
    (workspace / "own.txt").write_text("own")
    made = Place(workspace, outside, ToolContext(workspace))
    yield made
    made.assert_untouched()


WAYS_OUT = [
    "../outside/secret.txt",
    "x/../../outside/secret.txt",
    "{outside}/secret.txt",
    "file_link",
    "folder_link/secret.txt",
    "folder_link/../outside/secret.txt",
    "/proc/self/root{outside}/secret.txt",
    "/proc/self/cwd/../outside/secret.txt",
    "up/outside/secret.txt",
    "chain/secret.txt",
]


@pytest.fixture
def links(place: Place) -> Place:
    """Links to the outside, as a command of the task's could make them."""
    (place.workspace / "file_link").symlink_to(place.outside / "secret.txt")
    (place.workspace / "folder_link").symlink_to(place.outside)
    (place.workspace / "up").symlink_to("..")
    (place.workspace / "chain").symlink_to("folder_link")
    return place


@pytest.mark.parametrize("path", WAYS_OUT)
async def test_no_path_leads_a_file_tool_out(links: Place, path: str) -> None:
    path = path.format(outside=links.outside)
    links.seen = {path: sha256(SECRET.encode())}
    folder = path.rpartition("/")[0] or path
    for result in (
        await links.call("read_file", path=path),
        await links.call("write_file", path=path, content="x"),
        await links.call("edit_file", path=path, old_text=SECRET, new_text="x"),
        await links.call("list_files", path=folder),
        await links.call("search", pattern="content", path=path),
        await links.call("search", pattern="content", path=folder),
        await links.call("write_file", path=f"{folder}/new.txt", content="x"),
    ):
        assert SECRET not in result.text and "secret.txt" not in result.text.replace(path, "")


async def test_a_search_of_the_whole_workspace_follows_no_link(links: Place) -> None:
    assert (await links.call("search", pattern="content-that")).text == "No line of the workspace matches."


@sandboxed
async def test_links_that_a_command_makes_during_the_task_lead_nowhere(place: Place) -> None:
    made = await place.command(
        f"ln -s {place.outside} folder; ln -s {place.outside}/secret.txt file; echo x > folder/y"
    )
    assert made.status == "error"
    for path in ("file", "folder/secret.txt", "folder/new.txt"):
        assert (await place.call("read_file", path=path)).status in ("refused", "error")
        assert (await place.call("write_file", path=path, content="x")).status == "refused"
    assert SECRET not in (await place.command("cat file folder/secret.txt")).text


async def test_a_folder_that_becomes_a_link_between_plan_and_write_is_not_followed(place: Place) -> None:
    (place.workspace / "folder").mkdir()
    tool = TOOLS["write_file"]
    assert isinstance(tool, FileTool)
    plan = tool.plan({"path": "folder/new.txt", "content": "x"}, place.context)
    assert isinstance(plan, FilePlan)
    (place.workspace / "folder").rmdir()
    (place.workspace / "folder").symlink_to(place.outside)
    assert tool.apply(plan, place.context).status != "ok"


async def test_a_folder_that_is_swapped_all_the_time_never_leads_out(place: Place) -> None:
    """As a process beside the task could do, while the tools resolve a path and then open it."""
    real, link, name = place.workspace / "real", place.workspace / "link", place.workspace / "folder"
    real.mkdir()
    (real / "secret.txt").write_text("inside")
    link.symlink_to(place.outside)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for source in (real, link):
                try:
                    source.rename(name)
                except OSError:
                    # A tool has made the folder that was missing at that moment.
                    shutil.rmtree(name, ignore_errors=True)
                    continue
                name.rename(source)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for number in range(300):
            assert SECRET not in (await place.call("read_file", path="folder/secret.txt")).text
            await place.call("write_file", path=f"folder/new{number % 3}.txt", content="x")
    finally:
        stop.set()
        swapping.join()


@sandboxed
async def test_hard_links_reach_nothing_outside(place: Place) -> None:
    before = Path("/etc/passwd").read_bytes()
    result = await place.command(
        f"ln {place.outside}/secret.txt hard; ln /etc/passwd hard2; echo x >> hard2; echo x >> /etc/passwd; cat hard"
    )
    assert SECRET not in result.text and Path("/etc/passwd").read_bytes() == before


@sandboxed
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, whose files lend root's rights")
async def test_no_command_leaves_a_file_that_lends_rights(place: Place) -> None:
    result = await place.command(
        "mkdir -p .git/x ignored && echo ignored > .gitignore && umask 0;"
        "for f in a .git/x/b ignored/c; do cp /bin/true $f && chmod 6755 $f; done; chmod 2775 .git/x;"
    )
    assert result.status == "ok"
    for name in ("a", ".git/x/b", "ignored/c"):
        assert (place.workspace / name).stat().st_mode & 0o7777 == 0o755
    assert (place.workspace / ".git/x").stat().st_mode & 0o2000


def test_a_file_that_lent_rights_before_a_command_keeps_them_and_no_link_is_followed(place: Place) -> None:
    lends = place.outside / "secret.txt"
    lends.chmod(0o4755)
    (place.workspace / "link").symlink_to(lends)
    here = place.workspace / "here"
    here.write_text("x")
    here.chmod(0o4755)
    take_privileges(place.workspace, here.stat().st_ctime_ns + 1)
    assert here.stat().st_mode & 0o7777 == 0o4755
    take_privileges(place.workspace, 0)
    assert here.stat().st_mode & 0o7777 == 0o755
    assert lends.stat().st_mode & 0o7777 == 0o4755


@sandboxed
async def test_neither_proc_nor_the_environment_holds_a_secret_of_the_harness(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "not-for-the-model")
    me = os.getpid()
    result = await place.command(
        f"env; cat /proc/*/environ /proc/1/environ /proc/{me}/environ | tr '\\0' '\\n'; cat /proc/1/cmdline;"
        f" cat /proc/1/root{place.outside}/secret.txt /proc/self/root{place.outside}/secret.txt;"
        f" ls /proc/{me}/fd /proc/1/fd /proc/self/fd; echo end"
    )
    assert "OPENAI" not in result.text and SECRET not in result.text and "end" in result.text


@sandboxed
async def test_nothing_of_the_kernel_can_be_set(place: Place) -> None:
    """Opened for writing only: an attempt that succeeds must not change the machine that runs the tests."""
    (place.workspace / "open.py").write_text(
        "import os\n"
        "for top in ('/proc', '/sys'):\n"
        "    for folder, names, files in os.walk(top):\n"
        "        if folder == '/proc':\n"
        "            names[:] = [name for name in names if not name.isdigit() and 'self' not in name]\n"
        "        for path in (os.path.join(folder, name) for name in files):\n"
        "            try:\n"
        "                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))\n"
        "                print('opened', path)\n"
        "            except OSError:\n"
        "                pass\n"
        "print('end')\n"
    )
    opened = (await place.command("python3 open.py")).text.splitlines()
    assert opened[-1] == "end"
    # What the pressure of a machine is told to whom is no switch of the kernel.
    assert [line for line in opened if line.startswith("opened") and "/proc/pressure/" not in line] == []


@sandboxed
async def test_nothing_is_mounted_and_no_device_made(place: Place) -> None:
    result = await place.command(
        "mount -o remount,rw / && echo mounted; mkdir m; mount --bind / m && echo mounted; mount -t tmpfs x m && echo "
        "mounted; mknod disk b 8 0 && echo made; ls /dev/sd* /dev/vd* /dev/mem /dev/kmsg && echo device; echo end"
    )
    found = {line for line in result.text.splitlines() if line in ("mounted", "made", "device", "end")}
    assert found == {"end"}, result.text


CONNECT = """
import socket, sys
for kind, address in {addresses!r}:
    made = socket.socket(socket.AF_INET if kind == "tcp" else socket.AF_UNIX)
    made.settimeout(3)
    try:
        made.connect(tuple(address) if kind == "tcp" else address)
        print("reached", kind)
    except OSError as error:
        print("not", kind, error)
"""


@sandboxed
async def test_no_socket_of_this_machine_is_reached(place: Place, engine: Settings, tmp_path: Path) -> None:
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as abstract, socket.socket(socket.AF_UNIX) as named:
        name = f"arreio-test-{os.getpid()}"
        tcp.bind(("127.0.0.1", 0))
        abstract.bind("\0" + name)
        named.bind(str(tmp_path / "named.sock"))
        for one in (tcp, abstract, named):
            one.listen()
        nats = engine.nats_options("operator")["servers"][0].rpartition(":")[2]
        postgres = next(part for part in engine.database_dsn("operator").split() if part.startswith("host="))
        sockets = list(Path(postgres.removeprefix("host=").strip("'")).glob(".s.PGSQL.*"))
        addresses = [
            ("tcp", list(tcp.getsockname())),
            ("tcp", ["127.0.0.1", int(nats)]),
            ("tcp", ["192.0.2.1", 80]),
            ("unix", "\0" + name),
            ("unix", str(tmp_path / "named.sock")),
            *(("unix", str(path)) for path in sockets if not path.name.endswith(".lock")),
        ]
        place.context = replace(place.context, data_dir=engine.data_dir)
        (place.workspace / "connect.py").write_text(CONNECT.format(addresses=addresses))
        result = await place.command("python3 connect.py")
        assert "reached" not in result.text and result.text.count("not ") >= len(addresses), result.text


@sandboxed
async def test_the_engines_credentials_are_hidden(place: Place, engine: Settings) -> None:
    place.context = replace(place.context, data_dir=engine.data_dir)
    result = await place.command(f"ls -A {engine.data_dir} | wc -l; cat {engine.data_dir}/*.json; true")
    assert result.text.splitlines()[1] == "0" or "No such file" in result.text
    assert "password" not in result.text


@sandboxed
async def test_no_process_outside_is_seen_signalled_or_traced(place: Place) -> None:
    trace = f"import ctypes; print('traced', ctypes.CDLL(None).ptrace(16, {os.getpid()}, 0, 0))"
    (place.workspace / "trace.py").write_text(trace)
    with subprocess.Popen(["sleep", "600"]) as other:  # noqa: ASYNC220 - it only waits
        try:
            result = await place.command(
                f"for pid in {other.pid} {os.getpid()} {os.getppid()}; do kill -9 $pid && echo hit; done;"
                " python3 trace.py; kill -9 -1"
            )
            assert "hit" not in result.text and "traced 0" not in result.text
            assert other.poll() is None
        finally:
            other.kill()
    assert (await place.command("kill -9 1; kill -9 $PPID; echo still; exit 0")).exit_status is not None


@sandboxed
@pytest.mark.parametrize("how", ["nohup sh loop.sh &", "setsid sh loop.sh &", "(setsid nohup sh loop.sh &) &"])
async def test_nothing_survives_its_command(place: Place, how: str) -> None:
    """A survivor would go on with its pipe open; the end of the pipe tells that there is none."""
    (place.workspace / "loop.sh").write_text("trap '' TERM HUP INT\nwhile :; do echo x > beat; sleep 0.01; done\n")
    os.mkfifo(place.workspace / "held")
    reading = os.open(place.workspace / "held", os.O_RDONLY | os.O_NONBLOCK)
    try:
        result = await place.command(f"exec 9> held; {how} while ! [ -s beat ]; do sleep 0.01; done")
        assert result.exit_status == 0, result.text
        assert os.read(reading, 1) == b""
    finally:
        os.close(reading)


@sandboxed
async def test_a_fork_bomb_is_ended_and_leaves_nothing(place: Place) -> None:
    result = await place.command("bomb() { bomb | bomb & }; bomb; sleep 30", processes=60)
    assert result.error_class == "killed_processes", result.text


@sandboxed
async def test_memory_and_disk_are_bounded(place: Place) -> None:
    eats = f"{sys.executable} -c 'x = bytearray(400 << 20); import time; time.sleep(30)'"
    assert (await place.command(eats, memory_bytes=150 * MIB)).error_class == "killed_memory"
    fills = "while :; do dd if=/dev/zero of=big bs=1M count=16 conv=fsync 2>/dev/null; done"
    assert (await place.command(fills, written_bytes=32 * MIB)).error_class == "killed_disk"
    (place.workspace / "big").unlink(missing_ok=True)
    name = f"arreio-test-{os.getpid()}"
    temporary = await place.command(f"dd if=/dev/zero of=/tmp/{name} bs=1M count=64", temporary_bytes=8 * MIB)
    assert "No space left" in temporary.text and not Path("/tmp", name).exists()


@sandboxed
async def test_an_interactive_prompt_ends_at_once_or_in_time(place: Place) -> None:
    assert (await place.command("read -p 'sure? ' answer; echo \"[$answer]\"")).text.endswith("[]")
    asks = f"{sys.executable} -c 'import getpass; getpass.getpass()'"
    assert (await place.command(f"timeout 20 {asks}; sleep 0")).exit_status is not None
    waits = await TOOLS["run_command"].run({"command": "cat < /dev/ptmx", "timeout_seconds": 1}, place.context)
    assert waits.status == "error"


@sandboxed
async def test_the_lock_of_the_workspace_is_out_of_reach(place: Place, tmp_path: Path) -> None:
    lock = await acquire(tmp_path / "data", place.workspace, task_id="t", epoch=1, owner="o")
    held = next((tmp_path / "data" / "locks").glob("*.lock"))
    before = held.read_text()
    try:
        place.context = replace(place.context, lock_fd=lock.fd, data_dir=tmp_path / "data")
        result = await place.command("for fd in 3 4 5 6 7 8 9; do echo x >&$fd; done 2>/dev/null; ls /proc/self/fd")
        assert held.read_text() == before
        assert result.exit_status == 0
    finally:
        lock.release()


async def test_files_of_git_are_not_written_by_file_tools(place: Place) -> None:
    (place.workspace / ".git" / "hooks").mkdir(parents=True)
    (place.workspace / "git").symlink_to(".git")
    for path in (".git/hooks/pre-commit", "git/hooks/pre-commit", ".git/config", "./.git/../.git/config"):
        assert (await place.call("write_file", path=path, content="x")).status == "refused"
    assert list((place.workspace / ".git").rglob("*")) == [place.workspace / ".git" / "hooks"]
