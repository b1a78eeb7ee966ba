"""Portuguese or English: which of the two a text is written in."""

import re
import unicodedata
from typing import Literal

Language = Literal["en", "pt"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_COMMON_PORTUGUESE = """
o os um uma de da dos das na nos nas em e é não que com por para pra pelo pela se ao à às mas ou já você vc vou vamos
está são foi ser ter tem isso este esta esse essa aqui agora crie criar escreva escrever arquivo texto corrija conserte
faça adicione teste testes pasta olá oi bom dia obrigado obrigada qual como onde quando chamado conteúdo linha seguinte
função código preciso meu minha seu sua também então tô estou deixa posso queira caso outra outro tudo comigo conte devo
serei disso nisso hoje ontem breve valeu muito sim depois antes
deixe eu vai nada mais porta aguarde quero podemos temos nós ele ela
"""
_COMMON_ENGLISH = """
the of and to in is it that for on with at by an be this are from or was not you your i will have has can create write
file text fix make add test tests folder hello hi thanks please what how where when which called content line following
function code need my also then its so but if let me doing quick out whether user they we would them
"""
_PORTUGUESE = frozenset(_COMMON_PORTUGUESE.split())
_ENGLISH = frozenset(_COMMON_ENGLISH.split())
_MARKED = frozenset("ãõçáéíóúâêôà")
"""Letters that Portuguese has and English does not."""
_PORTUGUESE_ENDINGS = (
    "ndo",
    "mente",
    "rei",
    "remos",
    "ado",
    "ido",
    "ados",
    "idos",
    "inho",
    "dade",
    "agem",
    "eiro",
    "eira",
)
_ENGLISH_ENDINGS = (
    "ing",
    "tion",
    "ed",
    "ly",
    "ness",
    "'ll",
    "n't",
    "'m",
    "'s",
    "'re",
    "'ve",
    "’ll",
    "n’t",
    "’m",
    "’s",
    "’re",
)


def language_of(text: str) -> Language:
    """The language with more of its commonest words and endings in the text; English where neither leads."""
    words = [word.lower() for word in _WORD.findall(unicodedata.normalize("NFC", text))]
    portuguese = sum(
        (word in _PORTUGUESE) + (not _MARKED.isdisjoint(word)) + word.endswith(_PORTUGUESE_ENDINGS) for word in words
    )
    english = sum((word in _ENGLISH) + (len(word) > 3 and word.endswith(_ENGLISH_ENDINGS)) for word in words)
    return "pt" if portuguese > english else "en"
