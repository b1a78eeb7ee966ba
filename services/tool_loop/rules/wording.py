"""What a text for somebody says, whatever its wording: the names and numbers in it, and the words that carry it."""

import re
from typing import Final

_NAME = re.compile(r"[`\"“«]([^`\"”»\n]{1,80})[`\"”»]|(?<!\w)'([^'\n]{1,80})'(?!\w)|[#@]?\w[\w@./:%#-]*")
_NAMES = re.compile(r"\d|[_@/]|[a-z][A-Z]|[A-Z]{2}.*[A-Z]{2}")
_NONCE = re.compile(r"\A\d*\.\d{5,}\Z")
_ORDINARY = re.compile(r"\A[A-Z]*\Z")
_WORD = re.compile(r"[^\W\d_]{2,}")
_ASKING = re.compile(r"\?|\b(?:please|kindly|por favor)\b")
_NEXT = re.compile(
    r"\b(?:next|another|else|(?:any|one|some|two|what) (?:other|more)|further|pr[oó]xim[oa]s?|outr[oa]s?|seguintes?"
    r"|(?:algo|algum|alguma|alguém|quem|quais?|quantos|quantas|o que) mais"
    r"|mais (?:algo|alguma?|alguém|um|uma|detalhes))\b",
    re.IGNORECASE,
)
_GO_ON = re.compile(
    r"\b(?:continue|go(?:ing)? on|proceed|additional|more|continuar|prosseguir|seguir|mais|adiciona(?:l|is))\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:help|assist\w*|do for you|let me know|need|ajud\w+|precis\w+|avise|(?:can|may|could|shall) (?:i|we) do"
    r"|(?:would you|you(?:'d|’d)?) (?:like|want|wish)|posso fazer|deseja|gostaria)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;:])\s+|\n+")
_CAPITALISED = re.compile(r"(?<=[\w,;] )[A-ZÀ-Ý][^\W\d_]{2,}")
_STEM: Final = 5
_MOST_FORMS: Final = 16
_MOST_CHARS: Final = 2000
_COURTESY = """
a an the and or but of to in on at for with from by as is are was were be been do does did done can could may might
shall should will would must have has had i me my you your yours we our it its this that these those what which who how
when where please kindly just again also still need provide give share tell want like know let here there so if then
proceed continue sorry thank thanks hello hi try retry once more perhaps maybe time work any about
o os um uma e ou de do da dos das em no na nos nas para por com que qual quais como quando onde eu me meu minha você
vocês seu sua seus suas nós ele ela isso isto esse essa este esta é são foi ser estar pode poderia podes favor preciso
informe informar diga dizer quero gostaria ainda novo novamente obrigado obrigada olá
"""
_EMPTY = frozenset(_COURTESY.split())


def names_in(text: str) -> list[str]:
    """The identifiers, numbers and quoted names in a text, sorted. A long decimal fraction is none: nobody means it."""
    found = set[str]()
    for one in _NAME.finditer(text[:_MOST_CHARS]):
        quoted, word = one[1] or one[2], one[0].rstrip(".:/-")
        if quoted:
            found.add(quoted)
        elif _NAMES.search(word) and not _ORDINARY.match(word) and not _NONCE.match(word):
            found.add(word)
    return sorted(found)


def carrying(text: str) -> frozenset[str]:
    """The beginnings of the words that carry what a text says: without forms of courtesy, articles and the like.

    That it asks for something counts as a word.
    """
    said = text[:_MOST_CHARS].lower()
    words = frozenset(word[:_STEM] for word in _WORD.findall(said) if word not in _EMPTY)
    return words | {"?"} if asks(said) else words


def capitalised(text: str) -> frozenset[str]:
    """The beginnings of the words that a capital inside a sentence shows to be names, as `carrying` has them."""
    found = (one.lower() for one in _CAPITALISED.findall(text[:_MOST_CHARS]))
    return frozenset(word[:_STEM] for word in found if word not in _EMPTY)


def forms(text: str) -> frozenset[str]:
    """The text, without marks, with each of the words that carry it left open in turn, the first few."""
    words = _WORD.findall(text[:_MOST_CHARS].lower())
    opened = list(dict.fromkeys(word for word in words if word not in _EMPTY))[:_MOST_FORMS]
    return frozenset(" ".join("_" if word == one else word for word in words) for one in opened)


def asks(text: str) -> bool:
    """Whether a text asks for something."""
    return _ASKING.search(text[:_MOST_CHARS]) is not None


def next_thing(text: str) -> bool:
    """Whether a text is on another thing each time, by its own words: the next one, anything else, a last one more."""
    return _NEXT.search(text[:_MOST_CHARS]) is not None


def before_the_next(text: str) -> str:
    """What a text says besides asking for, or speaking of, a next thing: its other sentences."""
    return " ".join(part for part in _SENTENCE_END.split(text[:_MOST_CHARS]) if part and not next_thing(part))


def only_offers(text: str) -> bool:
    """Whether all that a text says of a next thing is a courteous offer: `Is there anything else I can help with?`"""
    parts = [part for part in _SENTENCE_END.split(text[:_MOST_CHARS]) if next_thing(part)]
    return bool(parts) and all(map(_OFFER.search, parts))


def goes_on(text: str) -> bool:
    """Whether a text speaks of going on, or of more: who goes from one thing to the next may say so more often."""
    return _GO_ON.search(text[:_MOST_CHARS]) is not None


def alike(one: frozenset[str], other: frozenset[str], share: float) -> bool:
    """Whether at least `share` of the words of both are common to both."""
    both = len(one | other)
    return not both or len(one & other) >= share * both
