"""What the rules against loops see of a call and its result. Everything that they need is in it, and no text."""

from collections.abc import Mapping
from typing import Any

from arreio_contracts.events import StepDigest, ToolCall

from .. import outcome, shell_commands, tool_kinds
from ..error_class import error_class, failing_tests, symptom, words_of
from ..fingerprint import command_of, digest, fingerprint, path_of
from ..lines_read import lines_read
from ..normalising import normalise, shortened
from ..wording import carrying

RULE = "loops/2"
"""Name and version of the rules and of the digests that they judge."""

_DEPTH = 20
_BRIEF_HASH = 8
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
    probes = tool_kinds.probes(tool, arguments, command)
    heard = tool_kinds.speaks(tool, arguments)
    shows = probes and (command is not None or bool(path_of(arguments)))
    failed = failed or (not (changed or heard) and outcome.failed(normal, shows=shows))
    fruitless = tool_kinds.searches(tool, arguments, command) and outcome.found_nothing(normal)
    moved = (not failed and _moves(tool, arguments, command, normal)) if changed is None else changed
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
        polling=tool_kinds.polls(tool, arguments, command)
        or (not (failed or heard or moved or tool_kinds.types(arguments)) and outcome.may_change(normal)),
        waits=tool_kinds.waits(tool, arguments, command),
        probes=probes,
        heard=heard,
        worded=fingerprint(tool, arguments, cwd, wording=True) if heard and len(normal) < _BRIEF else None,
        said=_said(tool, arguments) if heard else (),
        prose=tool_kinds.is_prose(tool, command),
        fruitless=fruitless,
        lines=None if failed else lines_read(arguments, command, cwd, result),
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


def _moves(tool: str, arguments: Mapping[str, Any], command: str | None, normal: str) -> bool:
    if tool_kinds.changes(tool, arguments, command):
        return True
    return command is not None and shell_commands.runs_script(command) and symptom(normal) is None


def _said(tool: str, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    told = (str(arguments[field]) for field in sorted(tool_kinds.free_text(tool, arguments)))
    return tuple(sorted(digest(word)[:_BRIEF_HASH] for word in carrying(" ".join(told))))


def _words(value: Any, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return words_of(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [str(value)]
    if depth > _DEPTH or not isinstance(value, Mapping | list | tuple):
        return []
    inner = value.values() if isinstance(value, Mapping) else value
    return [word for one in inner for word in _words(one, depth + 1)]
