"""Reading what a service process shows of itself: its health, and its metrics as Prometheus reads them."""

from __future__ import annotations

import socket
from pathlib import Path

import httpx
from prometheus_client.parser import text_string_to_metric_families

from shared.engine.paths import DataDir
from shared.observing.addresses import metrics_urls

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def free_port() -> int:
    """A port with some free ones behind it, more or less surely."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def url_of(place: Path, service: str) -> str:
    """Where the service of a data directory shows itself."""
    return next(url for name, _, url in metrics_urls(DataDir(place)) if name == service)


def get(url: str) -> httpx.Response:
    """The answer to one request."""
    return httpx.get(url, timeout=20, trust_env=False)


def scrape(url: str) -> Samples:
    """The samples of one process."""
    answer = get(f"{url}/metrics")
    assert answer.status_code == 200, answer.text
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def sample(samples: Samples, name: str, **labels: str) -> float:
    """One sample; its labels are exactly these."""
    return samples[name, frozenset(labels.items())]
