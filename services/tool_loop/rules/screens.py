"""What a screen, a page or a terminal shows: whether it asks for something, tells anything, and is the same again."""

import re
from typing import Final

_MOST_CHARS: Final = 400
_BRIEF_PICTURE: Final = 60
_BRIEF_WORD: Final = 120
_INTERPRETER = re.compile(r"(?:^|\n)(?:>>>|(?!\w*quote)\w{2,12}>)\Z")
_STATEMENT = re.compile(r"[=({\[:;]|\A\s*(?:import|from|del|use)\b", re.IGNORECASE)
_PROMPT = re.compile(
    r"(?:\b(?:password|passphrase|senha)\b[^\n]{0,80}:|(?:^|\n)\w{0,12}>{1,3}|\(END\)|--more--[^\n]*"
    r"|[\[(](?:y/n|yes/no|s/n)[^\n]{0,20}[\])]\s?[?:]?)\Z",
    re.IGNORECASE,
)
_QUOTE_OPEN = re.compile(r"(?:\A|\n)(?:(?:[db]|back)?quote|cmdsubst)>[^\n]{0,200}\Z")
_MORE_OPEN = re.compile(r"(?:\A|\n)(?:heredoc|pipe|cmdand|cmdor|for|while|then|else|if)?>[^\n]*\n\w{0,8}>\Z|\A>\Z")
_RAN_CODE = re.compile(r"\A#+ ran playwright code(?:(?!\n#|snapshot)[\s\S])*\Z", re.IGNORECASE)
_DONE = re.compile(
    r"\A\W*(?:\w+ )?(?:successfully|navigated|loaded|opened|clicked|pressed|typed|scrolled|executed|performed|moved"
    r"|tapped)\b"
    r"|\b(?:successfully|was (?:clicked|pressed|opened|loaded))\b",
    re.IGNORECASE,
)
_PICTURE = re.compile(
    r"\A\W*(?:image|screenshot|picture|base64|png)?\W*(?:\w+ )?(?:omitted|taken|captured|saved)?\W*\Z", re.IGNORECASE
)
_ADDRESS = re.compile(r"\b[a-z][a-z+.-]{0,15}://\S+|(?<=\burl: )\S+", re.IGNORECASE)


def prompts(normal: str, typed: str) -> bool:
    """Whether the last line of a screen asks for something, or waits for more of what was begun.

    A statement that is typed at the prompt of an interpreter may well bring no word.
    """
    ended = normal[-_MOST_CHARS:]
    return bool(_PROMPT.search(ended)) and not (_INTERPRETER.search(ended) and _STATEMENT.search(typed))


def quote_open(normal: str) -> bool:
    """Whether a shell waits for the end of what was begun, and takes every command for a part of it."""
    ended = normal[-_MOST_CHARS:]
    return bool(_QUOTE_OPEN.search(ended) or _MORE_OPEN.search(ended))


def tells_nothing(normal: str, most: int) -> bool:
    """Whether a text says no more than that something was done, or that in less than `most` characters."""
    told = _ADDRESS.sub("", normal)
    done = len(told) <= _BRIEF_WORD and "\n" not in told and bool(_DONE.search(told))
    return len(told) < most or done or bool(_RAN_CODE.match(normal))


def is_picture(normal: str) -> bool:
    """Whether a brief text only stands for a picture."""
    return len(normal) <= _BRIEF_PICTURE and bool(_PICTURE.match(normal))


def shown(normal: str) -> str:
    """What a screen shows, without addresses; of a prompt that waits for the end of something that prompt alone."""
    if quote_open(normal):
        return normal.rsplit("\n", 1)[-1].rstrip()
    return _ADDRESS.sub("<address>", normal)
