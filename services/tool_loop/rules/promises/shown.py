"""What of a reply speaks with the assistant's own voice: quotations, code and transcripts are hidden, offsets kept."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from shared.patterns import behind

THING = "\ufffc"
"""Stands for each character of something hidden that is a noun in its sentence: code in the line, a quotation."""

_SPOKEN_LIMIT = 200_000
_CALL_ENDS = ("</tool_call>", "</function>", "</function_calls>", "[/TOOL_CALLS]", "</tool_use>")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning|scratchpad)>", re.IGNORECASE)
_CALLED, _CLOSES = r"\w\(", r"\)"
_CODE_LOOK = re.compile(rf"^\s*(?://|/\*|#|\$ |>>> |@)|[;{{}}=]\s*$|{behind(_CALLED, _CLOSES)}|\s=\s")
_COMMENT = re.compile(
    r"^[ \t]*(?://|/\*|\*/|<!--|#!|#\s*(?:TODO|FIXME|XXX|HACK)\b|%{2,}|--\s*(?:TODO|FIXME)\b).*$", re.MULTILINE
)
_MARKED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b(?:\([^()\n]*\))?:(?:[^.!?\n]|[.!?](?=\S))*")
"""A note that code keeps, cited in prose: up to the end of its sentence."""
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_ROLES = (
    "user|customer|client|human|caller|visitor|agent|operator|support|rep|seller|buyer|cliente|usu[áa]ri[oa]|"
    "utilizador|atendente|operador|suporte|vendedor|comprador|paciente|aluno|interlocutor"
)
_TRANSCRIPT = re.compile(
    rf"^[ \t>*_-]*(?:\[[^\]\n]*\][ \t]*)?(?:{_ROLES})(?:\s*\d+)?[*_]*\s*:.*$", re.IGNORECASE | re.MULTILINE
)
_STAMPED = re.compile(
    r"^[ \t]*[\[(]?\d{1,2}:\d{2}(?::\d{2})?[\])]?[ \t]*-?[ \t]*[^\W\d_][^:\n]{0,30}:.*$", re.MULTILINE
)
_DRAFT = re.compile(
    r"^(?=[^\n]*:[ \t*_]*$)(?![^\n]*\b(?:i['’]?ll|i will|vou)\b)[^\n]*\b(?:"
    r"draft|template|sample (?:reply|message|e-?mail|text)|"
    r"(?:message|reply|response|e-?mail|text|note|letter|script|post|caption)\s+"
    r"(?:you|that you|for you|to (?:send|post))|"
    r"you (?:can|could|might|may) (?:send|say|reply|write|post|answer|use)|(?:suggested|proposed|possible) "
    r"(?:reply|message|response|answer|text|wording|e-?mail)|"
    r"rascunho|minuta|modelo de|sugest[ãa]o de (?:resposta|mensagem|texto|e-?mail)|"
    r"(?:resposta|mensagem|texto) sugerid[oa]|"
    r"(?:mensagem|resposta|e-?mail|texto|carta|bilhete|roteiro|legenda)\s+(?:que )?"
    r"(?:voc[êe]|vc|para (?:voc[êe]|enviar|mandar))|"
    r"(?:voc[êe]|vc) pode(?:ria)? (?:enviar|mandar|dizer|responder|escrever|usar|postar)"
    r")\b[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
_SPEAKER = (
    r"[ \t>*_-]*"
    r"(?!(?:ACTION|AGORA|DONE|FEITO|NEXT|NOTA|NOTE|NOW|OK|PASSO|PLAN|PLANO|PRÓXIMO|STATUS|STEP|TODO|UPDATE)\b)"
    r"[^\W\d_a-zà-ÿ][^\W_a-zà-ÿ]{1,15}(?: [^\W_a-zà-ÿ]{1,15})?[*_]*:[*_]*[ \t]+\S[^\n]*"
)
_SCRIPT = re.compile(rf"^{_SPEAKER}(?:\n\s*{_SPEAKER})+$", re.MULTILINE)
"""Lines of a play or of a chat: two or more in a row with the name of a speaker in capitals."""
_DRAFT_END = re.compile(r"^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$", re.MULTILINE)
_APOSTROPHE = re.compile(r"(?<=\b[iIwW])[`´](?=ll\b)|(?<=\b[wW]e)[`´](?=ll\b)|(?<=\b[iI])[`´](?=m\b)")
_INLINE_CODE = re.compile(r"``[^\n]+?``|`[^`\n]*`")
_QUOTATIONS = re.compile(
    r"“[^“”]{0,1000}”|„[^„“”\n]{0,1000}[“”]|«[^«»]{0,1000}»|\"[^\"\n]*\"|‘[^‘’\n]*(?:(?<=\w)’(?=\w)[^‘’\n]*)*’(?!\w)|"
    r"(?<![\w'])'(?=[^\s'])[^'\n]*(?:(?<=\w)'(?=\w)[^'\n]*)*(?<=[^\s])'(?!\w)"
)
_LINK_TARGET = re.compile(r"(?<=\])\([^()\s]*\)")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_TITLE = re.compile(
    r"^(?![^\n]*\b(?i:i['’]?ll|i will|i['’]?m|let me|gonna|vou|irei|estou|t[oô])\b)"
    r"([ \t]*)(?:\*\*|__)(?=[^\s*_][^*_\n]*[^\s.!?…:*_](?:\*\*|__)[ \t]*$)",
    re.MULTILINE,
)
"""The marks before a line that is bold as a whole and no sentence."""
_EMPHASIS = re.compile(r"(?<!\*)\*++(?=[^\s*])|(?<=[^\s*])\*++|~~|(?<!\w)_++(?=\w)|(?<=[^\W_])_++(?!\w)")


class Shown(NamedTuple):
    """A reply's text in NFC with what is not the assistant's own speech blanked out, and where each character was."""

    text: str
    origins: Sequence[int] | None
    """For each character of `text`, and for its end, the offset in the text as given; None where they are the same."""

    def origin(self, offset: int) -> int:
        """The offset in the text as given."""
        return offset if self.origins is None else self.origins[offset]


def shown(text: str) -> Shown:
    """Hide all that others said, code, and all before the last call. Of an overlong text only its end is shown."""
    composed, origins = _composed(text)
    silent = max(
        0, len(composed) - _SPOKEN_LIMIT, *(composed.rfind(end) + len(end) for end in _CALL_ENDS if end in composed)
    )
    spoken = " " * silent + composed[silent:]
    for hide in (_hide_thoughts, _hide_fences, _hide_indented_code):
        spoken = hide(spoken)
    for pattern in (_COMMENT, _QUOTED_LINE, _TRANSCRIPT, _STAMPED):
        spoken = pattern.sub(_blank, spoken)
    spoken = _SCRIPT.sub(lambda found: _erased(found.group()), spoken)
    spoken = _hide_drafts(spoken)
    spoken = _APOSTROPHE.sub("'", spoken)
    for pattern in (_INLINE_CODE, _QUOTATIONS, _MARKED):
        spoken = pattern.sub(_thing, spoken)
    spoken = _TITLE.sub(r"\1# ", spoken)
    for pattern in (_LINK_TARGET, _TAG, _EMPHASIS):
        spoken = pattern.sub(_blank, spoken)
    return Shown(spoken, origins)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _thing(found: re.Match[str]) -> str:
    return THING * len(found.group())


def _erased(text: str) -> str:
    return "".join("\n" if character == "\n" else " " for character in text)


def _composed(text: str) -> tuple[str, Sequence[int] | None]:
    """The text in NFC, composed piece by piece so that every piece knows where it came from."""
    if unicodedata.is_normalized("NFC", text):
        return text, None
    pieces: list[str] = []
    origins: list[int] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at < len(text) and _joins(text[at - 1], text[at]):
            continue
        piece = unicodedata.normalize("NFC", text[start:at])
        pieces.append(piece)
        origins.extend([start] * len(piece))
        start = at
    origins.append(len(text))
    return "".join(pieces), origins


def _joins(before: str, character: str) -> bool:
    """Whether a character may compose with what stands before it."""
    if character < "\u0300":
        return False
    return unicodedata.combining(character) != 0 or len(unicodedata.normalize("NFC", before + character)) < 2


def _hide_thoughts(text: str) -> str:
    parts: list[str] = []
    at = 0
    while found := _THOUGHT.search(text, at):
        closing = f"</{found.group(1)}>"
        end = text.find(closing, found.end())
        end = len(text) if end < 0 else end + len(closing)
        parts += (text[at : found.start()], _erased(text[found.start() : end]))
        at = end
    return "".join([*parts, text[at:]])


def _hide_fences(text: str) -> str:
    """Fenced code, also where its fence is never closed."""
    if "```" not in text and "~~~" not in text:
        return text
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        opens = not fence and found is not None and found.group(1)[0] not in found.group(2)
        closes = bool(fence) and found is not None and found.group(1).startswith(fence) and not found.group(2).strip()
        if opens and found is not None:
            fence = found.group(1)
        lines.append(" " * len(line) if fence else line)
        if closes:
            fence = ""
    return "\n".join(lines)


def _hide_indented_code(text: str) -> str:
    """Lines set in by four spaces after an empty line, where one of them looks like code."""
    if "\n    " not in text and "\n\t" not in text:
        return text
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].startswith(("    ", "\t")) and lines[end].strip():
            end += 1
        after_gap = at == 0 or not lines[at - 1].strip()
        if end > at and after_gap and any(_CODE_LOOK.search(line) for line in lines[at:end]):
            lines[at:end] = [" " * len(line) for line in lines[at:end]]
        at = max(end, at + 1)
    return "\n".join(lines)


def _hide_drafts(text: str) -> str:
    """What follows a line that presents a text for someone else to send, up to a ruled line."""
    found = _DRAFT.search(text)
    if found is None:
        return text
    rule = _DRAFT_END.search(text, found.end())
    end = len(text) if rule is None else rule.start()
    return text[: found.end()] + _erased(text[found.end() : end]) + text[end:]
