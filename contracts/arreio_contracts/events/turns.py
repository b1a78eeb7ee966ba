"""What the tool-loop writes in the turns of a task."""

from typing import Annotated, Any, Literal

from pydantic import Field

from ..grounding import FileNames, Installs, Package, PackageVerdict
from ..messages import ContextManifest, TestCounts, Verdict
from ..task import BlockedCode, Budgets, Contract, Criterion, HookPhase
from .base import EventData, event
from .starting import Effect, ProbedMode, ProbeOutcome, Rung


@event
class InstructionsChanged(EventData):
    """Instructions were edited since the session's last prompt; the next prompt uses the new ones.

    `old` and `new` are the blobs of the unit as it stood and stands in the prompt; None: there was or is none.
    """

    type = "instructions.changed"
    path: str
    old: str | None
    new: str | None


@event
class ContextBuilt(EventData):
    """The prompt of the next turn, as its parts."""

    type = "context.built"
    manifest: ContextManifest


class Usage(Contract):
    """Tokens of one exchange with a model."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = Field(default=False, description="The provider did not say: a third of the UTF-8 bytes.")


@event
class HistorySummarised(EventData):
    """The model summed up the history that a prompt leaves out, or `problem` tells why there is no summary.

    `covers` are the ids of the units that go, oldest first, an earlier summary among them.
    """

    type = "history.summarised"
    covers: Annotated[tuple[str, ...], Field(min_length=1)]
    covered_tokens: int = Field(ge=0, description="Tokens of these units, as the prompt's manifest counted them.")
    text: str = ""
    problem: str | None = None
    model: str
    usage: Usage = Usage()
    cost_usd: float = 0.0


@event
class ModelRequested(EventData):
    """The model is about to be asked."""

    type = "model.requested"
    decision = True
    step: int = Field(ge=1)
    attempt: int = Field(ge=1)
    model: str
    mode: str
    offered: tuple[str, ...]
    temperature: float
    seed: int
    samples: int = Field(default=1, ge=1, description="Replies that are asked for and voted on; their seeds differ.")


class ToolCall(Contract):
    """One call as the model made it. `problem` tells why it could not be read; then it is not executed."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    arguments_blob: str | None = Field(
        default=None, description="SHA-256 of the arguments as JSON, where they are large."
    )
    problem: str | None = None
    problem_code: Literal["truncated", "malformed", "unknown_tool", "bad_arguments"] | None = Field(
        default=None, description="What kind of problem it is."
    )
    repaired: bool = False
    installs: Installs | None = Field(default=None, description="What a command would install from registries.")
    fingerprint: str | None = Field(
        default=None, description="What the call is, whatever its wording: equal for the same tool and arguments."
    )


class SkillLoaded(Contract):
    """A skill that a call put before the model whole."""

    name: str
    source: Literal["workspace", "profile", "learned"]
    version: int | None = None
    text_hash: str = Field(description="SHA-256 of its SKILL.md as it was; it is no blob.")


class LinesRead(Contract):
    """The lines of one thing that a read shows, first and last, counted as the tool counts them.

    Lines at the end of a thing of unknown length count from -1 backwards.
    """

    of: str
    first: int
    last: int
    whole: bool = Field(default=False, description="All of the thing was asked for.")


class TargetSeen(Contract):
    """What a call is about, in hashes."""

    value: str
    parts: tuple[str, ...] = Field(default=(), description="Where several identities name it, each of them.")
    shape: str = Field(description="The same for targets that differ in figures only.")
    words: tuple[str, ...] = Field(default=(), description="By which two may be one thing, spelled in another way.")


class StepDigest(Contract):
    """A call and its result as the rules against loops see them: hashes and classes, no text.

    `symptom` is a sign of failure that the result itself tells (`3 failed`), `error` the class of the failure of a call
    that failed. `scope` is by what failures of different calls add up: the tool, with the program for a shell.
    """

    tool: str
    call: str = Field(description="The call's fingerprint.")
    result: str = Field(description="Hash of the result without its volatile parts.")
    scope: str
    error: str | None = None
    symptom: str | None = None
    failing: int | None = Field(default=None, ge=0, description="How many tests the result says fail.")
    passed: int | None = Field(default=None, ge=0, description="How many tests the result says pass.")
    changed: bool = Field(default=False, description="The workspace changed.")
    state: str | None = Field(default=None, description="Hash of the workspace's content after a change, if known.")
    polling: bool = Field(default=False, description="A call that is meant to be made again until something happens.")
    pending: bool = Field(
        default=False, description="That it may be made again is told by the result alone: something goes on by itself."
    )
    passing: bool = Field(default=False, description="It failed for a reason that may be gone by itself.")
    waits: bool = Field(default=False, description="It lets time pass.")
    probes: bool = Field(default=False, description="It looks for something, and may well not find it.")
    heard: bool = Field(default=False, description="It is a word to somebody, and the result may be an answer.")
    worded: str | None = Field(
        default=None, description="The fingerprint with the wording of what was said, where the answer is brief."
    )
    said: tuple[str, ...] = Field(default=(), description="Hashes of the words that carry what was said to somebody.")
    verbatim: str | None = Field(
        default=None,
        description="Hash of what was said, word by word, unless it is brief but for asking for a next thing.",
    )
    asks: bool = Field(default=False, description="What was said asks for something.")
    slots: tuple[str, ...] = Field(
        default=(), description="Hashes of a command that failed, each with another value in it left open."
    )
    prose: bool = Field(default=False, description="It does nothing but note a thought.")
    fruitless: bool = Field(default=False, description="It searched for a text or a name, and found nothing.")
    screen: bool = Field(
        default=False, description="Something was typed or clicked, and the result is what is shown then."
    )
    shown: str | None = Field(
        default=None, description="Hash of what is shown then, without addresses and the echo of what was typed."
    )
    blind: bool = Field(
        default=False, description="It moves or shows a screen, and the result tells nothing of what is there then."
    )
    guessed: bool = Field(default=False, description="The result says that a password or a code was not the right one.")
    notes: bool = Field(default=False, description="It changed nothing but notes.")
    removes: bool = Field(default=False, description="It removed something, which may then be looked for in vain.")
    news: bool = Field(default=False, description="Nothing like it, with that result, was done before in the task.")
    lines: LinesRead | None = None
    alike: str | None = Field(
        default=None, description="The fingerprint without arguments that are made anew each time, where there are any."
    )
    exact: str | None = Field(
        default=None, description="Hash of a success with its volatile parts, where they may be what was asked for."
    )
    measures: bool = Field(default=False, description="It measures or checks, and may be made again to be sure.")
    checks: bool = Field(default=False, description="Of that, what it took tells nothing: it holds, or it does not.")
    onward: bool = Field(default=False, description="It goes a step from where it is: the same again leads elsewhere.")
    left: int | None = Field(default=None, ge=0, description="How many failures or problems the result says are left.")
    mark: int | None = Field(default=None, description="How good the result says things are, in hundredths.")
    failing_at: str | None = Field(default=None, description="Hash of the names of what fails.")
    in_place: str | None = Field(default=None, description="The file that a command edits in place, if it matches it.")
    looked_at: str | None = Field(default=None, description="The file that a command looks at.")
    target: TargetSeen | None = Field(default=None, description="What a failing call or an empty search was about.")
    ids: tuple[str, ...] = Field(default=(), description="Hashes of the ids that the arguments name.")
    bare: str | None = Field(default=None, description="The fingerprint with a mark for each of these ids.")
    tells: tuple[str, ...] = Field(default=(), description="Hashes of the ids that the result tells.")
    plain: str | None = Field(default=None, description="Hash of the result with a mark for each of these ids.")
    made: tuple[str, ...] = Field(default=(), description="Hashes of the names of what the call made.")
    asked: tuple[str, ...] = Field(default=(), description="Hashes of the names of what a look asks for.")
    hits: tuple[str, ...] = Field(default=(), description="Hashes of the lines that a search shows, the first ones.")
    places: tuple[int, ...] = Field(default=(), description="Lines at which the result says that something failed.")
    grows: int | None = Field(default=None, description="So many lines an edit put in, less those that it took out.")
    named: tuple[str, ...] = Field(default=(), description="Of `said` the words that may be names, by their capitals.")
    forms: tuple[str, ...] = Field(
        default=(), description="Hashes of what was said to somebody, each with another of its words left open."
    )
    replaces: str | None = Field(default=None, description="Hash of the file and the text that an edit replaced.")
    puts: str | None = Field(default=None, description="Hash of the file and the text that an edit put there.")
    found: dict[str, str | None] = Field(
        default_factory=dict, description="Content hashes before the change, by path, where they are known."
    )


LoopKind = Literal["repeat", "cycle", "revisit", "sweep", "breaker", "churn", "progress", "cap"]


class LoopVerdict(Contract):
    """What the rules against loops say of a step. `warn`: once more is too often; `break`: it is."""

    kind: LoopKind
    level: Literal["warn", "break"]
    why: str
    evidence: tuple[str, ...] = Field(default=(), description="Ids of the events that show it, the oldest first.")
    forbids: str | None = Field(default=None, description="The fingerprint of the call that is refused from now on.")
    rule: str = Field(description="Name and version of the rule.")


class PromiseVerdict(Contract):
    """What the intent–action reconciler says of a reply without a call."""

    label: Literal["PROMISE", "NOT_PROMISE"]
    lang: Literal["en", "pt"]
    span: tuple[int, int] | None = None
    why: str
    question: bool = Field(default=False, description="The reply asks the user something.")
    rule: str = Field(description="Name and version of the rule.")


class Vote(Contract):
    """How the samples of one reply agreed. The reply is the first one of the majority; without one there is none."""

    fingerprints: tuple[str, ...] = Field(description="What each sample would do, in the order asked.")
    said: tuple[str, ...] = Field(description="The same in a short line each, for people.")
    votes: int = Field(description="How many samples are for the most frequent one.")
    majority: bool = Field(description="More than half of the samples that were asked for agree.")
    rule: str = Field(description="Name and version of the rule.")


@event
class ModelReplied(EventData):
    """The model answered. Where samples were voted on, usage and cost are those of all."""

    type = "model.replied"
    content: str
    content_blob: str | None = None
    calls: tuple[ToolCall, ...] = ()
    finish_reason: str = ""
    usage: Usage = Usage()
    cost_usd: float = 0.0
    requests: int = Field(default=1, description="How many requests the call mode needed.")
    promise: PromiseVerdict | None = None
    vote: Vote | None = None


@event
class ModelFailed(EventData):
    """The model could not be asked, or did not answer."""

    type = "model.failed"
    kind: Literal[
        "rate_limit",
        "timeout",
        "unavailable",
        "auth",
        "context_overflow",
        "bad_request",
        "unknown_model",
        "missing_key",
        "interrupted",
    ]
    message: str
    retry_after: float | None = Field(default=None, description="Seconds, if the provider said so.")
    lacks: Literal["tools", "response_format"] | None = Field(
        default=None, description="What the provider says the model cannot do, where it refused for that."
    )


@event
class ModelProbed(EventData):
    """A model of no known family showed in which call mode it can be asked; what it lacks stands in `results`."""

    type = "model.probed"
    model: str
    api_base: str | None
    mode: ProbedMode
    results: dict[ProbedMode, ProbeOutcome] = Field(description="What came of each mode that was tried, in order.")
    rule: str = Field(description="Name and version of the rule.")


@event
class TurnRejected(EventData):
    """A reply without any call: it neither acted nor ended. `nudge` is what the model is told.

    `no_majority`: the samples of the reply disagree, which counts as an abstention and not as a rejected turn.
    """

    type = "turn.rejected"
    decision = True
    wording = ("nudge",)
    code: Literal["promise", "question", "no_action", "truncated", "no_majority"]
    nudge: str
    in_a_row: int


class FileEffect(Contract):
    """What a file tool is about to do: content hashes before and after (None: no such file)."""

    path: str
    before: str | None
    after: str | None


@event
class ToolStarted(EventData):
    """A tool is about to be run."""

    type = "tool.started"
    decision = True
    wording = ("summary",)
    call_id: str
    tool: str
    effect: Effect
    summary: str = Field(description="The call in one short line, for people.")
    observed: FileEffect | None = None


@event
class ToolFinished(EventData):
    """A tool was run: what the model is told and what was seen to change."""

    type = "tool.finished"
    call_id: str
    tool: str
    status: Literal["ok", "error", "refused", "interrupted"]
    text: str
    blob: str | None = Field(default=None, description="SHA-256 of the whole text, where `text` is an excerpt.")
    error_class: str | None = None
    exit_status: int | None = None
    seen: dict[str, str] = Field(default_factory=dict, description="Content hashes observed, by path.")
    changed: dict[str, str | None] = Field(default_factory=dict, description="Content hashes after, by path.")
    workspace_changed: bool = False
    snapshot: str = Field(default="", description="The workspace after a command: a git tree in its shadow repository.")
    created: tuple[str, ...] = Field(default=(), description="New files that a command left.")
    names: FileNames | None = Field(default=None, description="What the file that was written names in vain.")
    digest: StepDigest | None = None
    loop: LoopVerdict | None = Field(default=None, description="What the rules against loops say of it.")
    skill: SkillLoaded | None = None


@event
class ToolRefused(EventData):
    """A call that was never run, and what the model is told. Like `tool.finished`, it is the one result of its call."""

    type = "tool.refused"
    decision = True
    wording = ("text",)
    call_id: str
    tool: str
    code: Literal[
        "unknown_tool",
        "bad_arguments",
        "truncated",
        "malformed",
        "not_offered",
        "cap",
        "claim_unchanged",
        "signal_beside_failure",
        "superseded",
        "hook",
        "loop",
        "unknown_package",
        "ungrounded",
        "no_answer",
        "promise",
        "claim_without_action",
        "skill_not_loaded",
    ]
    text: str


HookVerdict = Literal["allow", "ask", "deny", "no_verdict"]
"""What a hook said, from the least restrictive on; `no_verdict`: it said nothing that counts."""


@event
class HookJudged(EventData):
    """A hook was asked and this is what it said. One that refuses ends the chain, so those after it have no event."""

    type = "hook.judged"
    phase: HookPhase
    hook: str
    verdict: HookVerdict
    gate: bool = Field(default=False, description="Without a verdict it refuses.")
    call_id: str | None = None
    claim_id: str | None = None
    subject: str = Field(default="", description="SHA-256 of the tool and arguments that were judged.")
    reason: str = ""
    ends_task: bool = Field(default=False, description="It said that the task must not go on.")
    unavailable: bool = Field(default=False, description="It could not be started.")
    told: str = Field(default="", description="What the model is told of it, beside a refusal.")
    ms: int = 0
    rule: str = Field(default="", description="Name and version of the rule that read its answer.")

    @property
    def refuses(self) -> bool:
        """Whether what it was asked about must not be."""
        return self.verdict == "deny" or (self.verdict == "no_verdict" and self.gate) or self.ends_task


@event
class McpToolsChanged(EventData):
    """A server of tools said that it has others now. The task goes on with those that it began with."""

    type = "mcp.tools_changed"
    server: str


@event
class PackagesChecked(EventData):
    """How the packages stand that a call would install, and what a person who was asked of some said."""

    type = "packages.checked"
    call_id: str
    packages: tuple[PackageVerdict, ...]
    allowed: tuple[Package, ...] = ()
    declined: tuple[Package, ...] = ()
    rule: str = Field(description="Name and version of the rules.")


@event
class ClaimChecked(EventData):
    """What stands against a claim that is about to be made, as the workspace is now.

    `missing`: names in files of the task that stand for nothing. `ungrounded`: what its text names and nobody observed.
    What the text itself says counts where an answer is what was asked for.
    """

    type = "claim.checked"
    missing: tuple[FileNames, ...] = ()
    ungrounded: tuple[str, ...] = ()
    answers: bool = Field(default=True, description="Its text says something to a person.")
    promised: str = Field(default="", description="What its text promises to do, in its words.")
    done: str = Field(default="", description="What its text says that the model did outside of it, in its words.")
    settled: str = Field(default="", description="What its text says is booked or confirmed, in its words.")
    rule: str = Field(description="Name and version of the rules.")


@event
class LadderClimbed(EventData):
    """A task that does not get on takes the next rung; above the last one it is BLOCKED. `nudge` is for the model."""

    type = "ladder.climbed"
    decision = True
    wording = ("text", "nudge")
    rung: Rung
    cause: str = Field(description="What does not get on: `rejected_turns`, `unchanged_claims`, `loop` …")
    code: BlockedCode = Field(description="With which code the task ends, should no rung help.")
    text: str = Field(description="What repeated, for a person.")
    nudge: str
    evidence: tuple[str, ...] = Field(default=(), description="Ids of the events that show it.")


@event
class ModelEscalated(EventData):
    """From the next turn on another model is asked, in its own mode and with its own budgets; what was used stays used.

    `problem` tells why it cannot be; then the task is BLOCKED with the trouble that led here.
    """

    type = "model.escalated"
    model: str
    api_base: str | None = None
    api_key: str | None = Field(default=None, description="The reference of its key.")
    capability: dict[str, Any] = Field(default_factory=dict, description="The new model's capability profile, whole.")
    budgets: Budgets = Budgets()
    problem: str | None = None


class Subtask(Contract):
    """A part of a task. Its criterion marks progress only: a task is COMPLETE by its own criteria alone."""

    title: str = Field(min_length=1, max_length=300)
    criterion: Criterion | None = Field(default=None, description="None: nothing tells whether it is done.")
    steps: int = Field(ge=1, description="Replies of the model after which the next subtask begins.")


@event
class PlanMade(EventData):
    """What is to be done, one thing after the other; it takes the place of an earlier plan."""

    type = "plan.made"
    subtasks: Annotated[tuple[Subtask, ...], Field(min_length=1)]
    by: Literal["model", "harness"]
    problem: str | None = Field(default=None, description="Why the model's own plan could not be used.")
    usage: Usage = Usage()
    cost_usd: float = 0.0
    requests: int = 0


@event
class SubtaskClosed(EventData):
    """A subtask is over, and the next one begins: its criterion holds, or it has used its steps.

    `unverified`: it has no criterion, so nobody knows.
    """

    type = "subtask.closed"
    decision = True
    wording = ("nudge",)
    number: int = Field(ge=0, description="Its place in the plan, from 0.")
    outcome: Literal["done", "unfinished", "unverified"]
    nudge: str


@event
class CriteriaProbed(EventData):
    """How the cheap criteria stand after an effect, in the order of the criteria; None: not cheap."""

    type = "criteria.probed"
    verdicts: tuple[Verdict | None, ...]
    counts: tuple[TestCounts | None, ...] = Field(default=(), description="How many tests ran, where any did.")
    subtask: Verdict | None = Field(default=None, description="The same for a subtask's criterion of its own.")
