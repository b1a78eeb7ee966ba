"""Markdown, which models write, as Slack's mrkdwn."""

import re
from typing import Final

_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})(.*)$")
_CODE: Final = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_LINK: Final = re.compile(
    r"!?\[([^\]\n]*)\]\((?:&lt;)?([^\s()]+(?:\([^\s()]*\)[^\s()]*)*)(?:&gt;)?(?:\s+\"[^\"]*\")?\)"
)
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$")
_BULLET: Final = re.compile(r"^(\s*)[-*+]\s+")
_BOLD: Final = re.compile(r"(?<![\w*])\*\*(?=\S)(.+?)(?<=\S)\*\*(?!\*)|(?<![\w_])__(?=\S)(.+?)(?<=\S)__(?![\w_])")
_ITALIC: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])")
_STRUCK: Final = re.compile(r"~~(?=\S)(.+?)(?<=\S)~~")
_BOLD_MARK: Final = "\x00"
"""Stands for the asterisk of a bold text until the asterisks of italics are gone."""


def mrkdwn(markdown: str) -> str:
    """The text in Slack's markup; code is left as it is but for `&`, `<` and `>`, which Slack wants escaped."""
    lines, marker = [], ""
    for line in markdown.replace(_BOLD_MARK, "").splitlines():
        fence = _FENCE.match(line)
        if fence and not marker:
            marker = fence[1]
            lines.append("```")
        elif fence and fence[1].startswith(marker) and not fence[2].strip():
            marker = ""
            lines.append("```")
        else:
            lines.append(_escaped(line) if marker else _line(line))
    return "\n".join([*lines, *(["```"] if marker else [])])


def _line(line: str) -> str:
    pieces, at = [], 0
    for code in _CODE.finditer(line):
        pieces += [_escaped(line[at : code.start()]), f"`{_escaped(code[2].strip())}`"]
        at = code.end()
    pieces.append(_escaped(line[at:]))
    # Every second piece is code, and means nothing.
    prose = [_inline(piece) if number % 2 == 0 else piece for number, piece in enumerate(pieces)]
    text = "".join([_BULLET.sub(r"\1• ", prose[0]), *prose[1:]])
    heading = _HEADING.match(text)
    text = f"{_BOLD_MARK}{heading[1].replace(_BOLD_MARK, '')}{_BOLD_MARK}" if heading and heading[1] else text
    return text.replace(_BOLD_MARK, "*")


def _inline(text: str) -> str:
    bullet = _BULLET.match(text)
    head, rest = (text[: bullet.end()], text[bullet.end() :]) if bullet else ("", text)
    rest = _LINK.sub(lambda found: f"<{found[2]}|{found[1] or found[2]}>", rest)
    rest = _BOLD.sub(lambda found: f"{_BOLD_MARK}{found[1] or found[2]}{_BOLD_MARK}", rest)
    return head + _STRUCK.sub(r"~\1~", _ITALIC.sub(r"_\1_", rest))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
