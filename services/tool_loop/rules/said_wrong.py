"""Whether a goal says that a file, or a part of it, is wrong and asks for that to be mended by a pronoun or a noun.

`The second case in cases.json is wrong. Correct it.` What a file only shows (`the result of check.sh is wrong`) is
wrong elsewhere.
"""

import re
from typing import Final

from .asking_verbs import class_of, is_asked_of_reader, sentences_of

WRONG: Final = (
    r"(?:wrong|incorrect|mistaken|outdated|stale|misspelt|misspelled|errad[oa]s?|incorret[oa]s?|desatualizad[oa]s?)"
)
DATUM: Final = (
    r"(?:cases?|entr(?:y|ies)|rows?|records?|lines?|items?|values?|numbers?|keys?|assertions?|checks?|expectations?"
    r"|casos?|entradas?|linhas?|registros?|itens|item|valor(?:es)?|números?|asserç(?:ão|ões)|verificaç(?:ão|ões))"
)
_WHICH: Final = (
    r"(?:the|this|o|a|os|as|first|second|third|last|old|primeir[oa]|segund[oa]|terceir[oa]|últim[oa]"
    r"|\d+(?:st|nd|rd|th))"
)
_FAULT: Final = re.compile(rf"\b(?:{WRONG}|typo|mistake|engano)\b", re.IGNORECASE)
_NAMED: Final = "the-named-file"
_FILE: Final = rf"(?:(?:the|o|file|arquivo|script) )*{_NAMED}"
_IS: Final = r"(?:is|are|está|estão|é|são) (?:(?:now|simply|plainly|just|agora|simplesmente) )?"
_SAID: Final = re.compile(
    rf"(?:{_WHICH} )*{DATUM} (?:in|of|from|em|d[oae]|n[oa]) {_FILE} {_IS}{WRONG}\b"
    rf"|{_FILE} {_IS}{WRONG}\b"
    rf"|{_FILE} (?:has|contains?|tem|contém) (?:(?:an?|one|um|uma) )?"
    rf"(?:(?:{WRONG} (?:\w+ )?{DATUM}|{DATUM} {WRONG})|typo|mistake|engano)\b"
    rf"|(?:(?:there is|há) )?(?:(?:an?|um|uma|one) )?(?:{WRONG} {DATUM}|{DATUM} {WRONG}|typo|mistake|engano)"
    rf" (?:in|em|n[oa]) {_FILE}\b"
)
_IT: Final = re.compile(
    rf"(?:it|them|this|that|(?:the|this|that|o|a|esse|este) (?:{DATUM}|file|mistake|typo|arquivo|engano|script))(?: |$)"
)


def is_to_be_mended(goal: str, name: str) -> bool:
    """Whether a goal, in English or Portuguese, calls a file (by its path or name) wrong and has that mended."""
    short = name.rpartition("/")[2]
    if short not in goal or _FAULT.search(goal) is None:
        return False
    named = rf"(?<![\w.-])(?:[\w.-]+/){{0,12}}{re.escape(short)}(?![\w-]|\.\w|/)"
    said = sentences_of(re.sub(named, _NAMED, goal))
    return any(
        _SAID.match(" ".join(words)) is not None and _is_mended([*_after(words), *said[place + 1 : place + 3]])
        for place, words in enumerate(said)
    )


def _after(words: list[str]) -> list[list[str]]:
    """The rest of a sentence, after its first comma or dash."""
    breaks = [at for at, word in enumerate(words) if word in (",", "-", "–", "—")]
    return [words[at + 1 :] for at in breaks]


def _is_mended(clauses: list[list[str]]) -> bool:
    return any(
        class_of(word) in ("mending", "changing")
        and is_asked_of_reader(words, place)
        and (re.search(r"-(?:l|n)?[oa]s?$", word) or _IT.match(" ".join(words[place + 1 : place + 5])) is not None)
        for words in clauses
        for place, word in enumerate(words)
    )
