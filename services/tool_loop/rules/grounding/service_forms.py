"""The forms in which a text tells of any kind of service that it was done, made of the words of the kind.

By its doer (`I've applied the discount`, `fiz o reembolso`), as something that was done to a thing (`your booking is
confirmed`, `o pedido foi cancelado`), and as the deed itself (`your refund went through`, `reembolso efetuado`).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final


@dataclass(frozen=True)
class Service:
    """A kind of service: the texts of its patterns, each compiled when it is first asked for."""

    doer_text: str
    of_thing_text: str
    by_text: str
    stands_text: str

    @cached_property
    def doer(self) -> re.Pattern[str]:
        """How it is told by its doer."""
        return _compiled(self.doer_text)

    @cached_property
    def of_thing(self) -> re.Pattern[str]:
        """How it is told of the thing that it was done to, and of the deed itself."""
        return _compiled(self.of_thing_text)

    @cached_property
    def by(self) -> re.Pattern[str]:
        """What a call that does it holds."""
        return _compiled(self.by_text)

    @cached_property
    def stands(self) -> re.Pattern[str]:
        """What a result holds that shows it done."""
        return _compiled(self.stands_text)


_ADVERBS: Final = r"(?: also| then| now| just| already| successfully| finally| gone ahead and| went ahead and)*"
_I: Final = rf"\b(?:i|we)(?: have|['’]ve| had)?{_ADVERBS}"
_AND: Final = r"\b(?:i|we)(?: have|['’]ve)? [^.;:?!\n]{1,60}?\band(?: have)?(?: also| then| now| just)*"
_BEGINS: Final = r"\A\W*(?:(?:done|great|perfect|all set|ok|okay)\W+)?(?:successfully )?"
_WAS: Final = (
    r"(?:was|were|has been|have been|['’]s been|is now|are now"
    r"|(?:is|are)(?: all)?(?: now)?(?= (?:confirmed|booked|reserved|scheduled)\b))"
    r"(?: now| also| just| successfully| fully)*"
)
_FOI: Final = r"(?:já )?(?:foi|foram|está|estão|ficou|ficaram|acabou de ser|acabaram de ser)(?: já| agora| também)*"
_NEAR: Final = (
    r"(?:(?!\b(?:that|which|who|when|if|so|because|but|que|quando|se|mas|porque)\b)[^.;:?!\n]|\.\d|:\d){0,48}?"
)
_MADE: Final = (
    r"(?:made|issued|processed|completed|initiated|submitted|applied|arranged|requested|granted|given|gave|set up"
    r"|placed|put through|started|added|created|sent|finali[sz]ed|activated|waived|opened|filed"
    r"|registered|approved|confirmed)"
)
_FIZ: Final = (
    r"(?:fiz|fizemos|efetuei|efetuamos|realizei|realizamos|processei|processamos|emiti|emitimos|concluí|finalizei"
    r"|apliquei|aplicamos|solicitei|solicitamos|registrei|registramos|gerei|geramos|concedi|concedemos|abri|abrimos"
    r"|iniciei|adicionei|adicionamos|lancei|aprovei|providenciei|confirmei|liberei|ativei)"
)
_FEITO: Final = (
    r"(?:feit|efetuad|realizad|processad|emitid|conclu[ií]d|finalizad|aplicad|solicitad|confirmad|aprovad|registrad"
    r"|enviad|concedid|gerad|lançad|abert|iniciad|adicionad|liberad|ativad|agendad|marcad)[oa]s?"
)
_THROUGH: Final = (
    r"(?:has |have )?(?:now |just )?(?:went|gone|come|came) through|(?:has |have )?(?:now )?(?:succeeded|completed)\b"
)
_COMPLETE: Final = (
    r"(?:is|are)(?: now| all)* (?:done|complete|completed|successful|in place|on (?:its|the) way|approved|active|set up"
    r"|confirmed|booked|processed|issued|finali[sz]ed)"
)
NO_END: Final = (
    r"(?! (?:free|out|up|full|solid|within|in \d|by|after|once|when(?:ever)?|until|before|if|each|every|only"
    r"|automatically|manually|twice|wrong\w*|incorrectly|até|em até|quando|após|depois|antes|pelo|pela|por|se)\b)"
)
"""What follows where it is told how things go, who else did it, or what went wrong."""
_MONEY: Final = r"(?:[$€£]|R\$|US\$)\s?\d[\d.,]*"
_DIRECT: Final = rf"(?:(?:the|your|his|her|their|both|all|an?|o|a|seu|sua)\b|{_MONEY}|#?[A-Z]*\d)"
_OF_IT: Final = r"(?! (?:request|policy|details|form|status|amount|number|eligibility)\b)"
_PARTY: Final = r"(?:you|them|him|her|it|the (?:customer|client|user|guest|passenger)|o cliente|a cliente|você)"


def kind(
    *, verbs: str = "", nouns: str, things: str = "", eu: str = "", ado: str = "", also: str = "", by: str, stands: str
) -> Service:
    """The patterns of a kind, of alternatives: English participles, nouns of the deed, what it is done to, and in
    Portuguese the first person and the participle's stem. `also`: how else it is told of a thing. `by`, `stands`: as of
    `Service`.
    """
    what = f"(?:{nouns}|{things})" if things else f"(?:{nouns})"
    doer = [
        rf"{_I} (?:{verbs}) (?:{_PARTY}\b|{_NEAR}(?:\b(?:{what})\b|{_MONEY}|#?\b[A-Z]*\d[\w-]*\b))" if verbs else "",
        rf"{_BEGINS}(?:{verbs}) {_DIRECT}" if verbs else "",
        rf"{_AND} (?:{verbs}) (?:{_PARTY}\b|{_DIRECT}{_NEAR}\b(?:{what})\b)" if verbs else "",
        rf"(?:{_I} |{_BEGINS}){_MADE} (?={_DIRECT}){_NEAR}\b(?:{nouns})\b{_OF_IT}",
        rf"\b(?:{eu}) {_NEAR}(?:\b(?:{what})\b|{_MONEY}|{_PARTY}\b|#?\b[A-Z]*\d[\w-]*\b)" if eu else "",
        rf"\b{_FIZ} {_NEAR}\b(?:{nouns})\b",
    ]
    of_thing = [
        rf"\b(?:{what})\b{_NEAR} {_WAS} (?:{verbs})\b{NO_END}" if verbs else "",
        rf"\b(?:{what})\b{_NEAR} {_FOI} (?:{ado})[oa]s?\b{NO_END}" if ado else "",
        rf"\byou(?: are|['’]re| have been|['’]ve been)(?: now| all| also)* (?:{verbs})\b{NO_END}" if verbs else "",
        also,
        rf"\b(?:{nouns})\b{_NEAR} (?:{_WAS} {_MADE}\b|{_THROUGH}|{_COMPLETE}\b){NO_END}",
        rf"\b(?:{nouns})\b{_NEAR} {_FOI} {_FEITO}\b{NO_END}",
        rf"\A\W*(?:{nouns}|(?:{what})\b[^.;:?!\n]{{0,24}})\b\W{{1,4}}"
        rf"(?:{verbs or _MADE}|{_MADE}|done|complete|✅|{_FEITO}|(?:{ado or 'feit'})[oa]s?)"
        r"(?: (?:successfully|com sucesso))?\W*\Z",
    ]
    return Service(_any(doer), _any(of_thing), by, stands)


def _any(patterns: Sequence[str]) -> str:
    return "|".join(filter(None, patterns))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
