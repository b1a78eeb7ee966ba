"""The forms in which a text tells of a deed outside the workspace, and what of the log can have done it.

A deed is told as a whole by a pattern of its own (`deed`), or made of its words (`frame`): what was done, and to what.
"""

import re
from typing import Final, NamedTuple

BY_ME: Final = (
    r"(?:\b(?:i|we)(?: have|['’]ve| also| then| just| already| finally| successfully)* |^\W*(?:also |then )?|\band )"
)
WAS: Final = r"\b(?:was|were|has been|have been|is now|are now)(?: also| just| successfully| already)* "
ANYTHING: Final = r"[^.;:?!]{0,60}?"
_OPAQUE: Final = (
    r"\b(?:python3?|node|deno|bun|ruby|perl|php|java|go run|cargo run|make|just|task|npm (?:run|start)"
    r"|pnpm|yarn|npx|bunx|uvx"
    r"|uv run|bash|sh|curl|wget|http|https|ssh|nc)\b|(?:^|[\s;&|])\.{0,2}/?[\w./-]+\.(?:sh|py|js|rb|pl)\b"
    r"|(?:^|[\s;&|])\./"
)
"""Commands that may do anything."""


class Deed(NamedTuple):
    """A kind of act: how it is told, what the command that does it holds, and what one that aims at nothing else.

    `stands`: how else it is told, of what is there then; a look that can show it is enough for that, unless a command
    that aims at the deed failed. `shown_by`: what such a look holds, where not what does the deed by the way.
    """

    told: re.Pattern[str]
    done_by: re.Pattern[str]
    aimed: re.Pattern[str]
    stands: re.Pattern[str] | None
    shown_by: re.Pattern[str]


NOT_SO: Final = r"(?! (?:by|before|when|if|even|twice|again|after|only|too|to the wrong|in the wrong)\b)"
"""How a fault is told of that was there before."""
NO_PART: Final = (
    r"(?![\w'’-])(?! (?:dialog|box|modal|window|handler|class|model|function|method|view|component|loop|stream"
    r"|connection"
    r"|socket|listener|hook|state|type|field|object|entity|entities|template|fixture|event|queue|endpoint|route|test|module"
    r"|button|form|variable|constant|helper|wrapper|parser|schema|struct|record|row|mock|stub)s?\b)"
)
"""A thing that is not a part of a program which has its name."""
_FEW_WORDS: Final = r"(?:(?!(?:that|which|if|so|because|que|se|porque)\b)[\w#@&'’-]+ ){0,5}?"
_FOI: Final = r"(?:já )?(?:foi|foram|está|estão)(?: já| agora)? "


def frame(
    *, verbs: str, things: str, eu: str, ado: str, aimed: str, also: str = "", more: str = "", stands: str = ""
) -> Deed:
    """A kind of deed, of alternatives: English participles, what it is done to, in Portuguese the first person and the
    participle's stem, commands and calls that aim at it, and what may do it by the way. `more`: how else it is told.
    """
    told = [
        rf"{BY_ME}(?:{verbs}) {_FEW_WORDS}(?:{things}){NO_PART}",
        rf"\b(?:{eu}) {_FEW_WORDS}(?:{things}){NO_PART}",
        more,
    ]
    passive = [
        rf"(?<!\w)(?:{things})(?: #?[\w.-]+)? {WAS[2:]}(?:{verbs})\b{NOT_SO}",
        rf"(?<!\w)(?:{things})(?: #?[\w.-]+)? {_FOI}(?:{ado})[oa]s?\b(?! por\b)",
        stands,
    ]
    return deed("|".join(filter(None, told)), aimed, also, stands="|".join(filter(None, passive)))


def deed(told: str, aimed: str, also: str = "", *, stands: str = "", opaque: bool = True, by_the_way: str = "") -> Deed:
    """A kind of deed; `by_the_way`: acts that bring it with them, and that no look at it would name."""
    by = "|".join(filter(None, (aimed, also, _OPAQUE if opaque else "")))
    acts = "|".join(filter(None, (by, by_the_way)))
    told_so, done_by, aims, shown_by = (re.compile(pattern, re.IGNORECASE) for pattern in (told, acts, aimed, by))
    return Deed(told_so, done_by, aims, re.compile(stands, re.IGNORECASE) if stands else None, shown_by)
