"""Masks what people call a key or password in a sentence, besides what has the shape of one. Pure but for `mask`.

What is learnt stands in every later prompt, so here a value counts as a secret because of the word before it; elsewhere
that would hide what a task is about.
"""

import re
from typing import Final

from shared.secrets import MASK, mask

_WORD: Final = (
    r"(?:api[ _-]?)?keys?|(?:access|auth|bearer)?[ _-]?tokens?|pass(?:word|wd|phrase|code)s?|secrets?|credentials?|pin"
    r"|senhas?|chaves?|segredos?|credencia(?:l|is)"
)
_NAMED: Final = re.compile(
    rf"\b(?:{_WORD})\b[\"'`]?(?:\s*[:=]\s*|\s+(?:(?:is|are|of|é|são|da|de|do|api)\s+){{0,2}})[\"'`“]?"
    r"(?![$%<{])(?P<value>(?=[^\s\"'`”]*\d)(?=[^\s\"'`”]*[A-Za-z])[^\s\"'`”,;]{6,}|\d{4,}(?![\w.]))",
    re.IGNORECASE,
)
_PREFIXED: Final = re.compile(r"(?<![\w-])(?:sk|pk|rk|api|key|tok)[-_](?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{12,}")


def without_credentials(text: str) -> str:
    """The text with `***` for every secret in it."""
    text = _NAMED.sub(_masked, mask(text))
    return _PREFIXED.sub(MASK, text)


def _masked(match: re.Match[str]) -> str:
    start = match.start("value") - match.start()
    value = match["value"]
    ends = value[len(value.rstrip(".!?)")) :]
    return match[0][:start] + MASK + ends
