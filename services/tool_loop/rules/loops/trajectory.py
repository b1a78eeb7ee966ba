"""A recorded run, of any harness, judged by the rules against loops: where it is warned, and where it would have ended.

What is not recorded is taken from what is: a step without `changed` by the kind of its call, the workspace's content by
the edits that the steps show.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from arreio_contracts.events import LoopKind, LoopVerdict

from .. import shell_commands, tool_kinds
from ..fingerprint import command_of
from .anti_loop import AntiLoop
from .caps import Caps
from .edits import Edits
from .observation import digested
from .rule import Limits

RUNGS: Final = 3
"""A nudge, a new plan, the end: the rungs of a ladder without a stronger model."""
_WALKED: Final = 1000
_A_NAME = re.compile(r"[\w.-]{8,80}")


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """One step of a log; `changed` None: the log does not say."""

    tool: str
    arguments: Mapping[str, Any]
    result: str
    failed: bool
    changed: bool | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The first warning and the end, counted from 0; None: there is none."""

    step: int | None = None
    halt_step: int | None = None
    kind: LoopKind | None = None
    why: str = ""


def judge(steps: Iterable[RecordedStep], limits: Limits, caps: Caps | None = None, cwd: str = "") -> Judgement:
    """Follow a run to where the harness would have ended it. The ladder is left after a window without a finding."""
    rules, edits = AntiLoop(limits, caps), Edits()
    first: Judgement | None = None
    rungs, last, inputs, last_change = 0, 0, 0, ""
    walked: frozenset[str] = frozenset()
    stops: frozenset[tuple[str, str]] = frozenset()
    for at, step in enumerate(steps):
        seen = digested(step.tool, step.arguments, step.result, failed=step.failed, changed=step.changed, cwd=cwd)
        moves_on = shell_commands.moves_on(command_of(step.tool, step.arguments) or "")
        goes_on = moves_on or tool_kinds.goes_on(step.tool, step.arguments)
        if seen.changed and seen.error is not None and step.changed is None:
            # Where it stops on its way it has got on, if it did not stop just so before.
            stop = (seen.call, seen.result)
            seen = seen.model_copy(update={"changed": stop not in stops})
            moves_on = moves_on and stop not in stops
            stops = stops | {stop} if len(stops) < _WALKED else stops
        makes = len(seen.tells) == 1 and _A_NAME.fullmatch(step.result.strip())
        if seen.changed and step.changed is None and seen.call == last_change and not (goes_on or makes):
            # To write the same again changes nothing, unless the log says so, or it made another thing.
            seen = seen.model_copy(update={"changed": False})
        if seen.changed and shell_commands.goes_to(command_of(step.tool, step.arguments) or ""):
            moves_on, walked = seen.call not in walked, (walked | {seen.call} if len(walked) < _WALKED else walked)
        if seen.changed:
            last_change = seen.call
            seen = seen.model_copy(update={"state": edits.after(step.arguments, cwd)})
        verdict = rules.observe(seen, str(at), anew=seen.changed and moves_on)
        if verdict is None:
            continue
        if first is None and not _only_noted(verdict):
            kind: LoopKind = "churn" if verdict.kind == "progress" else verdict.kind
            first = Judgement(at, None, kind, verdict.why)
        heard = rules.inputs != inputs and verdict.kind != "churn"
        if heard or at - last > limits.cycle_window:
            rungs = 0
        inputs, last = rules.inputs, at
        rungs += verdict.level == "break"
        if rungs >= RUNGS:
            return (
                Judgement(first.step, at, first.kind, first.why)
                if first
                else Judgement(at, at, verdict.kind, verdict.why)
            )
    return first or Judgement()


def _only_noted(verdict: LoopVerdict) -> bool:
    """A way back that is new each time is noted, and no warning."""
    return verdict.kind == "revisit" and verdict.level == "warn"
