"""Portuguese or English: which of the two a text is written in."""

import re
from typing import Literal

Language = Literal["en", "pt"]

_WORD = re.compile(r"[^\W\d_]+")
_COMMON_PORTUGUESE = """
a o os as um uma de do da dos das no na nos nas em e é não que com por para pelo pela se ao à às mas ou já você vou
vamos está são foi ser ter tem isso este esta esse essa aqui agora crie criar escreva escrever arquivo texto corrija
conserte faça adicione teste testes pasta olá oi bom dia obrigado obrigada qual como onde quando chamado conteúdo linha
seguinte função código preciso meu minha seu sua também então
"""
_COMMON_ENGLISH = """
the of and to in is it that for on with as at by an be this are from or was not you your i will have has can create
write file text fix make add test tests folder hello hi thanks please what how where when which called content line
following function code need my also then its so but if
"""
_PORTUGUESE = frozenset(_COMMON_PORTUGUESE.split())
_ENGLISH = frozenset(_COMMON_ENGLISH.split())


def language_of(text: str) -> Language:
    """The language with more of its commonest words in the text; English where neither leads."""
    words = [word.lower() for word in _WORD.findall(text)]
    portuguese = sum(word in _PORTUGUESE for word in words) + sum(_marked(word) for word in words)
    english = sum(word in _ENGLISH for word in words)
    return "pt" if portuguese > english else "en"


def _marked(word: str) -> bool:
    """Letters that Portuguese has and English does not."""
    return any(letter in "ãõçáéíóúâêôà" for letter in word)
