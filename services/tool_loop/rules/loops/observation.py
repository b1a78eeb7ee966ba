"""What the rules against loops see of a call and its result. Everything that they need is in it, and no text."""

import re
from collections.abc import Collection, Mapping
from typing import Any

from arreio_contracts.events import StepDigest, ToolCall

from .. import hosts, outcome, passing, screens, shell_commands, tool_kinds
from ..error_class import (
    NO_PROGRAM,
    NO_TOOL,
    NOT_RUN,
    NOTHING_DONE,
    error_class,
    failing_tests,
    operands_of,
    passed_tests,
    symptom,
    without_ids,
    words_of,
    wrong_guess,
)
from ..fingerprint import command_of, digest, fingerprint, path_of
from ..lines_read import lines_read
from ..normalising import normalise, shortened
from ..notes import changes_notes_only
from ..wording import carrying

RULE = "loops/5"
"""Name and version of the rules and of the digests that they judge."""

_DEPTH = 20
_MOST_OF_HOST = 500
_BRIEF_HASH = 8
_HOST = re.compile(r"\b[a-z][a-z+.-]*://(?:[^/\s:@'\"]+(?::[^/\s@'\"]*)?@)?([\w.-]+)|\bgit@([\w.-]+):")
_BARE_ID = re.compile(r"\A(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_LINE = 20
"""Characters of a screen that can be told from another: the name of a picture cannot."""
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
    failed = (failed or (not changed and _tells_of_failure(command, normal, heard=heard, shows=shows))) and not (
        # Of a question the status is the answer.
        command is not None and shell_commands.asks(command) and outcome.found_nothing(normal)
    )
    own = [*_words(arguments), *(operands_of(command) if command is not None else ())]
    sign = None if heard else symptom(normal, own)
    moved = (not failed and _moves(tool, arguments, command, normal, sign)) if changed is None else changed
    if moved and _BARE_ID.match(normal):
        normal = ""  # What is made anew each time has a new id: it tells nothing of what came of it.
    scope, error = _failure(tool, arguments, command, normal, own if failed else None)
    polls = tool_kinds.polls(tool, arguments, command)
    held = not shows and passing.lock_held(normal)
    pending = not polls and (
        held or (not (failed or heard or moved or tool_kinds.types(arguments)) and outcome.may_change(normal))
    )
    screen = _is_screen(tool, arguments, normal) or (not failed and _is_page(tool, arguments, normal))
    return StepDigest(
        tool=tool,
        call=call or fingerprint(tool, arguments, cwd),
        result=digest(without_ids(normal) if failed or sign else normal),
        scope=scope,
        error=error,
        symptom=sign,
        failing=failing_tests(normal),
        passed=passed_tests(normal),
        changed=moved,
        state=state if moved else None,
        polling=polls or pending,
        pending=pending,
        passing=held or (failed and passing.away(normal)),
        waits=tool_kinds.waits(tool, arguments, command),
        probes=probes,
        heard=heard,
        worded=fingerprint(tool, arguments, cwd, wording=True) if heard and len(normal) < _BRIEF else None,
        said=_said(tool, arguments) if heard else (),
        prose=tool_kinds.is_prose(tool, command),
        fruitless=tool_kinds.searches(tool, arguments, command)
        and (outcome.found_nothing(normal) or (command is None and outcome.none_found(normal))),
        screen=screen,
        shown=digest(screens.shown(normal)) if screen else None,
        blind=not failed and tool_kinds.moves(tool, arguments) and _tells_nothing(tool, arguments, normal),
        guessed=wrong_guess(error if error is not None else normal if screen else ""),
        notes=moved and changes_notes_only(arguments, command, cwd),
        removes=not failed and tool_kinds.removes(tool, arguments, command),
        lines=None if failed or polls or pending else lines_read(arguments, command, cwd, result),
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


def _tells_of_failure(command: str | None, normal: str, *, heard: bool, shows: bool) -> bool:
    if outcome.refused(normal):
        return True
    return not heard and ((command is not None and screens.quote_open(normal)) or outcome.failed(normal, shows=shows))


def _failure(
    tool: str, arguments: Mapping[str, Any], command: str | None, normal: str, own: Collection[str] | None
) -> tuple[str, str | None]:
    """By what failures of different calls add up, and how this call failed; `own` None: it did not.

    Another program, another thing that the tool does and another host are another matter; but to guess at the names of
    programs is one, and a shell that runs nothing is one.
    """
    if command is not None and (outcome.not_run(normal) or screens.quote_open(normal)):
        return tool, NOT_RUN if own is not None else None
    if command is not None and outcome.no_program(normal):
        return tool, NO_PROGRAM if own is not None else None
    if command is None and own is not None and outcome.no_tool(normal):
        # To guess at the names of tools is one matter, whatever names are tried.
        return NO_TOOL, NO_TOOL
    host = _host(arguments) or (hosts.asked(command) if command is not None else "")
    error = error_class(normal, own) if own is not None else None
    if error is not None and outcome.nothing_done(normal):
        error = NOTHING_DONE
    if command is None and outcome.denied(normal):
        # Who is let in nowhere by a service knocks in vain at all its doors.
        return " ".join(filter(None, (tool_kinds.service(tool), host))), error
    which = shell_commands.program(command) if command is not None else tool_kinds.subcommand(tool, arguments)
    return " ".join(filter(None, (tool, which, host))), error


def _host(arguments: Mapping[str, Any]) -> str:
    texts = (value for value in arguments.values() if isinstance(value, str))
    found = next((found for text in texts if (found := _HOST.search(text[:_MOST_OF_HOST]))), None)
    return (found[1] or found[2]) if found else ""


def _moves(tool: str, arguments: Mapping[str, Any], command: str | None, normal: str, sign: str | None) -> bool:
    if tool_kinds.changes(tool, arguments, command):
        return True
    if tool_kinds.moves(tool, arguments) and _tells_nothing(tool, arguments, normal):
        return not tool_kinds.shows_screen(
            tool, arguments
        )  # What shows nothing of where it came to may have come somewhere.
    return command is not None and shell_commands.runs_script(command) and sign is None and not outcome.goes_on(normal)


def _tells_nothing(tool: str, arguments: Mapping[str, Any], normal: str) -> bool:
    """Whether the result of a move says only that it was made; a look tells nothing that stands for a picture."""
    if tool_kinds.shows_screen(tool, arguments):
        return screens.is_picture(normal)
    return screens.tells_nothing(normal, _BRIEF)


def _is_screen(tool: str, arguments: Mapping[str, Any], normal: str) -> bool:
    """Whether something was typed, clicked or gone to, or the screen looked at, and the result shows it, not only that
    it was done.
    """
    if tool_kinds.types(arguments):
        return screens.prompts(normal, tool_kinds.typed(arguments)) or ("\n" in normal and len(normal) >= _BRIEF)
    if tool_kinds.shows_screen(tool, arguments):
        return len(normal) >= _LINE and not screens.is_picture(normal)
    if screens.tells_nothing(normal, _BRIEF):
        return False
    return tool_kinds.touches(tool, arguments)


def _is_page(tool: str, arguments: Mapping[str, Any], normal: str) -> bool:
    """Whether the result is the page of an address; an answer of an interface may well be the same for many."""
    opens = tool_kinds.opens_page(tool, arguments) and normal[:1] not in "{["
    return opens and not screens.tells_nothing(normal, _BRIEF)


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
