"""The task contract: the goal, how it is judged, who does it, and within which bounds."""

import re
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from .criterion_meaning import why_no_page, why_no_path, why_no_test_command
from .errors import InvalidBody


class Contract(BaseModel):
    """Base of every model here: frozen, and unknown fields are refused by name, so that whoever writes writes right.

    What is recorded may have been written by newer code, which knows more fields: it is read by `known_of`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def known_of(cls, recorded: Any) -> Self:
        """What this version knows of recorded data; fields that it does not know are passed over, at every level.

        Raises:
            ValidationError: what it knows does not fit.
        """
        return cls.model_validate(recorded, extra="ignore")

    @classmethod
    def known_of_json(cls, recorded: str | bytes) -> Self:
        """The same of JSON."""
        return cls.model_validate_json(recorded, extra="ignore")


class TaskState(StrEnum):
    """Where a task stands. The legal moves are `TRANSITIONS`."""

    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    NEEDS_INPUT = "NEEDS_INPUT"
    COMPLETE = "COMPLETE"
    BLOCKED = "BLOCKED"
    FAILED = "FAILED"

    @property
    def terminal(self) -> bool:
        """True when nothing can follow."""
        return not TRANSITIONS[self]


TRANSITIONS: dict[TaskState, frozenset[TaskState]] = {
    TaskState.PENDING: frozenset({TaskState.IN_PROGRESS, TaskState.BLOCKED}),
    TaskState.IN_PROGRESS: frozenset({TaskState.COMPLETE, TaskState.BLOCKED, TaskState.NEEDS_INPUT, TaskState.FAILED}),
    TaskState.NEEDS_INPUT: frozenset({TaskState.IN_PROGRESS, TaskState.BLOCKED}),
    TaskState.COMPLETE: frozenset(),
    TaskState.BLOCKED: frozenset(),
    TaskState.FAILED: frozenset(),
}

FailedCode = Literal[
    "max_steps", "max_wall_clock", "max_tool_calls", "max_tokens", "max_cost", "max_age", "context_unfittable"
]
"""The budgets whose end makes a task FAILED."""

BlockedCode = Literal[
    "cancelled",
    "unsatisfiable_gate",
    "hook_unavailable",
    "input_expired",
    "declared_by_model",
    "no_action",
    "false_completion",
    "loop",
    "no_progress",
    "crash_loop",
    "gate_environment",
    "provider_auth",
    "provider_rejected",
    "provider_unavailable",
    "unknown_model",
    "workspace_unavailable",
    "sandbox_unavailable",
    "hook_denied",
    "hook_refuses_stop",
    "mcp_unavailable",
]
"""Why a task is BLOCKED."""


class Reason(Contract):
    """Why a task ended otherwise than COMPLETE."""

    code: FailedCode | BlockedCode
    text: str = Field(description="The diagnosis, for a person.")
    evidence: tuple[str, ...] = Field(default=(), description="Ids of the events that show it.")
    unblock: str = Field(default="", description="What would let the task go on.")


class CommandCriterion(Contract):
    """A command must end with status 0."""

    kind: Literal["command"] = "command"
    run: str = Field(min_length=1, description="Run by `sh -c` in the workspace.")


MOST_NAME_BYTES = 255
MOST_PATH_BYTES = 2048
"""What file systems take, with room for the workspace's own path."""


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or not parts:
        raise ValueError("the path must be relative and stay in the workspace")
    return _nameable(path)


def _nameable(path: str) -> str:
    """What no file system can hold is refused at once, before anything looks for it."""
    if "\0" in path:
        raise ValueError("a path cannot hold a NUL character")
    sizes = [len(part.encode("utf-8", "surrogatepass")) for part in path.split("/")]
    if max(sizes) > MOST_NAME_BYTES:
        raise ValueError(f"a name in the path is longer than {MOST_NAME_BYTES} bytes")
    if sum(sizes) + len(sizes) > MOST_PATH_BYTES:
        raise ValueError(f"the path is longer than {MOST_PATH_BYTES} bytes")
    return path


class TestsCriterion(Contract):
    """A test command must run at least one test, and none may fail."""

    __test__ = False

    kind: Literal["tests"] = "tests"
    run: str = Field(min_length=1, description="Run by `sh -c` in the workspace, e.g. `pytest -q`.")
    min_tests: int = Field(default=1, ge=0, description="How many tests must have run.")
    report: str | None = Field(
        default=None,
        description="The JUnit XML that the command leaves in the workspace; of an unknown runner.",
    )

    @field_validator("report")
    @classmethod
    def _report_inside(cls, value: str | None) -> str | None:
        return value if value is None else _inside(value)


class FileExistsCriterion(Contract):
    """A file must exist in the workspace."""

    kind: Literal["file_exists"] = "file_exists"
    path: str = Field(min_length=1, description="Relative to the workspace.")

    _path = field_validator("path")(_inside)


class FileContainsCriterion(Contract):
    """A file must hold text that matches a regular expression (Python's, searched, multiline)."""

    kind: Literal["file_contains"] = "file_contains"
    path: str = Field(min_length=1, description="Relative to the workspace.")
    regex: str = Field(min_length=1)

    _path = field_validator("path")(_inside)

    @field_validator("regex")
    @classmethod
    def _compiles(cls, value: str) -> str:
        try:
            re.compile(value, re.MULTILINE)
        except RecursionError as error:
            raise ValueError("not a regular expression that can be used: it is nested too deeply") from error
        except (re.error, OverflowError, MemoryError, ValueError) as error:
            raise ValueError(f"not a regular expression: {error}") from error
        return value


class ContractCriterion(Contract):
    """A produced file must fit a schema (JSON Schema, OpenAPI or a pydantic contract)."""

    kind: Literal["contract"] = "contract"
    path: str = Field(min_length=1)
    schema_path: str = Field(min_length=1)

    _path = field_validator("path")(_inside)
    _schema_path = field_validator("schema_path")(_nameable)


class DiffCriterion(Contract):
    """Only the allowed paths may have changed (patterns as in gitignore)."""

    kind: Literal["diff"] = "diff"
    allowed: tuple[str, ...] = Field(min_length=1)

    @field_validator("allowed")
    @classmethod
    def _allows_something(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(".." in one.split("/") for one in value):
            raise ValueError("a pattern must stay in the workspace")
        if all(one.startswith(("!", "#")) for one in value):
            raise ValueError("no pattern allows any change: after `!` stands what may not change, after `#` a comment")
        return value


class ScreenshotCriterion(Contract):
    """A page must show something in a browser, with no error of its scripts; what it shows is kept as a screenshot."""

    kind: Literal["screenshot"] = "screenshot"
    path: str = Field(min_length=1, description="An HTML file, relative to the workspace.")
    width: int = Field(default=1280, ge=100, le=4000, description="Of the screen, in CSS pixels.")
    height: int = Field(default=800, ge=100, le=4000)

    _path = field_validator("path")(_inside)


class AnswerCriterion(Contract):
    """The reply must be non-empty; for tasks that change nothing."""

    kind: Literal["answer"] = "answer"


Criterion = Annotated[
    CommandCriterion
    | TestsCriterion
    | FileExistsCriterion
    | FileContainsCriterion
    | ContractCriterion
    | DiffCriterion
    | ScreenshotCriterion
    | AnswerCriterion,
    Field(discriminator="kind"),
]
CRITERION_FORMS = {
    "command": "command: make build",
    "tests": "tests: pytest -q",
    "file_exists": "file_exists: PATH",
    "file_contains": "file_contains: PATH :: REGEX",
    "contract": "contract: FILE :: SCHEMA",
    "diff": "diff: GLOB, GLOB",
    "screenshot": "screenshot: PAGE :: 1280x800",
    "answer": "answer:",
}
"""How a person writes each kind of criterion."""
CRITERION_KINDS = tuple(CRITERION_FORMS)


def why_not_meant(criterion: Criterion) -> str | None:
    """Why a criterion cannot be meant as it is written, whatever the task; None where it can."""
    match criterion:
        case TestsCriterion():
            return why_no_test_command(criterion.run)
        case ScreenshotCriterion():
            return why_no_page(criterion.path)
        case FileExistsCriterion() | FileContainsCriterion() | ContractCriterion():
            return why_no_path(criterion.path)
        case _:
            return None


def criterion_text(criterion: Criterion) -> str:
    """The criterion as a person writes it; the inverse of `parse_criterion`."""
    match criterion:
        case TestsCriterion(report=str(report)):
            return f"tests: {criterion.run} :: {report}"
        case CommandCriterion() | TestsCriterion():
            return f"{criterion.kind}: {criterion.run}"
        case FileExistsCriterion():
            return f"file_exists: {criterion.path}"
        case FileContainsCriterion():
            return f"file_contains: {criterion.path} :: {criterion.regex}"
        case ContractCriterion():
            return f"contract: {criterion.path} :: {criterion.schema_path}"
        case DiffCriterion():
            return f"diff: {', '.join(criterion.allowed)}"
        case ScreenshotCriterion(width=1280, height=800):
            return f"screenshot: {criterion.path}"
        case ScreenshotCriterion():
            return f"screenshot: {criterion.path} :: {criterion.width}x{criterion.height}"
        case AnswerCriterion():
            return "answer:"


def criterion_fields(item: Any) -> Any:
    """A criterion of a YAML file, which may be written as `KIND: SPEC`, as the fields of its contract.

    Raises:
        InvalidBody: it is text that is no criterion.
    """
    if isinstance(item, str):
        return parse_criterion(item).model_dump()
    # Unquoted in YAML, `- tests: pytest -q` is a mapping of one key.
    if isinstance(item, dict) and len(item) == 1 and "kind" not in item:
        ((kind, spec),) = item.items()
        return parse_criterion(f"{kind}: {'' if spec is None else spec}").model_dump()
    return item


def parse_criterion(text: str) -> Criterion:
    """Read `KIND: SPEC`, as `tests: pytest -q` or `file_contains: PATH :: REGEX`.

    Raises:
        InvalidBody: the kind is unknown, or the specification does not fit it or cannot be meant.
    """
    criterion, form = _read(text)
    why = why_not_meant(criterion)
    if why is not None:
        raise InvalidBody("criterion", f"{text!r}: {why}; {form}")
    return criterion


def _read(text: str) -> tuple[Criterion, str]:
    """The criterion that a text is, and how its kind is written."""
    kind, colon, spec = text.partition(":")
    kind, spec = kind.strip(), spec.strip()
    if not colon or kind not in CRITERION_KINDS:
        raise InvalidBody("criterion", f"{text!r} is not 'KIND: SPEC' with one of {', '.join(CRITERION_KINDS)}")
    form = f"it is written as '{CRITERION_FORMS[kind]}'"
    try:
        return _of_kind(kind, spec), form
    except ValueError as error:
        problem = str(error.errors()[0]["msg"]) if hasattr(error, "errors") else str(error)
        raise InvalidBody("criterion", f"{text!r}: {problem.removeprefix('Value error, ')}; {form}") from error


def _of_kind(kind: str, spec: str) -> Criterion:
    left, separator, right = (part.strip() for part in spec.partition("::"))
    match kind:
        case "command":
            return CommandCriterion(run=spec)
        case "tests":
            run, apart, report = spec.rpartition(" :: ")
            named = bool(apart) and report.endswith(".xml")
            return TestsCriterion(run=run, report=report) if named else TestsCriterion(run=spec)
        case "file_exists":
            return FileExistsCriterion(path=spec)
        case "file_contains":
            if not separator:
                raise ValueError("' :: ' and what follows it are missing")
            return FileContainsCriterion(path=left, regex=right)
        case "contract":
            if not separator:
                raise ValueError("' :: ' and what follows it are missing")
            return ContractCriterion(path=left, schema_path=right)
        case "diff":
            return DiffCriterion(allowed=tuple(part.strip() for part in spec.split(",") if part.strip()))
        case "screenshot":
            return _screenshot(left, right if separator else "1280x800")
        case _:
            if spec:
                raise ValueError("an answer is not compared with anything")
            return AnswerCriterion()


def _screenshot(path: str, screen: str) -> ScreenshotCriterion:
    size = re.fullmatch(r"(\d{1,4})x(\d{1,4})", screen)
    if size is None:
        raise ValueError(f"{screen!r} is no screen, as 360x640 is")
    return ScreenshotCriterion(path=path, width=int(size[1]), height=int(size[2]))


class Budgets(Contract):
    """Bounds of one task. What is unset comes from the model's capability profile."""

    max_steps: int | None = Field(default=None, ge=1, description="Replies of the model.")
    max_tool_calls: int | None = Field(default=None, ge=1)
    max_calls_per_tool: int | None = Field(default=None, ge=1)
    max_wall_clock: float | None = Field(default=None, gt=0, allow_inf_nan=False, description="Seconds under a lease.")
    max_age: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Seconds since the task was created."
    )
    max_tokens: int | None = Field(default=None, ge=1, description="Prompt and completion tokens together.")
    max_cost: float | None = Field(default=None, gt=0, allow_inf_nan=False, description="US dollars.")
    input_expires: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Seconds to wait for a person; 7 days if unset."
    )


class InstructionOptions(Contract):
    """Which instruction files of the workspace a task is told."""

    scope: Literal["all", "touched"] = Field(
        default="all", description="touched: only the files on the way to what the task touched."
    )
    ignored: Literal["skip", "load"] = Field(
        default="skip", description="Files in directories that git ignores; loading them is the local operator's say."
    )


class TasteOptions(Contract):
    """By which rules of taste a task's files are looked at, and which model judges those that need a reader."""

    rules: str | None = Field(
        default=None,
        min_length=1,
        description="A file in DATA_DIR/taste, without `.yaml`, or an absolute path; unset: the profile's own.",
    )
    model: str | None = Field(default=None, min_length=1, description="Instead of the one that the file names.")
    api_base: str | None = None


HookPhase = Literal["pre_tool_use", "post_tool_use", "session_start", "session_end"]
"""When a hook is asked: before a call, after its result is recorded, before the first turn, and at the end."""

_PHASES = {
    "PreToolUse": "pre_tool_use",
    "PostToolUse": "post_tool_use",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "Stop": "session_end",
}


class Hook(Contract):
    """A command of the operator's that judges what a task does; it runs outside the sandbox."""

    phase: HookPhase = Field(description="Or one of PreToolUse, PostToolUse, SessionStart, SessionEnd, Stop.")
    command: str = Field(min_length=1, description="Run by `sh -c`; it reads one JSON object on standard input.")
    name: str = Field(default="", max_length=80, description="How the log calls it; the command if unset.")
    matcher: str = Field(default="*", description="The tools that it judges: a glob or a regular expression.")
    gate: bool = Field(default=False, description="Where it gives no verdict, it blocks.")
    timeout: float = Field(default=60.0, gt=0, le=600, description="Seconds.")

    @field_validator("phase", mode="before")
    @classmethod
    def _known_elsewhere(cls, value: object) -> object:
        return _PHASES.get(value, value) if isinstance(value, str) else value

    @property
    def called(self) -> str:
        """Its name in the log."""
        return self.name or (self.command if len(self.command) <= 80 else self.command[:79] + "…")


class McpServer(Contract):
    """A server of further tools (Model Context Protocol): a command that speaks on stdio, or a URL."""

    name: str = Field(
        pattern=r"^[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*$", max_length=24, description="Part of its tools' names."
    )
    command: tuple[str, ...] = Field(default=(), description="Program and arguments; runs in the sandbox.")
    url: str | None = Field(default=None, pattern=r"^https?://", description="Of streamable HTTP.")
    tools: tuple[str, ...] | None = Field(default=None, description="The only tools that are offered; all if unset.")
    env: dict[str, str] = Field(
        default_factory=dict, description="Its variables, each by the name of one in the services' environment."
    )
    headers: dict[str, str] = Field(
        default_factory=dict, description="HTTP headers, each by the name of a variable of the services' environment."
    )
    timeout: float = Field(default=60.0, gt=0, le=600, description="Seconds that its start, or a call, may take.")

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.command) == bool(self.url):
            raise ValueError("an MCP server has either a command or a url")
        return self


class Worktree(Contract):
    """A git worktree of a repository that a session works in, on a branch of its own; the checkout is left alone."""

    repository: str = Field(pattern=r"^/", description="The folder of the repository, bare or with a checkout.")
    base: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9_][A-Za-z0-9_./@^~-]*$",
        description="Where the branch begins; HEAD if unset.",
    )


SecretReference = Annotated[str, Field(pattern=r"^(env:[A-Za-z_][A-Za-z0-9_]*|file:/[^\x00\n]+)$")]
"""Where a secret is read when it is used: `env:NAME` of the services' environment, or `file:PATH`. Never its value."""


class TaskContract(Contract):
    """What is to be done, how it is judged, and within which bounds."""

    version: Literal[1] = 1
    goal: str | None = Field(default=None, min_length=1, description="Unset: the text of the message.")
    criteria: tuple[Criterion, ...] = ()
    workspace: str | None = Field(default=None, description="An absolute folder; only the local operator names one.")
    agent: str | None = Field(default=None, description="Slug of the roster.")
    profile: str | None = Field(default=None, description="Who asks: agent, workspace and defaults.")
    model: str | None = Field(default=None, description="A litellm id, `local/NAME` or `local/FILE.gguf`.")
    api_base: str | None = None
    capability: str | None = Field(default=None, description="Name of a capability profile.")
    seed: int = Field(default=0, ge=0, lt=1_000_000, description="Of the sampling: another one, another run.")
    budgets: Budgets = Budgets()
    allow_test_changes: bool = False
    editable: tuple[str, ...] = ()
    network: bool = Field(default=False, description="Whether commands may use the network.")
    sandbox: Literal["bubblewrap", "none"] = "bubblewrap"
    skills: tuple[str, ...] = Field(
        default=(), max_length=16, description="Skills that the task must follow: put before the model whole."
    )
    ui: bool | None = Field(
        default=None,
        description="Whether it makes what people see, so that the rules of taste are told; unset: by what it touches.",
    )
    instructions: InstructionOptions = InstructionOptions()
    summaries: bool | None = Field(
        default=None,
        description="Whether the model sums up history that no longer fits; unset: as its capability profile says.",
    )
    taste: TasteOptions = Field(default=TasteOptions(), description="Only the local operator chooses.")
    hooks: tuple[Hook, ...] = Field(default=(), description="Only the local operator names hooks.")
    mcp: tuple[McpServer, ...] = Field(default=(), description="Only the local operator names servers.")
    tools: tuple[str, ...] | None = Field(default=None, description="The only tools that are offered; all if unset.")
    skill_folders: tuple[str, ...] = Field(default=(), description="Absolute folders that hold skills.")
    worktree: Worktree | None = Field(default=None, description="The workspace is made as one of this repository.")
    api_key: SecretReference | None = Field(default=None, description="The model's key, by reference.")
    secrets: dict[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")], SecretReference] = Field(
        default_factory=dict, description="Variables of the task's commands, by reference."
    )

    @field_validator("mcp")
    @classmethod
    def _named_once(cls, value: tuple[McpServer, ...]) -> tuple[McpServer, ...]:
        if len({server.name for server in value}) != len(value):
            raise ValueError("two MCP servers have the same name")
        return value

    @field_validator("workspace")
    @classmethod
    def _absolute(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith("/"):
            raise ValueError("the workspace must be an absolute path")
        return value

    @model_validator(mode="after")
    def _goal_not_blank(self) -> Self:
        if self.goal is not None and not self.goal.strip():
            raise ValueError("the goal is blank")
        return self
