"""Counters, gauges and histograms that cost nothing until `switch_on`, and are Prometheus's from then on."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_OFF: Final[AbstractContextManager[None]] = contextlib.nullcontext()


class Instrument:
    """Something that is measured. `values`: the label values, in the labels' order, that are shown from the start.

    Labels take few values, all known beforehand: no id, path, text or name that a user chose.
    """

    kind: ClassVar[str]

    def __init__(
        self, name: str, help: str, labels: tuple[str, ...] = (), *, values: tuple[tuple[str, ...], ...] = ()
    ) -> None:
        self.name = name
        self.help = help
        self.labels = labels
        self.values = values
        self._real: Any = None
        self._children: dict[tuple[str, ...], Any] = {}

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which its samples are scraped."""
        return (self.name,)

    def switch_on(self, registry: CollectorRegistry) -> None:
        """Measure from now on."""
        self._real = self._made(registry)
        self._children.clear()
        for values in self.values if self.labels else ():
            self._real.labels(*values)

    def switch_off(self) -> None:
        """Measure no more."""
        self._real = None

    @property
    def on(self) -> bool:
        """Whether it is measured."""
        return self._real is not None

    def _made(self, registry: CollectorRegistry) -> Any:
        raise NotImplementedError

    def _child(self, values: tuple[str, ...]) -> Any:
        found = self._children.get(values)
        if found is None:
            found = self._children[values] = self._real.labels(*values) if self.labels else self._real
        return found


class Counter(Instrument):
    """Only grows; its name ends with `_total`."""

    kind = "counter"

    def add(self, *values: str, amount: float = 1.0) -> None:
        """Count `amount` more."""
        if self._real is not None:
            self._child(values).inc(amount)

    def _made(self, registry: CollectorRegistry) -> Any:
        from prometheus_client import Counter as Real

        return Real(self.name, self.help, self.labels, registry=registry)


class Gauge(Instrument):
    """Goes up and down. It shows nothing before it was set, and nothing more once it is forgotten."""

    kind = "gauge"
    value: float | None = None
    """What a gauge without labels was set to last."""

    def set(self, value: float, *values: str) -> None:
        """It is now `value`."""
        if self._real is None:
            return
        self._child(values).set(value)
        if not self.labels:
            if self.value is None:
                self._registry.register(self._real)
            self.value = value

    def forget(self) -> None:
        """It is not known any more: nothing is shown, rather than what was true once."""
        if self._real is None:
            return
        if self.labels:
            self._real.clear()
            self._children.clear()
        elif self.value is not None:
            self._registry.unregister(self._real)
            self.value = None

    @contextmanager
    def held(self, *values: str) -> Iterator[None]:
        """One more, as long as the block runs."""
        child = self._child(values) if self._real is not None else None
        if child is None:
            yield
            return
        child.inc()
        try:
            yield
        finally:
            child.dec()

    def _made(self, registry: CollectorRegistry) -> Any:
        from prometheus_client import Gauge as Real

        self._registry, self.value = registry, None
        return Real(self.name, self.help, self.labels, registry=registry if self.labels else None)


class Histogram(Instrument):
    """Durations in seconds, by buckets; its name ends with `_seconds`."""

    kind = "histogram"

    def __init__(
        self,
        name: str,
        help: str,
        labels: tuple[str, ...] = (),
        *,
        buckets: tuple[float, ...],
        values: tuple[tuple[str, ...], ...] = (),
    ) -> None:
        super().__init__(name, help, labels, values=values)
        self.buckets = buckets

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which its samples are scraped."""
        return (f"{self.name}_bucket", f"{self.name}_sum", f"{self.name}_count")

    def observe(self, seconds: float, *values: str) -> None:
        """It took so long, once."""
        if self._real is not None:
            self._child(values).observe(seconds)

    def timed(self, *values: str) -> AbstractContextManager[None]:
        """Observe how long the block takes, however it ends."""
        return _OFF if self._real is None else self._timing(values)

    @contextmanager
    def _timing(self, values: tuple[str, ...]) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - began, *values)

    def _made(self, registry: CollectorRegistry) -> Any:
        from prometheus_client import Histogram as Real

        return Real(self.name, self.help, self.labels, registry=registry, buckets=self.buckets)
