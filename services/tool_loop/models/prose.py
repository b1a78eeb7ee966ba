"""What of a model's text is prose in which a call may stand: neither code, nor quoted, nor thought, nor shown. Pure."""

import re
from typing import Final

from .lead_in import not_meant
from .speakers import of_another

_FENCE_LINE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n`]*)$", re.MULTILINE)
_INLINE = re.compile(r"`[^`\n]*+`")
_QUOTED = re.compile(r"^[ \t]{0,3}>(?!>>)[^\n]*+$", re.MULTILINE)
_INDENTED = re.compile(r"(?<=\n)[ \t]*\n(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+")
_TAGS: Final = "think|thinking|thought|reasoning|reflection|seed:think"
_THOUGHT = re.compile(rf"^[ \t]*(?:<(?P<tag>{_TAGS})>|\[THINK\])", re.MULTILINE | re.IGNORECASE)
_THOUGHT_ENDS = re.compile(rf"</(?:{_TAGS})>(?=\s*(?:\n|<|\Z))|(?<=\n)</(?:{_TAGS})>")


def opens_thought(text: str) -> bool:
    """Whether a text begins with a thought that it opens itself."""
    return _THOUGHT.match(text, len(text) - len(text.lstrip())) is not None


def spoken(text: str) -> int:
    """Where what a model thought ends and what it says begins; some templates open the thought in the prompt."""
    opened = _THOUGHT.match(text, len(text) - len(text.lstrip()))
    if opened:
        return _thought_end(text, opened)
    ended = _THOUGHT_ENDS.search(text) if "</" in text else None
    return ended.end() if ended else 0


def unspoken(text: str) -> list[tuple[int, int]]:
    """The parts of a text that are code, quoted, or thought; in order, none within another."""
    spans = [*code_spans(text)]
    spans += [span.span() for kind in (_INLINE, _QUOTED, _INDENTED) for span in kind.finditer(text)]
    if text.count("<") or "[THINK]" in text:
        spans += _thoughts(text)
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def only_shown(text: str, place: int) -> bool:
    """Whether what begins at `place` is quoted, another's, or led into by words that do not mean it to be executed."""
    before = text[:place]
    return before[-1:] in tuple("\"'`“‘«") or of_another(before) or not_meant(before)


def code_spans(text: str) -> list[tuple[int, int]]:
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


def last_fence(text: str) -> tuple[int, str, bool] | None:
    """Where the code fence at the end of a text begins, what it says it holds, and whether it is closed."""
    spans = code_spans(text)
    if not spans or text[spans[-1][1] :].strip():
        return None
    begin, end = spans[-1]
    opening = _FENCE_LINE.match(text, begin)
    assert opening is not None
    closed = text[begin:end].rstrip().endswith(opening[1]) and "\n" in text[begin:end].strip()
    return begin, opening[2].strip().lower(), closed


def _thoughts(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    place = 0
    while opened := _THOUGHT.search(text, place):
        place = _thought_end(text, opened)
        spans.append((opened.start(), place))
    return spans


def _thought_end(text: str, opened: re.Match[str]) -> int:
    closing = f"</{opened['tag']}>" if opened["tag"] else "[/THINK]"
    end = text.find(closing, opened.end())
    return len(text) if end < 0 else end + len(closing)
