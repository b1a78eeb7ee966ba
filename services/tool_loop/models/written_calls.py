"""Finds the calls that a model wrote into its text, in the marks of its family, at the tail and outside code. Pure.

A block counts only where nothing follows it, it stands in no code fence and no quotation, and it is no part of what the
model thought. Marks without a whole call are cut from the text too: a user never sees them.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from .call_shapes import (
    WrittenCall,
    after_space,
    calls_of,
    is_call,
    json_values,
    malformed,
    python_calls,
    read_body,
    truncated,
)
from .lenient_json import read_prefix
from .names import resolved
from .repair import unfenced, without_end_tokens

MARKS: Final[Sequence[tuple[str, str]]] = (
    ("<tool_calls>", "</tool_calls>"),
    ("<tool_call>", "</tool_call>"),  # Hermes, Qwen, GLM
    ("<function_calls>", "</function_calls>"),
    ("<function_call>", "</function_call>"),
    ("<tool_use>", "</tool_use>"),
    ("<tools>", "</tools>"),
    ("<TOOLCALL>", "</TOOLCALL>"),  # Nemotron
    ("<minimax:tool_call>", "</minimax:tool_call>"),
    ("<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),  # DeepSeek
    ("<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"),
    ("<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),  # Kimi
    ("<|tool_call_begin|>", "<|tool_call_end|>"),
    ("<|tool_call_start|>", "<|tool_call_end|>"),  # LFM2
    ("<|tool_call|>", "<|/tool_call|>"),  # Phi
    ("<|action_start|><|plugin|>", "<|action_end|>"),  # InternLM
    ("[TOOL_CALLS]", "[/TOOL_CALLS]"),  # Mistral
    ("<|python_tag|>", "<|eom_id|>"),  # Llama
    ("<function=", "</function>"),
    ("<invoke ", "</invoke>"),
    ("<|channel|>commentary to=", "<|call|>"),  # gpt-oss
)
_OPEN_ENDED: Final = frozenset({"[TOOL_CALLS]", "<|python_tag|>", "<|tool_call|>", "<|channel|>commentary to="})
"""Marks that need no closing one: the reply's end closes them, where the call itself is whole."""
_PART_OF_BODY: Final = frozenset({"<function=", "<invoke ", "<|channel|>commentary to="})
_CLOSINGS: Final = dict(MARKS)
_OPENING = re.compile("|".join(re.escape(opening) for opening, _ in MARKS))
_STRAY = re.compile(r"\s*(?:" + "|".join(re.escape(closing) for _, closing in MARKS) + r")")
_BEGUN = re.compile(r"\s*(?:[{\[<]|[\w.:/-]*\s*(?:\Z|\n|\(|\{|\[ARGS\]))")
_THOUGHT_ENDS = re.compile(r"</think>(?=\s*(?:\n|<|\Z))|(?<=\n)</think>")
_PARAMETERS = re.compile(r"<(?:\w+:)?(?:param|arg)")
_ARGUMENTS_BEGUN = re.compile(r"[{(\[]")
_FENCE_LINE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})([^\n`]*)$", re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]*+`")
_QUOTED = re.compile(r"^[ \t]{0,3}>[^\n]*+$", re.MULTILINE)
_CALL_FENCES: Final = frozenset({"json", "json5", "jsonc", "tool_call", "tool_code", "tool", "function_call"})
_SHOWN = re.compile(
    r"(?i)\b(?:example|e\.g|for instance|such as|format|syntax|looks? like|exemplos?|formato|sintaxe)\b[^\n]*\s*\Z"
)
_LOOKS_CALLED = re.compile(r"[\"']?(?:name|tool|tool_name|function|action)[\"']?\s*:")
_CUTS: Final = 64
"""Blocks that are cut out of one text."""
_ATTEMPTS: Final = 8
"""Openings that may turn out to be none before a text is given up: each costs a reading of the rest."""


@dataclass(frozen=True)
class Tail:
    """A text without the calls at its end, and these in order; one that is not whole is there with its problem."""

    content: str
    calls: tuple[WrittenCall, ...] = ()


def written_calls(text: str, offered: Collection[str]) -> Tail:
    """The calls at the end of a text. What no mark calls a call is one only if every tool of it is offered."""
    whole = without_end_tokens(text)
    thought = _thought(whole)
    said = whole[thought:]
    whole_json = said.lstrip()[:1] in ("{", "[")
    found = (whole_json and _unmarked(said, offered)) or _marked(said) or _unmarked(said, offered)
    if not found:
        return Tail(text)
    start, calls = found
    return Tail((whole[:thought] + said[:start]).rstrip(), tuple(calls))


def _thought(text: str) -> int:
    """Where what a model thought ends and what it says begins; some templates open the thought in the prompt."""
    if text.lstrip().startswith("<think>"):
        before, closing, _ = text.partition("</think>")
        return len(before) + len(closing)
    ended = _THOUGHT_ENDS.search(text) if "</think>" in text else None
    return ended.end() if ended else 0


def marked(text: str) -> bool:
    """Whether a text holds marks of calls outside code, whatever they are worth."""
    return _has_mark(text) and _next_opening(text, 0, _quoted_spans(text)) is not None


def without_marks(text: str) -> str:
    """A text as a user may see it: without what stands in marks of calls outside code, and without end tokens."""
    text = without_end_tokens(text)
    if not _has_mark(text):
        return text.strip()
    code, kept, place, start = _quoted_spans(text), [], 0, 0
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


def _marked(text: str) -> tuple[int, list[WrittenCall]] | None:
    """Where the blocks at the end begin, and their calls."""
    if not _has_mark(text):
        return None
    code = _quoted_spans(text)
    place = 0
    for _ in range(_ATTEMPTS):
        opening = _next_opening(text, place, code)
        if opening is None:
            return None
        calls, end = _run(text, opening.start())
        if calls and after_space(text, end) == len(text):
            return opening.start(), calls
        place = max(end, opening.end())
    return None


def _has_mark(text: str) -> bool:
    """Whether any mark stands in a text at all, which most have none of: looked for a mark at a time, that is quick."""
    return any(opening in text for opening, _ in MARKS)


def _next_opening(text: str, place: int, code: Sequence[tuple[int, int]]) -> re.Match[str] | None:
    for opening in _OPENING.finditer(text, place):
        before = bisect_right(code, (opening.start(), len(text))) - 1
        if before < 0 or code[before][1] <= opening.start():
            return opening
    return None


def _run(text: str, place: int, *, inside: bool = False) -> tuple[list[WrittenCall], int]:
    """The calls of the blocks that follow each other from `place` on, and where they end."""
    calls: list[WrittenCall] = []
    while opening := _OPENING.match(text, after_space(text, place)):
        found, end = _block(text, opening, inside=inside)
        if end is None:
            return calls, place
        calls += found
        place = end
        while not inside and (stray := _STRAY.match(text, place)):
            place = stray.end()
    return calls, place


def _block(text: str, opening: re.Match[str], *, inside: bool) -> tuple[list[WrittenCall], int | None]:
    """The calls of one block and its end; None where the mark is only a word of the text."""
    mark = opening[0]
    closing = _CLOSINGS[mark]
    begin = opening.start() if mark in _PART_OF_BODY else opening.end()
    if not inside and mark not in _PART_OF_BODY and _OPENING.match(text, after_space(text, begin)):
        inner, end = _run(text, begin, inside=True)
        end = after_space(text, end)
        if text.startswith(closing, end):
            return inner, end + len(closing)
        return ([truncated(text[begin:])], len(text)) if end == len(text) else ([], None)
    stop = _body_end(text, begin, closing)
    if stop is None:
        rest = text[begin:]
        if not _BEGUN.match(rest):
            return [], None
        whole = mark in _OPEN_ENDED and _ARGUMENTS_BEGUN.search(rest)
        return (read_body(rest) if whole else [truncated(rest)]), len(text)
    body = text[begin : stop + (len(closing) if closing in ("</function>", "</invoke>") else 0)]
    return (
        (read_body(body), stop + len(closing)) if body.strip() else ([malformed("an empty call")], stop + len(closing))
    )


def _body_end(text: str, begin: int, closing: str) -> int | None:
    """Where the closing mark stands, looked for behind the JSON of the body, whose strings may hold anything."""
    place, stop = after_space(text, begin), text.find(closing, begin)
    if text[place : place + 1] not in ("{", "["):
        place = text.find("{", begin, stop)
    if 0 <= place < stop and not _PARAMETERS.search(text, begin, place):
        found = read_prefix(text, place)
        if found.code == "truncated":
            return None
        stop = text.find(closing, found.end)
    return None if stop < 0 else stop


def _unmarked(text: str, offered: Collection[str]) -> tuple[int, list[WrittenCall]] | None:
    """A call as a bare JSON object, a list, Python, or a fence of these, that ends the text."""
    stripped = text.strip()
    start = len(text) - len(text.lstrip())
    if stripped[:1] in ("{", "["):
        return _bare(text, start, stripped, offered, alone=True)
    fence = _last_fence(text)
    if fence is not None:
        begin, info, closed = fence
        alone = not text[:begin].strip()
        if not alone and (info not in _CALL_FENCES or _SHOWN.search(text[:begin].rstrip()[-200:])):
            return None
        body = unfenced(text[begin:]) if closed else text[begin:].split("\n", 1)[-1]
        return _bare(text, begin, (body or "").strip(), offered, alone=alone, closed=closed)
    line = re.search(r"^\{[ \t\n]*[\"'{]", text, re.MULTILINE)
    if line is None or _SHOWN.search(text[: line.start()].rstrip()[-200:]):
        return None
    return _bare(text, line.start(), text[line.start() :].strip(), offered, alone=False)


def _bare(
    text: str, start: int, body: str, offered: Collection[str], *, alone: bool, closed: bool = True
) -> tuple[int, list[WrittenCall]] | None:
    if re.match(r"\[?\s*[A-Za-z_][\w.]*\(", body):
        calls = python_calls(body) if closed else []
        return (start, calls) if calls and _all_offered(calls, offered) else None
    values, failed = json_values(body)
    if (failed is not None and failed.code == "truncated") or (failed is None and not closed):
        looks = _LOOKS_CALLED.search(body[:400]) and any(name in body[:2000] for name in offered)
        return (start, [truncated(body)]) if looks else None
    if failed is not None or not is_call(values):
        return None
    calls = calls_of(values)
    return (start, calls) if alone or _all_offered(calls, offered) else None


def _all_offered(calls: Sequence[WrittenCall], offered: Collection[str]) -> bool:
    return all(call.name is not None and resolved(call.name, offered) in offered for call in calls)


def _last_fence(text: str) -> tuple[int, str, bool] | None:
    """Where the code fence at the end of a text begins, what it says it holds, and whether it is closed."""
    spans = _code_spans(text)
    if not spans or text[spans[-1][1] :].strip():
        return None
    begin, end = spans[-1]
    opening = _FENCE_LINE.match(text, begin)
    assert opening is not None
    closed = text[begin:end].rstrip().endswith(opening[1]) and "\n" in text[begin:end].strip()
    return begin, opening[2].strip().lower(), closed


def _quoted_spans(text: str) -> list[tuple[int, int]]:
    """The parts of a text that are code, in a fence or within a line, or quoted; in order, none within another."""
    found: list[tuple[int, int]] = []
    spans = [*_code_spans(text), *(span.span() for kind in (_INLINE, _QUOTED) for span in kind.finditer(text))]
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def _code_spans(text: str) -> list[tuple[int, int]]:
    """The fenced parts of a text; the last one may have no end."""
    if "```" not in text and "~~~" not in text:
        return []
    spans: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE_LINE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]) and not fence[2].strip():
            spans.append((opened.start(), fence.end()))
            opened = None
    return [*spans, (opened.start(), len(text))] if opened else spans
