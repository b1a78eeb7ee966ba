"""What a task's transcript comes to, in the few lines that the weakest models can read. Pure."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from shared.prompt import Message

from . import Hints
from .goal_values import paths_in

_GOAL_CHARS: Final = 1200
_LINE_CHARS: Final = 160
_MISSING_CHARS: Final = 600
_HARNESS: Final = "[harness]"
_LISTING: Final = frozenset({"list_files", "search"})

_CRITERION = re.compile(
    r"^[^\S\n]*+-\s*(file_exists|file_contains|contract|tests|command): *(.+?)(?:\s+::(.*)|\s*)$", re.MULTILINE
)
_ENDING = re.compile(r"(?<![\w*])\*?(\.[a-z]\w{0,5})\b")


@dataclass(frozen=True)
class Step:
    """One call of the past and what came of it, each in one line."""

    tool: str
    call: str
    result: str
    arguments: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Situation:
    """The goal, what was done, and what is missing: the harness's last word, or the criteria that do not hold."""

    goal: str
    named: tuple[str, ...]
    """Paths that the goal or the criteria name as files to be, in order."""
    mentioned: tuple[str, ...]
    """Files that are there, and that the goal or the criteria speak of: by name, in a command, or by their ending."""
    steps: tuple[Step, ...]
    """Every call, the oldest first."""
    missing: str
    listed: tuple[str, ...]
    """Files that tools which list files have named."""
    language: str

    def tries(self, *tools: str) -> int:
        """How many calls of these tools were made."""
        return sum(step.tool in tools for step in self.steps)

    def since_command(self) -> tuple[Step, ...]:
        """The calls after the last command, which may have changed any file."""
        last = max((number for number, step in enumerate(self.steps, 1) if step.tool == "run_command"), default=0)
        return self.steps[last:]


def situation(transcript: Sequence[Message], hints: Hints) -> Situation:
    """Read a transcript."""
    said = [(message, str(message.get("content") or "")) for message in transcript if message["role"] != "system"]
    goals = [text for message, text in said if message["role"] == "user" and not _by_harness(message, text)]
    goal = hints.goal or (goals[0] if goals else "")
    told = [found for message, text in said if _by_harness(message, text) for found in _CRITERION.findall(text)]
    files = [spec for kind, spec, _ in told if kind not in ("tests", "command")]
    commands = [path for kind, spec, _ in told if kind in ("tests", "command") for path in paths_in(spec)]
    later = goals[1:] if not hints.goal or (goals and goals[0] == hints.goal) else []
    whole = "\n".join([goal, *later[-1:]])
    named = tuple(dict.fromkeys([*paths_in(whole), *files]))
    listed = _listed(transcript)
    return Situation(
        goal=_cut(whole.strip(), _GOAL_CHARS),
        named=named,
        mentioned=_mentioned(whole, [*named, *commands], [*hints.paths, *listed]),
        steps=tuple(_steps(transcript)),
        missing=_missing(said) or _cut("\n".join(hints.unmet), _MISSING_CHARS),
        listed=listed,
        language=hints.language,
    )


def _mentioned(goal: str, paths: Sequence[str], there: Sequence[str]) -> tuple[str, ...]:
    endings = tuple(_ENDING.findall(goal))
    by_name = [path for path in dict.fromkeys(paths) if path in there]
    by_ending = [path for path in there if endings and path.endswith(endings)]
    return tuple(dict.fromkeys([*by_name, *by_ending]))


def _steps(transcript: Sequence[Message]) -> Iterable[Step]:
    results = {str(message.get("tool_call_id")): message for message in transcript if message["role"] == "tool"}
    for message in transcript:
        for call in message.get("tool_calls") or ():
            result = results.get(str(call["id"]))
            told = _line(str(result["content"])) if result else ""
            name, arguments = str(call["function"]["name"]), _arguments(call["function"])
            yield Step(name, _line(" ".join([name, *map(str, arguments.values())])), told, arguments)


def _listed(transcript: Sequence[Message]) -> tuple[str, ...]:
    calls = [call for message in transcript for call in message.get("tool_calls") or ()]
    listing = {str(call["id"]) for call in calls if call["function"]["name"] in _LISTING}
    told = [str(message["content"]) for message in transcript if str(message.get("tool_call_id")) in listing]
    return tuple(dict.fromkeys(path for text in told for path in paths_in(text)))


def _arguments(function: Mapping[str, Any]) -> dict[str, Any]:
    try:
        arguments = json.loads(function["arguments"])
    except ValueError:
        return {}
    return arguments if isinstance(arguments, dict) else {}


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
