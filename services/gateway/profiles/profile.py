"""What a profile's file says, and reading it. Pure: the text is given, and nothing of it is looked up."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import yaml
from arreio_contracts.errors import ContractError
from arreio_contracts.task import (
    Budgets,
    Contract,
    Criterion,
    Hook,
    InstructionOptions,
    McpServer,
    SecretReference,
    TasteOptions,
    criterion_fields,
)
from pydantic import Field, ValidationError, field_validator, model_validator

from shared.mcp_credentials import credential_problem
from shared.secrets import holds_key
from shared.yaml_text import load_yaml

NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a profile may be called; its file is `NAME.yaml`."""
MOST_BYTES: Final = 256 * 1024


class BadProfile(ValueError):
    """A file that is no profile; the text says where and why, and never a value."""


class Match(Contract):
    """Whose messages: shell patterns (`*`, `?`, `[…]`), all of which must fit. What is left out fits everything."""

    channel: str | None = None
    account: str | None = None
    conversation: str | None = None
    thread: str | None = None
    sender: str | None = None

    @model_validator(mode="after")
    def _says_something(self) -> "Match":
        if not self.parts:
            raise ValueError("name a channel, account, conversation, thread or sender; '*' fits everything")
        return self

    @property
    def parts(self) -> dict[str, str]:
        """The patterns by what they are about."""
        return self.model_dump(exclude_none=True)


class WorkspaceChoice(Contract):
    """Where the work is done: in a folder itself, or in a worktree of a repository for each session."""

    path: str
    mode: Literal["in_place", "worktree"] = "in_place"
    base: str | None = Field(default=None, description="Of a worktree: where its branch begins.")

    @field_validator("path")
    @classmethod
    def _absolute(cls, value: str) -> str:
        return _folder(value)

    @model_validator(mode="after")
    def _base_of_a_worktree(self) -> "WorkspaceChoice":
        if self.base is not None and self.mode == "in_place":
            raise ValueError("a base is a worktree's; write `mode: worktree`")
        return self


class SkillChoice(Contract):
    """Skills that every task must follow, and further folders that hold skills."""

    forced: tuple[str, ...] = Field(default=(), max_length=16)
    folders: tuple[str, ...] = ()

    @field_validator("folders")
    @classmethod
    def _absolute(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(_folder, value))


class Profile(Contract):
    """The words of a profile's file. What it leaves out is as it is without a profile."""

    match: tuple[Match, ...] = ()
    agent: str | None = None
    workspace: WorkspaceChoice | None = None
    model: str | None = None
    api_base: str | None = None
    api_key: SecretReference | None = None
    capability: str | None = None
    criteria: tuple[Criterion, ...] = ()
    allow_test_changes: bool = False
    editable: tuple[str, ...] = ()
    skills: SkillChoice = SkillChoice()
    taste: TasteOptions = TasteOptions()
    ui: bool | None = None
    instructions: InstructionOptions = InstructionOptions()
    budgets: Budgets = Budgets()
    secrets: dict[str, SecretReference] = Field(default_factory=dict)
    tools: tuple[str, ...] | None = None
    network: bool = False
    sandbox: Literal["bubblewrap", "none"] = "bubblewrap"
    hooks: tuple[Hook, ...] = ()
    mcp: tuple[McpServer, ...] = ()

    @field_validator("match", mode="before")
    @classmethod
    def _one_or_more(cls, value: Any) -> Any:
        return (value,) if isinstance(value, dict) else value

    @field_validator("workspace", mode="before")
    @classmethod
    def _only_a_path(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str) else value

    @field_validator("skills", mode="before")
    @classmethod
    def _only_forced(cls, value: Any) -> Any:
        return {"forced": value} if isinstance(value, list) else value

    @field_validator("taste", mode="before")
    @classmethod
    def _only_rules(cls, value: Any) -> Any:
        return {"rules": value} if isinstance(value, str) else value

    @field_validator("criteria", mode="before")
    @classmethod
    def _as_written(cls, value: Any) -> Any:
        try:
            return [criterion_fields(item) for item in value] if isinstance(value, list) else value
        except ContractError as error:
            raise ValueError(error.problem) from error

    @field_validator("api_base")
    @classmethod
    def _endpoint(cls, value: str | None) -> str | None:
        if value is not None and (problem := _url_problem(value)):
            raise ValueError(problem)
        return value

    @field_validator("mcp")
    @classmethod
    def _no_credentials(cls, value: tuple[McpServer, ...]) -> tuple[McpServer, ...]:
        if problem := next(filter(None, map(credential_problem, value)), None):
            raise ValueError(problem)
        return value


@dataclass(frozen=True)
class NamedProfile:
    """A profile with its name and its version: the SHA-256 of its file."""

    name: str
    version: str
    profile: Profile


def read_profile(name: str, text: str) -> NamedProfile:
    """Read the text of a profile's file.

    Raises:
        BadProfile: it is no profile, or holds a secret itself rather than where it lies.
    """
    try:
        found = load_yaml(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise BadProfile(f"it is not YAML{where}: {getattr(error, 'problem', None) or 'it cannot be read'}") from error
    if not isinstance(found, dict):
        raise BadProfile("it is no mapping; write what it gives, as `agent: developer`")
    if holds_key(found):
        raise BadProfile("it holds a key itself; write where the key lies, as env:NAME or file:/PATH")
    try:
        profile = Profile.model_validate(found)
    except ValidationError as error:
        raise BadProfile(_said(error)) from error
    version = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return NamedProfile(name, version, profile)


def _said(error: ValidationError) -> str:
    """The first of what is wrong, in a line; a value is never repeated, since it may be a secret."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(map(str, first["loc"])) or "the file"
    if first["type"] == "extra_forbidden":
        return f"{place} is nothing that a profile has; it has {', '.join(Profile.model_fields)}"
    if first["loc"][:1] in (("secrets",), ("api_key",)):
        return f"{place}: write where the secret lies, as env:NAME or file:/PATH, never the secret itself"
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"


def _url_problem(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - looked at for its error
    except ValueError:
        return "it is no address that can be read; write it as https://HOST/v1"
    if "@" in parts.netloc:
        return "it holds a user or a password; write where the key lies in api_key, as env:NAME or file:/PATH"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "it is no http or https address; write it as https://HOST/v1"
    return None


def _folder(value: str) -> str:
    if "\0" in value or not value.startswith(("/", "~")):
        raise ValueError("name an absolute folder, or one that begins with ~")
    try:
        return str(Path(value).expanduser())
    except RuntimeError as error:
        raise ValueError("there is no such home directory") from error
