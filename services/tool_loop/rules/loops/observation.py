"""What the rules against loops see of a call and its result. Everything that they need is in it, and no text."""

from collections.abc import Mapping
from typing import Any

from arreio_contracts.events import StepDigest, ToolCall

from .. import shell_commands, tool_kinds
from ..error_class import error_class, failing_tests, symptom, words_of
from ..fingerprint import command_of, digest, fingerprint
from ..lines_read import lines_read
from ..normalising import normalise, shortened

RULE = "loops/1"
"""Name and version of the rules and of the digests that they judge."""

_DEPTH = 20
_BRIEF = 40
"""Characters of an answer that may be given to many questions: a yes, a number."""


def digested(
    tool: str,
    arguments: Mapping[str, Any],
    result: str,
    *,
    failed: bool,
    changed: bool | None = None,
    call: str | None = None,
    state: str | None = None,
    cwd: str = "",
) -> StepDigest:
    """Digest a call and its result.

    `changed` None: it is not known, and taken from the kind of the call. `call` is the fingerprint if it is known
    already; `state` the hash of the workspace's content after a change.
    """
    command = command_of(tool, arguments)
    normal = normalise(shortened(result))
    moved = (not failed and tool_kinds.changes(tool, arguments, command)) if changed is None else changed
    heard = tool_kinds.speaks(tool, arguments)
    program = shell_commands.program(command) if command is not None else ""
    return StepDigest(
        tool=tool,
        call=call or fingerprint(tool, arguments, cwd),
        result=digest(normal),
        scope=f"{tool} {program}".strip(),
        error=error_class(normal, _words(arguments)) if failed else None,
        symptom=symptom(normal),
        failing=failing_tests(normal),
        changed=moved,
        state=state if moved else None,
        polling=tool_kinds.polls(tool, command),
        waits=tool_kinds.waits(tool, command),
        probes=tool_kinds.probes(tool, arguments, command),
        heard=heard,
        worded=fingerprint(tool, arguments, cwd, wording=True) if heard and len(normal) < _BRIEF else None,
        prose=tool_kinds.is_prose(tool, command),
        lines=None if failed else lines_read(arguments, command, cwd),
    )


def digest_of(call: ToolCall, text: str, *, failed: bool, changed: bool, workspace: str | None) -> StepDigest:
    """The digest of a call as it was recorded, and the text of its result."""
    return digested(
        call.name,
        call.arguments or {},
        text,
        failed=failed,
        changed=changed,
        call=call.fingerprint,
        cwd=workspace or "",
    )


def _words(value: Any, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return words_of(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [str(value)]
    if depth > _DEPTH or not isinstance(value, Mapping | list | tuple):
        return []
    inner = value.values() if isinstance(value, Mapping) else value
    return [word for one in inner for word in _words(one, depth + 1)]
