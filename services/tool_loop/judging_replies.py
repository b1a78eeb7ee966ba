"""What is made of a model's reply before it is recorded: the vote, masks, fingerprints, promises. Pure, and maybe slow.

Its time grows with the reply's length (some microseconds a character), so a long one is read in a thread: the
heartbeats and the other tasks of the process go on meanwhile.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from arreio_contracts.events import PromiseVerdict, ToolCall, Vote
from arreio_contracts.grounding import Installs

from shared.canonical import canonical_json
from shared.secrets import mask

from .models.call_modes import Answer
from .rules.fingerprint import fingerprint
from .rules.grounding.install_commands import installs
from .rules.reconciler import reconcile
from .secret_arguments import without_secrets
from .tools.run_command import RunCommand
from .voting import vote

LONG: Final = 16 * 1024
"""Characters of a reply that are read beside other work and not before it."""
MOST_PROSE: Final = 100_000
"""Characters of a text without a call above which it is no longer read for what it promises: it is a flood."""


@dataclass(frozen=True)
class JudgedCall:
    """A call as it may be recorded, its arguments as JSON, and what it would install by its words alone."""

    call: ToolCall
    raw: str | None
    asked: Installs | None = None


@dataclass(frozen=True)
class JudgedReply:
    """The answer that holds, its text and calls as they may be recorded."""

    answer: Answer
    content: str
    calls: tuple[JudgedCall, ...]
    promise: PromiseVerdict | None
    vote: Vote | None


async def judged(samples: Sequence[Answer], asked: int, workspace: str | None) -> JudgedReply:
    """`judge`, in a thread where that takes so long that others would have to wait."""
    if sum(map(_length, samples)) > LONG:
        return await asyncio.to_thread(judge, samples, asked, workspace)
    return judge(samples, asked, workspace)


def judge(samples: Sequence[Answer], asked: int, workspace: str | None) -> JudgedReply:
    """The samples of one reply, of which `asked` were wanted, as what is recorded of them."""
    answer, agreed = vote(samples, asked) if asked > 1 else (samples[0], None)
    if agreed is not None and not agreed.majority:
        answer = replace(answer, content="", calls=())
    content = mask(answer.content)
    unread = answer.calls or len(content) > MOST_PROSE
    calls = tuple(_judged_call(call, workspace) for call in answer.calls)
    return JudgedReply(answer, content, calls, None if unread else reconcile(content), agreed)


def fingerprinted(call: ToolCall, workspace: str | None) -> ToolCall:
    """A call with what it is, whatever its wording, as the rules against loops know it again."""
    if call.arguments is None:
        return call
    return call.model_copy(update={"fingerprint": fingerprint(call.name, call.arguments, workspace or "")})


def _judged_call(call: ToolCall, workspace: str | None) -> JudgedCall:
    call = without_secrets(fingerprinted(call, workspace))
    if call.arguments is None:
        return JudgedCall(call, None)
    command = call.arguments.get("command")
    asked = installs(command) if call.name == RunCommand.name and isinstance(command, str) else None
    return JudgedCall(call, canonical_json(call.arguments), asked)


def _length(answer: Answer) -> int:
    return len(answer.content) + sum(_size(call.arguments) for call in answer.calls)


def _size(value: Any) -> int:
    match value:
        case str():
            return len(value)
        case dict():
            return sum(_size(key) + _size(part) for key, part in value.items())
        case list():
            return sum(map(_size, value)) + len(value)
    return 1
