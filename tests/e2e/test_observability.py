"""Metrics, health and traces of a whole Arreio, as an operations person sees them."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from shared.engine.paths import DataDir
from shared.observing.addresses import metrics_urls
from tests.support.collector import Collector, Span
from tests.support.house import SERVICES, House
from tests.support.programs import descendants, kill, until
from tests.support.scraping import Samples, free_port, get, sample, scrape, url_of
from tests.support.scripted_server import ScriptedServer
from tests.support.scripts import Script, answering_late, call, steps

SECRET = "a goal that nobody else may read"


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    """Where all services send their traces."""
    with Collector() as running:
        yield running


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> Iterator[House]:
    """Five services that are watched and traced."""
    more = {
        "ARREIO_METRICS": f":{free_port()}",
        "ARREIO_LEASE_TTL": "2",
        "ARREIO_SWEEP_INTERVAL": "0.5",
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }
    with House(tmp_path_factory.mktemp("house"), **more) as running:
        yield running


def all_of(house: House) -> dict[str, Samples]:
    return {service: scrape(url_of(house.place, service)) for service in SERVICES}


def grown(before: Samples, after: Samples, name: str, **labels: str) -> float:
    key = (name, frozenset(labels.items()))
    return after.get(key, 0.0) - before.get(key, 0.0)


def trace_of(house: House, session_id: str) -> str:
    """The one trace that all events of a session name."""
    rows = house.rows("SELECT metadata FROM arreio.session_events WHERE session_id = %s", session_id)
    (trace,) = {json.loads(metadata)["traceparent"].split("-")[1] for (metadata,) in rows}
    return str(trace)


def spans_of(house: House, collector: Collector, session_id: str) -> list[Span]:
    """The spans of a session's only task, once the last ones of every service have arrived."""
    trace = trace_of(house, session_id)
    last = {"task.run", "gate.judge", "reply.queue", "outcome.learn"}
    until(lambda: last <= {one.name for one in collector.spans(trace)}, what="the last spans")
    return collector.spans(trace)


def test_a_task_is_one_trace_over_all_services(
    house: House, collector: Collector, repository: Path, mending: Script
) -> None:
    with ScriptedServer(mending) as server:
        sent = house.submit(SECRET, repository, server.url, ["command: python -m pytest -q"])
        assert house.wait_for_end(sent.session_id).type == "task.completed"
    spans = spans_of(house, collector, sent.session_id)
    by_id = {one.id: one for one in spans}
    parents = {(by_id[one.parent].name if one.parent else "", one.name, one.service) for one in spans}
    assert {
        ("", "message.accept", "arreio-gateway"),
        ("message.accept", "task.run", "arreio-tool-loop"),
        ("task.run", "turn", "arreio-tool-loop"),
        ("turn", "context.assemble", "arreio-tool-loop"),
        ("context.assemble", "context_builder.assemble", "arreio-context-builder"),
        ("turn", "chat openai/scripted", "arreio-tool-loop"),
        ("turn", "execute_tool read_file", "arreio-tool-loop"),
        ("turn", "execute_tool edit_file", "arreio-tool-loop"),
        ("task.run", "gate.judge", "arreio-gate-runner"),
        ("task.run", "reply.queue", "arreio-gateway"),
        ("task.run", "outcome.learn", "arreio-learning"),
    } <= parents
    asked = [one for one in spans if one.name.startswith("chat ")]
    assert len(asked) == 3
    for one in asked:
        assert one.kind == "CLIENT" and not one.failed
        assert one.attributes["gen_ai.operation.name"] == "chat"
        assert one.attributes["gen_ai.request.model"] == "openai/scripted"
        assert int(one.attributes["gen_ai.usage.input_tokens"]) > 0
    (run,) = (one for one in spans if one.name == "task.run")
    assert run.attributes["arreio.task.state"] == "COMPLETE"


def test_no_prompt_argument_result_or_reply_is_traced(collector: Collector) -> None:
    sent = b"".join(collector.raw)
    assert b"execute_tool edit_file" in sent
    for text in (SECRET, "calculator", "a - b", "add adds now", "pytest"):
        assert text.encode() not in sent, text


def test_a_task_that_is_taken_over_stays_in_its_trace(
    house: House, collector: Collector, repository: Path, mending: Script
) -> None:
    released = threading.Event()
    with ScriptedServer(answering_late(mending, 1, released)) as server:
        sent = house.submit("Mend it.", repository, server.url, [])
        house.wait_for(sent.session_id, "model.requested", count=2)
        (pid,) = house.pids("tool_loop")
        kill(pid)
        house.wait_for(sent.session_id, "task.resumed")
        released.set()
        house.wait_for_end(sent.session_id)
    spans = spans_of(house, collector, sent.session_id)
    (run,) = (one for one in spans if one.name == "task.run")
    assert run.attributes["arreio.lease.takeover"] is True
    (accepted,) = (one for one in spans if one.name == "message.accept")
    assert run.parent == accepted.id
    house.assert_sound(sent.session_id)


def test_a_scripted_task_is_counted_rightly(house: House, repository: Path) -> None:
    script = steps(
        "I will now mend it.",
        call("no_such_tool"),
        call("run_command", command="false"),
        call("read_file", path="calculator.py"),
        call("edit_file", path="calculator.py", old_text="a - b", new_text="a + b"),
        {**call("task_complete", reply="Done."), "usage": {"prompt_tokens": 700, "completion_tokens": 11}},
    )
    before = all_of(house)
    with ScriptedServer(script) as server:
        sent = house.submit(
            "Count it.", repository, server.url, ["command: python -m pytest -q", "file_exists: no.txt"]
        )
        ended = house.wait_for_end(sent.session_id)
    after = all_of(house)
    kinds = [event.type for event in house.events(sent.session_id)]
    loop, gates, gateway = ((before[one], after[one]) for one in ("tool_loop", "gate_runner", "gateway"))
    for kind, service in (
        ("model.replied", loop),
        ("tool.finished", loop),
        ("context.built", loop),
        ("gate.judged", gates),
    ):
        assert grown(*service, "arreio_events_appended_total", type=kind) == kinds.count(kind) > 0
    assert grown(*loop, "arreio_model_requests_total") >= kinds.count("model.replied")
    assert grown(*loop, "arreio_turn_part_seconds_count", part="model") == kinds.count("model.requested")
    assert grown(*loop, "arreio_turn_part_seconds_count", part="tool") == kinds.count("tool.started")
    assert grown(*loop, "arreio_turn_part_seconds_count", part="context") == kinds.count("context.built")
    assert grown(*loop, "arreio_refusals_total", what="turn", rule="promise") == 1
    assert grown(*loop, "arreio_refusals_total", what="call", rule="unknown_tool") == 1
    assert grown(*loop, "arreio_refusals_total", what="claim", rule="gates") >= 1
    for effect in ("read", "file"):
        assert grown(*loop, "arreio_tool_calls_total", effect=effect, status="ok") == 1
    assert grown(*loop, "arreio_model_tokens_total", direction="input") >= 700
    assert grown(*loop, "arreio_tasks_ended_total", end="BLOCKED", code=ended.data["reason"]["code"]) == 1
    assert grown(*gates, "arreio_gate_verdicts_total", kind="command", verdict="PASS") >= 1
    assert grown(*gates, "arreio_gate_verdicts_total", kind="file_exists", verdict="FAIL") >= 1
    assert grown(*gates, "arreio_claims_judged_total", verdict="FAIL") == kinds.count("gate.judged")
    assert grown(*gateway, "arreio_tasks_created_total") == 1


def test_what_waits_is_shown_by_the_active_relay_alone(house: House) -> None:
    found = all_of(house)
    assert sample(found["gateway"], "arreio_relay_active") + sample(found["learning"], "arreio_relay_active") == 1
    shown = [service for service in SERVICES if ("arreio_outbox_waiting_rows", frozenset()) in found[service]]
    assert shown == ["gateway" if sample(found["gateway"], "arreio_relay_active") else "learning"]
    assert sample(found[shown[0]], "arreio_dead_letters_open", source="outbox") == 0
    assert sample(found[shown[0]], "arreio_sessions_parked") == 0
    assert sample(found["tool_loop"], "arreio_leases_held", kind="task") == 0
    assert ("arreio_consumer_pending_messages", frozenset({("consumer", "tool_loop_run")})) in found["tool_loop"]


def test_every_process_has_a_port_and_info_shows_it(house: House) -> None:
    told = json.loads(house.arreio("info", "--json").stdout)["metrics"]
    assert sorted(one["service"] for one in told) == sorted(SERVICES)
    assert len({one["url"] for one in told}) == len(SERVICES)
    for one in told:
        assert get(f"{one['url']}/livez").text == "alive\n"
        assert get(f"{one['url']}/readyz").status_code == 200
        assert get(f"{one['url']}/elsewhere").status_code == 404
    house.serve("tool_loop")
    place = DataDir(house.place)
    until(lambda: len(metrics_urls(place)) > len(SERVICES), what="the metrics of a sixth process")
    urls = {url for _, _, url in metrics_urls(place)}
    assert len(urls) == len(SERVICES) + 1
    until(lambda: all(get(f"{url}/readyz").status_code == 200 for url in urls), what="a sixth process that is ready")


def readiness(house: House, service: str) -> httpx.Response:
    return get(f"{url_of(house.place, service)}/readyz")


def each_service(look: Callable[[str], None]) -> None:
    """Look at all at once: a check of what hangs takes its whole patience."""
    with ThreadPoolExecutor(len(SERVICES)) as pool:
        list(pool.map(look, SERVICES))


def until_ready(house: House) -> None:
    def look(service: str) -> None:
        until(lambda: readiness(house, service).status_code == 200, 30, f"{service} to be ready again")

    each_service(look)


@pytest.mark.parametrize("server", ["postgres", "nats-server"])
def test_readiness_falls_with_a_server_that_hangs_and_liveness_does_not(house: House, server: str) -> None:
    name = "PostgreSQL" if server == "postgres" else "NATS"

    def fallen(service: str) -> bool:
        answer = readiness(house, service)
        return answer.status_code == 503 and name in answer.text

    def look(service: str) -> None:
        until(lambda: fallen(service), 30, f"the fall of {service} with {name}")
        url = url_of(house.place, service)
        assert get(f"{url}/livez").status_code == 200
        assert get(f"{url}/metrics").status_code == 200

    hung = [house.server_pid(server), *descendants(house.server_pid(server))]
    for pid in hung:
        os.kill(pid, signal.SIGSTOP)
    try:
        each_service(look)
    finally:
        for pid in hung:
            os.kill(pid, signal.SIGCONT)
    until_ready(house)


@pytest.mark.parametrize("server", ["postgres", "nats-server"])
def test_readiness_falls_with_a_server_that_dies_and_comes_back_with_it(house: House, server: str) -> None:
    url = url_of(house.place, "tool_loop")
    seen: list[int] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            seen.append(get(f"{url}/readyz").status_code)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        kill(house.server_pid(server))
        until(lambda: 503 in seen, 20, "the fall")
        until(lambda: seen[-1] == 200, 60, "its return")
    finally:
        ended.set()
        watching.join()
    assert set(seen) == {200, 503}
    until_ready(house)
