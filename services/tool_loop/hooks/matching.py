"""Which hooks are asked about what. Pure."""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from arreio_contracts.task import Hook, HookPhase

ABOUT_CALLS: Final = frozenset({"pre_tool_use", "post_tool_use"})
"""The phases in which a matcher counts."""
_OURS: Final[Mapping[str, str]] = {
    "Bash": "run_command",
    "Edit": "edit_file",
    "Glob": "list_files",
    "Grep": "search",
    "LS": "list_files",
    "MultiEdit": "edit_file",
    "Read": "read_file",
    "Write": "write_file",
}
"""The names that Claude Code gives its tools, with the tools here that do the same."""
_THEIRS: Final = re.compile(rf"(?<![\w-])(?:{'|'.join(_OURS)})(?![\w-])")
_OTHER_HARNESS: Final = re.compile(r"Task|TodoWrite|WebFetch|WebSearch|Notebook\w*")
_ELSEWHERE: Final = re.compile(rf"mcp__.*|{_OTHER_HARNESS.pattern}", re.DOTALL)
"""Tools that a task has only at times, or that other harnesses have: a hook for them may stand in a common file."""
_LIST: Final = re.compile(r"[\w.*?!\[\]\s-]+(?:[|,][\w.*?!\[\]\s-]+)+")
_GLOB: Final = re.compile(r"[\w.*?!\[\]-]*")


def matching(hooks: Sequence[Hook], phase: HookPhase, tool: str | None = None) -> tuple[Hook, ...]:
    """The hooks of a phase that judge a tool, in order; without a tool, all of the phase."""
    return tuple(hook for hook in hooks if hook.phase == phase and (tool is None or matches(hook.matcher, tool)))


@lru_cache(maxsize=1024)
def matches(matcher: str, tool: str) -> bool:
    """Whether a matcher means a tool: as a name, a glob or a regular expression of the whole name, or a list of these
    between bars or commas; `*` and "" mean all."""
    return any(_means(pattern, tool) for pattern in _patterns(matcher))


def unreadable(matcher: str) -> str | None:
    """Why a matcher can mean nothing, in one line; None where it can be read."""
    for pattern in _patterns(matcher):
        try:
            re.compile(pattern)
        except re.error as error:
            if not _GLOB.fullmatch(pattern):
                return f"the matcher {matcher!r} is neither a glob nor a regular expression: {error}"
    return None


def means_none(matcher: str, tools: Iterable[str], *, servers_known: bool = False) -> bool:
    """Whether a matcher means none of some tools, and nothing that another task or harness may have.

    `servers_known`: the tools of MCP servers are all among `tools`, so one that is not there is in no other task.
    """
    elsewhere = _OTHER_HARNESS if servers_known else _ELSEWHERE
    if any(elsewhere.fullmatch(pattern) for pattern in _patterns(matcher)):
        return False
    return not any(matches(matcher, tool) for tool in tools)


def _patterns(matcher: str) -> Iterator[str]:
    """The alternatives of a matcher, in the names of our tools."""
    text = matcher.strip() or "*"
    for one in re.split(r"[|,]", text) if _LIST.fullmatch(text) else (text,):
        if one.strip():
            yield _THEIRS.sub(lambda found: _OURS[found.group()], one.strip())


def _means(pattern: str, tool: str) -> bool:
    if fnmatch.fnmatchcase(tool, pattern):
        return True
    try:
        return re.fullmatch(pattern, tool) is not None
    except re.error:
        return False
