"""What a running task remembers against loops: the rules, folded over its log as far as it is known.

The verdict of a step is made once, when the step is recorded, and recorded with it; decisions use what is recorded. A
restart folds the recorded digests again, in their order, and so remembers the same.
"""

from dataclasses import fields
from typing import Final

from arreio_contracts.events import (
    CriteriaProbed,
    EventData,
    GateJudged,
    InputReceived,
    ModelEscalated,
    StepDigest,
    TaskProfiled,
    ToolFinished,
)

from .rules.loops.anti_loop import AntiLoop
from .rules.loops.content import Content
from .rules.loops.progress_budget import PROBED
from .rules.loops.rule import Limits
from .state import Stamped
from .tools.changes import UNHASHED

_LIMITS: Final = frozenset(field.name for field in fields(Limits))


class LoopMemory:
    """Events of one task go in, in the order of its log."""

    def __init__(self) -> None:
        self._rules = AntiLoop(Limits())
        self._content = Content()

    def take(self, event: Stamped) -> EventData:
        """Remember an event. Returns its data; that of a step with its verdict, if it had none yet."""
        data = event.data
        match data:
            case TaskProfiled() | ModelEscalated(problem=None):
                # Another model is not to blame for what the one before it did over and over.
                known = data.capability.get("anti_loop", {})
                self._rules = AntiLoop(Limits(**{name: known[name] for name in known.keys() & _LIMITS}))
            case InputReceived():
                self._rules.input()
            case CriteriaProbed():
                self._rules.criteria(PROBED, data.verdicts)
            case GateJudged():
                self._rules.criteria("the criteria judged", tuple(result.verdict for result in data.results))
            case ToolFinished(digest=StepDigest() as digest):
                return self._step(data, digest, event.id)
        return data

    def _step(self, data: ToolFinished, digest: StepDigest, event_id: str) -> ToolFinished:
        for path, content in data.changed.items():
            known = f"{UNHASHED} {event_id}" if content == UNHASHED else content
            self._content.put(path, known, digest.found.get(path))
        if data.changed:
            digest = digest.model_copy(update={"state": self._content.state})
        verdict = self._rules.observe(digest, event_id)
        digest = digest.model_copy(update={"news": self._rules.news_now})
        return data.model_copy(update={"digest": digest, "loop": data.loop or verdict})
