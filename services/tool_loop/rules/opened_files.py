"""Whether a goal asks for a file to be changed, so that the file may judge no more: it is the object of such a verb.

A goal that only names a file (`so that check.sh passes`) asks for something else. Where it is not plain, the answer is
no: a contract can still open a file by `allow_test_changes`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .asking_verbs import class_of, is_asked_of_reader, sentences_of
from .promises.phrases import vocabulary
from .said_wrong import DATUM, WRONG, is_to_be_mended

WORD: Final = re.compile(r"(?<![.'’+-])[.'’+-]*+[\w/](?:[\w./'’+-]*[\w/])?|[.,;:!?\n()]")
_QUOTED: Final = re.compile(r"[`\"“”']([\w./-]*\w)[`\"“”']")
_CALL: Final = re.compile(r"(?<=\w)\([^()\n]{0,80}\)")
"""`price(0, 1)` is one name."""
_BY_DEFAULT: Final = re.compile(r"\b(?:by default|por padrão|temporarily|por enquanto|for now)\b ?", re.IGNORECASE)
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
_BESIDE: Final = (
    r"(?:(?:the|a|an|our|my|this|both|existing|old|shell|up|golden|snapshot|expected|test|config|configuration|data|o|os"
    r"|as|um|uma|nosso|este|esse|{nouns}) )*"
)
_DETERMINED: Final = _BESIDE.format(nouns="|".join(sorted(_NOUNS)))
_OBJECT: Final = re.compile(rf"(?:{_DETERMINED}\S*[./]\S*(?: ,| and| or| e| ou)+ )*{_DETERMINED}")
_PLACES: Final = "to|into|in|at|of|ao|à|no|na|em|do|da|dos|das"
_WITHIN: Final = rf"(?:{_PLACES}) "
_BINDING: Final = r"(?!(?:so|that|until|for|with|by|using|run|pass|que|até|com|usando|passe)\b)"
_ADDED_TO: Final = re.compile(rf"(?:{_BINDING}[\w./-]+ ){{1,8}}{_WITHIN}{_DETERMINED}")
_PARTS: Final = "bugs?|comments?|flags?|functions?|lines?|mistakes?|options?|quoting|sections?|shebang|targets?|typos?"
_PART_OF: Final = re.compile(rf"(?:{_BINDING}[\w-]+ ){{0,3}}(?:{_PARTS}|linhas?|trechos?) {_WITHIN}{_DETERMINED}")
_FOR_SOMETHING: Final = re.compile(
    rf"(?:(?:an?|one|some|the|more|new|another|um|uma|uns|umas|mais|nov[oa]) )*[\w-]+ (?:for|para) "
    rf"(?:{_BINDING}[\w./-]+ ){{1,5}}(?:to|into|ao|à) {_DETERMINED}"
)
"""`an assertion for slug to`: what is added is of something."""
_WRONG_PART_OF: Final = re.compile(
    rf"(?:(?:the|all|o|a|os|as|first|second|third|last) )*(?:{WRONG} (?:\w+ )?{DATUM}|{DATUM} {WRONG})"
    rf" (?:in|of|from|em|d[oae]|n[oa]) {_DETERMINED}"
)
_NO_PART: Final = "errors?|failures?|output|reports?|results?|complaints?|erros?|falhas?|saída|resultados?"
_ANY_PART_OF: Final = re.compile(
    rf"(?:{_BINDING}[\w./-]+ ){{0,7}}(?!(?:{_NO_PART}) ){_BINDING}[\w./-]+ (?:from|out of|{_PLACES}) {_DETERMINED}"
)
_NEW_OBJECT: Final = re.compile(r"(?:a|an|um|uma)(?: (?:new|novo|nova|small|simple|minimal))? ")
_QUALITY: Final = (
    r"(?:optional|required|mandatory|nullable|verbose|quiet|quieter|strict|stricter|lenient|looser|tolerant|executable"
    r"|portable|faster|shorter|simpler|readable|unique|deprecated|read-only|case-insensitive|opcional|opcionais"
    r"|obrigatóri[oa]s?|verbos[oa]|detalhad[oa]|silencios[oa]|rigoros[oa]|tolerante|executável|portável|mais|more|less"
    r"|menos|únic[oa]s?)"
)
_MADE_OTHER: Final = re.compile(
    rf"(?:(?:the|a|an|o|os|as|field|property|campo|propriedade|both) )*(?:{_BINDING}[\w./-]+ ){{1,4}}{_QUALITY} "
    rf"(?:in|em|n[oa]) {_DETERMINED}"
)
"""`items optional in`."""
_FORMS: Final = {
    "changing": (_OBJECT, _ANY_PART_OF),
    "writing": (_OBJECT, _ANY_PART_OF),
    "mending": (_OBJECT, _PART_OF, _WRONG_PART_OF),
    "adding": (_ADDED_TO, _NEW_OBJECT, _FOR_SOMETHING),
    "causing": (_MADE_OTHER,),
}
_PART_IN: Final = re.compile(
    rf"{_BESIDE.format(nouns='|'.join(sorted(_NOUNS)))}"
    r"(?:(?:target|rule|job|step|script|stage|section|alvo|regra|etapa|seção) "
    rf"(?:[\w-]+ )?|[\w-]+ (?:target|rule|job|step|script|stage|section) )(?:in|of|d[oae]|em|n[oa]) {_DETERMINED}"
)
_MADE: Final = re.compile(
    rf"(?:run (?:with|in|on)|rodar (?:com|em|n[oa])|use|usar|print|imprimir|take|accept|aceitar|{_QUALITY})\b"
)
"""What a file, or a part of it, is to do: to pass is no such."""


def asks_to_change(goal: str, name: str) -> bool:
    """Whether a goal, in English or Portuguese, asks for a change of a file (by its path or name) or of a model."""
    return bool(_asked_kinds(goal, name)) or is_to_be_mended(goal, name) or _is_to_be_other(goal, name)


def _is_to_be_other(goal: str, name: str) -> bool:
    """Whether a field is to be of another quality in a file: `items should be optional in order.schema.json`."""
    short = name.rpartition("/")[2]
    if short not in goal:
        return False
    said = (" ".join(words) for words in sentences_of(goal))
    return any(one.fullmatch(text) for text in said for one in _should_be(short))


@lru_cache(maxsize=64)
def _should_be(short: str) -> tuple[re.Pattern[str], ...]:
    file = rf"(?:(?:the|o|file|schema|arquivo|esquema) )*(?:[\w.-]+/){{0,12}}{re.escape(short.lower())}"
    field = r"(?:(?:the|o|a|os|as|field|property|campo|propriedade) )*[\w.]+(?: (?:and|e) [\w.]+)?"
    to_be = (
        r"(?:should|must|shall|ought to|has to|needs to) be|(?:deve|devem|deveria|precisa|tem de|tem que|passa a) ser"
    )
    quality = r"(?:now )?(?:optional|required|mandatory|nullable|opcional|opcionais|obrigatóri[oa]s?)"
    return (
        re.compile(rf"{field} (?:{to_be}) {quality} (?:in|em|n[oa]) {file}"),
        re.compile(rf"(?:in|em|n[oa]) {file}(?: ,)? {field} (?:{to_be}) {quality}"),
    )


def asks_only_to_add(goal: str, name: str) -> bool:
    """Whether all that a goal asks of a file is that something be added to it."""
    return _asked_kinds(goal, name) == {"adding"}


def _asked_kinds(goal: str, name: str) -> set[str]:
    """Which kinds of change of a file a goal asks for."""
    goal = _BY_DEFAULT.sub("", _CALL.sub("", goal))
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
    made = _MADE.match(" ".join(words[following : following + 2]).lower()) is not None
    if _at(words, following) not in _FOLLOWING and not made:
        return None
    for verb in range(place - 1, max(-1, place - 16), -1):
        word = words[verb].lower()
        if word in _ENDS - {","}:
            return None
        kind = "writing" if word in _WRITING else class_of(word)
        is_noun = _at(words, verb - 1) in _ARTICLES | _NAMING | {"for", "of"}
        if kind is not None and not is_noun:
            between = "".join(f"{one.lower()} " for one in words[verb + 1 : place])
            forms = (_OBJECT, _PART_IN) if made and kind == "causing" else () if made else _FORMS[kind]
            asked = any(form.fullmatch(between) for form in forms) and is_asked(words, verb)
            if kind == "causing" and not asked:
                continue
            return kind if asked else None
    return None


def is_asked(words: Sequence[str], verb: int) -> bool:
    """Whether a verb among the words of a goal asks for what it says, rather than forbids or tells of it."""
    begin = next((place + 1 for place in range(verb - 1, -1, -1) if words[place] in _SENTENCE_ENDS), 0)
    return is_asked_of_reader([word.lower() for word in words[begin : verb + 1]], verb - begin)


def _at(words: list[str], place: int) -> str:
    return words[place].lower() if place < len(words) else "."
