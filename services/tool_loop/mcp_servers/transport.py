"""The two ways to speak with an MCP server: the standard streams of a process in the sandbox, and HTTP."""

import asyncio
import contextlib
import os
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx
from arreio_contracts.task import McpServer

from shared.sandbox import Limits, SandboxKind, confined, environment, exceeded

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

    Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]

_LONGEST_LINE: Final = 16 * 1024 * 1024
_LOOK_SECONDS: Final = 1.0
_END_SECONDS: Final = 2.0
_CONNECT_SECONDS: Final = 15.0


@dataclass(frozen=True)
class Place:
    """Where the servers of a task run, and within what."""

    workspace: Path
    network: bool = False
    sandbox: SandboxKind = "bubblewrap"
    hide: Sequence[Path] = ()
    inherit_fds: Sequence[int] = ()
    limits: Limits = field(default_factory=Limits)


def from_environment(named: dict[str, str]) -> dict[str, str]:
    """Values by the names of variables of this process's environment. Raises KeyError with the one that is not set."""
    return {name: os.environ[variable] for name, variable in named.items()}


@asynccontextmanager
async def speaking(server: McpServer, place: Place, said: deque[str]) -> "AsyncIterator[Streams]":
    """Streams to and from a server that runs as long as the block; `said` gets what it writes on standard error."""
    if server.url is not None:
        async with _http(server, server.url) as streams:
            yield streams
    else:
        async with _process(server, place, said) as streams:
            yield streams


@asynccontextmanager
async def _http(server: McpServer, url: str) -> "AsyncIterator[Streams]":
    from mcp.client.streamable_http import streamable_http_client

    times = httpx.Timeout(_CONNECT_SECONDS, read=server.timeout + _CONNECT_SECONDS)
    headers = from_environment(server.headers)
    async with (
        httpx.AsyncClient(headers=headers, timeout=times) as client,
        streamable_http_client(url, http_client=client) as (read, write, _),
    ):
        yield read, write


@asynccontextmanager
async def _process(server: McpServer, place: Place, said: deque[str]) -> "AsyncIterator[Streams]":
    import anyio

    argv = confined(
        server.command,
        workspace=place.workspace,
        limits=place.limits,
        network=place.network,
        inherit_fds=place.inherit_fds,
        hide=place.hide,
        sandbox=place.sandbox,
    )
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=place.workspace,
        env=environment(place.workspace, network=place.network, extra=from_environment(server.env)),
        pass_fds=tuple(place.inherit_fds),
        start_new_session=True,
        limit=_LONGEST_LINE,
    )
    to_session, read = anyio.create_memory_object_stream["SessionMessage | Exception"](16)
    write, from_session = anyio.create_memory_object_stream["SessionMessage"](16)
    tasks = [
        asyncio.create_task(_read(process, to_session)),
        asyncio.create_task(_write(process, from_session)),
        asyncio.create_task(_listen(process, said)),
        asyncio.create_task(_watch(process, place.limits, said)),
    ]
    try:
        yield read, write
    finally:
        await asyncio.shield(_end(process))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for stream in (read, write, to_session, from_session):
            stream.close()


async def _read(
    process: asyncio.subprocess.Process, stream: "MemoryObjectSendStream[SessionMessage | Exception]"
) -> None:
    """Messages a line each; a line that is none is left out, one without an end ends the connection."""
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCMessage

    assert process.stdout is not None
    async with stream:
        with contextlib.suppress(ValueError, OSError):
            while line := await process.stdout.readline():
                try:
                    message = JSONRPCMessage.model_validate_json(line)
                except ValueError:
                    continue
                await stream.send(SessionMessage(message))


async def _write(process: asyncio.subprocess.Process, stream: "MemoryObjectReceiveStream[SessionMessage]") -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        async for sent in stream:
            line = sent.message.model_dump_json(by_alias=True, exclude_none=True)
            process.stdin.write(line.encode("utf-8", "replace") + b"\n")
            await process.stdin.drain()


async def _listen(process: asyncio.subprocess.Process, said: deque[str]) -> None:
    assert process.stderr is not None
    while data := await process.stderr.read(4096):
        said.append(data.decode("utf-8", "replace"))


async def _watch(process: asyncio.subprocess.Process, limits: Limits, said: deque[str]) -> None:
    """End a server that uses more than a command may."""
    while process.returncode is None:
        await asyncio.sleep(_LOOK_SECONDS)
        passed = await asyncio.to_thread(exceeded, process.pid, limits, None)
        if passed is not None:
            said.append(f"it was ended, for it used more than it may: {passed}")
            await _end(process)
            return


async def _end(process: asyncio.subprocess.Process) -> None:
    """SIGTERM, then SIGKILL: bubblewrap takes its whole namespace with it."""
    for end in (process.terminate, process.kill):
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                end()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _END_SECONDS)
