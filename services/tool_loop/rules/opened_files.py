"""Whether a goal asks for a file to be changed, so that the file may judge no more: it is the object of such a verb.

A goal that only names a file (`so that check.sh passes`) asks for something else. Where it is not plain, the answer is
no: a contract can still open a file by `allow_test_changes`.
"""

import re
from collections.abc import Sequence
from typing import Final

from .asking_verbs import class_of, is_asked_of_reader
from .promises.phrases import vocabulary

WORD: Final = re.compile(r"(?<![.'’+-])[.'’+-]*+[\w/](?:[\w./'’+-]*[\w/])?|[.,;:!?\n()]")
_QUOTED: Final = re.compile(r"[`\"“”']([\w./-]*\w)[`\"“”']")
_ORDINARY: Final = re.compile(r"[^A-Z./_-]+")
_ENDS: Final = frozenset(".,;:!?\n()")
_SENTENCE_ENDS: Final = _ENDS - frozenset(",()")

_WRITING: Final = vocabulary(
    """
    configure create declare define extend register setup write configurar crie criar defina definir escreva escrever
    estenda estender registre registrar
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
_ARTICLES: Final = vocabulary("the a an our this its o a um uma os as")
_NAMING: Final = vocabulary(
    "target rule command function option called named alvo regra comando função opção chamado chamada"
)
"""After these a word is a name: `um alvo clean`."""
_BESIDE: Final = r"(?:(?:the|a|an|our|my|this|both|existing|old|shell|up|o|os|as|um|uma|nosso|este|esse|{nouns}) )*"
_DETERMINED: Final = _BESIDE.format(nouns="|".join(sorted(_NOUNS)))
_OBJECT: Final = re.compile(rf"(?:{_DETERMINED}\S*[./]\S*(?: ,| and| or| e| ou)+ )*{_DETERMINED}")
_PLACES: Final = "to|into|in|at|of|ao|à|no|na|em|do|da|dos|das"
_WITHIN: Final = rf"(?:{_PLACES}) "
_BINDING: Final = r"(?!(?:so|that|until|for|with|by|using|run|pass|que|até|com|usando|passe)\b)"
_ADDED_TO: Final = re.compile(rf"(?:{_BINDING}[\w./-]+ ){{1,8}}{_WITHIN}{_DETERMINED}")
_PARTS: Final = "bugs?|comments?|flags?|functions?|lines?|mistakes?|options?|quoting|sections?|shebang|targets?|typos?"
_PART_OF: Final = re.compile(rf"(?:{_BINDING}[\w-]+ ){{0,3}}(?:{_PARTS}|linhas?|trechos?) {_WITHIN}{_DETERMINED}")
_NO_PART: Final = "errors?|failures?|output|reports?|results?|complaints?|erros?|falhas?|saída|resultados?"
_ANY_PART_OF: Final = re.compile(
    rf"(?:{_BINDING}[\w./-]+ ){{0,7}}(?!(?:{_NO_PART}) ){_BINDING}[\w./-]+ (?:from|out of|{_PLACES}) {_DETERMINED}"
)
_NEW_OBJECT: Final = re.compile(r"(?:a|an|um|uma)(?: (?:new|novo|nova|small|simple|minimal))? ")
_FORMS: Final = {
    "changing": (_OBJECT, _ANY_PART_OF),
    "writing": (_OBJECT, _ANY_PART_OF),
    "mending": (_OBJECT, _PART_OF),
    "adding": (_ADDED_TO, _NEW_OBJECT),
}


def asks_to_change(goal: str, name: str) -> bool:
    """Whether a goal, in English or Portuguese, asks for a change of a file (by its path or name) or of a model."""
    return bool(_asked_kinds(goal, name))


def asks_only_to_add(goal: str, name: str) -> bool:
    """Whether all that a goal asks of a file is that something be added to it."""
    return _asked_kinds(goal, name) == {"adding"}


def _asked_kinds(goal: str, name: str) -> set[str]:
    """Which kinds of change of a file a goal asks for."""
    words = WORD.findall(_QUOTED.sub(r" ./\1 ", goal))
    found = {_kind_asked(words, place) for place in range(len(words)) if _names(words, place, name)}
    return {kind for kind in found if kind is not None}


def _names(words: list[str], place: int, name: str) -> bool:
    """A name that is an ordinary word (`test`) is one only where it is marked as a file."""
    word = words[place].removeprefix("./")
    if word not in (name, name.rpartition("/")[2]):
        return False
    marked = words[place].startswith("./") or (place > 0 and words[place - 1].lower() in _NOUNS)
    return marked or not _ORDINARY.fullmatch(word)


def _kind_asked(words: list[str], place: int) -> str | None:
    """The kind of the verb of which the word at a place is the object, where that asks the reader; None: of none."""
    following = place + 2 if _at(words, place + 1) in _NOUNS else place + 1
    if _at(words, following) not in _FOLLOWING:
        return None
    for verb in range(place - 1, max(-1, place - 16), -1):
        word = words[verb].lower()
        if word in _ENDS - {","}:
            return None
        kind = "writing" if word in _WRITING else class_of(word)
        is_noun = _at(words, verb - 1) in _ARTICLES | _NAMING
        if kind is not None and kind != "causing" and not is_noun:
            between = "".join(f"{one.lower()} " for one in words[verb + 1 : place])
            asked = is_asked(words, verb) and any(form.fullmatch(between) for form in _FORMS[kind])
            return kind if asked else None
    return None


def is_asked(words: Sequence[str], verb: int) -> bool:
    """Whether a verb among the words of a goal asks for what it says, rather than forbids or tells of it."""
    begin = next((place + 1 for place in range(verb - 1, -1, -1) if words[place] in _SENTENCE_ENDS), 0)
    return is_asked_of_reader([word.lower() for word in words[begin : verb + 1]], verb - begin)


def _at(words: list[str], place: int) -> str:
    return words[place].lower() if place < len(words) else "."
