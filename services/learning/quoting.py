"""What of a person's message is not the person's own word: quotations, forwarded mail, fenced text. Pure.

Somebody who forwards a mail or asks for a summary of a page wishes nothing of what stands in it.
"""

import re
from collections.abc import Iterator
from typing import Final

FILLED: Final = "·"
"""Stands for each character that is another's."""

_FENCED: Final = re.compile(r"(?P<fence>```|~~~|\"\"\"|''')[\s\S]*?(?:(?P=fence)|\Z)")
_TAG: Final = re.compile(r"(?P<open>[<\[])(?P<tag>[A-Za-z][\w-]*)\b[^<>\[\]]*[>\]]")
_LINE: Final = re.compile(r"^[ \t]*(?:>|&gt;).*$", re.MULTILINE)
_INLINE: Final = re.compile(
    r"[\"„“](?:[^\"„“”\n]|\n(?![ \t]*\n))*[\"”“]|«[^«»]*»|(?<!\w)['‘](?=\S)[^'‘’\n]{8,}['’](?!\w)"
)
_HEADER: Final = (
    r"[*_ \t]*(?:from|to|cc|date|sent|subject|reply-to|de|para|data|enviad[ao](?: em)?|assunto)[*_]*[ \t]*:.*"
)
_FORWARDED: Final = re.compile(
    r"^[ \t]*(?:-{2,}+|_{2,}+)[^\n]*\b(?:forwarded|original|encaminhad[ao])\b"
    r"|^begin forwarded message\b|^início da mensagem (?:re)?encaminhada\b"
    rf"|^{_HEADER}\n{_HEADER}$",
    re.IGNORECASE | re.MULTILINE,
)
_THING: Final = (
    r"e-?mails?|mails?|messages?|letters?|texts?|pages?|posts?|comments?|reviews?|tickets?|documents?|articles?"
    r"|transcripts?|quotes?|mensage(?:m|ns)|textos?|cartas?|páginas?|comentários?|avaliaç(?:ão|ões)"
    r"|documentos?|artigos?|citaç(?:ão|ões)"
)
_LED_IN: Final = re.compile(
    r"(?<!\bi )(?<!\beu )\b(?:wrote|writes|said|says|told (?:me|us)|replied|asked|escreveu|escreve|disse|diz|respondeu"
    r"|pediu|mandou)\b(?:[^.!?\n:]{0,40}:|[ \t]*(?=\n))"
    r"|^[ \t]*(?:fyi|fwd?|e-?mails?|mails?|messages?|letters?|quotes?|mensage(?:m|ns)|cartas?|citaç(?:ão|ões))\b"
    r"[^.!?\n:]{0,40}:"
    rf"|\b(?:this|that|these|the|following|his|her|their|est[ea]s?|ess[ea]s?|[oa]s?|seguintes?) (?:\w+ )?(?:{_THING})\b"
    r"[^.!?\n:]{0,40}:"
    r"|\b(?:summari[sz]e|translate|proofread|paraphrase|rewrite|resum[ae]|traduz(?:a|ir)?|revis[ae]|reescrev[ae])\b"
    r"[^.!?\n:]{0,60}:",
    re.IGNORECASE | re.MULTILINE,
)
_ENDS_LINE: Final = re.compile(r"[ \t]*+(?:\n|\Z)")
_PARAGRAPH: Final = re.compile(r"\n[ \t]*\n|\Z")


def own_words(text: str) -> str:
    """The text with `FILLED` for every character that is another's; as long as before, and with the same lines."""
    for find in (_fenced, _tagged, _forwarded, _lines, _inline, _led_in):
        parts: list[str] = []
        place = 0
        for start, end in find(text):
            parts += text[place:start], re.sub(r"[^\n]", FILLED, text[start:end])
            place = end
        text = "".join([*parts, text[place:]])
    return text


def _fenced(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _FENCED.finditer(text))


def _tagged(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    unclosed: set[str] = set()
    while match := _TAG.search(text, at):
        at = match.end()
        closing = f"</{match['tag']}>" if match["open"] == "<" else f"[/{match['tag']}]"
        end = -1 if closing in unclosed else text.find(closing, at)
        if end < 0:
            unclosed.add(closing)
        else:
            at = end + len(closing)
            yield match.start(), at


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _LINE.finditer(text))


def _inline(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _INLINE.finditer(text))


def _forwarded(text: str) -> Iterator[tuple[int, int]]:
    if match := _FORWARDED.search(text):
        yield match.start(), len(text)


def _led_in(text: str) -> Iterator[tuple[int, int]]:
    """What follows “he wrote:”: its paragraph, or all that follows where the colon ends a line."""
    at = 0
    while match := _LED_IN.search(text, at):
        if _ENDS_LINE.match(text, match.end()):
            yield match.end(), len(text)
            return
        paragraph = _PARAGRAPH.search(text, match.end())
        at = len(text) if paragraph is None else paragraph.start()
        yield match.end(), at
