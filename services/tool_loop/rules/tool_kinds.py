"""What a tool's name, its fields and its command line tell of it, where it declares nothing.

Logs of other harnesses declare nothing, so the field's usual names are read: what changes the workspace, what is
polled, what looks for something, what speaks to somebody, and which fields are no part of what a call is.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

COMMAND_FIELDS: Final = ("command", "cmd", "script", "code", "input", "raw")

_CHANGES = ("edit", "write", "create", "insert", "replace", "append", "patch", "delete", "move", "rename")
"""Parts of a name that say that a call which did not fail changed the workspace. Source: spec/cli.md, check loops."""
_LOOKS_ONLY = frozenset({"view", "read", "show", "open", "list", "search", "find", "cat"})
_SHELLS = frozenset(
    {"bash", "shell", "sh", "terminal", "exec", "execute", "console", "cmd", "command", "powershell", "zsh"}
)
_POLLING = frozenset(
    {"wait", "poll", "polling", "status", "sleep", "await", "watch", "monitor", "progress", "heartbeat"}
)
_SETTING = frozenset({"set", "update", "change", "modify", "edit", "create", "report", "send"})
_WAITING = frozenset({"wait", "sleep", "await"})
_OUTPUT_OF_JOB = frozenset({"output", "logs", "log", "result"})
_JOBS = frozenset({"bash", "shell", "job", "process", "task", "background", "terminal", "build", "run", "command"})
_PROBING = frozenset(
    {
        "read",
        "get",
        "find",
        "search",
        "list",
        "view",
        "open",
        "lookup",
        "look",
        "grep",
        "glob",
        "cat",
        "ls",
        "show",
        "fetch",
    }
)
_SPEAKING = frozenset(
    {
        "send",
        "message",
        "msg",
        "notify",
        "ask",
        "say",
        "tell",
        "reply",
        "respond",
        "comment",
        "email",
        "mail",
        "sms",
        "chat",
    }
)
_PROSE = frozenset({"think", "thought", "thinking", "reflect", "reason", "scratchpad"})
_FREE_TEXT = frozenset(
    {"text", "message", "body", "content", "question", "subject", "msg", "prompt", "comment", "note"}
)
_COSMETIC = frozenset(
    {"description", "explanation", "thought", "thoughts", "reasoning", "rationale", "security_risk", "justification"}
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_SEGMENT = re.compile(r"\s*(?:&&|\|\||;|\n|\||\bdo\b|\bthen\b)\s*")
_BEFORE_THE_PROGRAM = re.compile(
    r"\A(?:(?:[A-Za-z_]\w*=\S*|sudo|env|time|nohup|command|exec|timeout(?:\s+-\S+)*\s+\S+)\s+)+"
)
_WAIT_COMMANDS = re.compile(
    r"\A(?:sleep\s|wait\b|watch\s|inotifywait\b|until\s|kubectl\s+(?:wait|rollout\s+status)\b|gh\s+run\s+watch\b)"
)
_POLL_COMMANDS = re.compile(
    r"\A(?!git\b|svn\b|hg\b)(?:\S*\b(?:poll|status|wait)\S*|\S+(?:\s+-\S+)*(?:\s+\S+)?\s+(?:status|wait|poll))(?=\s|\Z)"
)
_CHANGE_COMMANDS = re.compile(
    r"\A(?:(?:mv|cp|rm|mkdir|touch|ln|chmod|chown|patch|tee|unzip|tar|gzip|wget|install|rsync|truncate|dd|make|cmake|ninja"
    r"|kill|pkill|killall|nohup|service|nginx|psql|mysql|sqlite3|redis-cli|crontab|gcc|g\+\+|clang|javac|rustc|tsc|useradd"
    r"|openssl|ssh-keygen|terraform|ansible\S*|black|isort|prettier)\b"
    r"|(?:sed|perl|ruby)\s+(?:-\S+\s+)*-\w*i"
    r"|git\s+(?:-\S+\s+)*(?:apply|checkout|stash|reset|commit|merge|rebase|pull|clone|mv|rm|restore|switch|clean|add|am"
    r"|revert|cherry-pick|init|config)\b"
    r"|(?:pip3?|uv|npm|yarn|pnpm|apt|apt-get|conda|cargo|gem|go|brew|poetry|dnf|yum|bundle|composer)\s+(?:-\S+\s+)*"
    r"(?:pip\s+)?(?:install|i|ci|add|get|update|upgrade|remove|uninstall|build|sync|mod)\b"
    r"|(?:systemctl|docker|docker-compose|kubectl|podman)\s+(?:-\S+\s+)*(?:compose\s+)?"
    r"(?:start|stop|restart|reload|enable|run|up|down|rm|build|exec|apply|delete|create|scale|patch)\b"
    r"|python3?\s+-m\s+(?:pip|venv)\b|gofmt\s+-w|ruff\s+(?:format|check\s+--fix))"
)
_WRITES_FILE = re.compile(r"(?<![\d<>&=-])>{1,2}\s*(?!&|/dev/null)[^\s>|&;]")
_BACKGROUND = re.compile(r"(?<![&>|])&\s*(?:\Z|\n|\))")
_HEREDOC_CODE = re.compile(r"\b(?:python3?|node|ruby|perl)\b[^\n]*<<")
_PROBE_PROGRAMS = frozenset(
    {
        "ls",
        "cat",
        "grep",
        "egrep",
        "rg",
        "find",
        "head",
        "tail",
        "sed",
        "awk",
        "which",
        "test",
        "file",
        "stat",
        "git",
        "wc",
        "ag",
        "fd",
        "curl",
    }
)


def words(name: str) -> frozenset[str]:
    """The words of a tool's name, lower-case: `searchDirectFlight`, `search_direct_flight` → search, direct, flight."""
    return frozenset(word.lower() for word in _WORDS.findall(name))


def is_shell(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call runs a command line."""
    named = words(tool)
    if not any(isinstance(arguments.get(field), str) for field in COMMAND_FIELDS):
        return False
    return bool(named & _SHELLS) and not named & (_OUTPUT_OF_JOB | {"editor", "edit"})


def cosmetic(arguments: Mapping[str, Any]) -> frozenset[str]:
    """The fields that only describe a call; none where nothing else would be left of it."""
    found = _COSMETIC & arguments.keys()
    return found if len(found) < len(arguments) else frozenset()


def free_text(tool: str, arguments: Mapping[str, Any]) -> frozenset[str]:
    """The fields of a word to somebody that may be put in other words without being another."""
    return _FREE_TEXT & arguments.keys() if speaks(tool) else frozenset()


def speaks(tool: str) -> bool:
    """Whether the tool says something to somebody."""
    named = words(tool)
    return bool(named & _SPEAKING) and not named & _PROBING


def is_prose(tool: str) -> bool:
    """Whether the tool does nothing but note a thought."""
    return bool(words(tool) & _PROSE)


def changes(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether a call that did not fail is taken to have changed the workspace."""
    if command is not None:
        return _command_changes(command)
    if any(part in tool.lower() for part in _CHANGES):
        return str(arguments.get("command", "")).lower() not in _LOOKS_ONLY
    return False


def polls(tool: str, command: str | None) -> bool:
    """Whether the call is meant to be made again until something happens."""
    if command is not None:
        return waits(tool, command) or any(_POLL_COMMANDS.match(part) for part in segments(command))
    named = words(tool)
    if named & _SETTING:
        return False
    return bool(named & _POLLING) or bool(named & _OUTPUT_OF_JOB and named & _JOBS)


def waits(tool: str, command: str | None) -> bool:
    """Whether the call lets time pass."""
    if command is not None:
        return any(_WAIT_COMMANDS.match(part) for part in segments(command))
    return bool(words(tool) & _WAITING)


def probes(tool: str, command: str | None) -> bool:
    """Whether the call looks for something that may not be there."""
    return program(command) in _PROBE_PROGRAMS if command is not None else bool(words(tool) & _PROBING)


def program(command: str) -> str:
    """The program that a command line is about: its first that is more than going somewhere."""
    parts = [part for part in segments(command) if not part.startswith(("cd ", "export ", "source ", "set ", "echo "))]
    first = (parts or segments(command) or [""])[0]
    named = first.split(None, 1)
    return named[0].rsplit("/", 1)[-1] if named else ""


def segments(command: str) -> list[str]:
    """The simple commands of a command line, without variables and wrappers before their program."""
    head = command.split("<<", 1)[0] if "<<" in command else command
    return [_BEFORE_THE_PROGRAM.sub("", part) for part in _SEGMENT.split(head[:4000].strip()) if part]


def _command_changes(command: str) -> bool:
    head = command.split("<<", 1)[0]
    if _WRITES_FILE.search(head) or _BACKGROUND.search(head) or _HEREDOC_CODE.search(command):
        return True
    return any(_CHANGE_COMMANDS.match(part) for part in segments(command))
