"""Every metric of Arreio, in one place. docs/observability.md, the dashboard and the alerts are held against it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final, get_args

from arreio_contracts.events import ModelFailed, Rung
from arreio_contracts.task import CRITERION_KINDS, BlockedCode, FailedCode, TaskState

from shared.observing.instruments import Counter, Gauge, Histogram, Instrument

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

_FAST: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_SLOW: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
OPEN_STATES: Final = tuple(state.value for state in TaskState if not state.terminal)
PARTS: Final = ("context", "model", "tool", "commit")
GATES: Final = (*CRITERION_KINDS, "taste")
VERDICTS: Final = ("PASS", "FAIL", "NOT_RUN")


def _each(*labels: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(product(*labels))


BUILD: Final = Gauge("arreio_build_info", "Always 1; which service and code this process runs.", ("service", "version"))

TURN: Final = Histogram(
    "arreio_turn_seconds", "A turn, from the request for its prompt to the next one's or the end.", buckets=_SLOW
)
TURN_PART: Final = Histogram(
    "arreio_turn_part_seconds",
    "What a turn spends its time on: building the context, asking the model, running a tool, committing.",
    ("part",),
    buckets=_FAST[1:-1] + _SLOW[7:],
    values=_each(PARTS),
)
TOKENS: Final = Counter(
    "arreio_model_tokens_total",
    "Tokens of models, of all that ask them: turns, plans, summaries, the taste critic.",
    ("direction",),
    values=_each(("input", "output")),
)
COST: Final = Counter("arreio_model_cost_dollars_total", "What models cost, as far as their prices are known.")
MODEL_REQUESTS: Final = Counter("arreio_model_requests_total", "Requests for a turn's reply that were answered.")
MODEL_ERRORS: Final = Counter(
    "arreio_model_errors_total",
    "Requests for a turn's reply that failed, by kind.",
    ("kind",),
    values=_each(get_args(ModelFailed.model_fields["kind"].annotation)),
)
TOOL_CALLS: Final = Counter(
    "arreio_tool_calls_total",
    "Calls that were carried out, by what the tool can change and how it ended.",
    ("effect", "status"),
    values=_each(("read", "file", "command"), ("ok", "error")),
)
REFUSALS: Final = Counter(
    "arreio_refusals_total",
    "What the harness refused, by rule: calls, replies that neither act nor end, claims.",
    ("what", "rule"),
    values=_each(("claim",), ("gates", "hook", "taste")),
)
LADDER: Final = Counter(
    "arreio_ladder_rungs_total",
    "Rungs that tasks took which did not get on.",
    ("rung",),
    values=_each(get_args(Rung)),
)
LOOPS: Final = Counter("arreio_loop_verdicts_total", "What the rules against loops said.", ("kind", "level"))
GATE_VERDICTS: Final = Counter(
    "arreio_gate_verdicts_total",
    "Criteria that were judged for a claim, by kind and verdict.",
    ("kind", "verdict"),
    values=_each(GATES, VERDICTS),
)
CLAIMS: Final = Counter(
    "arreio_claims_judged_total", "Claims of completion that were judged.", ("verdict",), values=_each(VERDICTS)
)
GATE_SECONDS: Final = Histogram("arreio_gate_seconds", "Judging one claim, all its criteria.", buckets=_SLOW)
TASKS_CREATED: Final = Counter("arreio_tasks_created_total", "Messages that became tasks.")
TASKS_ENDED: Final = Counter(
    "arreio_tasks_ended_total",
    "Tasks that ended, or rest for a person's answer, by state and reason code.",
    ("end", "code"),
    values=(
        *(("COMPLETE", ""), ("NEEDS_INPUT", "")),
        *_each(("BLOCKED",), get_args(BlockedCode)),
        *_each(("FAILED",), get_args(FailedCode)),
    ),
)
TAKEOVERS: Final = Counter(
    "arreio_tasks_resumed_total",
    "Tasks that a worker took up under way: handed over in order, or taken over from one that died.",
    ("cause",),
    values=_each(("handover", "takeover")),
)
LEASES: Final = Gauge(
    "arreio_leases_held",
    "Tasks that run and claims that are judged in this process, each under a lease.",
    ("kind",),
    values=_each(("task", "gate")),
)

APPENDED: Final = Counter("arreio_events_appended_total", "Events that this process wrote into sessions.", ("type",))
APPEND: Final = Histogram("arreio_event_append_seconds", "One append, from the call to its commit.", buckets=_FAST)

MESSAGES: Final = Counter(
    "arreio_messages_consumed_total",
    "Messages that consumers handled, by what became of them: done, tried again later, given up as dead letters.",
    ("consumer", "outcome"),
)
PENDING: Final = Gauge(
    "arreio_consumer_pending_messages", "Messages that wait for a consumer of this service.", ("consumer",)
)
ACK_PENDING: Final = Gauge(
    "arreio_consumer_ack_pending_messages", "Messages that were delivered and not acknowledged yet.", ("consumer",)
)
SWEEPS: Final = Counter("arreio_sweeps_total", "Regular looks for work that was left over.", ("sweep", "outcome"))
BACKGROUND_FAILURES: Final = Counter(
    "arreio_background_failures_total", "Background work of a service that failed and was begun again."
)

PUBLISHED: Final = Counter("arreio_outbox_published_total", "Rows of the outbox that this relay published.")
RELAY_ACTIVE: Final = Gauge("arreio_relay_active", "1 while this process's relay is the one that publishes.")
OUTBOX_ROWS: Final = Gauge("arreio_outbox_waiting_rows", "Rows that wait to be published; parked sessions aside.")
OUTBOX_AGE: Final = Gauge("arreio_outbox_oldest_age_seconds", "Age of the oldest of them; 0 where there is none.")
PARKED: Final = Gauge("arreio_sessions_parked", "Sessions of which nothing is published before a person decides.")
DEAD: Final = Gauge("arreio_dead_letters_open", "Dead letters that nobody has resent or skipped.", ("source",))
NOT_KEPT: Final = Gauge(
    "arreio_dead_letters_not_kept", "Malformed messages that were counted onto open dead letters and not kept."
)
TASKS_OPEN: Final = Gauge("arreio_tasks_open", "Tasks that have not ended, by state.", ("state",))

METRICS: Final = tuple(one for one in list(globals().values()) if isinstance(one, Instrument))
BY_THE_RELAY: Final = (OUTBOX_ROWS, OUTBOX_AGE, PARKED, DEAD, NOT_KEPT, TASKS_OPEN)
"""Read from the database, by the process whose relay is active alone."""


def switch_on() -> CollectorRegistry:
    """Measure everything from now on, in a registry of our own that also tells of the process."""
    from prometheus_client import CollectorRegistry, ProcessCollector, disable_created_metrics

    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    for one in METRICS:
        one.switch_on(registry)
    return registry


def switch_off() -> None:
    """Measure nothing more."""
    for one in METRICS:
        one.switch_off()


def relay_is_active() -> bool:
    """Whether this process's relay is the one that publishes; never known while nothing is measured."""
    return RELAY_ACTIVE.value == 1
