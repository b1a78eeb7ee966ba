"""Spans, by OpenTelemetry over OTLP/HTTP. Nothing of it is imported unless a collector is named by `OTEL_*`.

The provider is our own and not the process's global one, so that no library adds spans that hold prompts.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from threading import Thread
from typing import TYPE_CHECKING, Final

from shared.errors import ArreioError
from shared.observing.span import Attribute, Kind, Span
from shared.observing.trace_context import valid
from shared.version import CODE_VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

SIGNAL: Final = "OTEL_EXPORTER_OTLP_TRACES_"
LAST_SPANS: Final = 2.0
"""Seconds that the last spans get to reach the collector when a process ends."""
AROUND: Final[ContextVar[str]] = ContextVar("arreio_traceparent", default="")


_NOTHING: Final = Span()
_OFF: Final[AbstractContextManager[Span]] = contextlib.nullcontext(_NOTHING)
_tracer: Tracer | None = None


def wanted(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the standard variables name a collector for traces, and none of them turns it off.

    Raises:
        ArreioError: it is to be spoken to by another protocol than OTLP/HTTP.
    """
    if environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if environment.get("OTEL_TRACES_EXPORTER", "otlp").strip() not in ("", "otlp"):
        return False
    if not (environment.get(f"{SIGNAL}ENDPOINT") or environment.get("OTEL_EXPORTER_OTLP_ENDPOINT")):
        return False
    for name in (f"{SIGNAL}PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        spoken = environment.get(name, "").strip()
        if spoken and spoken != "http/protobuf":
            raise ArreioError(f"{name}={spoken} is not spoken here", f"set {name}=http/protobuf, or unset it")
        if spoken:
            break
    return True


@contextmanager
def traced(service: str) -> Iterator[None]:
    """Trace as this service while the block runs, if a collector is named; then send what is left."""
    global _tracer
    if not wanted():
        yield
        return
    provider = _provider(service)
    _tracer = provider.get_tracer("arreio", CODE_VERSION)
    try:
        yield
    finally:
        _tracer = None
        # A collector that does not answer must not hold up the end of a service.
        ending = Thread(target=provider.shutdown, name="last spans", daemon=True)
        ending.start()
        ending.join(LAST_SPANS)


def span(
    name: str, parent: str | None = None, kind: Kind = "internal", **attributes: Attribute
) -> AbstractContextManager[Span]:
    """A span around a block. `parent` is a trace context; None: the span around this one, if there is one."""
    return _OFF if _tracer is None else _around(begin(name, parent, kind, **attributes))


def begin(name: str, parent: str | None = None, kind: Kind = "internal", **attributes: Attribute) -> Span:
    """A span that lasts until its `end`. Otherwise as `span`."""
    if _tracer is None:
        return _NOTHING
    from shared.observing.spans import begun

    return begun(_tracer, name, current() if parent is None else valid(parent), kind, attributes)


def current() -> str:
    """The trace context of the span around this; empty where there is none, or tracing is off."""
    return "" if _tracer is None else AROUND.get()


@contextmanager
def _around(span: Span) -> Iterator[Span]:
    token = AROUND.set(span.traceparent)
    try:
        yield span
    except BaseException as error:
        # Not its text, which may hold anything.
        span.failed(type(error).__name__)
        raise
    finally:
        AROUND.reset(token)
        span.end()


def _provider(service: str) -> TracerProvider:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": f"arreio-{service.replace('_', '-')}"}
    instance = f"{socket.gethostname()}/{os.getpid()}"
    about = {"service.namespace": "arreio", "service.version": CODE_VERSION, "service.instance.id": instance}
    provider = TracerProvider(resource=Resource.create({**about, **named}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
