"""Instruments, trace contexts and spans, each by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from arreio_contracts import events
from arreio_contracts.messages import CriterionResult
from arreio_contracts.task import Reason
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from shared.engine.paths import DataDir
from shared.errors import ArreioError
from shared.observing import addresses, metrics, tracing
from shared.observing.checks import Check
from shared.observing.instruments import Gauge
from shared.observing.lag import Reading
from shared.observing.recorded import appended
from shared.observing.trace_context import new_traceparent, valid
from shared.settings import SettingsError, load_settings
from shared.store.events import event_of
from tests.support.collector import Collector
from tests.support.store import event

TOTALS = events.Totals(steps=1, tool_calls=1, prompt_tokens=1, completion_tokens=1, cost_usd=0.0, seconds=1.0)


@pytest.fixture
def registry() -> Iterator[CollectorRegistry]:
    """Everything is measured, from nothing on."""
    yield metrics.switch_on()
    metrics.switch_off()


def value(registry: CollectorRegistry, name: str, **labels: str) -> float | None:
    return registry.get_sample_value(name, labels)


def test_nothing_is_counted_while_metrics_are_off() -> None:
    metrics.TOKENS.add("input", amount=3)
    metrics.RELAY_ACTIVE.set(1)
    with metrics.TURN_PART.timed("model"), metrics.LEASES.held("task"):
        pass
    assert not metrics.TOKENS.on and not metrics.relay_is_active()


def test_events_are_counted_by_what_they_say(registry: CollectorRegistry) -> None:
    judged = {"tests: pytest -q": "FAIL", "taste": "PASS"}
    results = tuple(CriterionResult.model_validate({"criterion": one, "verdict": judged[one]}) for one in judged)
    usage = events.Usage(prompt_tokens=5, completion_tokens=2)
    said: list[events.EventData] = [
        events.ModelReplied(content="", usage=usage, cost_usd=0.5, requests=3),
        events.ModelFailed(kind="rate_limit", message="slow down"),
        events.TurnRejected(code="promise", nudge="", in_a_row=1),
        events.ToolRefused(call_id="c", tool="t", code="loop", text=""),
        events.LadderClimbed(rung="nudge", cause="loop", code="loop", text="", nudge=""),
        events.GateJudged(claim_id="c", verdict="FAIL", results=results),
        events.CompletionRefused(claim_id="c", verdict="FAIL", nudge=""),
        events.TaskBlocked(reason=Reason(code="loop", text="again"), totals=TOTALS),
    ]
    appended([event(one.type) for one in said], 0.01)
    assert value(registry, "arreio_refusals_total", what="turn", rule="promise") is None
    for one in said:
        appended([event_of(one, events.Metadata(service="tool_loop"))], 0.01)
    assert value(registry, "arreio_events_appended_total", type="model.replied") == 2
    assert value(registry, "arreio_event_append_seconds_count") == 9
    assert value(registry, "arreio_model_tokens_total", direction="input") == 5
    assert value(registry, "arreio_model_cost_dollars_total") == 0.5
    assert value(registry, "arreio_model_requests_total") == 3
    assert value(registry, "arreio_model_errors_total", kind="rate_limit") == 1
    assert value(registry, "arreio_refusals_total", what="turn", rule="promise") == 1
    assert value(registry, "arreio_refusals_total", what="call", rule="loop") == 1
    assert value(registry, "arreio_refusals_total", what="claim", rule="gates") == 1
    assert value(registry, "arreio_ladder_rungs_total", rung="nudge") == 1
    assert value(registry, "arreio_gate_verdicts_total", kind="tests", verdict="FAIL") == 1
    assert value(registry, "arreio_gate_verdicts_total", kind="taste", verdict="PASS") == 1
    assert value(registry, "arreio_tasks_ended_total", end="BLOCKED", code="loop") == 1
    assert value(registry, "arreio_tasks_ended_total", end="FAILED", code="max_steps") == 0


def test_a_gauge_that_is_not_known_shows_nothing() -> None:
    registry = CollectorRegistry()
    gauge = Gauge("arreio_test", "A test.")
    gauge.switch_on(registry)
    assert value(registry, "arreio_test") is None
    gauge.set(3)
    assert value(registry, "arreio_test") == 3
    gauge.forget()
    gauge.forget()
    assert value(registry, "arreio_test") is None


async def test_what_cannot_be_read_is_forgotten_and_asked_for_once_in_a_while() -> None:
    asked, forgotten = [], []

    async def read() -> None:
        asked.append(1)
        raise OSError("away")

    reading = Reading(read, lambda: forgotten.append(1))
    await asyncio.gather(reading.refresh(), reading.refresh())
    await reading.refresh()
    assert (len(asked), len(forgotten)) == (1, 1)


async def test_gauges_that_are_not_read_in_time_are_forgotten_until_they_are() -> None:
    answer = asyncio.Event()
    forgotten: list[int] = []

    async def read() -> None:
        await answer.wait()
        forgotten.clear()

    reading = Reading(read, lambda: forgotten.append(1))
    await reading.refresh(0)
    await reading.refresh(0)
    assert len(forgotten) == 2
    answer.set()
    await reading.refresh(60)
    assert not forgotten


async def test_a_server_that_hangs_is_not_asked_again_before_it_has_answered() -> None:
    answer, asked = asyncio.Event(), []

    async def look() -> str | None:
        asked.append(1)
        await answer.wait()
        return None

    check = Check("it", look)
    assert await check.problem(0) == "it does not answer within 0 s"
    assert await check.problem(0) == "it does not answer within 0 s"
    answer.set()
    assert await check.problem(60) is None
    assert len(asked) == 1


async def test_a_problem_is_one_line_without_passwords() -> None:
    async def look() -> str | None:
        raise OSError("no postgresql://me:hunter2@host\nand more")

    said = await Check("it", look).problem(60)
    assert said == "it: OSError: no postgresql://me:***@host"


@given(st.text() | st.from_regex(r"[0-9a-fx]{2}-[0-9a-fA-F]{31,33}-[0-9a-f]{15,17}-[0-9a-f]{2}", fullmatch=True))
def test_a_trace_context_is_taken_whole_or_not_at_all(text: str) -> None:
    found = valid(text)
    assert found in ("", text)
    if found:
        version, trace, span, flags = found.split("-")
        assert (len(version), len(trace), len(span), len(flags)) == (2, 32, 16, 2)
        assert version != "ff" and int(trace, 16) and int(span, 16) and found == found.lower()


def test_a_new_trace_context_is_valid_and_like_no_other() -> None:
    made = {new_traceparent() for _ in range(100)}
    assert len(made) == 100 and all(map(valid, made))


def test_spans_cost_nothing_and_say_nothing_without_a_collector() -> None:
    with tracing.span("a", new_traceparent()) as span:
        span.note(arreio__task__id="t")
        assert span.traceparent == "" and tracing.current() == ""


@pytest.mark.parametrize(
    ("environment", "traces"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_SDK_DISABLED": "TRUE"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, False),
    ],
)
def test_the_standard_variables_turn_tracing_on_and_off(environment: dict[str, str], traces: bool) -> None:
    assert tracing.wanted(environment) is traces


def test_another_protocol_than_http_is_refused_with_the_way_out() -> None:
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}
    with pytest.raises(ArreioError, match="grpc is not spoken here") as caught:
        tracing.wanted(environment)
    assert "http/protobuf" in (caught.value.hint or "")


def test_a_failed_span_tells_the_errors_class_and_not_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = new_traceparent()
    with Collector() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        with tracing.traced("tool_loop"), pytest.raises(ValueError), tracing.span("outer", trace) as outer:
            assert tracing.current() == outer.traceparent
            with tracing.span("inner"):
                raise ValueError("hunter2")
        found = {one.name: one for one in collector.spans(trace.split("-")[1])}
    assert found["inner"].parent == found["outer"].id
    assert found["inner"].failed and found["inner"].attributes["error.type"] == "ValueError"
    assert not any(b"hunter2" in body for body in collector.raw)


def test_a_process_that_is_gone_is_shown_no_more(tmp_path: Path) -> None:
    place = DataDir(tmp_path)
    with addresses.announced(place, "gateway", "http://127.0.0.1:9464"):
        (left,) = place.metrics.iterdir()
        (place.metrics / "gateway.1.json").write_text(left.read_text().replace('"started": ', '"started": 1'))
        assert [url for _, _, url in addresses.metrics_urls(place)] == ["http://127.0.0.1:9464"]
    assert addresses.metrics_urls(place) == [] and not list(place.metrics.iterdir())


@pytest.mark.parametrize("wrong", ["9464", "host", "host:port", ":99999", "a b:1", ""])
def test_an_address_for_metrics_that_cannot_be_is_refused(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARREIO_METRICS", wrong)
    if wrong:
        with pytest.raises(SettingsError, match="ARREIO_METRICS"):
            load_settings()
    else:
        assert load_settings().metrics is None
