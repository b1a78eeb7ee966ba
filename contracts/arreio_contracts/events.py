"""Every event of a task's life, in the order in which they happen.

An event is either a *fact* (something happened: a message came, a model answered, a gate judged) or a *decision* of the
state machine, which follows from the events before it. Replay folds the facts and makes the decisions again. A decision
may carry `observed`: what was seen while it was carried out, which replay takes as recorded.
"""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from .grounding import FileNames, Installs, Package, PackageVerdict
from .messages import (
    Attachment,
    ContextManifest,
    CriterionResult,
    InboundMessage,
    SkippedFile,
    TestCounts,
    Verdict,
)
from .task import BlockedCode, Budgets, Contract, Criterion, Hook, HookPhase, Reason, TaskContract

Service = Literal["gateway", "context_builder", "tool_loop", "gate_runner", "learning", "operator", "console"]


class EventData(Contract):
    """Base of the data of every event: its type, version, writer, and whether it is a decision.

    `wording` are the fields of a decision, as dotted paths, that only say it in words. They may be said better without
    the decision being another, so replay compares them for information only.
    """

    type: ClassVar[str]
    version: ClassVar[int] = 1
    writer: ClassVar[Service] = "tool_loop"
    decision: ClassVar[bool] = False
    wording: ClassVar[tuple[str, ...]] = ()


EVENTS: dict[str, type[EventData]] = {}
"""Every event type and its contract."""


def _event(kind: type[EventData]) -> type[EventData]:
    EVENTS[kind.type] = kind
    return kind


class Batch(Contract):
    """The step that wrote an event: facts and the decisions made on them at one moment."""

    id: str
    at_ms: int = Field(description="The writer's clock, milliseconds since the epoch, which the decisions used.")
    machine: int = Field(default=1, ge=1, description="The version of the state machine that decided.")


class Metadata(Contract):
    """What is known of an event apart from its data."""

    service: Service
    code_version: str = ""
    correlation: str = Field(default="", description="The id of the message that it all began with.")
    causation: str = Field(default="", description="The id of the event that led to this one.")
    traceparent: str = ""
    batch: Batch | None = None


# --- the gateway ---


@_event
class SessionCreated(EventData):
    """A conversation was seen for the first time."""

    type = "session.created"
    writer = "gateway"
    channel: str
    account: str = ""
    conversation: str
    thread: str = ""
    sender: str | None = Field(default=None, description="Part of the key for direct messages.")


@_event
class MessageReceived(EventData):
    """A person's message was accepted."""

    type = "message.received"
    writer = "gateway"
    channel: str
    message: InboundMessage


class RoutedSkill(Contract):
    """A skill that a task may use, as the router found it.

    `forced` ones are the contract's; `blob` is then the SHA-256 of the SKILL.md, kept as it was.
    """

    name: str
    description: str
    source: Literal["workspace", "profile", "learned"]
    path: str = Field(description="Its SKILL.md: in the workspace, or where else it lies.")
    version: int | None = Field(default=None, description="Of a learned one.")
    forced: bool = False
    relevant: bool = Field(default=False, description="The request seems to be about it.")
    score: float = 0.0
    blob: str | None = None


class SkillRouting(Contract):
    """Which skills the router found for a task, the most relevant first, and by which rule."""

    rule: str = Field(description="Name and version of what judged the relevance.")
    skills: tuple[RoutedSkill, ...] = ()
    unlisted: int = Field(default=0, description="Skills that there are beside these.")
    problems: tuple[SkippedFile, ...] = Field(default=(), description="Files that are no skills, and why.")


class GivenProfile(Contract):
    """The profile that a task was made with; what it gave stands in the task's contract too."""

    name: str
    version: str = Field(description="SHA-256 of its file.")
    why: str = Field(default="", description="Which of its patterns fitted, or that it was named.")
    gave: dict[str, Any] = Field(default_factory=dict, description="The fields of the contract that are its own.")


@_event
class TaskCreated(EventData):
    """A message became a task; it is PENDING."""

    type = "task.created"
    writer = "gateway"
    goal: str
    contract: TaskContract
    channel: str
    message_id: str
    attachments: tuple[Attachment, ...] = ()
    at_ms: int
    skills: SkillRouting | None = Field(default=None, description="None: there were none.")
    ui: str = Field(default="", description="Why it counts as a task that makes what people see; empty: it does not.")
    profile: GivenProfile | None = Field(default=None, description="None: no profile's file had a part in it.")


@_event
class InputReceived(EventData):
    """A person answered the question of a task: NEEDS_INPUT → IN_PROGRESS."""

    type = "input.received"
    writer = "gateway"
    text: str
    message_id: str


@_event
class TaskCancelRequested(EventData):
    """A person asked to end a task."""

    type = "task.cancel_requested"
    writer = "gateway"
    by: str
    text: str = ""


@_event
class ReplyQueued(EventData):
    """What is said on the channel; sent through the outbox, once."""

    type = "reply.queued"
    writer = "gateway"
    kind: Literal["reply", "question", "notice"]
    channel: str
    account: str = ""
    conversation: str
    thread: str = ""
    reply_to: str | None = None
    text: str
    state: str


# --- the tool-loop: starting ---


Effect = Literal["read", "file", "command", "signal"]
"""What running a tool can change: nothing, one file, anything in the workspace, or the state of the task."""


Rung = Literal["nudge", "redecompose", "escalate"]
"""The rungs of the ladder, from the lowest: say it, plan anew from what is unmet, ask a stronger model."""


ProbedMode = Literal["native", "json_schema", "text"]
"""A call mode that a model of no known family is tried in."""
ProbeOutcome = Literal["works", "no_call", "refused"]
"""What came of it: a call, replies without one, or the provider's refusal."""


class OfferedTool(Contract):
    """A tool that the model may call."""

    name: str
    effect: Effect


class RemoteTool(Contract):
    """A tool of an MCP server, as the server described it when the task began."""

    name: str = Field(description="As the model calls it.")
    server: str
    remote_name: str = Field(description="As its server calls it.")
    description: str
    parameters: dict[str, Any] = Field(description="JSON Schema of its arguments.")


class LaidFile(Contract):
    """An attachment of a task, as it was laid into the workspace."""

    name: str = Field(description="Its name made harmless.")
    media_type: str = "application/octet-stream"
    size: int = Field(default=0, ge=0, description="Bytes.")
    path: str | None = Field(default=None, description="Relative to the workspace; None: it was not laid there.")
    excerpt: str | None = Field(default=None, description="The beginning of a text; None for what is no text.")
    whole: bool = Field(default=False, description="The excerpt is all of it.")
    problem: str | None = None


@_event
class TaskProfiled(EventData):
    """With what a task will run: the contract's wishes, resolved. `problem` tells why it cannot."""

    type = "task.profiled"
    model: str
    api_base: str | None = None
    api_key: str | None = Field(default=None, description="The reference of the model's key; unset: the provider's.")
    capability: dict[str, Any] = Field(description="The model's capability profile, whole.")
    budgets: Budgets = Field(description="Every budget resolved.")
    agent: str
    workspace: str | None
    criteria: tuple[Criterion, ...]
    inferred: bool = Field(default=False, description="The criteria are the harness's own.")
    tools: tuple[OfferedTool, ...] = Field(description="The tools and signals of the task, in order.")
    remote_tools: tuple[RemoteTool, ...] = Field(default=(), description="What the tools of MCP servers are.")
    hooks: tuple[Hook, ...] = Field(default=(), description="The hooks of the task, in the order in which they run.")
    language: Literal["en", "pt"] = "en"
    verifiers: dict[str, str] = Field(
        default_factory=dict, description="SHA-256 of each file that judges, at the start."
    )
    renamed: tuple[tuple[str, str], ...] = Field(
        default=(), description="Names that the goal asks to be changed: the old and the new one."
    )
    opened: tuple[str, ...] = Field(
        default=(),
        description="Files that judge, which the goal asks to change; with `::` and a name that test in it alone, "
        "with `::+` they may only grow.",
    )
    snapshot: str = Field(default="", description="The workspace at the start: a git tree in its shadow repository.")
    inventory: str = Field(
        default="", description="What that tree leaves out, for a `diff` criterion: a blob in the shadow repository."
    )
    attachments: tuple[LaidFile, ...] = Field(default=(), description="The message's files, in their order.")
    probe: tuple[ProbedMode, ...] = Field(
        default=(), description="No family knows the model: the call modes that its first turns try, in this order."
    )
    problem: Reason | None = None


@_event
class TaskStarted(EventData):
    """PENDING → IN_PROGRESS."""

    type = "task.started"
    decision = True


@_event
class TaskResumed(EventData):
    """A worker took up a task that was under way: handed over in order, or taken over from one that died."""

    type = "task.resumed"
    cause: Literal["handover", "takeover"]


# --- the tool-loop: a turn ---


@_event
class InstructionsChanged(EventData):
    """Instructions were edited since the session's last prompt; the next prompt uses the new ones.

    `old` and `new` are the blobs of the unit as it stood and stands in the prompt; None: there was or is none.
    """

    type = "instructions.changed"
    path: str
    old: str | None
    new: str | None


@_event
class ContextBuilt(EventData):
    """The prompt of the next turn, as its parts."""

    type = "context.built"
    manifest: ContextManifest


class Usage(Contract):
    """Tokens of one exchange with a model."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = Field(default=False, description="The provider did not say: a third of the UTF-8 bytes.")


@_event
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


@_event
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
        default=None, description="Hash of what was said, word by word, unless it is brief or asks for a next thing."
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


@_event
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


@_event
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


@_event
class ModelProbed(EventData):
    """A model of no known family showed in which call mode it can be asked; what it lacks stands in `results`."""

    type = "model.probed"
    model: str
    api_base: str | None
    mode: ProbedMode
    results: dict[ProbedMode, ProbeOutcome] = Field(description="What came of each mode that was tried, in order.")
    rule: str = Field(description="Name and version of the rule.")


@_event
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


@_event
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


@_event
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


@_event
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


@_event
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


@_event
class McpToolsChanged(EventData):
    """A server of tools said that it has others now. The task goes on with those that it began with."""

    type = "mcp.tools_changed"
    server: str


@_event
class PackagesChecked(EventData):
    """How the packages stand that a call would install, and what a person who was asked of some said."""

    type = "packages.checked"
    call_id: str
    packages: tuple[PackageVerdict, ...]
    allowed: tuple[Package, ...] = ()
    declined: tuple[Package, ...] = ()
    rule: str = Field(description="Name and version of the rules.")


@_event
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


@_event
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


@_event
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


@_event
class PlanMade(EventData):
    """What is to be done, one thing after the other; it takes the place of an earlier plan."""

    type = "plan.made"
    subtasks: Annotated[tuple[Subtask, ...], Field(min_length=1)]
    by: Literal["model", "harness"]
    problem: str | None = Field(default=None, description="Why the model's own plan could not be used.")
    usage: Usage = Usage()
    cost_usd: float = 0.0
    requests: int = 0


@_event
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


@_event
class CriteriaProbed(EventData):
    """How the cheap criteria stand after an effect, in the order of the criteria; None: not cheap."""

    type = "criteria.probed"
    verdicts: tuple[Verdict | None, ...]
    counts: tuple[TestCounts | None, ...] = Field(default=(), description="How many tests ran, where any did.")
    subtask: Verdict | None = Field(default=None, description="The same for a subtask's criterion of its own.")


# --- the claim and its gates ---


@_event
class CompletionClaimed(EventData):
    """Somebody says that the task is done. Nothing more."""

    type = "completion.claimed"
    decision = True
    wording = ("reply",)
    claim_id: str
    by: Literal["model", "harness"]
    reply: str
    call_id: str | None = None


@_event
class GateStarted(EventData):
    """The gate-runner began to judge a claim."""

    type = "gate.started"
    writer = "gate_runner"
    claim_id: str


@_event
class GateRendered(EventData):
    """A page as a browser showed it while a claim was judged; `problem` tells why it could not be shown."""

    type = "gate.rendered"
    writer = "gate_runner"
    claim_id: str
    page: str = Field(description="Its path in the workspace.")
    width: int = Field(description="Of the screen, in CSS pixels.")
    height: int
    screenshot: str | None = Field(default=None, description="SHA-256 of the blob, a PNG.")
    measures: str | None = Field(default=None, description="SHA-256 of the blob: what was measured, JSON.")
    browser: str = Field(default="", description="Its name and version.")
    problem: str = ""


class TasteViolation(Contract):
    """What a model has against a file: it quotes a line that stands there."""

    rule: str
    path: str
    line: int = Field(ge=1)
    quote: str
    why: str = ""


@_event
class GateTasted(EventData):
    """A model judged the rules of taste that need a reader; `problem` tells why it did not."""

    type = "gate.tasted"
    writer = "gate_runner"
    claim_id: str
    model: str
    api_base: str | None = None
    request_blob: str | None = Field(default=None, description="SHA-256 of what it was asked: its messages, as JSON.")
    reply_blob: str | None = Field(default=None, description="SHA-256 of its reply.")
    violations: tuple[TasteViolation, ...] = ()
    dropped: tuple[str, ...] = Field(default=(), description="What it said and is not so, a line each.")
    asked: bool = Field(default=True, description="False: the same had been asked before, or nobody was asked.")
    usage: Usage = Usage()
    cost_usd: float = 0.0
    problem: str = ""
    rule: str = Field(default="", description="Name and version of what read the reply.")


@_event
class GateJudged(EventData):
    """The judgement of a claim, criterion by criterion."""

    type = "gate.judged"
    writer = "gate_runner"
    claim_id: str
    verdict: Verdict
    results: tuple[CriterionResult, ...]
    missing: str = Field(default="", description="The exact list of what is missing, in the task's language.")
    missing_blob: str | None = Field(default=None, description="SHA-256 of the whole list, where `missing` is cut.")
    snapshot: str = Field(default="", description="The workspace that was judged: a git tree in its shadow repository.")
    snapshot_after: str = Field(default="", description="The workspace when the judgement was done.")


@_event
class CompletionRefused(EventData):
    """A claim that the gates did not bear out or a hook refused, and what the model is told."""

    type = "completion.refused"
    decision = True
    wording = ("nudge",)
    claim_id: str
    verdict: Verdict
    nudge: str
    by: Literal["gates", "hook", "taste"] = "gates"


# --- ends ---


@_event
class TaskNeedsInput(EventData):
    """IN_PROGRESS → NEEDS_INPUT: a question for a person."""

    type = "task.needs_input"
    decision = True
    wording = ("question",)
    question: str
    call_id: str | None = None
    packages: tuple[Package, ...] = Field(default=(), description="The installs that it asks a yes for.")
    expires_ms: int


class Totals(Contract):
    """What a task used."""

    steps: int
    tool_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float
    seconds: float = Field(description="Time under a lease.")


@_event
class TaskCompleted(EventData):
    """IN_PROGRESS → COMPLETE: every gate passed."""

    type = "task.completed"
    decision = True
    claim_id: str
    reply: str
    totals: Totals


@_event
class TaskBlocked(EventData):
    """→ BLOCKED, with a typed reason."""

    type = "task.blocked"
    decision = True
    wording = ("reason.text", "reason.unblock")
    reason: Reason
    totals: Totals


@_event
class TaskFailed(EventData):
    """IN_PROGRESS → FAILED: a budget ran out."""

    type = "task.failed"
    decision = True
    wording = ("reason.text", "reason.unblock")
    reason: Reason
    totals: Totals


# --- the operator ---


@_event
class SessionForked(EventData):
    """The events before this one are a copy of another session's, with ids of their own."""

    type = "session.forked"
    writer = "operator"
    source_session: str
    source_seq: int = Field(ge=1, description="The last event that was copied.")
    source_hash: str = Field(description="The hash of that event in the source, hexadecimal.")
    workspace: str | None = Field(default=None, description="Where the copied tasks that were open work from now on.")


@_event
class TaskParked(EventData):
    """An open task was copied with its session; it asks a person before it goes on. Its age counts from here."""

    type = "task.parked"
    writer = "operator"
    why: Literal["forked", "imported"]
    at_ms: int


# --- the console ---


OperatorAct = Literal[
    "session.verify",
    "session.fork",
    "dead.resend",
    "dead.skip",
    "proposal.approve",
    "proposal.reject",
    "proposal.rollback",
]
"""What a person can have done by the console."""


@_event
class OperatorActed(EventData):
    """A person asked for something by the console; recorded before it is carried out."""

    type = "operator.acted"
    writer = "console"
    by: str = Field(min_length=1, max_length=128, description="The name under which the person had signed in.")
    act: OperatorAct
    target: str = Field(description="What it was done to: a session, a proposal, the number of a dead letter.")
    details: dict[str, str] = Field(default_factory=dict, description="What else the person said.")


@_event
class OperatorActEnded(EventData):
    """What came of what a person asked for. One without it was cut off, and may have been carried out or not."""

    type = "operator.act_ended"
    writer = "console"
    by: str = Field(min_length=1, max_length=128)
    act: OperatorAct
    acted: str = Field(description="The id of the event `operator.acted`.")
    done: bool
    result: str = Field(default="", description="What came of it in a line, or why it could not be done.")


# --- learning ---


LearntKind = Literal["skill", "rule", "persona", "taste"]
"""What can be learnt. A persona is an agent's instructions, taste a file of rules; the others are learning's own."""


class Preconditions(Contract):
    """For which tasks something learnt is meant; what is empty asks nothing."""

    criteria: tuple[str, ...] = Field(default=(), description="Kinds of exit criteria, one of which the task has.")
    workspace: str | None = Field(default=None, description="The folder that the task works in.")


class Evidence(Contract):
    """An event that something learnt rests on; `arreio events show SESSION` shows it."""

    session_id: str
    seq: int = Field(ge=1)
    event_id: str
    type: str


class Taint(Contract):
    """A part of a proposal's text that a person must see before it is in force, and which event it came with.

    A tool's output, a web page, words that a person quoted from another, or a secret, masked, that somebody said.
    """

    source: Literal["tool_output", "web", "quoted", "secret"]
    event_id: str
    excerpt: str


class Learnt(Contract):
    """One version of something that was approved."""

    kind: LearntKind
    name: str
    version: int = Field(ge=1)


@_event
class ProposalCreated(EventData):
    """Something that may be worth learning, for a person to approve."""

    type = "proposal.created"
    writer = "learning"
    proposal_id: str
    kind: LearntKind
    title: str
    text: str = Field(description="A rule; a SKILL.md; or what is added to an agent's instructions or a file of taste.")
    source_session: str
    source_task: str
    provenance: Annotated[tuple[str, ...], Field(min_length=1, description="Ids of the events that it rests on.")]
    name: str = Field(default="", description="What it is called once it is approved.")
    target: str = Field(default="", description="Of a persona: the agent; of taste: the rules' name.")
    gist: str = Field(default="", description="The words by which near-duplicates are found.")
    evidence: tuple[Evidence, ...] = ()
    preconditions: Preconditions = Preconditions()
    expires_days: int = Field(default=30, ge=1, description="Counted from its approval.")
    taint: tuple[Taint, ...] = ()
    updates: str = Field(default="", description="The proposal that it is a newer wording of, in force or waiting.")
    similarity: float | None = Field(default=None, description="How alike the two are, 0 to 1.")
    rule: str = Field(default="", description="Name and version of the rules that distilled and compared it.")


@_event
class ProposalSupported(EventData):
    """Another task taught the same as a proposal that there is: no new one is made, and the text stays as it is.

    `text` is a newer wording in events of before; nothing follows from it any more, since whoever approves a proposal
    has seen the text that it was made with.
    """

    type = "proposal.supported"
    writer = "learning"
    proposal_id: str
    source_session: str
    source_task: str
    text: str = ""
    evidence: Annotated[tuple[Evidence, ...], Field(min_length=1)]
    taint: tuple[Taint, ...] = ()
    similarity: float
    rule: str


@_event
class ProposalApproved(EventData):
    """A person let a proposal be in force, as one version."""

    type = "proposal.approved"
    writer = "learning"
    proposal_id: str
    by: str
    learnt: Learnt
    text: str
    preconditions: Preconditions = Preconditions()
    expires_ms: int | None = Field(default=None, description="None: not by itself.")
    diff: str = Field(default="", description="Of a persona or taste: the change that the person saw.")
    tainted: bool = Field(
        default=False, description="It holds text of tools or web pages, and the person said yes to it."
    )


@_event
class ProposalRejected(EventData):
    """A person does not want it; the same is not proposed again."""

    type = "proposal.rejected"
    writer = "learning"
    proposal_id: str
    by: str
    why: str = ""


@_event
class LearntRolledBack(EventData):
    """A person took a version out of force; the version before it is in force again, if there is one."""

    type = "learnt.rolled_back"
    writer = "learning"
    proposal_id: str
    learnt: Learnt
    to_version: int | None
    by: str
    why: str = ""


@_event
class LearntScored(EventData):
    """How a task ended, and what of the learnt it had before it: `neutral` ends say nothing of the work."""

    type = "learnt.scored"
    writer = "learning"
    source_session: str
    source_task: str
    outcome: Literal["success", "failure", "neutral"]
    code: str = ""
    agent: str = ""
    workspace: str | None = None
    criteria: tuple[str, ...] = ()
    used: tuple[Learnt, ...] = ()
    rule: str


class Score(Contract):
    """Tasks that ended, with one version and without any of it."""

    successes: int = Field(ge=0)
    failures: int = Field(ge=0)
    successes_without: int = Field(ge=0)
    failures_without: int = Field(ge=0)


@_event
class LearntPromoted(EventData):
    """A version on trial did well in enough tasks: it is established, and stays in force for longer."""

    type = "learnt.promoted"
    writer = "learning"
    learnt: Learnt
    score: Score
    expires_ms: int
    rule: str


@_event
class LearntDemoted(EventData):
    """The tasks that had a version before them did worse: it is out of force."""

    type = "learnt.demoted"
    writer = "learning"
    learnt: Learnt
    to_version: int | None
    score: Score
    rule: str


@_event
class LearntExpired(EventData):
    """A version's time was over."""

    type = "learnt.expired"
    writer = "learning"
    learnt: Learnt


TERMINAL_TYPES = ("task.completed", "task.blocked", "task.failed")
