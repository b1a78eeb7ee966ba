"""A small OpenTelemetry collector: takes traces over OTLP/HTTP, as protobuf, and keeps their spans."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as RawSpan
from opentelemetry.proto.trace.v1.trace_pb2 import Status


@dataclass(frozen=True)
class Span:
    """A span as it arrived; ids in hexadecimal, `parent` empty for the first one of a trace."""

    service: str
    trace: str
    id: str
    parent: str
    name: str
    kind: str
    failed: bool
    attributes: Mapping[str, Any]


class Collector:
    """Collects within a `with` block; `url` is what OTEL_EXPORTER_OTLP_ENDPOINT names, `raw` all that was sent."""

    def __init__(self) -> None:
        self.raw: list[bytes] = []
        self._spans: list[Span] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                known = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
                if known:
                    collector.take(body)
                self.send_response(200 if known else 404)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def take(self, body: bytes) -> None:
        """Keep the spans of one request."""
        self.raw.append(body)
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            service = str(_attributes(resource.resource.attributes)["service.name"])
            self._spans += [_read(service, raw) for scope in resource.scope_spans for raw in scope.spans]

    def spans(self, trace: str) -> list[Span]:
        """The spans of a trace that have arrived by now."""
        return [span for span in list(self._spans) if span.trace == trace]


def _read(service: str, raw: RawSpan) -> Span:
    return Span(
        service,
        raw.trace_id.hex(),
        raw.span_id.hex(),
        raw.parent_span_id.hex(),
        raw.name,
        RawSpan.SpanKind.Name(raw.kind).removeprefix("SPAN_KIND_"),
        raw.status.code == Status.STATUS_CODE_ERROR,
        _attributes(raw.attributes),
    )


def _attributes(pairs: Sequence[Any]) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}
