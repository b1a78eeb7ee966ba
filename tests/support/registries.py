"""A package registry on loopback: the simple index that pip and uv read (PEP 503, 691, 700), and npm's packuments."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote


@contextmanager
def registry(packages: Mapping[str, int | None]) -> Iterator[str]:
    """Its URL. `packages` gives the age of each in days, or None where the registry does not date its files."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = unquote(self.path).strip("/")
            name = path.removeprefix("simple/")
            if name not in packages:
                self.send_error(404)
            elif path.startswith("simple/"):
                self._simple(name, packages[name])
            else:
                self._answer(json.dumps(_packument(name, packages[name])), "application/json")

        def _simple(self, name: str, age: int | None) -> None:
            if "simple.v1+json" in self.headers.get("Accept", ""):
                self._answer(json.dumps(_project(name, age)), "application/vnd.pypi.simple.v1+json")
            else:
                self._answer(f'<a href="/files/{_wheel(name)}">{_wheel(name)}</a>', "text/html")

        def _answer(self, body: str, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _wheel(name: str) -> str:
    # No platform of this machine: that pip could not install it is not that there is no such package.
    return f"{name.replace('-', '_')}-1.0-cp39-cp39-win32.whl"


def _dated(age: int) -> str:
    return (datetime.now(UTC) - timedelta(days=age)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _project(name: str, age: int | None) -> dict[str, object]:
    file: dict[str, object] = {"filename": f"{name.replace('-', '_')}-1.0-py3-none-any.whl", "hashes": {}, "size": 1}
    file["url"] = f"/files/{file['filename']}"
    file["core-metadata"] = False
    if age is not None:
        file["upload-time"] = _dated(age)
    return {"meta": {"api-version": "1.1"}, "name": name, "files": [file], "versions": ["1.0"]}


def _packument(name: str, age: int | None) -> dict[str, object]:
    version = {"name": name, "version": "1.0.0", "dist": {"tarball": "http://127.0.0.1/none.tgz"}}
    found: dict[str, object] = {"name": name, "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
    if age is not None:
        found["time"] = {"created": _dated(age), "1.0.0": _dated(age)}
    return found
