"""Commands that a final text names: whether one that was run is the named one."""

import re
from typing import Final

_WRAPPING: Final = "python python3 py uv run run-script poetry pipenv npx bunx sudo env sh bash -c -m -lc exec time"
_WRAPPERS: Final = frozenset(_WRAPPING.split())
_SCRIPT_RUNNERS: Final = frozenset(["npm", "pnpm", "yarn", "bun"])
"""Which of these ran a project's script makes no difference."""
_TAKING_VERBS: Final = (
    "make just task cargo go git gh docker docker-compose podman kubectl helm terraform gradle gradlew mvn mvnw "
    "dotnet mix bundle rails rake composer artisan manage.py alembic flask django-admin deno node ruby php pip pip3 "
    "conda systemctl ansible-playbook swift flutter nx turbo lerna rush"
)
_TAKES_VERB: Final = _SCRIPT_RUNNERS | frozenset(_TAKING_VERBS.split())
"""Programs of which the next word says what they do."""
_WORDS: Final = re.compile(r"[\w./@:-]+")
_SHORT: Final = re.compile(r"\b(npm|pnpm|yarn|bun) (?:run )?(t|tst|i)(?![\w:-])")
_LONG: Final = {"t": "test", "tst": "test", "i": "install"}


def is_run_by(named: str, command: str) -> bool:
    """Whether a command line runs what a text names: the same program, and where it takes a verb the same one."""
    named, command = (_spelt_out(each) for each in (named, command))
    return all(_holds(command, word) for word in _wanted(_told(named)))


def is_run_whole_by(named: str, command: str) -> bool:
    """Whether a command line holds every word of the command that a text names."""
    return all(word in command for word in _WORDS.findall(named))


def _spelt_out(command: str) -> str:
    return _SHORT.sub(lambda found: f"{found[1]} {_LONG[found[2]]}", command)


def _told(named: str) -> list[str]:
    words = _WORDS.findall(named)
    return [word for word in words if word not in _WRAPPERS and not word.startswith("-")] or words[:1]


def _wanted(words: list[str]) -> list[str]:
    program = words[0].rpartition("/")[2] if words else ""
    if program not in _TAKES_VERB or len(words) == 1:
        return words[:1]
    return words[1:2] if program in _SCRIPT_RUNNERS else words[:2]


def _holds(command: str, word: str) -> bool:
    name = word.rstrip("/").rpartition("/")[2] or word
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", command) is not None
