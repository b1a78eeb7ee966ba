"""What each service's own NATS user may publish and read: its consumers, its requests, its answers. Pure.

The relay runs inside the gateway and learning, so these two may publish what the outbox holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arreio_contracts import subjects

from shared.bus.streams import CONSUMERS

PROVISIONER: Final = "services"
"""The user of `arreio provision` and of the command line: it alone makes and changes streams and consumers."""
OPERATOR: Final = "operator"
"""The user of the person who runs the engine."""
_OUTBOX: Final = (
    subjects.ALL_INBOUND,
    subjects.ALL_OUTBOUND,
    subjects.ALL_COMMANDS,
    subjects.ALL_EVENTS,
    subjects.ALL_DEAD,
)


@dataclass(frozen=True)
class Service:
    """How a service uses the bus: durables it reads, requests it makes and answers (and for whom), what it hears.

    `looks_into` are streams of which it reads single messages by their place, `watches` durables whose lag it reads.
    `posts_replies`: it reads the durables of channels whose replies it posts.
    """

    consumers: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    answers_to: tuple[str, ...] = (OPERATOR,)
    hears: tuple[str, ...] = ()
    looks_into: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()
    relays: bool = False
    posts_replies: bool = False


SERVICES: Final = {
    "gateway": Service(
        consumers=(subjects.CONSUMER_GATEWAY_INBOUND, subjects.CONSUMER_GATEWAY_OUTCOMES),
        answers=(f"{subjects.ROOT}.rpc.gateway.*",),
        answers_to=(OPERATOR, "console"),
        hears=(subjects.ALL_EVENTS,),
        looks_into=(subjects.STREAM_INBOUND,),
        relays=True,
        posts_replies=True,
    ),
    "context_builder": Service(
        answers=(f"{subjects.ROOT}.rpc.context_builder.*",),
        answers_to=(OPERATOR, "tool_loop"),
    ),
    "tool_loop": Service(
        consumers=(subjects.CONSUMER_TOOL_LOOP_RUN,),
        asks=(subjects.RPC_ASSEMBLE, subjects.RPC_PROBE),
        answers=(f"{subjects.ROOT}.rpc.tool_loop.*",),
        answers_to=(OPERATOR, "gate_runner"),
        hears=(subjects.ALL_EVENTS,),
    ),
    "gate_runner": Service(
        consumers=(subjects.CONSUMER_GATE_RUNNER_JUDGE,),
        asks=(subjects.RPC_ASK,),
        answers=(f"{subjects.ROOT}.rpc.gate_runner.*",),
        answers_to=(OPERATOR, "tool_loop"),
    ),
    "learning": Service(
        consumers=(subjects.CONSUMER_LEARNING_OUTCOMES,),
        answers=(f"{subjects.ROOT}.rpc.learning.*",),
        answers_to=(OPERATOR, "console"),
        relays=True,
    ),
    "console": Service(
        asks=(subjects.RPC_PROPOSALS, subjects.RPC_INSTRUCTIONS),
        hears=(subjects.ALL_EVENTS,),
        watches=tuple(CONSUMERS),
    ),
}


def inbox_prefix(user: str) -> str | None:
    """The private prefix of a NATS user's reply subjects; None for those who may keep their client's default."""
    return f"_INBOX_{user}" if user in {PROVISIONER, OPERATOR, *SERVICES} else None


def may_publish(service: str) -> tuple[str, ...]:
    """Every subject that the service may publish on."""
    uses = SERVICES[service]
    return (
        *uses.asks,
        *(f"{inbox_prefix(who)}.>" for who in (service, PROVISIONER, *uses.answers_to)),
        *(subject for name in uses.consumers for subject in _consuming(name)),
        *(f"$JS.API.CONSUMER.INFO.{CONSUMERS[name].stream}.{name}" for name in uses.watches),
        *(f"$JS.API.DIRECT.GET.{stream}{rest}" for stream in uses.looks_into for rest in ("", ".>")),
        *(_of_durable(subjects.STREAM_OUTBOUND, "*") if uses.posts_replies else ()),
        *(_OUTBOX if uses.relays else map(subjects.dead, uses.consumers)),
    )


def may_subscribe(service: str) -> tuple[str, ...]:
    """Every subject that the service may subscribe to."""
    uses = SERVICES[service]
    return (f"{inbox_prefix(service)}.>", *uses.answers, *uses.hears)


def _consuming(name: str) -> tuple[str, ...]:
    return _of_durable(CONSUMERS[name].stream, name)


def _of_durable(stream: str, name: str) -> tuple[str, ...]:
    return (
        f"$JS.API.CONSUMER.INFO.{stream}.{name}",
        f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}",
        f"$JS.ACK.{stream}.{name}.>",
    )
