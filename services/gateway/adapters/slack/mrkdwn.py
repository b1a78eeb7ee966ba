"""Markdown, which models write, as Slack's mrkdwn."""

import re
from typing import Final

LONGEST_LINK: Final = 2000
"""Characters of a link in Slack's markup; a longer one is written as text, so that a message can be cut."""
WHOLE: Final = re.compile(r"<[^<>]*>|&(?:amp|lt|gt);")
"""What of Slack's markup means something else when it is cut: links, and the three escaped characters."""
_FENCE: Final = re.compile(r"\s*(`{3,}|~{3,})(.*)$")
_MEANS_NOTHING: Final = re.compile(
    r"(?P<ticks>`+)(?!`)(?P<code>.{1,1000}?)(?<!`)(?P=ticks)(?!`)"
    r"|!?\[(?P<label>[^\[\]\n]*)\]\((?P<link>(?:https?://|mailto:)[^\s()<>|]+(?:\([^\s()<>|]*\)[^\s()<>|]*)*)"
    r'(?:\s+"[^"]*")?\)'
    r"|<?(?P<bare>https?://[^\s<>|*]+)>?"
)
"""Code and addresses, in which no mark means anything."""
_HEADING: Final = re.compile(r"\s{0,3}#{1,6}\s+(.*)$")
_BULLET: Final = re.compile(r"(\s*)[-*+]\s+")
_BOLD: Final = re.compile(
    r"(?<![\w*])\*\*(?=\S)(.{1,300}?)(?<=\S)\*\*(?!\*)|(?<![\w_])__(?=\S)(.{1,300}?)(?<=\S)__(?![\w_])"
)
"""Marks that stand further apart belong to nothing; looking for each to the end of a long line would take minutes."""
_ITALIC: Final = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\w*])")
_STRUCK: Final = re.compile(r"~~(?=\S)(.{1,300}?)(?<=\S)~~")
_BOLD_MARK: Final = "\x00"
"""Stands for the asterisk of a bold text until the asterisks of italics are gone."""
_KEPT: Final = re.compile("\x01([0-9]+)\x01")
"""Stands for what means nothing until all marks are written."""


def mrkdwn(markdown: str) -> str:
    """The text in Slack's markup; code is left as it is but for `&`, `<` and `>`, which Slack wants escaped."""
    lines, marker = [], ""
    for line in re.sub("[\x00\x01]", "", markdown).splitlines():
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
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(_as_is(found))
        return f"\x01{len(kept) - 1}\x01"

    text = _escaped(_MEANS_NOTHING.sub(keep, line))
    bullet = _BULLET.match(text)
    heading = _HEADING.match(text)
    if bullet:
        text = f"{bullet[1]}• {_marked(text[bullet.end() :])}"
    elif heading and (title := heading[1].rstrip().rstrip("#").rstrip()):
        text = f"{_BOLD_MARK}{_marked(title).replace(_BOLD_MARK, '')}{_BOLD_MARK}"
    else:
        text = _marked(text)
    return _KEPT.sub(lambda found: kept[int(found[1])], text).replace(_BOLD_MARK, "*")


def _as_is(found: re.Match[str]) -> str:
    if found["code"] is not None:
        return f"`{_escaped(found['code'].strip())}`"
    if found["bare"] is not None:
        bare = _escaped(found["bare"])
        return f"<{bare}>" if found[0].startswith("<") and len(bare) < LONGEST_LINK - 1 else bare
    link, label = _escaped(found["link"]), _escaped(found["label"] or found["link"])
    written = f"<{link}|{label}>"
    return written if len(written) <= LONGEST_LINK else f"{label} {link}"


def _marked(text: str) -> str:
    text = _BOLD.sub(lambda found: f"{_BOLD_MARK}{found[1] or found[2]}{_BOLD_MARK}", text)
    return _STRUCK.sub(r"~\1~", _ITALIC.sub(r"_\1_", text))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
