"""What a tool is: the protocol, what it is given and gives back, and the one place where failures become results."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from arreio_contracts.events import Effect, SkillLoaded

from shared.sandbox import Limits, SandboxKind
from shared.workspace import Confined, PathRefused, read_regular, sha256

Status = Literal["ok", "error", "refused", "interrupted"]
Arguments = Mapping[str, Any]
Schema = Mapping[str, Any]

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
MOST_FILE_BYTES = 10 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where and within what a tool works. `seen` holds the content hashes, by path, that the task has observed."""

    workspace: Path
    seen: Mapping[str, str] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    network: bool = False
    sandbox: SandboxKind = "bubblewrap"
    lock_fd: int | None = None
    data_dir: Path | None = None
    profile: str = "default"
    skill_folders: tuple[Path, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variables of commands beside the usual ones: the task's secrets."""
    most_chars: int = 32 * 1024
    """Length of the text that a result may have."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the model is told, and what was learnt: `seen` and `changed` map paths to content hashes (None: gone).

    `created`: new files that a command left, where it wrote them rather than unpacked or generated a tree.
    """

    status: Status
    text: str
    error_class: str | None = None
    exit_status: int | None = None
    seen: Mapping[str, str] = field(default_factory=dict)
    changed: Mapping[str, str | None] = field(default_factory=dict)
    created: tuple[str, ...] = ()
    skill: SkillLoaded | None = None


@dataclass(frozen=True, slots=True)
class FilePlan:
    """A write that has not happened: everything that `apply` needs, decided from what is on the disk."""

    path: str
    before: str | None
    after: str
    content: bytes
    done: str
    """What the model is told once it is written."""


class Refused(Exception):
    """A call that is not carried out; the text names the next legal step."""

    def __init__(self, text: str, error_class: str = "refused", status: Status = "refused") -> None:
        super().__init__(text)
        self.error_class = error_class
        self.status: Status = status


@runtime_checkable
class Tool(Protocol):
    """A thing a model can call.

    `parameters` is a JSON Schema of an object; `run` is given arguments that fit it and never raises but for
    cancellation. `effect` says what a restart may do with a call that was under way: a `read` runs again, a `file` is
    done or not by its hash, a `command` is reported as interrupted, a `signal` has no effect outside the log.
    """

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def parameters(self) -> Schema: ...
    @property
    def effect(self) -> Effect: ...

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult: ...


@runtime_checkable
class FileTool(Tool, Protocol):
    """A tool that writes one file in two steps, so that what it is about to do can be recorded before it is done."""

    def plan(self, arguments: Arguments, context: ToolContext) -> FilePlan | ToolResult:
        """Reads, decides, changes nothing. A ToolResult means that there is nothing to apply."""
        ...

    def apply(self, plan: FilePlan, context: ToolContext) -> ToolResult:
        """Writes what was planned. Safe to repeat."""
        ...


def schema(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """The JSON Schema of an object with these properties and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def text_argument(description: str) -> Schema:
    return {"type": "string", "description": description}


def number_argument(description: str) -> Schema:
    return {"type": "integer", "minimum": 1, "description": description}


def failure(error: Exception) -> ToolResult:
    """The result of a call that failed: the model is told what was wrong, in one line."""
    match error:
        case Refused():
            return ToolResult(error.status, str(error), error.error_class)
        case PathRefused():
            return ToolResult("refused", str(error), "path_refused")
        case IsADirectoryError():
            return ToolResult("error", f"{_told(error)}; list_files shows what is in it", "is_a_directory")
        case FileNotFoundError():
            return ToolResult("error", _told(error), "not_found")
        case OSError():
            return ToolResult("error", _told(error), type(error).__name__)
        case _:
            return ToolResult("error", f"the tool failed: {type(error).__name__}: {error}", "tool_failed")


def load(place: Confined) -> bytes:
    """A file's content. Raises FileNotFoundError, IsADirectoryError, PathRefused, OSError; the texts use its name."""
    data = read_regular(place.real, within=place.root, most_bytes=MOST_FILE_BYTES)
    if data is None:
        raise FileNotFoundError(f"there is no file {place.name}; list_files shows what is there")
    return data


def is_binary(data: bytes) -> bool:
    return b"\0" in data[:8192]


def as_text(data: bytes, name: str) -> str:
    """The file as text; bytes that are not UTF-8 are kept by surrogates. Raises Refused for a binary file."""
    if is_binary(data):
        raise Refused(f"{name} is a binary file of {len(data)} bytes, not text", "binary_file", "error")
    return data.decode("utf-8", "surrogateescape")


def shown(text: str) -> str:
    """Text that can be recorded and sent: what was not UTF-8 becomes the replacement character."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "\ufffd")


def shown_name(name: str) -> str:
    """The name of a file on one line: one with a line break or another control character is quoted as JSON quotes."""
    text = shown(name)
    return json.dumps(text) if _CONTROLS.search(text) else text


def must_be_seen(name: str, data: bytes, context: ToolContext) -> str:
    """The hash of an existing file's content; Refused unless the task has observed exactly this content."""
    digest = sha256(data)
    known = context.seen.get(name)
    if known == digest:
        return digest
    why = "was not read yet" if known is None else "changed since it was last read"
    raise Refused(f"{name} {why}; next: read_file {name}", "unread_file")


def as_bytes(text: str) -> bytes:
    """Text of the model's as UTF-8; Refused where it holds what no text can."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Refused("the text holds a lone surrogate, which is no character", "bad_text") from error


def _told(error: OSError) -> str:
    if error.strerror and error.filename:
        return f"{error.strerror}: {Path(str(error.filename)).name}"
    return str(error)
