"""Tools of real MCP servers, over stdio in the sandbox and over HTTP: listed, called, bounded, and ended."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from arreio_contracts.events import TaskCreated, TaskProfiled
from arreio_contracts.task import McpServer, TaskContract

from services.tool_loop.mcp_servers.connection import Connection, McpUnavailable
from services.tool_loop.mcp_servers.servers import MOST_STARTS, McpServers
from services.tool_loop.mcp_servers.transport import Place
from services.tool_loop.models.call_modes import ToolSpec
from services.tool_loop.models.call_modes.reading import checked
from services.tool_loop.state import LoopState
from services.tool_loop.tools import ToolContext, ToolResult
from shared.sandbox import sandbox_works
from shared.workspace import sha256
from tests.unit.simulated_task import profiled

PROGRAM = Path(__file__).parents[1] / "support" / "mcp_server.py"
KEY = "sk-proj-" + "aB3" * 12
ENDLESS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        said = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "endless", "version": "1"}}
    elif asked.get("method") == "tools/list":
        said = {"tools": [{"name": "one", "inputSchema": {"type": "object"}}], "nextCursor": "again"}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": said}), flush=True)
"""
sandboxed = pytest.mark.skipif(sandbox_works() is not None, reason=f"bubblewrap: {sandbox_works()}")


@contextmanager
def serving(port: int) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, str(PROGRAM), "http", str(port)])
    try:
        _wait_for_port(port, process)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(free_port()) as found:
        yield found


def _wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("the server ended")


class Task:
    """The servers of a task, and its state once they are listed."""

    def __init__(self, servers: McpServers, contract: TaskContract, profile: TaskProfiled, workspace: Path) -> None:
        self.servers = servers
        self.profile = profile
        self.workspace = workspace
        created = TaskCreated(goal="g", contract=contract, channel="cli", message_id="m", at_ms=1)
        self.state = LoopState("t_1", created=created, profile=profile)

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        found = self.servers.tool(f"mcp__s__{tool}", self.state)
        assert found is not None
        return await found.run(arguments, ToolContext(self.workspace, most_chars=2000))


@asynccontextmanager
async def begun(workspace: Path, **server: Any) -> AsyncIterator[Task]:
    """A task with one server `s`."""
    contract = TaskContract(workspace=str(workspace), mcp=(McpServer.model_validate({"name": "s", **server}),))
    servers = McpServers(workspace / "data", lambda: None)
    try:
        profile = await servers.offered(profiled(workspace=str(workspace)), contract)
        yield Task(servers, contract, profile, workspace)
    finally:
        await servers.close()


def stdio(**more: Any) -> dict[str, Any]:
    """The server of the tests in the sandbox. Its program is given on the command line, for /tmp is hidden there."""
    return {"command": (sys.executable, "-c", PROGRAM.read_text(), "stdio"), **more}


@pytest.fixture(params=[pytest.param("stdio", marks=sandboxed), "http"])
def server(request: pytest.FixtureRequest, url: str) -> dict[str, Any]:
    return stdio() if request.param == "stdio" else {"url": url}


async def test_the_tools_are_offered_in_order_before_the_signals(tmp_path: Path, server: dict[str, Any]) -> None:
    async with begun(tmp_path, **server) as task:
        assert task.profile.problem is None, task.profile.problem
        names = [tool.name for tool in task.profile.tools]
        first = names.index("mcp__s__add")
        assert names[first + 1] == "mcp__s__fail" and names[-4].startswith("mcp__s__")
        assert names[-3:] == ["task_complete", "task_blocked", "need_input"]
        assert {tool.effect for tool in task.profile.tools if tool.name.startswith("mcp__")} == {"command"}
        described = task.profile.remote_tools[0]
        assert (described.description, described.remote_name) == ("Add two numbers.", "add")


async def test_a_call_has_its_result_as_text(tmp_path: Path, server: dict[str, Any]) -> None:
    async with begun(tmp_path, **server) as task:
        assert await task.call("add", a=2, b=3) == ToolResult("ok", "the sum is 5")
        failed = await task.call("fail", why="no luck")
        assert (failed.status, failed.error_class) == ("error", "mcp_tool_error") and "no luck" in failed.text
        assert "image/png" in (await task.call("picture")).text
        wrong = await task.call("add", a="x", b=3)
        assert wrong.status == "error"


async def test_a_long_result_is_cut_and_holds_no_secret(tmp_path: Path, server: dict[str, Any]) -> None:
    (tmp_path / "key").write_text("x" * 985 + f" {KEY} " + "y" * 5000)
    async with begun(tmp_path, **server) as task:
        assert 2000 <= len((await task.call("long", size=1_000_000)).text) < 2100
        text = (await task.call("look", path=str(tmp_path / "key"))).text
        assert "***" in text and KEY[:12] not in text


async def test_arguments_are_coerced_by_the_servers_schema_before_anything_judges_them(
    tmp_path: Path, server: dict[str, Any]
) -> None:
    async with begun(tmp_path, **server) as task:
        specs = [ToolSpec(tool.name, tool.description, tool.parameters) for tool in task.profile.remote_tools]
        call = checked("c", "mcp__s__add", {"a": "2", "b": 3}, specs)
        assert (call.arguments, call.problem) == ({"a": 2, "b": 3}, None)
        assert checked("c", "mcp__s__add", {"a": "two"}, specs).problem is not None


async def test_only_the_allowed_tools_are_offered(tmp_path: Path, server: dict[str, Any]) -> None:
    async with begun(tmp_path, **server, tools=["add"]) as task:
        assert [tool.remote_name for tool in task.profile.remote_tools] == ["add"]
        assert task.servers.tool("mcp__s__write", task.state) is None
    async with begun(tmp_path, **server, tools=["no_such"]) as task:
        assert task.profile.problem is not None
        assert "no_such" in task.profile.problem.text and "add, " in task.profile.problem.text


async def test_a_list_that_changes_is_recorded_and_the_task_keeps_its_own(
    tmp_path: Path, server: dict[str, Any]
) -> None:
    async with begun(tmp_path, **server) as task:
        assert (await task.call("grow")).text == "grown"
        assert [event.server for event in task.servers.changed()] == ["s"]
        assert task.servers.changed() == []
        assert task.servers.tool("mcp__s__later", task.state) is None


@sandboxed
async def test_a_server_on_stdio_works_in_the_workspace_and_reaches_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (tmp_path / "outside.txt").write_text("private")
    monkeypatch.setenv("SOME_API_KEY", "very-secret-value")
    monkeypatch.setenv("FOR_THE_SERVER", "passed on")
    async with begun(workspace, **stdio(env={"GIVEN": "FOR_THE_SERVER"})) as task:
        written = await task.call("write", path="a.txt", text="hello")
        assert written.changed == {"a.txt": sha256(b"hello")}
        assert (await task.call("write", path=str(tmp_path / "b.txt"), text="x")).text and not (
            tmp_path / "b.txt"
        ).exists()
        assert "private" not in (await task.call("look", path=str(tmp_path / "outside.txt"))).text
        assert (await task.call("look", path="$GIVEN")).text == "passed on"
        assert "very-secret" not in (await task.call("look", path="$SOME_API_KEY")).text


@sandboxed
async def test_a_server_that_ends_is_an_error_and_is_started_again_a_few_times(tmp_path: Path) -> None:
    async with begun(tmp_path, **stdio()) as task:
        for _ in range(MOST_STARTS):
            dead = await task.call("die")
            assert (dead.status, dead.error_class) == ("error", "mcp_unavailable")
        assert "not started again" in (await task.call("add", a=1, b=1)).text


async def test_a_server_at_a_url_that_was_restarted_is_given_the_call_in_a_new_session(tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        with serving(port) as url:
            task = await stack.enter_async_context(begun(tmp_path, url=url))
            assert (await task.call("add", a=1, b=1)).text == "the sum is 2"
        for number in range(MOST_STARTS + 1):
            with serving(port):
                assert await task.call("add", a=number, b=1) == ToolResult("ok", f"the sum is {number + 1}")


async def test_a_server_at_a_url_that_is_down_is_told_as_such_and_used_again_once_it_is_up(tmp_path: Path) -> None:
    port = free_port()
    async with AsyncExitStack() as stack:
        with serving(port) as url:
            task = await stack.enter_async_context(begun(tmp_path, url=url, timeout=300))
        for _ in range(MOST_STARTS + 1):
            down = await task.call("add", a=1, b=1)
            assert down.error_class == "mcp_unavailable" and "ConnectError" in down.text
        with serving(port):
            assert (await task.call("add", a=1, b=1)).text == "the sum is 2"


@pytest.mark.parametrize(("status", "why"), [(200, "text/html"), (404, "HTTP 404"), (401, "401"), (500, "500")])
async def test_what_is_no_mcp_server_is_told_as_such(tmp_path: Path, status: int, why: str) -> None:
    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"hi")

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        async with begun(tmp_path, url=f"http://127.0.0.1:{pages.server_port}/mcp", timeout=300) as task:
            assert task.profile.problem is not None and why in task.profile.problem.text, task.profile.problem
        pages.shutdown()


@sandboxed
async def test_a_server_that_is_silent_is_ended_in_time(tmp_path: Path) -> None:
    async with begun(tmp_path, **stdio(timeout=8)) as task:
        late = await task.call("sleep", seconds=600)
        assert late.status == "error" and "no answer within 8 s" in late.text
        assert (await task.call("add", a=1, b=1)).text == "the sum is 2"


@sandboxed
async def test_a_server_and_what_it_left_running_end_with_the_task(tmp_path: Path) -> None:
    children = _children()
    async with begun(tmp_path, **stdio()) as task:
        assert (await task.call("leave")).text == "left"
        assert _children() > children
    assert _children() == children


def _children() -> set[str]:
    return set(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


@pytest.mark.parametrize(
    ("server", "why"),
    [
        pytest.param({"command": ["no-such-server"]}, "no-such-server", marks=sandboxed),
        pytest.param({"command": ["sh", "-c", "echo broken >&2; exit 3"]}, "broken", marks=sandboxed),
        pytest.param({"command": ["sh", "-c", "yes"]}, "", marks=sandboxed),
        pytest.param({"command": [sys.executable, "-c", ENDLESS]}, "cursor 'again' comes back", marks=sandboxed),
        pytest.param({"command": ["cat"], "env": {"X": "NOT_SET_ANYWHERE"}}, "NOT_SET_ANYWHERE", marks=sandboxed),
        ({"url": "http://127.0.0.1:9/mcp"}, ""),
        ({"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "NOT_SET_ANYWHERE"}}, "NOT_SET_ANYWHERE"),
    ],
)
async def test_a_server_that_cannot_be_used_is_the_tasks_problem_once_with_its_reason(
    tmp_path: Path, server: dict[str, Any], why: str
) -> None:
    async with begun(tmp_path, timeout=5, **server) as task:
        assert task.profile.problem is not None and task.profile.problem.code == "mcp_unavailable"
        assert why in task.profile.problem.text and task.profile.problem.unblock


async def test_without_the_sandbox_a_server_and_what_it_left_end_with_the_task_too(tmp_path: Path) -> None:
    contract = TaskContract(workspace=str(tmp_path), sandbox="none", mcp=(McpServer(name="s", **stdio()),))
    servers = McpServers(tmp_path / "data", lambda: None)
    profile = await servers.offered(profiled(workspace=str(tmp_path)), contract)
    task = Task(servers, contract, profile, tmp_path)
    assert (await task.call("leave")).text == "left"
    await servers.close()
    assert not Path("/proc", (tmp_path / "left.pid").read_text().strip()).exists()


async def test_a_closed_connection_says_that_it_is_gone(tmp_path: Path, url: str) -> None:
    connection = Connection(McpServer(name="s", url=url), Place(tmp_path))
    assert "add" in [tool.name for tool in await connection.open()]
    await connection.close()
    await connection.close()
    with pytest.raises(McpUnavailable, match="gone"):
        await connection.call("add", {"a": 1, "b": 2})
