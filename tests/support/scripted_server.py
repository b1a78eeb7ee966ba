"""An OpenAI-compatible chat server that answers by script, for tests and benchmarks.

In a test:

    with ScriptedServer(["hello", {"tool_calls": [{"name": "read_file", "arguments": {"path": "a.py"}}]}]) as server:
        ...  # the model is `openai/scripted` with api_base `server.url`; `server.requests` holds what was asked

As a process: `python -m tests.support.scripted_server SCRIPT.json PORT` (0: a free port) prints one line, its URL.
"""

import argparse
import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

Reply = str | Mapping[str, Any]
"""A text, or any of: `content` (text; anything else is written as JSON), `tool_calls` (name, arguments, maybe id; a
text is taken as the raw arguments), `finish_reason`, `usage`, `delay` (seconds before the answer), `hold` (a
`threading.Event` that must be set before the answer), `headers`, `status` with `error` (a text, or OpenAI's error
object), `body` (the raw body), `hang_up` (no answer at all)."""

Script = Sequence[Reply] | Callable[[dict[str, Any]], Reply]
"""The replies one after the other, or a function of the request's body."""


class ScriptedServer:
    """Serves a script on a free port of `host`, in a thread of its own, from `start` to `stop`.

    `requests` holds the body of every chat request, `headers` their headers (lower-case names), `hung_up` how many
    clients left before they were answered. When a list is used up, requests are refused with 400, unless `cycle`.
    """

    def __init__(
        self,
        script: Script,
        *,
        port: int = 0,
        cycle: bool = False,
        log: Path | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.hung_up = 0
        self._script = script
        self._cycle = cycle
        self._host = host
        self._port = port
        self._log = log
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="scripted server", daemon=True)
        self._ready = threading.Event()

    @property
    def url(self) -> str:
        """What to give as `api_base`."""
        return f"http://{self._host}:{self._port}/v1"

    def start(self) -> Self:
        """Serve; returns once requests are answered."""
        self._thread.start()
        self._ready.wait()
        return self

    def stop(self) -> None:
        """End the server and its connections."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def wait_for(self, condition: Callable[[], bool], timeout: float = 10.0) -> bool:
        """Wait until a condition on what was recorded holds; False when it did not in time."""
        with self._changed:
            return self._changed.wait_for(condition, timeout)

    def wait_for_requests(self, count: int, timeout: float = 10.0) -> bool:
        """Wait until so many requests have come."""
        return self.wait_for(lambda: len(self.requests) >= count, timeout)

    def answer(self, body: dict[str, Any], headers: dict[str, str]) -> Mapping[str, Any]:
        """Record a request and say what the script answers."""
        with self._changed:
            number = len(self.requests)
            self.requests.append(body)
            self.headers.append(headers)
            self._changed.notify_all()
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(body, ensure_ascii=False) + "\n")
        if callable(self._script):
            reply = self._script(body)
        elif number < len(self._script) or (self._cycle and self._script):
            reply = self._script[number % len(self._script)]
        else:
            problem = f"the script has {len(self._script)} replies; this is request {number + 1}"
            reply = {"status": 400, "error": problem}
        return {"content": reply} if isinstance(reply, str) else reply

    def lost(self) -> None:
        """Record that a client left before it was answered."""
        with self._changed:
            self.hung_up += 1
            self._changed.notify_all()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        listening = self._loop.run_until_complete(
            self._loop.create_server(lambda: _Connection(self), self._host, self._port)
        )
        self._port = listening.sockets[0].getsockname()[1]
        self._ready.set()
        try:
            self._loop.run_forever()
        finally:
            listening.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()


class _Connection(asyncio.Protocol):
    """One keep-alive HTTP/1.1 connection; as little as clients need, so that it costs next to nothing."""

    def __init__(self, server: ScriptedServer) -> None:
        self._server = server
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None
        self._delayed: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        if self._delayed is not None:
            self._delayed.cancel()
            self._server.lost()

    def data_received(self, data: bytes) -> None:
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return
        first, *lines = self._received[:end].decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if headers.get("expect", "").lower() == "100-continue":
            self._write(b"HTTP/1.1 100 Continue\r\n\r\n")
        length = int(headers.get("content-length", "0"))
        if len(self._received) < end + 4 + length:
            return
        body = bytes(self._received[end + 4 : end + 4 + length])
        del self._received[: end + 4 + length]
        method, path, _ = first.split(" ", 2)
        self._serve(method, path, headers, body)

    def _serve(self, method: str, path: str, headers: dict[str, str], body: bytes) -> None:
        if method == "GET" and path.endswith("/models"):
            self._respond(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        elif method == "POST" and path.endswith("/chat/completions"):
            request = json.loads(body)
            reply = self._server.answer(request, headers)
            self._later(float(reply.get("delay", 0)), request, reply)
        else:
            self._respond(404, {"error": {"message": f"no such page: {method} {path}"}})

    def _later(self, seconds: float, request: dict[str, Any], reply: Mapping[str, Any]) -> None:
        held = reply.get("hold")
        if seconds or (held is not None and not held.is_set()):
            loop = asyncio.get_running_loop()
            self._delayed = loop.call_later(seconds or 0.02, self._later, 0.0, request, reply)
        else:
            self._reply(request, reply)

    def _reply(self, request: dict[str, Any], reply: Mapping[str, Any]) -> None:
        self._delayed = None
        headers = {str(name): str(value) for name, value in reply.get("headers", {}).items()}
        status = int(reply.get("status", 200))
        if reply.get("hang_up"):
            assert self._transport is not None
            self._transport.abort()
        elif "body" in reply:
            self._respond(status, str(reply["body"]), headers)
        elif status != 200 or "error" in reply:
            error = reply.get("error", "scripted failure")
            status = status if status != 200 else 500
            self._respond(status, {"error": {"message": error} if isinstance(error, str) else error}, headers)
        else:
            self._respond(200, completion(request, reply), headers)

    def _respond(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        raw = (body if isinstance(body, str) else json.dumps(body)).encode()
        lines = [f"HTTP/1.1 {status} {'OK' if status == 200 else 'Error'}", "content-type: application/json"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        lines.append(f"content-length: {len(raw)}")
        self._write("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + raw)

    def _write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)


def completion(request: Mapping[str, Any], reply: Mapping[str, Any]) -> dict[str, Any]:
    """A reply of the script as OpenAI's chat completion object."""
    content = reply.get("content")
    message: dict[str, Any] = {
        "role": "assistant",
        "content": content if content is None or isinstance(content, str) else json.dumps(content, ensure_ascii=False),
    }
    calls = reply.get("tool_calls")
    if calls:
        message["tool_calls"] = [
            {
                "id": call.get("id", f"call_{number}"),
                "type": "function",
                "function": {
                    "name": call["name"],
                    "arguments": arguments
                    if isinstance(arguments := call.get("arguments", {}), str)
                    else json.dumps(arguments, ensure_ascii=False),
                },
            }
            for number, call in enumerate(calls, 1)
        ]
    default = "tool_calls" if calls else "stop"
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": request.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": reply.get("finish_reason", default)}],
        "usage": reply.get("usage", {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}),
    }


def main() -> None:
    """Serve a script from a JSON file, a list of replies, until killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("script", type=Path, help="a JSON file: a list of replies")
    parser.add_argument("port", type=int, help="0: a free port")
    parser.add_argument("--cycle", action="store_true", help="begin again at the end of the list")
    parser.add_argument("--log", type=Path, help="append every request to this file, a line of JSON each")
    given = parser.parse_args()
    script = json.loads(given.script.read_text(encoding="utf-8"))
    server = ScriptedServer(script, port=given.port, cycle=given.cycle, log=given.log).start()
    print(server.url, flush=True)  # noqa: T201
    threading.Event().wait()


if __name__ == "__main__":
    main()
