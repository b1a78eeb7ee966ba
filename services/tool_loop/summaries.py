"""When history that no longer fits is summed up by the model, out of what, and which answers are of use. Pure.

A summary is a convenience: whatever goes wrong with it, the deterministic compaction stands by itself.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from arreio_contracts.messages import ContextManifest

from shared.canonical import parse_json
from shared.prompt import SUMMARY, TASK_STATE

from .state import LoopState

_SHARE: Final = 8
"""A summary may take this part of the history's budget."""
_LEAST_TOKENS: Final = 64
_MOST_TOKENS: Final = 800
_MOST_FAILURES: Final = 2
"""After so many requests of a task that gave no summary, none is made any more."""
_BYTES_PER_TOKEN: Final = 4
_BYTES_AT_LEAST: Final = 3
"""With fewer bytes per token than this no text is counted, where a hard limit must hold."""


class Unit(NamedTuple):
    """A unit that a prompt leaves out: its text is the blob `sha256`."""

    id: str
    sha256: str
    tokens: int


def due(state: LoopState) -> tuple[Unit, ...]:
    """The units of which a summary is asked for before the next turn; none where that is off, done or given up."""
    if state.profile is None or state.context is None or not state.profile.capability.get("summaries"):
        return ()
    if state.failed_summaries >= _MOST_FAILURES:
        return ()
    manifest = state.context.manifest
    units = left_out(manifest) if room(manifest) >= _LEAST_TOKENS else ()
    new = [unit for unit in units if unit.id not in state.summed_up and not unit.id.startswith(SUMMARY)]
    return units if new else ()


def left_out(manifest: ContextManifest) -> tuple[Unit, ...]:
    """The units of history that a prompt leaves out, and first the earlier summary that stands for what left before."""
    layers = [layer for layer in manifest.layers if layer.name == TASK_STATE]
    gone = [Unit(one.id, one.sha256, one.tokens) for layer in layers for one in layer.dropped if one.sha256 is not None]
    before = [Unit(one.id, one.sha256, 0) for layer in layers for one in layer.units if one.id.startswith(SUMMARY)]
    before += [one for one in gone if one.id.startswith(SUMMARY)]
    return (*before, *(one for one in gone if not one.id.startswith(SUMMARY)))


def room(manifest: ContextManifest) -> int:
    """The tokens that a summary may have in this prompt's history."""
    budget = sum(layer.budget for layer in manifest.layers if layer.name == TASK_STATE)
    return min(_MOST_TOKENS, budget // _SHARE)


def told(texts: Iterable[str], most_tokens: int) -> str:
    """Units of history (canonical lists of messages) for the model to read: the latest of them, where not all fit."""
    lines = [line for text in texts for message in parse_json(text) for line in _lines(message)]
    raw = "\n".join(lines).encode("utf-8", "replace")
    most = max(0, most_tokens) * _BYTES_AT_LEAST
    return raw[max(0, len(raw) - most) :].decode("utf-8", "ignore")


def problem(text: str, finish_reason: str, most_tokens: int) -> str | None:
    """Why an answer is no summary; None: it is one."""
    if not text.strip():
        return "the summary is empty"
    if finish_reason == "length" or -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN) > most_tokens:
        return f"the summary is longer than {most_tokens} tokens"
    return None


def _lines(message: dict[str, object]) -> Sequence[str]:
    who = "harness" if message.get("name") else message["role"]
    lines = [f"{who}: {message['content']}"] if message["content"] else []
    calls = message.get("tool_calls")
    if isinstance(calls, list):
        lines += [f"{who} calls {call['function']['name']} {call['function']['arguments']}" for call in calls]
    return lines
