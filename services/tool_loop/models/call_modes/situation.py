"""What a task's transcript comes to, in the few lines that the weakest models can read. Pure."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shared.prompt import Message

from . import Hints

_GOAL_CHARS: Final = 1200
_LINE_CHARS: Final = 160
_MISSING_CHARS: Final = 600
_HARNESS: Final = "[harness]"
_LISTING: Final = frozenset({"list_files", "search"})

_CRITERION_PATH = re.compile(r"^\s*-\s*(?:file_exists|file_contains|contract):\s*(.+?)(?:\s+::|\s*$)", re.MULTILINE)
_PATH = re.compile(
    r"(?<![\w./:@-])(?:\.?[\w-]+/)*[\w-]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/])|(?<![\w./:@-])(?:[\w.-]+/)+[\w.-]*\w"
)


@dataclass(frozen=True)
class Step:
    """One call of the past and what came of it, each in one line."""

    tool: str
    call: str
    result: str


@dataclass(frozen=True)
class Situation:
    """The goal, what was done, and what the harness said is missing since the last thing that was done."""

    goal: str
    named: tuple[str, ...]
    steps: tuple[Step, ...]
    """Every call, the oldest first."""
    missing: str
    listed: tuple[str, ...]
    """Files that tools which list files have named."""
    language: str


def situation(transcript: Sequence[Message], hints: Hints) -> Situation:
    """Read a transcript. `named` are the paths that the goal or the criteria name, in order."""
    said = [(message, str(message.get("content") or "")) for message in transcript if message["role"] != "system"]
    goals = [text for message, text in said if message["role"] == "user" and not _by_harness(message, text)]
    goal = hints.goal or (goals[0] if goals else "")
    criteria = [path for message, text in said if _by_harness(message, text) for path in _CRITERION_PATH.findall(text)]
    later = goals[1:] if not hints.goal or (goals and goals[0] == hints.goal) else []
    whole = "\n".join([goal, *later[-1:]])
    return Situation(
        goal=_cut(whole.strip(), _GOAL_CHARS),
        named=tuple(dict.fromkeys([*paths_in(whole), *criteria])),
        steps=tuple(_steps(transcript)),
        missing=_missing(said),
        listed=_listed(transcript),
        language=hints.language,
    )


def paths_in(text: str) -> list[str]:
    """What looks like a relative path of a file in a text: it has an ending or a slash, and is no address."""
    return list(dict.fromkeys(found for found in _PATH.findall(text) if ".." not in found.split("/")))


def _steps(transcript: Sequence[Message]) -> Iterable[Step]:
    results = {str(message.get("tool_call_id")): message for message in transcript if message["role"] == "tool"}
    for message in transcript:
        for call in message.get("tool_calls") or ():
            result = results.get(str(call["id"]))
            told = _line(str(result["content"])) if result else ""
            yield Step(str(call["function"]["name"]), _call_line(call["function"]), told)


def _listed(transcript: Sequence[Message]) -> tuple[str, ...]:
    calls = [call for message in transcript for call in message.get("tool_calls") or ()]
    listing = {str(call["id"]) for call in calls if call["function"]["name"] in _LISTING}
    told = [str(message["content"]) for message in transcript if str(message.get("tool_call_id")) in listing]
    return tuple(dict.fromkeys(path for text in told for path in paths_in(text)))


def _call_line(function: dict[str, Any]) -> str:
    try:
        arguments = json.loads(function["arguments"])
    except ValueError:
        arguments = {}
    values = [str(value) for value in arguments.values()] if isinstance(arguments, dict) else []
    return _line(" ".join([str(function["name"]), *values]))


def _missing(said: Sequence[tuple[Message, str]]) -> str:
    """The last thing that the harness said, where nothing was done since."""
    for message, text in reversed(said):
        if message["role"] == "assistant":
            return ""
        if _by_harness(message, text) or text.startswith(_HARNESS):
            return _cut(text.removeprefix(_HARNESS).strip(), _MISSING_CHARS)
    return ""


def _by_harness(message: Message, text: str) -> bool:
    return message["role"] == "user" and (message.get("name") == "harness" or text.startswith(_HARNESS))


def _line(text: str) -> str:
    return _cut(" ".join(text.removeprefix(_HARNESS).split()), _LINE_CHARS)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
