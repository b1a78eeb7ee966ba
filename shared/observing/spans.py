"""Spans that are noted. Imported once tracing is on, since it brings OpenTelemetry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanKind, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from shared.observing.span import Attribute, Kind, Span

_W3C: Final = TraceContextTextMapPropagator()
_HEADER: Final = "traceparent"


class NotedSpan(Span):
    """A span on its way to the collector."""

    def __init__(self, real: trace.Span) -> None:
        self._real = real
        carrier: dict[str, str] = {}
        _W3C.inject(carrier, trace.set_span_in_context(real))
        self.traceparent = carrier[_HEADER]

    def note(self, **attributes: Attribute) -> None:
        """Say more of it."""
        self._real.set_attributes(_dotted(attributes))

    def failed(self, kind: str) -> None:
        """Say that it did not come to a good end."""
        self._real.set_attribute("error.type", kind)
        self._real.set_status(StatusCode.ERROR)

    def end(self) -> None:
        """It is over."""
        self._real.end()


def begun(tracer: Tracer, name: str, parent: str, kind: Kind, attributes: Mapping[str, Attribute]) -> Span:
    """Begin a span below `parent`, a trace context; empty: a new trace."""
    # Not the context around: a library's span must not become the parent.
    context = _W3C.extract({_HEADER: parent} if parent else {}, context=Context())
    real = tracer.start_span(
        name, context=context, kind=SpanKind[kind.upper()], attributes=_dotted(attributes), record_exception=False
    )
    return NotedSpan(real)


def _dotted(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    return {name.replace("__", "."): value for name, value in attributes.items()}
