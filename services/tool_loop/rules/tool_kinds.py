"""What a tool's name and its fields tell of it, where it declares nothing.

Logs of other harnesses declare nothing, so the field's usual names are read: what changes the workspace, what is
polled, what looks for something, what speaks to somebody, and which fields are no part of what a call is. Of a shell's
calls the command line tells (`shell_commands.py`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from . import shell_commands

COMMAND_FIELDS: Final = ("command", "cmd", "script", "code", "input", "raw")

_CHANGES = ("edit", "write", "create", "insert", "replace", "append", "patch", "delete", "move", "rename")
"""Parts of a name that say that a call which did not fail changed the workspace. Source: spec/cli.md, check loops."""
_ALSO_CHANGES = frozenset(["modify", "update", "save", "apply", "cancel", "exchange", "book", "migrate", "commit"])
_CODE_FIELDS: Final = ("code", "script", "cell", "source", "query", "sql", "statement")
_QUERY = re.compile(r"\s*(?:select|update|delete|with|match)\b", re.IGNORECASE)
_SEARCH_OF_URL = re.compile(r"[?&](?:q|query|s|search|term|keywords?)=", re.IGNORECASE)
_WHERE: Final = frozenset(["origin", "destination", "from", "to", "city", "location", "category"])
_CHANGING_CODE = re.compile(
    r"\b(?:edit_file\w*|insert_content\w*|append_file|create_file|write_text|write_bytes)\(|\bopen\([^)]*,\s*(?:mode=)?['\"][wax]"
    r"|^[^\S\n]*+(?i:update|insert\s+into|delete\s+from|alter\s+table|create\s+table|drop\s+table|truncate|merge\s+into|begin"
    r"|commit|rollback)\b",
    re.MULTILINE,
)
_KEYS: Final = ("keystrokes", "keys", "stdin", "chars")
_LINE_FIELDS: Final = ("command", "cmd")
_SUBCOMMAND_FIELDS: Final = (
    "subcommand",
    "sub_command",
    "command",
    "action",
    "operation",
    "op",
    "method",
    "tool_name",
    "function_name",
)
_SUBCOMMAND_FIELD_SET: Final = frozenset(_SUBCOMMAND_FIELDS)
_SUBCOMMAND = re.compile(r"[A-Za-z][\w.-]{0,40}")
_WRITING = frozenset(["add", "remove", "set", "put", "post"])
_LOOKING_ON = frozenset(
    ["describe", "status", "info", "diff", "log", "logs", "help", "count", "exists", "stat", "screenshot"]
)
_SHELLS = frozenset(
    ["bash", "shell", "sh", "terminal", "exec", "execute", "console", "cmd", "command", "powershell", "zsh"]
)
_RUN = frozenset(["run"])
"""A tool of this name alone runs command lines, where it is given one."""
_OTHER_LANGUAGES = frozenset(
    ["python", "ipython", "jupyter", "cell", "notebook", "sql", "query", "node", "javascript", "js", "edit", "editor"]
)
_POLLING = frozenset(
    ["wait", "poll", "polling", "status", "sleep", "await", "watch", "monitor", "progress", "heartbeat"]
)
_FETCHING = frozenset(["get", "list", "check", "receive", "fetch", "read"])
_INBOX = frozenset(["inbox", "mailbox", "notifications", "sms", "otp", "voicemail"])
_MAIL = frozenset(["messages", "emails", "mails", "events", "message", "email"])
_PAGING = frozenset(["limit", "page", "per_page", "max_results", "count", "unread", "unread_only", "folder"])
_EXPECTED = re.compile(r"verif|confirm|one.?time|\botp\b|\bcode\b|activation|reset", re.IGNORECASE)
"""What is looked for in mail because it is to come."""
_SETTING = frozenset(["set", "update", "change", "modify", "edit", "create", "report", "send"])
_WAITING = frozenset(["wait", "sleep", "await"])
_OUTPUT_OF_JOB = frozenset(["output", "logs", "log", "result"])
_JOBS = frozenset(["bash", "shell", "job", "process", "task", "background", "terminal", "build", "run", "command"])
_PROBING = frozenset(
    [
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
        "goto",
        "scroll",
    ]
)
_LOOKS_ONLY = _PROBING | _LOOKING_ON
_HANDING_OVER = frozenset(["transfer", "escalate", "handoff", "handover"])
_SEARCHING = frozenset(["search", "find", "grep", "glob", "rg", "query", "lookup"])
_SOUGHT = frozenset(
    [
        "pattern",
        "query",
        "regex",
        "search_term",
        "search",
        "glob",
        "keyword",
        "keywords",
        "file_name",
        "filename",
        "term",
        "q",
        "raw",
    ]
)
_SPEAKING = _HANDING_OVER | frozenset(
    [
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
    ]
)
_NO_SPEECH = _PROBING | frozenset(
    ["key", "keys", "keystrokes", "input", "stdin", "terminal", "command", "request", "http", "file"]
)
_TOUCHING = frozenset(["click", "tap", "press", "hover", "swipe", "goto", "navigate", "visit"])
_PAGES = frozenset(["fetch", "browse", "open", "visit", "read", "crawl", "scrape"])
_CLICKING = frozenset(["click", "tap", "press", "swipe"])
_REMOVING = frozenset(["delete", "remove", "unlink", "drop", "destroy", "uninstall", "cancel", "revoke"])
_SCREENS = frozenset(["screenshot", "snapshot", "observation"])
_STEPPING = frozenset(
    [
        "scroll",
        "wheel",
        "next",
        "previous",
        "prev",
        "forward",
        "continue",
        "back",
        "backward",
        "turn",
        "undo",
        "redo",
        "roll",
        "draw",
        "up",
        "down",
        "left",
        "right",
    ]
)
_KEY_TOOLS = frozenset(["key", "keys", "press", "keyboard"])
_STEPPING_KEY = re.compile(
    r"(?:shift\+)?(?:tab|(?:arrow[_ ]?)?(?:down|up|left|right)|page[_ ]?(?:down|up)|backspace|delete|space|n)",
    re.IGNORECASE,
)
_DEBUGGERS = frozenset(["debug", "debugger", "gdb", "lldb", "pdb", "dbg", "windbg", "delve", "dlv"])
_STEPS_OF_DEBUGGER = frozenset(
    [
        "step",
        "stepi",
        "next",
        "nexti",
        "continue",
        "finish",
        "until",
        "stepover",
        "stepin",
        "stepout",
        "si",
        "ni",
        "s",
        "n",
    ]
)
_PROSE = frozenset(
    ["think", "thought", "thinking", "reflect", "reason", "scratchpad", "todo", "todos", "nothing", "noop"]
)
_STEPS_OF_PLAN: Final = ("plan", "steps", "todos", "tasks", "items")
_FREE_TEXT = frozenset(
    [
        "text",
        "message",
        "body",
        "content",
        "question",
        "subject",
        "msg",
        "prompt",
        "comment",
        "note",
        "summary",
        "reason",
    ]
)
_COSMETIC = frozenset(
    ["description", "explanation", "thought", "thoughts", "reasoning", "rationale", "security_risk", "justification"]
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(1024)
def words(name: str) -> frozenset[str]:
    """The words of a tool's name, lower-case: `searchDirectFlight`, `search_direct_flight` → search, direct, flight."""
    return frozenset(word.lower() for word in _WORDS.findall(name))


def is_shell(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call runs a command line."""
    fields = _LINE_FIELDS if words(tool) == _RUN else COMMAND_FIELDS
    return _is_named_as_shell(tool) and any(isinstance(arguments.get(field), str | list) for field in fields)


@lru_cache(1024)
def _is_named_as_shell(tool: str) -> bool:
    named = words(tool)
    return named == _RUN or (bool(named & _SHELLS) and not named & (_OUTPUT_OF_JOB | _OTHER_LANGUAGES))


def subcommand(tool: str, arguments: Mapping[str, Any]) -> str:
    """Which of its things a tool that does several does: the one word of `command`, `action` and the like, or none."""
    if _SUBCOMMAND_FIELD_SET.isdisjoint(arguments) or is_shell(tool, arguments):
        return ""
    values = (arguments.get(field) for field in _SUBCOMMAND_FIELDS)
    return next((value for value in values if isinstance(value, str) and _SUBCOMMAND.fullmatch(value)), "")


def cosmetic(arguments: Mapping[str, Any]) -> frozenset[str]:
    """The fields that only describe a call; none where nothing else would be left of it."""
    found = _COSMETIC & arguments.keys()
    return found if len(found) < len(arguments) else frozenset()


def free_text(tool: str, arguments: Mapping[str, Any]) -> frozenset[str]:
    """The fields of a word to somebody that may be put in other words without being another."""
    named = _named(tool, arguments)
    return _FREE_TEXT & arguments.keys() if named & _SPEAKING and not named & _NO_SPEECH else frozenset()


def hands_over(tool: str) -> bool:
    """Whether the call gives the matter to somebody else; then no word of it makes it another call."""
    return bool(words(tool) & _HANDING_OVER)


def speaks(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call says something to somebody."""
    return bool(free_text(tool, arguments))


def is_prose(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether the call does nothing: it notes a thought, or goes where the next call is anyway."""
    if command is not None:
        return shell_commands.does_nothing(command)
    named = words(tool)
    return bool(named & _PROSE) or (
        # A list of steps is the plan of who calls; the plan of a customer has a name.
        "plan" in named and any(isinstance(arguments.get(field), list) for field in _STEPS_OF_PLAN)
    )


def changes(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether a call that did not fail is taken to have changed the workspace."""
    if command is not None:
        return shell_commands.changes(command)
    which = subcommand(tool, arguments)
    if _looks(which) or is_prose(tool, arguments, None):
        return False
    if _writes(which) or any(part in f"{tool} {which}".lower() for part in _CHANGES):
        return True
    if _named(tool, arguments) & _ALSO_CHANGES:
        return True
    code = next((value for field in _CODE_FIELDS if isinstance(value := arguments.get(field), str)), "")
    return bool(_CHANGING_CODE.search(code))


def polls(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether the call is meant to be made again until something happens."""
    if command is not None:
        return shell_commands.waits(command) or shell_commands.watches(command)
    if waits(tool, arguments, command):
        return True
    named = _named(tool, arguments)
    if (words(subcommand(tool, arguments)) or named) & _SETTING:
        return False
    if named & _FETCHING and (named & _INBOX or (named & _MAIL and _awaits(arguments))):
        return True
    return bool(named & _POLLING) or bool(named & _OUTPUT_OF_JOB and named & _JOBS)


def waits(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether the call lets time pass; a terminal does that which is sent no key."""
    if command is not None:
        return shell_commands.waits(command)
    return bool(_named(tool, arguments) & _WAITING) or any(_sends_nothing(arguments.get(field)) for field in _KEYS)


def probes(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether the call looks for something that may not be there."""
    if command is not None:
        return shell_commands.looks(command)
    which = subcommand(tool, arguments)
    if which:
        return _looks(which) or bool(words(tool) & _PROBING and not changes(tool, arguments, None))
    return bool(words(tool) & _PROBING)


def searches(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether the call searches for a text or a name, not for a thing by its key."""
    if command is not None:
        return shell_commands.searches(command)
    named = words(subcommand(tool, arguments)) or words(tool)
    if named & _SEARCHING and (arguments.keys() & _SOUGHT or arguments.keys() & _WHERE):
        return True
    code = next((value for field in _CODE_FIELDS if isinstance(value := arguments.get(field), str)), "")
    return bool(_QUERY.match(code)) or (
        isinstance(url := arguments.get("url"), str) and bool(_SEARCH_OF_URL.search(url))
    )


def touches(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call clicks or presses something, or goes to a page; going back shows what was there before."""
    named = _named(tool, arguments)
    return bool(named & _TOUCHING) and "back" not in named


def opens_page(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call fetches the page of an address, to be read."""
    return "url" in arguments and bool(words(tool) & _PAGES) and not arguments.keys() & {"method", "body", "data"}


def moves(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call clicks, presses or goes a step on a screen, or shows how it looks then."""
    return bool(_named(tool, arguments) & _CLICKING) or goes_on(tool, arguments) or shows_screen(tool, arguments)


def removes(tool: str, arguments: Mapping[str, Any], command: str | None) -> bool:
    """Whether the call removes something."""
    if command is not None:
        return shell_commands.removes(command)
    return bool(_named(tool, arguments) & _REMOVING)


def shows_screen(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call shows how a screen or a page looks now."""
    return bool(_named(tool, arguments) & _SCREENS)


def goes_on(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call goes a step from where it is: the next page, down a list. The same again leads elsewhere."""
    if _named(tool, arguments) & _STEPPING:
        return True
    keys = (arguments.get(field) for field in ("key", "keys", "text"))
    pressed = bool(_named(tool, arguments) & _KEY_TOOLS)
    return pressed and any(isinstance(key, str) and _STEPPING_KEY.fullmatch(key) for key in keys)


def steps_in_debugger(tool: str, arguments: Mapping[str, Any]) -> bool:
    """Whether the call lets a debugger go a step: where it is then, an address or a line, is what is new."""
    named = words(tool)
    if not named & _DEBUGGERS:
        return False
    given = next((value for field in COMMAND_FIELDS if isinstance(value := arguments.get(field), str)), "")
    return bool(named & _STEPS_OF_DEBUGGER) or given.strip().partition(" ")[0] in _STEPS_OF_DEBUGGER


def service(tool: str) -> str:
    """The service whose tool it is, for the tools of one have its name in front: `mcp__jira__search`."""
    return tool.rpartition("__")[0] or tool


def types(arguments: Mapping[str, Any]) -> bool:
    """Whether the call sends keys."""
    return any(arguments.get(field) for field in _KEYS)


def typed(arguments: Mapping[str, Any]) -> str:
    """The keys that the call sends; empty: none, or they are no text."""
    return next((keys for field in _KEYS if isinstance(keys := arguments.get(field), str) and keys), "")


def _awaits(arguments: Mapping[str, Any]) -> bool:
    """Whether all mail is asked for, or what is to come; a search of what came before waits for nothing."""
    asked = [value for name, value in arguments.items() if name not in _PAGING and name not in _COSMETIC]
    return not asked or any(isinstance(value, str) and _EXPECTED.search(value) for value in asked)


def _looks(which: str) -> bool:
    return bool(words(which) & _LOOKS_ONLY) and not _writes(which)


def _writes(which: str) -> bool:
    """Whether a sub-command begins with a verb that changes something: to set a status is not to ask for it."""
    verb = next(iter(_WORDS.findall(which)), "").lower()
    return verb in _WRITING | _ALSO_CHANGES or any(part in verb for part in _CHANGES)


def _named(tool: str, arguments: Mapping[str, Any]) -> frozenset[str]:
    which = subcommand(tool, arguments)
    return words(tool) | words(which) if which else words(tool)


def _sends_nothing(keys: object) -> bool:
    return isinstance(keys, str) and not keys.strip()
