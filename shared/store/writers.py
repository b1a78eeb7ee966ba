"""Who writes what: the rights of each service's role in the store, which provisioning puts into `arreio.writers`.

`arreio.append` checks them in the database, so that a service that was taken over, or is wrong, cannot write what
another one answers for.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from arreio_contracts import subjects
from arreio_contracts.events import EVENTS
from arreio_contracts.task import TaskState

from shared.canonical import sha256_hex
from shared.store import own_streams
from shared.store.tasks import TASK_COLUMNS


@dataclass(frozen=True)
class Writer:
    """What one role may do: append these types, accept messages as these consumers, hold these leases, change tasks.

    Where `sessions` names any, it appends to these alone.
    """

    role: str
    types: tuple[str, ...]
    consumers: tuple[str, ...] = ()
    lease_kinds: tuple[str, ...] = ()
    task_columns: tuple[str, ...] = ()
    task_states: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()


def _types(service: str) -> tuple[str, ...]:
    return tuple(sorted(kind for kind, contract in EVENTS.items() if contract.writer == service))


WRITERS: Final = (
    Writer(
        "arreio_gateway",
        _types("gateway"),
        consumers=(subjects.CONSUMER_GATEWAY_INBOUND, subjects.CONSUMER_GATEWAY_OUTCOMES),
        task_columns=(
            *("task_id", "state", "goal", "agent", "workspace", "model", "question", "cancel_requested"),
            *("awaiting", "awaiting_id", "wake_at"),
        ),
        # A task begins, or goes on with a person's answer; how it ends is the tool-loop's to say.
        task_states=(TaskState.PENDING, TaskState.IN_PROGRESS),
    ),
    Writer(
        "arreio_tool_loop",
        _types("tool_loop"),
        consumers=(subjects.CONSUMER_TOOL_LOOP_RUN,),
        lease_kinds=("task",),
        task_columns=tuple(sorted(TASK_COLUMNS)),
        task_states=tuple(TaskState),
    ),
    Writer(
        "arreio_gate_runner",
        _types("gate_runner"),
        consumers=(subjects.CONSUMER_GATE_RUNNER_JUDGE,),
        lease_kinds=("gate",),
        task_columns=("task_id", "awaiting", "awaiting_id", "wake_at"),
    ),
    Writer(
        "arreio_learning",
        _types("learning"),
        consumers=(subjects.CONSUMER_LEARNING_OUTCOMES,),
        sessions=(own_streams.LEARNING,),
    ),
    Writer("arreio_console", _types("console"), sessions=(own_streams.CONSOLE,)),
)


def rows() -> list[tuple[str, list[str], list[str], list[str], list[str], list[str], list[str]]]:
    """The rows of `arreio.writers`."""
    return [
        (
            one.role,
            list(one.types),
            list(one.consumers),
            list(one.lease_kinds),
            list(one.task_columns),
            list(map(str, one.task_states)),
            list(one.sessions),
        )
        for one in WRITERS
    ]


def digest() -> str:
    """A SHA-256 that changes whenever a right here does."""
    return sha256_hex(json.dumps([asdict(writer) for writer in WRITERS], sort_keys=True))
