"""Finds the calls that a model wrote into its text, in the marks of its family, at the tail and outside code. Pure.

A block counts only where nothing follows it, it stands in no code fence and no quotation, and it is no part of what the
model thought. Marks without a whole call are cut from the text too: a user never sees them.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from .call_elements import PARAMETERS
from .call_marks import CLOSES_BODY, CLOSINGS, LIKE_A_MARK, OPEN_ENDED, OPENING, PART_OF_BODY, STRAY, has_mark
from .call_shapes import calls_of, is_call, json_values, python_calls, read_body
from .lenient_json import TRUNCATED, read_prefix
from .names import resolved
from .prose import last_fence, only_shown, opens_thought, spoken, unspoken
from .repair import unfenced, without_end_tokens
from .tag_calls import named_element
from .written_call import WrittenCall, after_space, malformed, read_arguments, truncated

NOT_LAST: Final = "it was not executed, since text follows it: only calls at the end of a reply act"

_BEGUN = re.compile(
    r"[^\S\n]*+[\w.:/-]*+[^\S\n]*+\n"
    r"|\s*+(?:[{\[<]|[\w.:/-]*+\s*+(?:\Z|\(|\{|\[ARGS\]|\[CALL_ID\]|<[|｜]|<tool_sep>)|to=[\w.:-]*+\s*+(?:<|\Z))"
)
_QUOTES = re.compile(r"\s*call:")
_OBJECT_LINE = re.compile(r"^\{[ \t\n]*[\"'{]", re.MULTILINE)
_HEAD = re.compile(
    r"^(?:Action:[ \t]*([\w.:/-]+)[ \t]*\nAction Input:[ \t]*|>>>[ \t]*([\w.:/-]+)[ \t]*\n)(?=\s*\{)", re.M
)
_ACTION = re.compile(r"^Action:\s*(?=```(?:json)?[ \t]*\n)", re.MULTILINE)
_FUNCTOOLS = re.compile(r"^functools[ \t]*(?=\[)", re.M)
_PYTHON = re.compile(r"[A-Za-z_][\w.]*\(\s*(?:\)|\w+\s*=)")
_ARGUMENTS_BEGUN = re.compile(r"[{(\[]")
_CALL_FENCES: Final = frozenset({"json", "json5", "jsonc", "tool_call", "tool_code", "tool", "function_call"})
_CODE_FENCES: Final = frozenset({"", "python", "py", "javascript", "js"})
"""What a fence that is the whole message may call itself besides: any other holds a text."""
_LOOKS_CALLED = re.compile(r"[\"']?(?:name|tool|tool_name|function|action)[\"']?\s*:")
_TRIED: Final = 16
"""Closing marks that are tried for one block; each costs a reading."""
_CUTS: Final = 64
"""Blocks that are cut out of one text."""
_ATTEMPTS: Final = 8
"""Openings that may turn out to be none before a text is given up: each costs a reading of the rest."""


@dataclass(frozen=True)
class Tail:
    """A text without the calls at its end, and these in order; one that is not whole is there with its problem."""

    content: str
    calls: tuple[WrittenCall, ...] = ()


def written_calls(text: str, offered: Collection[str], *, constrained: bool = False) -> Tail:
    """The calls at the end of a text.

    What no mark calls a call is one only if it is the whole of what is said and every tool of it is offered, or if the
    reply was to be `constrained` to it.
    """
    whole = without_end_tokens(text).removeprefix("\ufeff")
    spoke = _spoken(whole)
    said = whole[spoke:]
    whole_json = said.lstrip()[:1] in ("{", "[")
    found = (
        (whole_json and _unmarked(said, offered, constrained))
        or _marked(said, offered)
        or _unmarked(said, offered, constrained)
    )
    return Tail((whole[:spoke] + found.content).rstrip(), found.calls) if found else Tail(text)


def _spoken(text: str) -> int:
    """Where what is said begins; the end of a thought that stands within a call's own text ends none."""
    begins = spoken(text)
    opening = OPENING.search(text, 0, begins) if begins and not opens_thought(text) else None
    if opening:
        calls, end = _run(text, opening.start())
        return 0 if calls and end > begins else begins
    return begins


def marked(text: str, offered: Collection[str] = ()) -> bool:
    """Whether a text holds marks of calls outside code, whatever they are worth, or shows a call of an offered tool."""
    if has_mark(text) and _next_opening(text, 0, unspoken(text)) is not None:
        return True
    return bool(offered) and (LIKE_A_MARK.search(text) is not None or _shows_json(text, offered))


def _shows_json(text: str, offered: Collection[str]) -> bool:
    fence = last_fence(text)
    line = _OBJECT_LINE.search(text)
    begin = fence[0] if fence else line.start() if line else None
    if begin is None:
        return False
    values, _ = json_values((unfenced(text[begin:]) or "") if fence else text[begin:])
    return bool(values) and is_call(values) and _all_offered(calls_of(values), offered)


def without_marks(text: str) -> str:
    """A text as a user may see it: without what stands in marks of calls outside code, and without end tokens."""
    text = without_end_tokens(text)
    if not has_mark(text):
        return text.strip()
    code, kept, place, start = unspoken(text), [], 0, 0
    for _ in range(_CUTS):
        opening = _next_opening(text, start, code)
        if opening is None:
            break
        calls, end = _run(text, opening.start())
        start = max(end, opening.end())
        if calls:
            kept.append(text[place : opening.start()])
            place = start
    return "".join([*kept, text[place:]]).strip()


def _marked(text: str, offered: Collection[str]) -> Tail | None:
    """What stands before the blocks at the end, and their calls, behind those that more text follows."""
    if not has_mark(text):
        return None
    unsaid = unspoken(text)
    place = kept = 0
    before: list[str] = []
    lost: list[WrittenCall] = []
    for _ in range(_ATTEMPTS):
        opening = _next_opening(text, place, unsaid)
        if opening is None:
            return None
        calls, end = _run(text, opening.start())
        place = max(end, opening.end())
        if not calls or only_shown(text, opening.start()):
            continue
        if after_space(text, end) == len(text):
            return Tail("".join([*before, text[kept : opening.start()]]), (*lost, *calls))
        if all(call.code is None for call in calls) and _all_offered(calls, offered):
            lost += [malformed(NOT_LAST, call.name) for call in calls]
            before.append(text[kept : opening.start()])
            kept = place
    return None


def _next_opening(text: str, place: int, code: Sequence[tuple[int, int]]) -> re.Match[str] | None:
    for opening in OPENING.finditer(text, place):
        before = bisect_right(code, (opening.start(), len(text))) - 1
        if before < 0 or code[before][1] <= opening.start():
            return opening
    return None


def _run(text: str, place: int, *, inside: bool = False) -> tuple[list[WrittenCall], int]:
    """The calls of the blocks that follow each other from `place` on, and where they end."""
    calls: list[WrittenCall] = []
    while opening := OPENING.match(text, after_space(text, place)):
        found, end = _block(text, opening, inside=inside)
        if end is None:
            return calls, place
        calls += found
        place = end
        while not inside and (stray := STRAY.match(text, place)):
            place = stray.end()
    return calls, place


def _block(text: str, opening: re.Match[str], *, inside: bool) -> tuple[list[WrittenCall], int | None]:
    """The calls of one block and its end; None where the mark is only a word of the text."""
    mark = opening[0]
    closing = CLOSINGS[mark]
    begin = opening.start() if mark in PART_OF_BODY else opening.end()
    if not inside and mark not in PART_OF_BODY and OPENING.match(text, after_space(text, begin)):
        inner, end = _run(text, begin, inside=True)
        end = after_space(text, end)
        if text.startswith(closing, end):
            return inner, end + len(closing)
        if end == len(text):
            return [truncated(text[begin:])], end
        return ([malformed("its closing mark is missing", inner[-1].name)], len(text)) if inner else ([], None)
    first: tuple[list[WrittenCall], int] | None = None
    for stop in islice(_body_ends(text, begin, closing), _TRIED):
        body = text[begin : stop + (len(closing) if closing in CLOSES_BODY else 0)]
        calls = read_body(body) if body.strip() else [malformed("an empty call")]
        if all(call.code is None for call in calls):
            return calls, stop + len(closing)
        first = first or (calls, stop + len(closing))
    if first is not None:
        return first if first[0][-1].code != "truncated" else (first[0], len(text))
    rest = text[begin:]
    if not _BEGUN.match(rest):
        return [], None
    whole = mark in OPEN_ENDED and _ARGUMENTS_BEGUN.search(rest)
    return (read_body(rest) if whole else [truncated(rest)]), len(text)


def _body_ends(text: str, begin: int, closing: str) -> Iterator[int]:
    """Where the closing mark may stand: behind the JSON of the body, whose strings may hold anything; else anywhere."""
    place, stop = after_space(text, begin), text.find(closing, begin)
    if text[place : place + 1] not in ("{", "["):
        place = text.find("{", begin, stop)
    if 0 <= place < stop and not PARAMETERS.search(text, begin, place) and not _QUOTES.match(text, begin):
        found = read_prefix(text, place)
        stop = -1 if found.code == "truncated" else text.find(closing, found.end)
        if stop >= 0:
            yield stop
        return
    while stop >= 0:
        yield stop
        stop = text.find(closing, stop + 1)


def _unmarked(text: str, offered: Collection[str], constrained: bool) -> Tail | None:
    """A call as a bare JSON object, a list, Python, or a fence of these, that is the text; or under a heading."""
    stripped = text.strip()
    if stripped[:1] in ("{", "[") or _PYTHON.match(stripped):
        return _bare(stripped, offered, constrained=constrained)
    if headed := _headed(text, offered) or _tagged(text, offered):
        return headed
    fence = last_fence(text)
    if fence is not None:
        begin, info, closed = fence
        alone = not text[:begin].strip()
        if info not in (_CALL_FENCES | _CODE_FENCES if alone else _CALL_FENCES):
            return None
        if not alone and (not constrained or only_shown(text, begin)):
            return None
        body = unfenced(text[begin:]) if closed else text[begin:].split("\n", 1)[-1]
        return _bare((body or "").strip(), offered, before=text[:begin], closed=closed)
    line = _OBJECT_LINE.search(text) if constrained else None
    if line is None or only_shown(text, line.start()):
        return None
    return _bare(text[line.start() :].strip(), offered, before=text[: line.start()])


def _headed(text: str, offered: Collection[str]) -> Tail | None:
    """Calls at the end of a text under the headings of agents.

    ReAct's `Action: NAME`, `Action Input: {…}`; Functionary's `>>>NAME`, `{…}`; Cohere's `Action:` and a fence;
    Phi's `functools[…]`.
    """
    if (listed := _FUNCTOOLS.search(text)) and not _apart(text, listed.start()):
        return _bare(text[listed.end() :].strip(), offered, before=text[: listed.start()])
    if (fence := _ACTION.search(text)) and (body := unfenced(text[fence.end() :])):
        return _bare(body, offered, before=text[: fence.start()])
    heads = list(islice(_HEAD.finditer(text), _CUTS))
    if not heads or any(start <= heads[-1].start() < end for start, end in unspoken(text)):
        return None
    name = heads[-1][1] or heads[-1][2]
    if resolved(name, offered) not in offered:
        return None
    return Tail(text[: heads[-1].start()], (read_arguments(name, text[heads[-1].end() :]),))


def _tagged(text: str, offered: Collection[str]) -> Tail | None:
    """A call at the end of a text as an element that has the name of an offered tool: Cline's."""
    found = named_element(text, offered)
    if found is None or _apart(text, found[0]):
        return None
    return Tail(text[: found[0]], (found[1],))


def _apart(text: str, place: int) -> bool:
    return only_shown(text, place) or any(start <= place < end for start, end in unspoken(text))


def _bare(
    body: str, offered: Collection[str], *, before: str = "", closed: bool = True, constrained: bool = False
) -> Tail | None:
    """The calls that a text without marks is. Only where the reply was constrained is one of an unknown tool a call."""
    if python := re.match(r"(\[?)\s*([A-Za-z_][\w.]*)\(", body):
        calls = python_calls(body)
        cut = not closed or not body.endswith(("]", ")") if python[1] else ")")
        if cut and resolved(python[2], offered) in offered:
            return Tail(before, (WrittenCall(python[2], code="truncated", problem=TRUNCATED),))
        return Tail(before, tuple(calls)) if closed and _all_offered(calls, offered) else None
    values, failed = json_values(body)
    if failed is not None or not closed:
        looks = body[:1] in ("{", "[") and _LOOKS_CALLED.search(body[:400])
        if not looks or OPENING.match(body) or not any(name in body[:2000] for name in offered):
            return None
        if failed is None or failed.code == "truncated":
            return Tail(before, (truncated(body),))
        return Tail(before, (malformed(failed.told),))
    if not is_call(values):
        return None
    calls = calls_of(values)
    return Tail(before, tuple(calls)) if constrained or _all_offered(calls, offered) else None


def _all_offered(calls: Sequence[WrittenCall], offered: Collection[str]) -> bool:
    return all(call.name is not None and resolved(call.name, offered) in offered for call in calls)
