"""The next effect of a task: what must be done outside the log before anything more can be decided."""

from dataclasses import dataclass

from arreio_contracts.events import CompletionClaimed, ModelRequested, ToolCall, ToolStarted
from arreio_contracts.task import HookPhase, TaskState

from . import summaries
from .claims import claim_to_check, claims_by_itself
from .decomposing import probe_due, wants_plan
from .hooks.deciding import next_phase
from .requesting import retry_at_ms
from .state import LoopState


@dataclass(frozen=True)
class Admit:
    """Find out with which model, tools, criteria and budgets the task runs."""


@dataclass(frozen=True)
class MakePlan:
    """Take the task apart, before its first turn or anew."""


@dataclass(frozen=True)
class Escalate:
    """Find out how the stronger model is asked."""


@dataclass(frozen=True)
class BuildContext:
    """Ask the context-builder for the prompt of the next turn."""


@dataclass(frozen=True)
class Summarise:
    """Have the model sum up what the prompt leaves out."""

    units: tuple[summaries.Unit, ...]


@dataclass(frozen=True)
class AskModel:
    """Send the request."""

    request: ModelRequested


@dataclass(frozen=True)
class RunTool:
    """Carry out the call that was started."""

    started: ToolStarted
    call: ToolCall


@dataclass(frozen=True)
class CheckPackages:
    """Look up the packages that a call would install."""

    call: ToolCall


@dataclass(frozen=True)
class CheckClaim:
    """Find out what stands against a claim with this text, before it is made."""

    reply: str


@dataclass(frozen=True)
class RunHooks:
    """Ask the hooks of a phase: about a call, about the claim that is judged, or of the task that ended."""

    phase: HookPhase
    call: ToolCall | None = None


@dataclass(frozen=True)
class Probe:
    """Ask the gate-runner how the cheap criteria stand."""


@dataclass(frozen=True)
class AwaitJudgement:
    """Wait for the gates of a claim."""

    claim: CompletionClaimed


@dataclass(frozen=True)
class Pause:
    """Nothing to do before a moment (milliseconds since the epoch)."""

    until_ms: int


@dataclass(frozen=True)
class AwaitInput:
    """A person has been asked; the task rests until an answer comes or it expires."""

    expires_ms: int


@dataclass(frozen=True)
class End:
    """The task is over."""


Step = (
    Admit
    | MakePlan
    | Escalate
    | BuildContext
    | Summarise
    | AskModel
    | RunTool
    | RunHooks
    | CheckPackages
    | CheckClaim
    | Probe
    | AwaitJudgement
    | Pause
    | AwaitInput
    | End
)

_DURABLE_BEFORE = (MakePlan, Summarise, AskModel, RunTool, RunHooks, AwaitJudgement, Pause, AwaitInput, End)


def durable_before(step: Step) -> bool:
    """Whether everything decided so far must be committed before this: it is seen from outside, or lasts.

    A call that only reads is neither: after a crash, that it was made is forgotten, and it is made again.
    """
    return isinstance(step, _DURABLE_BEFORE) and not is_read(step)


def is_read(step: Step) -> bool:
    """Whether a step is a call that changes nothing anywhere."""
    return isinstance(step, RunTool) and step.started.effect == "read"


def next_step(state: LoopState) -> Step:
    """What to do next, once `decide` has nothing more to say."""
    asked = next_phase(state)
    if asked is not None:
        return RunHooks(*asked)
    match state.state:
        case TaskState.PENDING:
            return Admit()
        case TaskState.NEEDS_INPUT:
            assert state.question is not None
            return AwaitInput(state.question.expires_ms)
        case TaskState.IN_PROGRESS:
            return _in_progress(state)
        case _:
            return End()


def _in_progress(state: LoopState) -> Step:
    match state.phase:
        case "built":
            units = summaries.due(state)
            return Summarise(units) if units else Pause(retry_at_ms(state))
        case "asking":
            assert state.request is not None
            return AskModel(state.request)
        case "judging":
            assert state.claim is not None
            return AwaitJudgement(state.claim)
        case "acting":
            if state.open_call is not None:
                assert state.reply is not None
                call = next(call for call in state.reply.calls if call.id == state.open_call.call_id)
                return RunTool(state.open_call, call)
            if state.queue:
                return CheckPackages(state.queue[0])
            text = claim_to_check(state)
            if text is not None:
                return CheckClaim(text)
            if probe_due(state, claims_by_itself=claims_by_itself(state)):
                return Probe()
            return _next_turn(state)
        case _:
            return _next_turn(state)


def _next_turn(state: LoopState) -> Step:
    if state.escalating:
        return Escalate()
    return MakePlan() if wants_plan(state) else BuildContext()
