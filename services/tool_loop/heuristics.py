"""What today's rules would say of recorded input: the verdicts that would differ, as information.

A heuristic's verdict is recorded with the fact that it judged, and replay takes it as recorded, so that a rule may get
better without a recorded session being wrong. A rule that judges recorded input is added to HEURISTICS.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from arreio_contracts.events import EventData, ModelProbed, ModelReplied, TaskProfiled, ToolFinished
from arreio_contracts.grounding import Installs

from . import probing
from .fold import evolve
from .loop_memory import LoopMemory
from .replay import Recorded, comparable, redecide, stamped
from .rules.grounding import RULE as GROUNDING
from .rules.grounding.install_commands import installs
from .rules.language import language_of
from .rules.loops.observation import RULE as LOOPS
from .rules.loops.observation import digest_of
from .rules.reconciler import RULE, reconcile
from .state import LoopState, untold


@dataclass(frozen=True)
class Otherwise:
    """A place where a rule of today judges otherwise. Both judgements are as they would be recorded."""

    seq: int
    task_id: str
    rule: str
    recorded: Any
    today: Any


@dataclass(frozen=True)
class Judged:
    """A recorded fact with the state before it and the whole text that the rules saw.

    `today` is the fact as the rules against loops would record it today, on what they would have recorded before.
    """

    data: EventData
    before: LoopState
    text: str
    today: EventData


Heuristic = Callable[[Judged], tuple[Any, Any] | None]
"""What is recorded and what would be today; None where both are alike, or the rule does not judge such a fact."""


def _reconciler(judged: Judged) -> tuple[Any, Any] | None:
    data = judged.data
    if not isinstance(data, ModelReplied) or data.promise is None:
        return None
    today = reconcile(judged.text)
    if today.model_copy(update={"why": data.promise.why, "rule": data.promise.rule}) == data.promise:
        return None
    return data.promise.model_dump(mode="json"), today.model_dump(mode="json")


def _probing(judged: Judged) -> tuple[Any, Any] | None:
    data, before = judged.data, judged.before
    if not isinstance(data, ModelProbed) or before.reply is None:
        return None
    today = probing.found(before, before.reply)
    return (data.mode, dict(data.results)), (today.mode, dict(today.results)) if today else None


def _language(judged: Judged) -> tuple[Any, Any] | None:
    created = judged.before.created
    if not isinstance(judged.data, TaskProfiled) or created is None:
        return None
    return judged.data.language, language_of(created.goal)


def _loops(judged: Judged) -> tuple[Any, Any] | None:
    data, today = judged.data, judged.today
    if not isinstance(data, ToolFinished) or not isinstance(today, ToolFinished) or data.digest is None:
        return None
    return _loop(data), _loop(today)


def _loop(data: ToolFinished) -> Any:
    return data.loop and data.loop.model_dump(mode="json", include={"kind", "level", "evidence", "forbids"})


def _asked(one: Installs) -> tuple[Any, ...]:
    """What a command names; of the programs that it runs only those were recorded that start an install."""
    return one.packages, tuple(file for file in one.files if file.kind != "program")


def _installs(judged: Judged) -> tuple[Any, Any] | None:
    if not isinstance(judged.data, ModelReplied):
        return None
    # What is kept in a blob is read whole when it is recorded, and only at a glance here.
    calls = [call for call in judged.data.calls if call.installs is not None and call.arguments_blob is None]
    recorded = [call.installs for call in calls if call.installs is not None]
    today = [installs(str((call.arguments or {}).get("command", ""))) for call in calls]
    if [_asked(one) for one in recorded] == [_asked(one) if one else () for one in today]:
        return None
    return (
        [one.model_dump(mode="json") for one in recorded],
        [one.model_dump(mode="json") if one is not None else None for one in today],
    )


HEURISTICS: Final[Mapping[str, Heuristic]] = {
    RULE: _reconciler,
    "language": _language,
    LOOPS: _loops,
    GROUNDING: _installs,
    probing.RULE: _probing,
}
"""Every rule whose verdicts are recorded, by its name and version."""


def otherwise(events: Iterable[Recorded], texts: Mapping[str, str]) -> Iterator[Otherwise]:
    """Every place where a rule of today, or the wording of a decision, would differ.

    `texts` are the whole texts of replies that were cut, by the blob's hash (`cut_texts`).
    """
    events = list(events)
    states: dict[str, LoopState] = {}
    memories: defaultdict[str, LoopMemory] = defaultdict(LoopMemory)
    for event in events:
        if event.task_id is None:
            continue
        before = states.get(event.task_id) or untold(event.task_id)
        anew = stamped(event)._replace(data=_digested_today(event.data, before))
        judged = Judged(event.data, before, _text(event.data, texts), memories[event.task_id].take(anew))
        for name, rule in HEURISTICS.items():
            found = rule(judged)
            if found is not None and found[0] != found[1]:
                yield Otherwise(event.seq, event.task_id, name, *found)
        states[event.task_id] = evolve(before, stamped(event))
    yield from _reworded(events)


def cut_texts(events: Iterable[Recorded]) -> list[str]:
    """The blobs of replies that are too long to stand in their event."""
    found = (event.data.content_blob for event in events if isinstance(event.data, ModelReplied))
    return [name for name in found if name is not None]


def _digested_today(data: EventData, before: LoopState) -> EventData:
    """A step without its verdict, and digested anew where the log holds all of it."""
    if not isinstance(data, ToolFinished) or data.digest is None:
        return data
    calls = before.reply.calls if before.reply else ()
    call = next((call for call in calls if call.id == data.call_id), None)
    digest = data.digest
    if call is not None and call.arguments_blob is None and data.blob is None:
        workspace = before.profile.workspace if before.profile else None
        digest = digest_of(call, data.text, failed=data.status != "ok", changed=bool(data.changed), workspace=workspace)
        digest = digest.model_copy(update={"found": data.digest.found})
    return data.model_copy(update={"loop": None, "digest": digest})


def _text(data: EventData, texts: Mapping[str, str]) -> str:
    if not isinstance(data, ModelReplied):
        return ""
    return data.content if data.content_blob is None else texts[data.content_blob]


def _reworded(events: Iterable[Recorded]) -> Iterator[Otherwise]:
    for step in redecide(events):
        for event, made in zip(step.decisions, step.recomputed, strict=False):
            if comparable(event.data) == comparable(made):
                for path in event.data.wording:
                    said, today = _at(event.data, path), _at(made, path)
                    if said != today:
                        yield Otherwise(event.seq, step.task_id, f"wording of {made.type}", said, today)


def _at(data: EventData, path: str) -> Any:
    place: Any = data
    for name in path.split("."):
        place = getattr(place, name)
    return place
