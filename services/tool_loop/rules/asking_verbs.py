"""The verbs by which a goal, in English or Portuguese, asks for a change, and whether it asks that of its reader.

A verb asks where its clause begins with it, or with words that ask (`please`, `you should`). What somebody else is to
do, what is forbidden, asked about or tied to a condition is no such.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from .promises.phrases import vocabulary

VerbClass = Literal["changing", "mending", "adding", "causing"]
"""What a verb does to its object: makes it other, right, larger, or has it be or do something."""

_CHANGING_EN: Final = vocabulary(
    """
    adapt adjust align amend apply change clean combine convert correct deduplicate delete deselect disable divide
    drop edit enable exclude extract factor format generalise generalize gather group harden ignore increase inline join
    loosen lower mark merge migrate modernise modernize modify move omit parametrise parametrize parameterise
    parameterize port prune purge raise rearrange reduce redo refactor reformat refresh regenerate regroup relax
    relocate remove rename reorder reorganise reorganize replace restructure revise reword rework rewrite shorten
    simplify skip sort split strip substitute swap switch tidy tighten transform translate trim turn unify unskip
    update upgrade
    """
)
_MENDING: Final = vocabulary(
    """
    debug fix improve mend patch repair arrume arrumar conserte consertar corrija corrigir melhore melhorar repare
    reparar
    """
)
_ADDING: Final = vocabulary(
    """
    add append include insert introduce put set use acrescente acrescentar adicione adicionar inclua incluir insira
    inserir ponha pôr use usar
    """
)
_CAUSING: Final = vocabulary(
    "bring get have keep let make deixe deixar faça fazer mantenha manter passe passar torne tornar traga"
)
_AR: Final = """
    acert adapt adequ agrup ajust alinh alter anot aplic apag atualiz aument convert-er desativ desabilit
    desselecion divid-ir edit elimin exclu-ir extra-ir fix format junt-ar limp marc migr modern-izar modernig
    modific mud orden padroniz parametriz pul refator reform regener relax remov-er renome reorganiz reescrev-er
    refaz-er reduz-ir restrutur revis separ simplific substitu-ir traduz-ir transform troc un-ir unific
"""
_PT_SPECIAL: Final = vocabulary(
    """
    mova mover mude refaça refazer reveja rever renomeie renomear reformule reescreva reescrever troque aplique apague
    marque modifique simplifique unifique junte juntar jogue jogar verta verter una unir ignore ignorar modernize
    modernizar adeque adequar exclua extraia extrair
    """
)
_PARTICIPLES_EN: Final = vocabulary("brought redone rewritten split cut dropped skipped swapped trimmed stripped")
_NOT: Final = vocabulary(
    """
    avoid cannot can't couldn't don't dont doesn't isn't mustn't needn't never no nobody nor not nothing refrain
    resist shouldn't without won't instead rather forbidden prohibited unless if when whenever whether how why what
    before after until em-vez evite jamais nada nem ninguém nenhum nunca não proibido vedado sem se quando como antes
    depois
    """
)
_AS_WHAT: Final = vocabulary("marque marcar trate tratar registre registrar anote anotar declare declarar")
"""After these `como` says as what, and not how."""
_MODAL: Final = vocabulary(
    "will would shall must should can could may might vai vão irá irão deve devem pode podem precisa was were did"
)
_LEAD: Final = re.compile(
    r"(?:(?:please|kindly|now|then|also|first|second|finally|lastly|next|just|afterwards|moreover|so|and|or|but|e|mas"
    r"|only|simply|always|-|\*|•|\d+\)|let's|let us|lets|therefore|accordingly|both|goal|task|todo"
    r"|(?:you|we)(?: (?:should|must|can|may|could|shall|will|need to|have to|are to|ought to|might))?"
    r"(?: (?:also|then|now|please|just|first|therefore))*"
    r"|(?:can|could|would|will) (?:you|we)|i(?: would|'d)? (?:want|need|like|expect|ask) you to|(?:your|the) task is to"
    r"|make sure (?:to|you)|be sure to|remember to|feel free to|(?:do not|don't) forget to|it is (?:ok|fine|allowed) to"
    r"|need to|(?:it is|it's) (?:necessary|time) to"
    r"|por favor|favor|agora|então|também|primeiro|segundo|por fim|depois disso|em seguida|só|apenas|simplesmente"
    r"|(?:você|nós)(?: (?:deve|pode|precisa|tem de|tem que|devemos|podemos|precisamos))?(?: (?:também|então|agora))*"
    r"|(?:quero|preciso|peço|gostaria)(?: de)? que (?:você|vocês|se)|(?:é|será) (?:preciso|necessário|hora de|para)"
    r"|vamos|pode|podes|deve-se|lembre-se de|não (?:se )?esqueça de|não deixe de|(?:a|sua|tua) tarefa é"
    r")(?: |$))*"
)
_BOUNDS: Final = frozenset({",", "(", ")", "and", "then", "e", "or", "ou", "but", "mas", "-", "*", "–", "—", "plus"})
_WORDS_BEFORE: Final = 16
"""Words before a verb among which its clause begins."""
_LISTED: Final = re.compile(r"\b(?:or|nor|ou|nem)\b")


_TOKEN: Final = re.compile(r"[^\W_][\w./'’+-]*[\w/]|\w|[.,;:!?\n()*–—-]|[\w./]+")
_SENTENCE_ENDS: Final = frozenset(".;:!?\n")
_PHRASES: Final = (
    (r"\bget(?:ting)? rid of\b|\bthrow (?:away|out)\b|\bdo away with\b|\btake out\b|\bjogue fora\b", "remove"),
    (r"\bcomment out\b", "disable"),
    (r"\b(clean|tidy|split|merge|join)(?: up| out)\b", r"\1"),
    (r"\b(?:as well as|together with|along with|plus|and also|and in)\b", "and"),
    (r"\b(?:junto com|juntamente com|bem como|assim como|e também|e nos|e dos)\b", "e"),
    (r"\b(?:instead of|rather than|em vez d[eoa]|ao invés d[eoa]) (?:the |o |a )?\S+?(?=[.,;:!?)]{0,9}(?:\s|$))", ""),
    (r"(?<=s)' ", "'s "),
    (r"\ball of\b|\beach of\b|\bboth of\b", "all"),
)


def sentences_of(goal: str) -> list[list[str]]:
    """The words of each sentence of a goal, in lower case; verbs of two words as one that says the same."""
    text = goal.lower().replace("’", "'").replace("`", " ").replace('"', " ")
    for pattern, instead in _PHRASES:
        text = re.sub(pattern, instead, text)
    found: list[list[str]] = [[]]
    for word in _TOKEN.findall(text):
        if word in _SENTENCE_ENDS:
            found.append([])
        else:
            found[-1].append(word)
    return [one for one in found if one]


def _portuguese() -> frozenset[str]:
    """Imperative and infinitive of each stem, with the spelling that the sound asks for."""
    found: set[str] = set()
    for entry in _AR.split():
        stem, _, ending = entry.partition("-")
        if ending in ("er", "ir"):
            found |= {f"{stem}a", f"{stem}am", f"{stem}{ending}"}
            continue
        stem = re.sub("c$", "qu", stem) if not ending else stem
        stem = re.sub("g$", "gu", stem)
        found |= {f"{stem}e", f"{stem}em", f"{entry.partition('-')[0]}ar"}
    return frozenset(found)


_CHANGING: Final = _CHANGING_EN | _portuguese() | _PT_SPECIAL


def class_of(word: str) -> VerbClass | None:
    """What kind of verb a word in lower case is; None for any other word."""
    bare = re.sub(r"-(?:[oa]s?|l[oa]s?|n[oa]s?)$", "", word)
    for name, words in _CLASSES:
        if word in words or (bare != word and (bare in words or f"{_accented(bare)}r" in words)):
            return name
    return None


_CLASSES: Final[Sequence[tuple[VerbClass, frozenset[str]]]] = (
    ("changing", _CHANGING),
    ("mending", _MENDING),
    ("adding", _ADDING),
    ("causing", _CAUSING),
)


def _accented(stem: str) -> str:
    """`atualizá-los` is `atualizar` without its r."""
    return stem.translate(str.maketrans("áêé", "aee"))


def is_participle(word: str) -> bool:
    """Whether a word is the participle of a verb that changes (`updated`, `atualizados`)."""
    if word in _PARTICIPLES_EN:
        return True
    for ending in ("ed", "d"):
        bare = word.removesuffix(ending)
        if bare != word and (bare in _CHANGING_EN or f"{bare[:-1]}y" in _CHANGING_EN):
            return True
    bare = re.sub(r"(?:ad|id)[oa]s?$", "", word)
    return (bare != word and any(f"{bare}{ending}" in _CHANGING for ending in ("ar", "er", "ir"))) or bool(
        re.fullmatch(r"(?:reescrit|refeit|revist|movid|exclu[ií]d|substitu[ií]d|extra[ií]d)[oa]s?", word)
    )


def is_asked_of_reader(words: Sequence[str], verb: int) -> bool:
    """Whether the verb at a place of a sentence (words in lower case) asks the reader for what it says."""
    begin = next(
        (
            place
            for place in range(max(0, verb - _WORDS_BEFORE), verb)
            if _LEAD.fullmatch(" ".join(words[place:verb])) and _may_begin(words, place)
        ),
        verb,
    )
    if not _may_begin(words, begin):
        return False
    before = words[:begin]
    if not before:
        return True
    if before[-1] == "," and not _negated_list(words, begin):
        return True
    clause = before[len(before) - 1 - before[::-1].index(",") :] if "," in before else before
    if "como" in clause and not _AS_WHAT.isdisjoint(clause[: clause.index("como")]):
        clause = [word for word in clause if word != "como"]
    return _NOT.isdisjoint(clause) and _MODAL.isdisjoint(clause) and not (_negated_list(words, begin))


def _may_begin(words: Sequence[str], place: int) -> bool:
    return place == 0 or words[place - 1] in _BOUNDS or words[place] in _BOUNDS


def _negated_list(words: Sequence[str], place: int) -> bool:
    """`never, ever, change`, `do not edit, skip or delete`: what is forbidden of one verb is of the next."""
    forbids = [at for at in range(place) if words[at] in _NOT]
    if not forbids:
        return False
    after = words[forbids[-1] + 1 :]
    if after[:1] == [","] or (after[:1] and class_of(after[0]) and after[1:2] == [","]):
        return True
    return _LISTED.search(" ".join(words[place:])) is not None and words[place - 1] == ","
