"""A task that runs in memory: the real decisions over facts that a test chooses, and the log that results."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from arreio_contracts.events import (
    Batch,
    ClaimChecked,
    ContextBuilt,
    CriteriaProbed,
    EventData,
    GateJudged,
    LadderClimbed,
    Metadata,
    ModelReplied,
    OfferedTool,
    SkillRouting,
    TaskCreated,
    TaskProfiled,
    ToolCall,
    ToolFinished,
)
from arreio_contracts.messages import ContextManifest, CriterionResult, Verdict
from arreio_contracts.task import Budgets, FileExistsCriterion, TaskContract

from services.tool_loop.admission import escalate
from services.tool_loop.fold import evolve
from services.tool_loop.loop_memory import LoopMemory
from services.tool_loop.machine import MACHINE
from services.tool_loop.planning import harness_plan
from services.tool_loop.replay import Recorded, settle
from services.tool_loop.state import LoopState, Stamped
from services.tool_loop.steps import (
    Admit,
    AskModel,
    AwaitInput,
    AwaitJudgement,
    BuildContext,
    CheckClaim,
    CheckPackages,
    End,
    Escalate,
    MakePlan,
    Pause,
    Probe,
    RunHooks,
    RunTool,
    Step,
    next_step,
)
from shared.settings import Settings

TOOLS = (
    OfferedTool(name="read_file", effect="read"),
    OfferedTool(name="write_file", effect="file"),
    OfferedTool(name="run_command", effect="command"),
    OfferedTool(name="abstain", effect="read"),
    OfferedTool(name="task_complete", effect="signal"),
    OfferedTool(name="task_blocked", effect="signal"),
    OfferedTool(name="need_input", effect="signal"),
)
SETTINGS = Settings(home=Path("/nonexistent"))


def profiled(**changes: Any) -> TaskProfiled:
    """A profile with small budgets."""
    found: dict[str, Any] = {
        "model": "test/model",
        "capability": {
            "tool_call_mode": "native",
            "temperature": 0.2,
            "rejected_turns": 3,
            "complete_on_criteria": False,
        },
        "budgets": Budgets(
            max_steps=20,
            max_tool_calls=40,
            max_calls_per_tool=30,
            max_wall_clock=3600.0,
            max_age=86400.0,
            input_expires=60.0,
        ),
        "agent": "developer",
        "workspace": "/w",
        "criteria": (FileExistsCriterion(path="a.txt"),),
        "tools": TOOLS,
    }
    return TaskProfiled(**{**found, **changes})


def call(number: int, name: str, **arguments: Any) -> ToolCall:
    """One readable call."""
    return ToolCall(id=f"call-{number}", name=name, arguments=arguments)


def replied(*calls: ToolCall, content: str = "") -> ModelReplied:
    """A reply with these calls."""
    return ModelReplied(content=content, calls=calls)


def judged(claim_id: str, verdict: Verdict, *, environment: bool = False) -> GateJudged:
    """A judgement of one criterion."""
    result = CriterionResult(criterion="file_exists: a.txt", verdict=verdict, environment=environment)
    return GateJudged(claim_id=claim_id, verdict=verdict, results=(result,), missing="- file_exists: a.txt")


@dataclass
class SimulatedTask:
    """Runs a task step by step. `world` says what happens at each effect; the clock moves a second a step."""

    world: Callable[[Step, LoopState], list[EventData]]
    profile: TaskProfiled = field(default_factory=profiled)
    contract: TaskContract = field(default_factory=TaskContract)
    log: list[Recorded] = field(default_factory=list)
    claim_checks: Iterator[ClaimChecked] = field(default_factory=lambda: iter(()))
    skills: SkillRouting | None = None
    now_ms: int = 1_700_000_000_000

    def __post_init__(self) -> None:
        self.state = LoopState("t_1")
        self.loops = LoopMemory()
        self._ids: Iterator[int] = count(1)
        created = TaskCreated(
            goal="make a.txt",
            contract=self.contract,
            channel="cli",
            message_id="m",
            at_ms=self.now_ms,
            skills=self.skills,
        )
        self.foreign(created)

    def foreign(self, data: EventData) -> None:
        """Another service appends a fact."""
        fact = Stamped(f"e-{next(self._ids)}", data)
        self.loops.take(fact)
        self._append(fact, None)

    def record(self, *facts: EventData) -> None:
        """The loop records facts and what it decides on them."""
        batch = Batch(id=f"b{next(self._ids)}", at_ms=self.now_ms, machine=MACHINE)
        place = count()
        for data in facts:
            fact = Stamped(f"{batch.id}-{next(place)}", data, batch.at_ms, MACHINE)
            self._append(fact._replace(data=self.loops.take(fact)), batch)
        ids = (f"{batch.id}-{number}" for number in place)
        _, made = settle(self.state, batch.at_ms, ids)
        for event in made:
            self._append(event, batch)

    def step(self) -> Step:
        """Do the next effect; the world says what happens. Returns the step that was done."""
        step = next_step(self.state)
        self.now_ms += 1000
        match step:
            case Admit():
                self.record(self.profile)
            case MakePlan():
                self.record(harness_plan(self.state))
            case Escalate():
                assert self.state.created is not None and self.state.profile is not None
                self.record(escalate(self.state.created, self.state.profile, SETTINGS))
            case BuildContext():
                self.record(ContextBuilt(manifest=ContextManifest(prompt_sha256="0" * 64)))
            case Pause(until_ms):
                self.now_ms = max(self.now_ms, until_ms)
                self.record()
            case AwaitJudgement():
                for data in self.world(step, self.state):
                    self.foreign(data)
                self.record()
            case CheckClaim():
                self.record(next(self.claim_checks, ClaimChecked(rule="test")))
            case AskModel() | RunHooks() | RunTool() | Probe() | CheckPackages():
                self.record(*self.world(step, self.state))
            case AwaitInput() | End():
                pass
        return step

    def run(self, most: int = 1000) -> LoopState:
        """Run until it ends or waits for a person."""
        for _ in range(most):
            if isinstance(self.step(), AwaitInput | End):
                return self.state
        raise AssertionError(f"the task did not end in {most} steps")

    def types(self) -> list[str]:
        """The types of the log's events."""
        return [event.data.type for event in self.log]

    def _append(self, event: Stamped, batch: Batch | None) -> None:
        service = "tool_loop" if batch else "gateway"
        metadata = Metadata.model_validate({"service": service, "batch": batch.model_dump() if batch else None})
        self.log.append(Recorded(len(self.log) + 1, event.id, self.state.task_id, event.data, metadata))
        self.state = evolve(self.state, event)


def finished(step: RunTool, *, status: str = "ok", changed: bool = False) -> ToolFinished:
    """The result of a call."""
    return ToolFinished.model_validate(
        {
            "call_id": step.started.call_id,
            "tool": step.started.tool,
            "status": status,
            "text": status,
            "workspace_changed": changed,
        }
    )


def probed(*verdicts: Verdict | None) -> CriteriaProbed:
    """A probe of the cheap criteria."""
    return CriteriaProbed(verdicts=verdicts)


def rungs(task: SimulatedTask) -> list[str]:
    """The rungs that the task climbed, in order."""
    return [event.data.rung for event in task.log if isinstance(event.data, LadderClimbed)]
