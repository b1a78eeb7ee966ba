"""What a goal spells out by itself: quoted texts, pairs of old and new, lists, given contents, files to move. Pure."""

import itertools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_QUOTED: Final = r'"[^"\n]+"|“[^”\n]+”|«[^»\n]+»|‘[^’\n]+’|`[^`\n]+`|(?<!\w)\'[^\'\n]+\'(?!\w)'
_WORD: Final = r"[\w](?:[\w.\-/@+:]*\w)?"
_TERM: Final = rf"(?:{_QUOTED}|{_WORD})"
_BECOMES: Final = r"(?:to|into|with|by|para|por|pelo|pela|→|->|=>)"
_FILLER: Final = r"(?:be|the|a|an|o|um|uma|ser|value|valor)"

_PAIR = re.compile(rf"(?<![\w.\-/@+:])({_TERM})\s+{_BECOMES}\s+(?:{_FILLER}\s+)?({_TERM})", re.IGNORECASE)
_SET = re.compile(rf"(?:\b(?:to|para|como|as|equals?|igual a)|=)\s+(?:{_FILLER}\s+)?({_TERM})", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:chang|set|updat|replac|renam|switch|make|correct|fix|turn|bump|"
    r"mud[ea]|alter|troqu|troc|substitu|atualiz|defin|renome|corrij|corrig|ajust|configur|coloqu|ponha)",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:add|append|insert|include|extend|acrescent|adicion|inclu|inser|anex)\w*", re.IGNORECASE)
_RUNS = re.compile(
    r"\b(?:run|execute|install|start|build|compile|delete|remove|download|move|rename|copy|chmod|git|command|script|"
    r"rod[ae]|rodar|execut[ae]|executar|instal[ae]|inici[ae]|compil[ae]|apag[au]e?|remov[ae]|baix[ae]|mov[ae]|renome\w+|"
    r"copi[ae]|comando)\b",
    re.IGNORECASE,
)
_FIXES = re.compile(
    r"\b(?:fix|repair|mend|bugs?|debug|fail(?:s|ing|ed)?|broken|wrong|passes|consert\w*|corrij\w*|corrig\w*|falh\w*|quebrad\w*|"
    r"errad\w*|passem?)\b",
    re.IGNORECASE,
)
_RENAMES = re.compile(
    r"\b(?:rename|move|mv|renomei[ae]|renomear|mova|mover)\b|\bmud[ea] o nome\b|\bchange the name\b", re.IGNORECASE
)
_COPIES = re.compile(r"\b(?:copy|duplicate|cp|copi[ae]|copiar|dupliqu[ea])\b", re.IGNORECASE)
_TEXT: Final = (
    r"(?:text|content|contents|sentence|line|message|words?|phrase|texto|conteúdo|frase|linha|mensagem|palavras?|dizeres|"
    r"says|saying|diz|dizendo|with|com)"
)
_AFTER_COLON = re.compile(rf"\b{_TEXT}:[ \t]+(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_GIVEN = re.compile(
    rf"\b(?:{_TEXT}|write|save|put|add|escrev[ae]|grav[ae]|guard[ae]|ponha|coloqu[ea])\s+"
    rf"(?:(?:the|a|o|uma?)\s+)?(?:{_TEXT}\s+)?({_QUOTED})",
    re.IGNORECASE,
)
_PER_LINE = re.compile(
    r"\b(?:one|each) (?:word |name |item )?(?:per|a|on its own|in its own|in a) line|\bem cada linha|"
    r"\bum(?:a)? (?:palavra |nome |item )?(?:por|em cada) linha|\bcada (?:um|uma|qual) (?:em|na) (?:uma|sua) ",
    re.IGNORECASE,
)
_LIST = re.compile(r"(?<![^\s,.:;])([^\s,.:;]+(?:, [^\s,.:;]+)+),? (?:and|e|&) ([^\s,.:;]+)")
_ONLY = re.compile(r"\b(?:only|just|nothing else|só|somente|apenas|nada mais)\b", re.IGNORECASE)

_PATH = re.compile(
    r"(?<![\w./:@-])(?:\.?[\w-]+/)*[\w-]*[\w-]\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/])|(?<![\w./:@-])(?:[\w.-]+/)+[\w.-]*\w"
)


@dataclass(frozen=True)
class Replacement:
    """One text is to become another."""

    old: str
    new: str


def paths_in(text: str) -> list[str]:
    """What looks like a relative path of a file in a text: it has an ending or a slash, and is no address."""
    return list(dict.fromkeys(found for found in _PATH.findall(text) if ".." not in found.split("/")))


def changes_something(goal: str) -> bool:
    """Whether the goal asks to change what is there."""
    return _CHANGES.search(goal) is not None


def adds_something(goal: str) -> bool:
    """Whether the goal asks to put something more into what is there."""
    return _ADDS.search(goal) is not None


def fixes_something(goal: str) -> bool:
    """Whether the goal asks to mend what is wrong."""
    return _FIXES.search(goal) is not None


def needs_command(goal: str) -> bool:
    """Whether the goal speaks of what only a command can do."""
    return _RUNS.search(goal) is not None


def renames_something(goal: str) -> bool:
    """Whether the goal asks for another name."""
    return _RENAMES.search(goal) is not None


def wants_only(goal: str) -> bool:
    """Whether a file is to hold a value and nothing else."""
    return _ONLY.search(goal) is not None


def replacements(goal: str) -> list[Replacement]:
    """The pairs `OLD to NEW` of a goal, the quoted ones alone where there are any."""
    pairs = [(match[1], match[2]) for match in _overlapping(_PAIR, goal)]
    quoted = [pair for pair in pairs if pair[0][0] in _MARKS and pair[1][0] in _MARKS]
    found = [Replacement(unquoted(old), unquoted(new)) for old, new in quoted or pairs]
    return [one for one in dict.fromkeys(found) if one.old != one.new]


def new_values(goal: str) -> list[str]:
    """What something is to be set to: the terms behind `to`, `para`, `=` and the like."""
    return list(dict.fromkeys(unquoted(match[1]) for match in _overlapping(_SET, goal)))


def given_contents(goal: str) -> list[str]:
    """Texts that the goal gives for a file: behind a colon, in quotation marks, or as a list of lines."""
    found = [match[1] for match in _AFTER_COLON.finditer(goal)]
    if not found:
        found = [unquoted(match[1]) for match in _GIVEN.finditer(goal)]
    if _PER_LINE.search(goal):
        found += ["\n".join([*match[1].split(", "), match[2]]) for match in _LIST.finditer(goal)]
    return [f"{unquoted(text)}\n" for text in dict.fromkeys(found)]


def file_commands(goal: str, named: tuple[str, ...], there: frozenset[str]) -> Iterator[str]:
    """Commands that move or copy a file that is there to a name that is not, as the goal says."""
    program = "mv" if _RENAMES.search(goal) else "cp" if _COPIES.search(goal) else None
    if program is None:
        return
    for old, new in itertools.pairwise(named):
        if old in there and new not in there:
            folder = new.rpartition("/")[0]
            made = f"mkdir -p {shlex.quote(folder)} && " if folder else ""
            yield f"{made}{program} {shlex.quote(old)} {shlex.quote(new)}"


_MARKS: Final = "\"“«‘`'"
_INSIDE: Final = "_.-/@+:"


def unquoted(term: str) -> str:
    """A term without its quotation marks."""
    closed = {'"': '"', "“": "”", "«": "»", "‘": "’", "`": "`", "'": "'"}
    if len(term) > 2 and closed.get(term[0]) == term[-1]:
        return term[1:-1].strip()
    return term


def _overlapping(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Every match, also where one begins inside another; terms begin at the beginning of a word."""
    at = 0
    while (match := pattern.search(text, at)) is not None:
        if match.start() == 0 or not (text[match.start() - 1].isalnum() or text[match.start() - 1] in _INSIDE):
            yield match
        at = match.start() + 1
