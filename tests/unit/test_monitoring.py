"""The dashboard, the alerts and the page on metrics name what the code registers, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml
from arreio_contracts import subjects
from prometheus_client import ProcessCollector
from prometheus_client.registry import CollectorRegistry

from services.tool_loop import observed
from shared.bus.rpc import _operation
from shared.observing import metrics
from shared.observing.instruments import Counter, Histogram, Instrument

ROOT = Path(__file__).parent.parent.parent
BOARD: dict[str, Any] = json.loads((ROOT / "deploy" / "grafana" / "arreio.json").read_text())
RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((ROOT / "deploy" / "prometheus" / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
OURS = {name: metric for metric in metrics.METRICS for name in metric.series}
PROCESS = {
    sample.name for family in ProcessCollector(registry=CollectorRegistry()).collect() for sample in family.samples
} | {"up"}
BY_SCRAPING = {"job", "instance", "le"}


def expressions() -> list[str]:
    """Every PromQL expression of the dashboard (with an interval in the place of Grafana's) and of the alerts."""
    shown = [target["expr"] for panel in BOARD["panels"] for target in panel.get("targets", ())]
    return [text.replace("$__rate_interval", "5m") for text in shown] + [rule["expr"] for rule in RULES]


def selectors(expression: Any) -> list[Any]:
    """Every vector selector below a parsed expression."""
    if isinstance(expression, promql_parser.VectorSelector):
        return [expression]
    parts = [getattr(expression, name, None) for name in ("lhs", "rhs", "expr", "vector_selector", "param")]
    parts += list(getattr(expression, "args", None) or ())
    return [found for part in parts if part is not None for found in selectors(part)]


def named(matcher: Any) -> set[str]:
    """The values that a matcher names; `a|b` names two."""
    return set(matcher.value.split("|")) - {""}


def known_values(metric: Instrument, label: str) -> set[str]:
    """The values of a label that are shown from the start, and those of labels whose values are not all declared."""
    if label not in metric.labels or not metric.values:
        return {"done", "outbox", "consumer", "tasks", "claims", "outcomes", *metrics.OPEN_STATES}
    return {values[metric.labels.index(label)] for values in metric.values}


@pytest.mark.parametrize("text", expressions())
def test_every_expression_parses_and_names_metrics_and_labels_that_exist(text: str) -> None:
    found = selectors(promql_parser.parse(text))
    assert {one.name for one in found} == set(re.findall(r"\b(?:arreio|process)_\w+|\bup\b", text))
    for one in found:
        assert one.name in OURS or one.name in PROCESS, one.name
        if one.name in OURS:
            labels = {matcher.name for matcher in one.matchers.matchers}
            assert labels <= {*OURS[one.name].labels, *BY_SCRAPING}, one.name
            for matcher in one.matchers.matchers:
                assert named(matcher) <= known_values(OURS[one.name], matcher.name), (one.name, matcher.name)
    grouped = {name for names in re.findall(r"\bby \(([\w, ]+)\)", text) for name in names.split(", ")}
    labels = {label for one in found if one.name in OURS for label in OURS[one.name].labels}
    assert grouped <= labels | BY_SCRAPING, text


def test_every_metric_of_ours_is_shown_on_the_dashboard() -> None:
    shown = {one.name for text in expressions() for one in selectors(promql_parser.parse(text))}
    assert [one.name for one in metrics.METRICS if not shown & set(one.series)] == []


def test_every_alert_has_a_section_of_its_own_to_read() -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    headings = re.findall(r"^#+ (\w+)$", page, re.MULTILINE)
    for rule in RULES:
        file, _, anchor = rule["annotations"]["runbook_url"].partition("#")
        assert file == "docs/operations.md" and anchor == rule["alert"].lower()
        assert rule["alert"] in headings
        assert rule["labels"]["severity"] in ("warning", "critical") and rule["annotations"]["summary"]


def test_the_page_on_metrics_tells_of_each_what_it_is() -> None:
    page = (ROOT / "docs" / "observability.md").read_text()
    told = re.findall(r"^\| `(arreio_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    assert told == [
        (one.name, one.kind, ", ".join(f"`{label}`" for label in one.labels) or "—", one.help)
        for one in metrics.METRICS
    ]


def test_the_page_on_traces_tells_of_every_span() -> None:
    page = (ROOT / "docs" / "observability.md").read_text()
    begun = re.compile(r"""\b(?:span|begin)\((?:_SPANS\.get\(.*?, )?\s*f?"([\w.]+)""")
    sources = (path.read_text() for path in (ROOT / "services").rglob("*.py"))
    names = {name for text in sources for name in begun.findall(text)} | {
        *observed._SPANS.values(),
        _operation(subjects.RPC_ASSEMBLE),
    }
    table = page.partition("| span | service | below |")[2].partition("\n\n")[0]
    firsts = "".join(row.split("|")[1] for row in table.splitlines() if row)
    assert names == set(re.findall(r"`([\w.]+)[^`]*`", firsts)) and len(names) > 10


def test_metrics_are_named_as_prometheus_wants_them() -> None:
    for one in metrics.METRICS:
        assert one.name.startswith("arreio_") and one.help.endswith(".")
        assert one.name.endswith("_total") == isinstance(one, Counter), one.name
        assert one.name.endswith("_seconds") or not isinstance(one, Histogram), one.name
    assert len({one.name for one in metrics.METRICS}) == len(metrics.METRICS)


def test_the_dashboards_panels_do_not_lie_on_each_other() -> None:
    taken: set[tuple[int, int]] = set()
    for panel in BOARD["panels"]:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken and place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells
