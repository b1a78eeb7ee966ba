"""What the rules against loops see of a call and its result. Everything that they need is in it, and no text."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from arreio_contracts.events import StepDigest, TargetSeen, ToolCall

from .. import (
    failure_lines,
    hosts,
    made_ids,
    measures,
    outcome,
    passing,
    screens,
    shell_commands,
    standing,
    targets,
    tool_kinds,
)
from ..error_class import (
    NO_PROGRAM,
    NO_TOOL,
    NOT_LET,
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
from ..values_tried import with_a_value_open
from ..volatile import without_volatile
from ..wording import asks, before_the_next, capitalised, carrying, forms, goes_on, next_thing, only_offers
from ..wrapped import unwrapped
from .edits import grows, rewriting

RULE = "loops/12"
"""Name and version of the rules and of the digests that they judge."""

_DEPTH = 20
_CLEAN = re.compile(r"\bnothing to commit, working tree clean\b")
_MOST_OF_HOST = 500
_BRIEF_HASH = 8
_HOST = re.compile(r"\b[a-z][a-z+.-]*://(?:[^/\s:@'\"]+(?::[^/\s@'\"]*)?@)?([\w.-]+)|\bgit@([\w.-]+):")
_BARE_ID = re.compile(r"\A(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_LINE = 20
"""Characters of a screen that can be told from another: the name of a picture cannot."""
_HITS = 24
"""So many lines of what a search shows are compared."""
_FEW_WORDS = 20
"""Characters of a text that says so little that it may be said time and again."""
_SOME_WORDS = 40
_MANY_WORDS = 80
"""Characters of a text that says something besides a courteous offer, or besides asking for the next thing."""
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
    result = unwrapped(result)
    normal = normalise(shortened(result))
    probes = tool_kinds.probes(tool, arguments, command)
    heard = tool_kinds.speaks(tool, arguments)
    shows = probes and (command is not None or bool(path_of(arguments)))
    failed = (failed or (not changed and _tells_of_failure(command, normal, heard=heard, shows=shows))) and not (
        # Of a question the status is the answer.
        command is not None and shell_commands.asks(command) and outcome.found_nothing(normal)
    )
    own = [*_words(arguments), *(operands_of(command) if command is not None else ())]
    # What a look shows of files and of their history tells nothing of how the look went.
    sign = None if heard or (not failed and shows and _shows_content(command)) else symptom(normal, own)
    moved = changed
    if moved is None:
        stopped = command is not None and shell_commands.moves_on(command) and outcome.stopped_on_the_way(normal)
        moved = stopped or (not failed and _moves(tool, arguments, command, normal, sign))
    if moved and _BARE_ID.match(normal):
        normal = ""  # What is made anew each time has a new id: it tells nothing of what came of it.
    scope, error = _failure(tool, arguments, command, normal, own if failed else None)
    polls = tool_kinds.polls(tool, arguments, command)
    held = (failed or not shows) and passing.lock_held(normal)
    prose = tool_kinds.is_prose(tool, arguments, command)
    pending = not polls and (
        held or (not (failed or heard or moved or prose or tool_kinds.types(arguments)) and outcome.may_change(normal))
    )
    succeeded = not (failed or sign)
    measuring = succeeded and not (heard or polls or pending) and measures.measures(tool, command, normal, shows=probes)
    steady = without_volatile(tool, arguments)
    fruitless = _finds_nothing(tool, arguments, command, normal)
    screen = _is_screen(tool, arguments, normal) or (not failed and _is_page(tool, arguments, normal))
    stepping = not failed and tool_kinds.steps_in_debugger(tool, arguments)
    compared = (
        result
        if stepping
        else _compared(normal, broken=polls and outcome.broken(normal), failed=failed or sign is not None)
    )
    return StepDigest(
        tool=tool,
        call=call or fingerprint(tool, arguments, cwd),
        result=digest(compared),
        scope=scope,
        error=error,
        symptom=sign,
        failing=failing_tests(normal),
        passed=passed_tests(normal),
        changed=moved,
        state=state if moved else None,
        polling=polls or pending,
        pending=pending,
        passing=held or ((failed or sign is not None) and passing.away(normal)),
        waits=tool_kinds.waits(tool, arguments, command),
        probes=probes,
        heard=heard,
        worded=fingerprint(tool, arguments, cwd, wording=True) if heard and len(normal) < _BRIEF else None,
        said=_said(tool, arguments) if heard else (),
        verbatim=_verbatim(tool, arguments, cwd) if heard else None,
        asks=heard and _asks(_free_text(tool, arguments)),
        slots=_slots(command) if failed and command is not None else (),
        forms=_hashed(forms(_free_text(tool, arguments))) if heard else (),
        named=_hashed(capitalised(_free_text(tool, arguments))) if heard else (),
        prose=prose,
        fruitless=fruitless,
        screen=screen,
        shown=digest(screens.shown(normal)) if screen else None,
        blind=not failed and tool_kinds.moves(tool, arguments) and _tells_nothing(tool, arguments, normal),
        guessed=wrong_guess(error if error is not None else normal if screen else ""),
        notes=moved and changes_notes_only(arguments, command, cwd),
        removes=not failed and tool_kinds.removes(tool, arguments, command),
        hits=_hits(tool, arguments, command, normal) if succeeded and not fruitless else (),
        lines=None if failed or polls or pending else lines_read(arguments, command, cwd, result),
        alike=fingerprint(tool, steady, cwd) if steady is not None else None,
        exact=digest(result) if measuring or (succeeded and measures.makes(tool, command, result, probes)) else None,
        measures=measuring,
        checks=measuring and measures.checks(command),
        onward=tool_kinds.goes_on(tool, arguments) or shell_commands.moves_on(command or ""),
        left=None if succeeded else standing.left(normal),
        mark=None if probes else standing.mark(normal),
        failing_at=None if succeeded else _named_failures(normal),
        in_place=shell_commands.edited_in_place(command) if command is not None and moved else None,
        looked_at=_looked_at(command, normal) if command is not None and probes and succeeded else None,
        target=_target(arguments, command, error, normal, fruitless=fruitless),
        places=() if succeeded else standing.places(result),
        grows=grows(arguments) if moved else None,
        **_rewriting(arguments, cwd),
        **_ids(tool, arguments, result, compared, cwd, acts=bool(moved) or heard or tool_kinds.moves(tool, arguments)),
    )


def _shows_content(command: str | None) -> bool:
    return command is None or shell_commands.shows_content(command)


def _hits(tool: str, arguments: Mapping[str, Any], command: str | None, normal: str) -> tuple[str, ...]:
    """The lines that a search shows; of a listing the names at their ends."""
    lists = command is not None and shell_commands.lists(command)
    if not (lists or tool_kinds.searches(tool, arguments, command)):
        return ()
    if lists:
        normal = "\n".join(line.rsplit(None, 1)[-1].rsplit("/", 1)[-1] for line in normal.split("\n") if line.strip())
    lines = list(dict.fromkeys(line for line in normal.split("\n") if line.strip()))
    return _brief([*lines[:_HITS], *(["\n".join(lines[_HITS:])] if len(lines) > _HITS else [])])


def _ids(tool: str, arguments: Mapping[str, Any], result: str, normal: str, cwd: str, *, acts: bool) -> dict[str, Any]:
    """The ids that a call names and that its result tells, and both without them."""
    named, told = made_ids.ids_in_arguments(arguments), made_ids.ids_in(result)
    bare = fingerprint(tool, made_ids.without_made_ids_in(arguments), cwd) if named else None
    plain = digest(made_ids.without_made_ids(normal)) if told else None
    maker = measures.is_maker(tool)
    return {
        "made": _brief(made_ids.names_told(result)) if maker else (),
        "asked": () if maker or acts or path_of(arguments) else _brief(made_ids.names_asked(arguments)),
        "ids": _brief(named),
        "bare": bare,
        "tells": _brief(told),
        "plain": plain,
    }


def _looked_at(command: str, normal: str) -> str | None:
    """The file that a look is at; all changes are looked at where nothing is shown of any."""
    at = shell_commands.looked_at(command)
    return at if at != shell_commands.WHOLE or outcome.found_nothing(normal) or _CLEAN.search(normal) else None


def _brief(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(digest(word)[:_BRIEF_HASH] for word in words)


def _hashed(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(_brief(words)))


def _compared(normal: str, *, broken: bool, failed: bool) -> str:
    if broken:
        return outcome.without_counts(normal)
    return without_ids(normal) if failed else normal


def _named_failures(normal: str) -> str | None:
    names = standing.what_fails(normal)
    return digest(names) if names else None


def _target(
    arguments: Mapping[str, Any], command: str | None, error: str | None, normal: str, *, fruitless: bool
) -> TargetSeen | None:
    """What an empty search was about, or a failure that is a verdict on it."""
    about = None
    if fruitless:
        about = targets.sought(arguments, command)
    elif error is not None and targets.tells_of_item(error, normal):
        about = targets.target(arguments, command)
    if about is None:
        return None
    words = _hashed(about.words)
    parts = _brief(about.value.split("\0")) if not fruitless else ()
    return TargetSeen(value=digest(about.value), parts=parts, shape=digest(about.shape), words=words)


def _finds_nothing(tool: str, arguments: Mapping[str, Any], command: str | None, normal: str) -> bool:
    if not tool_kinds.searches(tool, arguments, command):
        return False
    return outcome.found_nothing(normal) or outcome.no_rows(normal) or (command is None and outcome.none_found(normal))


def _rewriting(arguments: Mapping[str, Any], cwd: str) -> dict[str, str | None]:
    told = rewriting(arguments, cwd)
    return {"replaces": digest(told[0]), "puts": digest(told[1])} if told else {}


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
    if heard:
        return False
    if command is not None and (
        screens.quote_open(normal)
        or (not shell_commands.shows_content(command) and failure_lines.told(normal) is not None)
    ):
        return True
    return outcome.failed(normal, shows=shows)


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
    if command is not None and own is not None and (file := outcome.not_let(normal)):
        return f"{tool} {file}", NOT_LET
    host = (
        "" if outcome.local_fault(normal) else _host(arguments) or (hosts.asked(command) if command is not None else "")
    )
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
    return _hashed(carrying(_free_text(tool, arguments)))


def _verbatim(tool: str, arguments: Mapping[str, Any], cwd: str) -> str | None:
    """What is said to somebody, word by word; None where it may well be said time and again."""
    text = _free_text(tool, arguments)
    if not next_thing(text):
        brief = len(text) < _FEW_WORDS
    else:
        brief = len(before_the_next(text)) < (_SOME_WORDS if only_offers(text) else _MANY_WORDS)
    return None if brief else fingerprint(tool, arguments, cwd, wording=True)


def _asks(text: str) -> bool:
    """Whether a text asks for something else than the next thing, or to go on."""
    return asks(before_the_next(text) if next_thing(text) else text) and not goes_on(text)


def _slots(command: str) -> tuple[str, ...]:
    return _brief(with_a_value_open(command))


def _free_text(tool: str, arguments: Mapping[str, Any]) -> str:
    return " ".join(str(arguments[field]) for field in sorted(tool_kinds.free_text(tool, arguments)))


def _words(value: Any, depth: int = 0) -> list[str]:
    if isinstance(value, str):
        return words_of(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return [str(value)]
    if depth > _DEPTH or not isinstance(value, Mapping | list | tuple):
        return []
    inner = value.values() if isinstance(value, Mapping) else value
    return [word for one in inner for word in _words(one, depth + 1)]
