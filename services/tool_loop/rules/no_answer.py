"""Is a reply no answer at all: empty, only marks, or the word by which a model says that it says nothing? Pure."""

import re
import unicodedata
from typing import Final

RULE: Final = "no-answer/1"
_SILENCE: Final = re.compile(
    r"(?:no|without|sem|nenhuma)[\W_]*(?:reply|response|answer|resposta)|silent[\W_]*reply|null|undefined",
    re.IGNORECASE,
)


def says_nothing(text: str) -> bool:
    """Whether a person would be told nothing: no letter or digit, or only `NO_REPLY`, `null` and their like."""
    told = unicodedata.normalize("NFKC", text)
    words = "".join(one if unicodedata.category(one)[0] in "LNM" or one in "_-" else " " for one in told).strip(" _-")
    if not any(unicodedata.category(one)[0] in "LN" for one in words):
        return True
    return _SILENCE.fullmatch(words) is not None
