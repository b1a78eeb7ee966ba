"""Whether a person's answer to a question is a yes, in English or Portuguese; what is not plainly one is a no."""

import re
import unicodedata
from typing import Final

RULE: Final = "consent/1"

_YES_WORDS: Final = (
    "yes y yeah yep sure ok okay allow allowed approve approved confirm confirmed accept proceed go sim s claro pode "
    "podes autorizo autorizado permito permitido confirmo confirmado aprovo aprovado aceito prossiga positivo"
)
_NO_WORDS: Final = "no not never don't dont nope cannot can't deny stop but não nao nunca jamais negado pare mas"
_YES: Final = frozenset(_YES_WORDS.split())
_NO: Final = frozenset(_NO_WORDS.split())
_WORD: Final = re.compile(r"[\w'’]+")


def given(answer: str) -> bool:
    """Whether the answer begins with a yes and takes nothing of it back."""
    words = _WORD.findall(unicodedata.normalize("NFC", answer).casefold().replace("’", "'"))
    return bool(words) and words[0] in _YES and not _NO.intersection(words)
