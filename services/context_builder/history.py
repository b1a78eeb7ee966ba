"""The history of a task as units of the prompt, folded from the session's events one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from arreio_contracts import events
from arreio_contracts.task import AnswerCriterion, Criterion, criterion_text

from shared.canonical import canonical_json, clean
from shared.prompt import SUMMARY, TASK_STATE, Message

from .entries import SHORT, Entry, Result, Summary, Turn
from .instruction_changes import Sources, sources_of
from .layers import PROJECT, LayerName, Unit
from .plan import Plan

LEFT_OUT: Final = "left_out"
"""The id of the unit that says that something is missing."""

_PAST_TASKS: Final = 20

FOLDED_TYPES: Final = (
    "task.created",
    "task.profiled",
    "context.built",
    "history.summarised",
    "model.replied",
    "turn.rejected",
    "ladder.climbed",
    "plan.made",
    "subtask.closed",
    "tool.finished",
    "tool.refused",
    "hook.judged",
    "criteria.probed",
    "completion.claimed",
    "completion.refused",
    "gate.judged",
    "task.needs_input",
    "input.received",
    "task.completed",
    "task.blocked",
    "task.failed",
)
"""The events that the history is made of; others need not be read."""


class Event(Protocol):
    """What the fold needs of an event, recorded or pending."""

    @property
    def seq(self) -> int:
        """Its place in the session."""
        ...

    @property
    def event_id(self) -> str:
        """Its id, known before it has a place."""
        ...

    @property
    def type(self) -> str:
        """Its type."""
        ...

    @property
    def task_id(self) -> str | None:
        """The task that it belongs to."""
        ...

    @property
    def data(self) -> Mapping[str, Any]:
        """Its data."""
        ...


@dataclass(slots=True)
class TaskHistory:
    """One task, as the prompt tells it. What left the prompt in an earlier turn is forgotten: `left_out` says so."""

    task_id: str
    goal: str = ""
    skills: events.SkillRouting | None = None
    ui: tuple[bool | None, str] = (None, "")
    """Whether it makes what people see: the contract's word, and why the router thinks so."""
    taste: tuple[str | None, str | None] = (None, None)
    """The names of its rules of taste and of its profile."""
    skill_units: tuple[Unit, ...] = ()
    """What the next prompt says of skills."""
    language: str = "en"
    criteria: tuple[Criterion, ...] = ()
    inferred: bool = False
    met: frozenset[int] = frozenset()
    plan: Plan | None = None
    entries: list[Entry] = field(default_factory=list)
    left_out: bool = False
    summary: Entry | None = None
    """What the last prompt said of what left it."""
    offered: Summary | None = None
    shrunk: Mapping[str, int | None] = field(default_factory=dict)
    """The entries that the last prompt shrank: how many of their outputs, the largest (None: all)."""
    past_retired: bool = False
    project: tuple[str, str] | None = None
    """Id and blob of the project's text, as it was before the first prompt's cut."""
    prompted: bool = False
    agent: str = ""
    workspace: str | None = None
    attachments: tuple[events.LaidFile, ...] = ()
    touched: frozenset[str] = frozenset()
    turn: Turn | None = None
    claims: dict[str, str] = field(default_factory=dict)

    def fork(self) -> "TaskHistory":
        """A copy on which pending events can be folded."""
        return replace(self, entries=list(self.entries), claims=dict(self.claims))

    def all_entries(self) -> list[Entry]:
        """The entries, the turn in flight last."""
        return [*self.entries, self.turn.entry()] if self.turn is not None else self.entries

    @property
    def unmet(self) -> list[Criterion]:
        """The criteria that are not known to hold."""
        return [criterion for number, criterion in enumerate(self.criteria) if number not in self.met]

    def fold(self, event: Event) -> None:
        """Take in one event of this task."""
        match event.type:
            case "task.created":
                self._created(event.data)
            case "task.profiled":
                profiled = events.TaskProfiled.known_of(event.data)
                self.criteria, self.language = profiled.criteria, profiled.language
                self.inferred = profiled.inferred
                self.agent, self.workspace = profiled.agent, profiled.workspace
                self.attachments = profiled.attachments
            case "model.replied":
                replied = events.ModelReplied.known_of(event.data)
                self._close()
                self.turn = Turn(event.event_id, clean(replied.content), replied.calls)
                self._close_if_answered()
            case "tool.finished":
                blob = event.data.get("blob")
                self._answer(event.data["call_id"], Result(clean(event.data["text"]), blob))
                paths = {*event.data.get("seen", ()), *event.data.get("changed", ())}
                self.touched = self.touched if paths <= self.touched else self.touched | paths
            case "tool.refused":
                self._answer(event.data["call_id"], Result(clean(event.data["text"])))
            case "hook.judged":
                self._hook_told(event.event_id, event.data)
            case "turn.rejected" | "ladder.climbed":
                self._nudge(event.event_id, event.data["nudge"])
            case "plan.made":
                self.plan = Plan(events.PlanMade.known_of(event.data).subtasks)
            case "subtask.closed":
                assert self.plan is not None
                self.plan = self.plan.closed(event.data["outcome"])
                self._nudge(event.event_id, event.data["nudge"])
            case "completion.claimed":
                if (call_id := event.data.get("call_id")) is not None:
                    self.claims[event.data["claim_id"]] = call_id
            case "completion.refused":
                call_id = self.claims.pop(event.data["claim_id"], None)
                self._nudge(event.event_id, event.data["nudge"], call_id)
            case "task.needs_input":
                if (call_id := event.data.get("call_id")) is not None:
                    self._answer(call_id, Result("[harness] The question was put to the person."))
            case "input.received":
                self._close()
                self._say(event.event_id, "input", {"role": "user", "content": clean(event.data["text"])})
            case "criteria.probed":
                self._verdicts(event.data["verdicts"])
            case "gate.judged":
                self._verdicts([result["verdict"] for result in event.data["results"]])
            case "context.built":
                self._built(event.data["manifest"])
            case "history.summarised" if not event.data.get("problem"):
                said = harness_message(summary_text(event.data["text"], self.language))
                entry = Entry(f"{SUMMARY}{event.event_id}", canonical_json([said]))
                self.offered = Summary(entry, int(event.data["covered_tokens"]))

    def _created(self, data: Mapping[str, Any]) -> None:
        contract, routing = data.get("contract") or {}, data.get("skills")
        self.goal = clean(str(data["goal"]))
        self.skills = None if routing is None else events.SkillRouting.known_of(routing)
        self.ui = contract.get("ui"), data.get("ui") or ""
        self.taste = (contract.get("taste") or {}).get("rules"), contract.get("profile")

    def _verdicts(self, verdicts: list[str | None]) -> None:
        known = {number for number, verdict in enumerate(verdicts) if verdict is not None}
        passed = {number for number, verdict in enumerate(verdicts) if verdict == "PASS"}
        self.met = frozenset((self.met - known) | passed)

    def _answer(self, call_id: str, result: Result) -> None:
        if self.turn is not None and call_id in self.turn.open_calls():
            self.turn = self.turn.answered(call_id, result)
            self._close_if_answered()

    def _nudge(self, event_id: str, text: str, call_id: str | None = None) -> None:
        """The harness speaks: as the result of the call that it speaks of, else in a message of its own."""
        said = harness_text(text)
        waiting = self.turn.open_calls() if self.turn is not None else []
        if not waiting or (call_id is not None and call_id not in waiting):
            self._close()
            self._say(event_id, "harness", harness_message(text))
            return
        first = call_id or waiting[0]
        for waiting_call in waiting:
            self._answer(waiting_call, Result(said if waiting_call == first else "[harness] Not executed."))

    def _hook_told(self, event_id: str, judged: Mapping[str, Any]) -> None:
        """What a hook adds to the result of a call, or says at the start. A refusal tells its reason by itself."""
        told, phase, call_id = judged.get("told"), judged["phase"], judged.get("call_id")
        if not told or phase not in ("post_tool_use", "session_start"):
            return
        result = self.turn.results.get(call_id) if self.turn is not None and call_id is not None else None
        if self.turn is not None and call_id is not None and result is not None:
            more = replace(result, text=f"{result.text}\n{harness_text(told)}")
            self.turn = self.turn.answered(call_id, more)
        else:
            self._say(event_id, "harness", {"role": "user", "name": "harness", "content": harness_text(told)})

    def _say(self, event_id: str, kind: str, message: Message) -> None:
        self.entries.append(Entry(f"{kind}:{event_id}", canonical_json([message])))

    def _close_if_answered(self) -> None:
        if self.turn is not None and not self.turn.open_calls():
            self._close()

    def _close(self) -> None:
        if self.turn is not None:
            entry = self.turn.entry()
            if entry.whole != "[]":
                self.entries.append(entry)
            self.turn = None

    def _built(self, manifest: Mapping[str, Any]) -> None:
        """What a prompt left out or shrank stays so, after a restart too."""
        for layer in manifest.get("layers", ()):
            if layer["name"] == LayerName.PROJECT_CONTEXT and not self.prompted:
                self.project = _project(layer)
            if layer["name"] == TASK_STATE:
                self._shown([unit["id"] for unit in layer["units"]])
        self.prompted = self.prompted or bool(manifest.get("layers"))

    def _shown(self, ids: list[str]) -> None:
        shown = {name.partition(SHORT)[0] for name in ids}
        first = next((number for number, entry in enumerate(self.all_entries()) if entry.id in shown), 0)
        del self.entries[:first]
        known = [self.summary, self.offered.entry if self.offered else None]
        self.summary, self.offered = next((one for one in known if one and one.id in shown), None), None
        self.left_out = self.left_out or LEFT_OUT in shown or self.summary is not None
        short = [name.partition(SHORT) for name in ids if SHORT in name]
        self.shrunk = {name: int(count) if count else None for name, _, count in short}
        self.past_retired = not any(name.startswith("past:") for name in ids)


def _project(layer: Mapping[str, Any]) -> tuple[str, str] | None:
    """The project's text in a recorded layer: whole, kept, or dropped."""
    whole = [layer["whole"]] if layer.get("whole") else []
    told = (unit for unit in (*whole, *layer["units"], *layer["dropped"]) if unit["id"] == PROJECT)
    return next(((unit["id"], unit["sha256"]) for unit in told if unit.get("sha256")), None)


@dataclass(slots=True)
class SessionHistory:
    """A session up to `seq`: its running tasks, and in short the tasks that ended."""

    seq: int = 0
    tasks: dict[str, TaskHistory] = field(default_factory=dict)
    past: tuple[Entry, ...] = ()
    sources: dict[tuple[str, str | None], Sources] = field(default_factory=dict)
    """The instructions that the last prompt for an agent in a workspace knew."""

    def reset(self) -> None:
        """Forget everything, to be folded from the start."""
        self.seq, self.tasks, self.past, self.sources = 0, {}, (), {}

    def fold(self, event: Event) -> None:
        """Take in the session's next event; one that is known already changes nothing."""
        if event.seq <= self.seq:
            return
        self.seq = event.seq
        if event.task_id is None or event.type not in FOLDED_TYPES:
            return
        task = self.tasks.setdefault(event.task_id, TaskHistory(event.task_id))
        if event.type in events.TERMINAL_TYPES:
            self.past = (*self.past, _ended(task, event))[-_PAST_TASKS:]
            del self.tasks[event.task_id]
        else:
            task.fold(event)
        if event.type == "context.built" and (known := sources_of(event.data["manifest"])) is not None:
            self.sources[task.agent, task.workspace] = known


def _ended(task: TaskHistory, event: Event) -> Entry:
    asked: Message = {"role": "user", "content": task.goal}
    if event.type == "task.completed":
        answer: Message = {"role": "assistant", "content": clean(event.data["reply"])}
    else:
        text = f"That task ended {event.type.removeprefix('task.').upper()}: {event.data['reason']['text']}"
        answer = harness_message(text)
    return Entry(f"past:{task.task_id}", canonical_json([asked, answer]))


def harness_text(text: str) -> str:
    """Text of the harness, marked so that no one takes it for the person's."""
    text = clean(text)
    return text if text.startswith("[harness]") else f"[harness] {text}"


def harness_message(text: str) -> Message:
    """What the harness says, as a message."""
    return {"role": "user", "name": "harness", "content": harness_text(text)}


_CRITERIA_HEADS: Final = {
    (False, False): "The task is done only when all this holds:",
    (True, False): "A tarefa só está pronta quando tudo isto valer:",
    (False, True): "If you change any file, the task is done only when all this holds (found in the workspace):",
    (True, True): "Se você alterar algum arquivo, a tarefa só está pronta quando tudo isto valer (achado na pasta):",
}
"""By whether they are in Portuguese, and whether the criteria were inferred."""


def criteria_text(criteria: tuple[Criterion, ...], language: str, *, inferred: bool = False) -> str | None:
    """What must hold, as the model is told; None where nothing can be named.

    `inferred` criteria were found in the workspace and bind only a task that changes it.
    """
    named = [criterion_text(criterion) for criterion in criteria if not isinstance(criterion, AnswerCriterion)]
    if not named:
        return None
    head = _CRITERIA_HEADS[language == "pt", inferred]
    return harness_text("\n".join([head, *(f"- {text}" for text in named)]))


def left_out_text(language: str) -> str:
    """What stands in the place of history that no longer fits."""
    if language == "pt":
        return harness_text("Turnos mais antigos ficaram de fora; leia de novo o que precisar.")
    return harness_text("Older turns were left out; read again what you need.")


def summary_text(text: str, language: str) -> str:
    """What stands in the place of history that was summed up."""
    head = (
        "Turnos mais antigos ficaram de fora; este é o seu próprio resumo deles, que ninguém conferiu:"
        if language == "pt"
        else "Older turns were left out; this is your own summary of them, which nobody checked:"
    )
    return f"{head}\n{text}"
