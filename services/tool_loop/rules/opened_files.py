"""Whether a goal asks for a file to be changed, so that the file may judge no more: it is the object of such a verb.

A goal that only names a file (`so that check.sh passes`) asks for something else. Where it is not plain, the answer is
no: a contract can still open a file by `allow_test_changes`.
"""

import re
from collections.abc import Sequence
from typing import Final

from .promises.phrases import vocabulary

WORD: Final = re.compile(r"[\w./'’+-]*[\w/]|[.,;:!?\n()]")
_QUOTED: Final = re.compile(r"[`\"“”']([\w./-]*\w)[`\"“”']")
_ORDINARY: Final = re.compile(r"[^A-Z./_-]+")
_ENDS: Final = frozenset(".,;:!?\n()")

_CHANGING: Final = vocabulary(
    """
    adapt adjust change clean convert correct create delete edit extend fix format harden improve mend migrate modify
    move patch port refactor reformat remove rename repair replace revise rework rewrite simplify split tweak update
    write adapte ajuste altere apague arrume atualize conserte corrija crie edite escreva estenda melhore modifique
    mude reescreva refatore remova repare simplifique substitua adaptar ajustar alterar apagar arrumar atualizar
    consertar corrigir criar editar escrever estender melhorar modificar mudar reescrever refatorar remover reparar
    simplificar substituir
    """
)
_ADDING: Final = vocabulary(
    """
    add append insert include put adicione acrescente inclua insira ponha adicionar acrescentar incluir inserir
    pôr
    """
)
_BEFORE_A_VERB: Final = vocabulary(
    """
    also and can could finally first just let's must need next now please should then to want you agora depois
    deve devemos e então favor para podemos pode preciso primeiro quero que também vamos você
    """
)
_NOT: Final = vocabulary(
    """
    avoid cannot can't don't doesn't mustn't never no not nothing rather shouldn't than without won't instead
    nor neither evite nada nem nunca não sem
    """
)
_FOLLOWING: Final = _ENDS | vocabulary(
    """
    and as because but by for from if in into it or since so that then to using when where which while with a ao
    com como da de do e em mas na no ou para pois por porque quando que se
    """
)
_NOUNS: Final = vocabulary(
    """
    class contract file model module schema script arquivo classe contrato esquema modelo módulo
    """
)
_BESIDE: Final = r"(?:(?:the|a|an|our|my|this|both|existing|old|shell|up|o|os|as|um|uma|nosso|este|esse|{nouns}) )*"
_DETERMINED: Final = _BESIDE.format(nouns="|".join(sorted(_NOUNS)))
_OBJECT: Final = re.compile(rf"(?:{_DETERMINED}\S*[./]\S*(?: ,| and| or| e| ou)+ )*{_DETERMINED}")
_WITHIN: Final = r"(?:to|into|in|at|of|ao|à|no|na|em|do|da|dos|das) "
_BINDING: Final = r"(?!(?:so|that|until|for|with|by|using|run|pass|que|até|com|usando|passe)\b)"
_ADDED_TO: Final = re.compile(rf"(?:{_BINDING}[\w-]+ ){{1,8}}{_WITHIN}{_DETERMINED}")
_PARTS: Final = "bugs?|comments?|flags?|functions?|lines?|mistakes?|options?|quoting|sections?|shebang|targets?|typos?"
_PART_OF: Final = re.compile(rf"(?:{_BINDING}[\w-]+ ){{0,3}}(?:{_PARTS}|linhas?|trechos?) {_WITHIN}{_DETERMINED}")


def asks_to_change(goal: str, name: str) -> bool:
    """Whether a goal, in English or Portuguese, asks for a change of a file (by its path or name) or of a model."""
    words = WORD.findall(_QUOTED.sub(r" ./\1 ", goal))
    return any(_names(words, place, name) and _is_object(words, place) for place in range(len(words)))


def _names(words: list[str], place: int, name: str) -> bool:
    """A name that is an ordinary word (`test`) is one only where it is marked as a file."""
    word = words[place].removeprefix("./")
    if word not in (name, name.rpartition("/")[2]):
        return False
    marked = words[place].startswith("./") or (place > 0 and words[place - 1].lower() in _NOUNS)
    return marked or not _ORDINARY.fullmatch(word)


def _is_object(words: list[str], place: int) -> bool:
    following = place + 2 if _at(words, place + 1) in _NOUNS else place + 1
    if _at(words, following) not in _FOLLOWING:
        return False
    for verb in range(place - 1, max(-1, place - 16), -1):
        word = words[verb].lower()
        if word in _ENDS - {","}:
            return False
        if word in _CHANGING or word in _ADDING:
            between = "".join(f"{one.lower()} " for one in words[verb + 1 : place])
            forms = (_ADDED_TO,) if word in _ADDING else (_OBJECT, _PART_OF)
            return is_asked(words, verb) and any(form.fullmatch(between) for form in forms)
    return False


def is_asked(words: Sequence[str], verb: int) -> bool:
    """Whether a verb among the words of a goal asks for what it says, rather than forbids or tells of it."""
    before = [word.lower() for word in words[max(0, verb - 5) : verb]]
    clause = next((before[place + 1 :] for place in range(len(before) - 1, -1, -1) if before[place] in _ENDS), before)
    return _NOT.isdisjoint(clause) and (not clause or clause[-1] in _BEFORE_A_VERB or clause[-1] in ("-", "*"))


def _at(words: list[str], place: int) -> str:
    return words[place].lower() if place < len(words) else "."
