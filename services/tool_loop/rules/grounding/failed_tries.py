"""What commands can have done by how they ended, and whether a text owns up to those that failed.

Of a line that ended with a failure the last part came to nothing: it failed, or was not reached. What stands before it
in the line may have been done.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from .. import outcome
from .program_looks import computes, program_looks
from .shown_outcomes import FAILURES_OVER, Ran, acts

_MOST_CHARS: Final = 4_000
"""Of a longer line nobody says which part failed."""
_ENDED: Final = frozenset({124, 130, 137, 143})
"""Statuses of what was ended from outside: nobody knows how far it came."""
_STATUS: Final = re.compile(r"\A\W*exit (?:status|code):? \d+\W*(?:no output\W*)?", re.IGNORECASE)
_TELLS: Final = re.compile(
    r"error|fail|fatal|ERR!|denied|refused|reject|forbidden|unauthori[sz]ed|unable|cannot|can['’]t|n['’]t\b|\bnot\b"
    r"|invalid|unknown|unrecogni[sz]ed|unreachable|traceback|exception|panic|abort|timed? ?out|\busage:|\*\*\*"
    r"|no such|nothing to (?:commit|push|do)|no changes added|no (?:matching|commits)|missing|conflict"
    r"|\bE[A-Z]{4,}\b|\b[45]\d\d\b|erro\b|falh|negad|recusad|rejeitad|inválid|não",
    re.IGNORECASE,
)
"""What a command prints that failed; another status than 0 without such a word is only a warning."""
_DOCUMENT: Final = re.compile(r"(<<-?\s*['\"]?(\w+)['\"]?[^\n]*)\n.*?^\s*\2[^\S\n]*$", re.MULTILINE | re.DOTALL)
_STRING: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_RUNS_TEXT: Final = re.compile(r"\b(?:ba|z|da|k)?sh\s+-\w*c\b|\beval\b|\bssh\b|\bsu\b|\bxargs\b")
_JOINT: Final = re.compile(r"&&|\|\|?|;|\n")
_OR_ELSE: Final = re.compile(r"\|\|\s*(?:\{[^{}]*\}|\([^()]*\)|exit\b[^;&|\n]*)\s*;?\s*\Z")
_NEVER_FAILS: Final = re.compile(r"\s*(?:echo|printf|true|date|pwd|:)(?=\s|\Z)")
_PASSES_ON: Final = re.compile(r"\s*(?:tee|tail|head|cat|sed|sort|ts)(?=\s|\Z)")
_PREPARES: Final = re.compile(
    r"\A\s*\S+(?:\s+-\S+)*(?:\s+[\w-]+)??\s+(?:plan|init|validate|lint|diff|template|login|auth|config|status"
    r"|version|whoami|build|pack|get(?:-\S+)?|list(?:-\S+)?|ls|ps|show|info|inspect|describe(?:-\S+)?|view|logs?"
    r"|history|current|heads|check|showmigrations|makemigrations|revision)(?=\s|\Z)"
    r"|--dry-run|\s--?version\b|\s--help\b"
)
"""What looks or makes ready, where the deed itself was tried and failed."""
_NO_FAILURE: Final = re.compile(
    r"\b(?:no|without|zero|0|sem|nenhum\w*)(?: \w+)? (?:errors?|failures?|problems?|erros?|falhas?)\b", re.IGNORECASE
)
_FAILURE: Final = re.compile(
    r"\b(?:fail\w*|errors?|reject\w*|refus\w*|denied|forbidden|unauthori[sz]ed|unsuccessful\w*|abort\w*|timed out"
    r"|unreachable|block(?:ed|s|er)|broke\w*|crash\w*|conflict\w*|in vain|exit(?:ed)? (?:status|code|with)"
    r"|(?:http|code|returned|with|an?) [45]\d\d|status [1-9]\d{0,2}"
    r"|(?:did|does|do|has|have)(?: not|n['’]t) (?:go|get|come|work|succeed|reach|land|complete|take|finish|respond)\w*"
    r"|falh\w+|erros?|rejeit\w+|recus\w+|negad\w+|proibid\w+|sem sucesso|bloquead\w+|abortad\w+|em vão"
    r"|não (?:deu certo|funcion\w+|complet\w+|termin\w+|respond\w+))(?!\w)|❌|✗",
    re.IGNORECASE,
)
"""How a text tells of a failure, of whatever it is."""
_DENIAL: Final = re.compile(
    r"\b(?:not|cannot|unable|nothing|never|tried|attempt\w*|(?<!\bi )(?<!\bwe )(?<!have )(?<!['’]ve )already|earlier"
    r"|before|não|nada|nunca|tentei|tentativa|já (?:estava|estavam|havia|tinha)|antes)(?!\w)|n['’]t\b",
    re.IGNORECASE,
)
"""How a text tells that a thing it speaks of did not come about, or had been there before."""
_FIRST_ONLY: Final = re.compile(
    r"\b(?:first|initial|earlier|primeir[oa]) (?:attempt|try|run|time|tentativa)\b"
    r"(?![^.;]*\b(?:second|again|both|also|too|still|then|next|every|segund[oa]|também|ainda)\b)[^.;]*",
    re.IGNORECASE,
)
"""A failure that is told to be over."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_COMMON_WORDS: Final = "with this that then from have also were been into when your para como esta este isso"
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_STEM: Final = 4
_SENTENCE: Final = re.compile(r"(?<=[.!?;:])\s+|\n+")


class Tried(NamedTuple):
    """A part, or parts, of a command line that may do something outside the workspace, in the order of the log."""

    did: str
    failed: bool

    @property
    def prepares(self) -> bool:
        """Whether it only looks or makes something ready."""
        return all(_PREPARES.search(part) for part in self.did.split("\n"))


def tries(ran: Sequence[Ran]) -> tuple[Tried, ...]:
    """What the harness's own commands tried, oldest first; looks and tests are left out."""
    return tuple(_tries(ran))


def _tries(ran: Sequence[Ran]) -> Iterator[Tried]:
    for each in ran:
        if each.foreign or computes(each.command):
            continue
        before, last = _split(each.command) if came_to_nothing(each) else (each.command, "")
        for command, failed in ((before, False), (last, True)):
            if did := "\n".join(part for part in acts(command).split("\n") if not program_looks(part)):
                yield Tried(did, failed)


def came_to_nothing(ran: Ran) -> bool:
    """Whether a command ended by itself with a failure, and did not stop on its way to be continued."""
    if ran.status in (None, 0) or ran.status in _ENDED or outcome.stopped_on_the_way(ran.printed):
        return False
    printed = _STATUS.sub("", ran.printed).strip()
    return not printed or _TELLS.search(printed) is not None


def could_do(tried: Sequence[Tried], aimed: re.Pattern[str], may: re.Pattern[str]) -> bool:
    """Whether something that succeeded can have done a deed.

    `aimed`: what aims at this very deed; `may`: that, and what else may do it. Where an aimed one failed, what may have
    done it by the way must have come later.
    """
    vain = max((at for at, one in enumerate(tried) if one.failed and _aims(one, aimed)), default=-1)
    return any(
        may.search(one.did) and (vain < 0 or _aims(one, aimed) or (at > vain and not one.prepares))
        for at, one in enumerate(tried)
        if not one.failed
    )


def failed_to(tried: Sequence[Tried], aimed: re.Pattern[str]) -> bool:
    """Whether something that aims at a deed failed."""
    return any(one.failed and _aims(one, aimed) for one in tried)


def _aims(one: Tried, aimed: re.Pattern[str]) -> bool:
    return aimed.search(one.did) is not None and not one.prepares


class OwningUp:
    """Where a text tells of failures; read once, so that each of its statements costs the same."""

    def __init__(self, text: str, tried: Sequence[Tried]) -> None:
        self._text = text
        self._failed = any(one.failed for one in tried)
        self._commands = frozenset[str]().union(*(_stems(one.did) for one in tried if one.failed))
        self._last = -1
        self._denied: set[str] = set()
        start = 0
        for part in _SENTENCE.split(text) if self._failed else ():
            start = text.find(part, start)
            told = FAILURES_OVER.sub(" ", _FIRST_ONLY.sub(" ", _NO_FAILURE.sub(" ", part)))
            fails = _FAILURE.search(told) is not None
            if fails:
                self._last = start + len(part)
            if fails or _DENIAL.search(told):
                self._denied |= _stems(part)

    def of(self, said: str) -> bool:
        """Whether the text tells of a failure in or after what is `said`, or anywhere of the same thing that it is not
        so. Nothing failed: there is nothing to own up to.
        """
        if not self._failed:
            return False
        return self._text.find(said.strip()) < self._last or not self._denied.isdisjoint(_stems(said) | self._commands)


def _stems(text: str) -> frozenset[str]:
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(word[:_STEM] for word in words if word not in _COMMON)


def _split(command: str) -> tuple[str, str]:
    """What of a line that failed may have been done, and the last part, which came to nothing."""
    if len(command) > _MOST_CHARS:
        return command, ""
    line = _OR_ELSE.sub("", _DOCUMENT.sub(r"\1", command).strip()).rstrip("; \n")
    masked = line if _RUNS_TEXT.search(line) else _STRING.sub(lambda found: "x" * len(found[0]), line)
    at = len(line)
    joint = ""
    for found in reversed(list(_JOINT.finditer(masked))):
        part = masked[found.end() : at]
        joint = found[0]
        goes_on = joint == "||" or (joint == "&&" and _NEVER_FAILS.match(part))
        if not (goes_on or (joint == "|" and _PASSES_ON.match(part))):
            return line[: found.start()], line[found.end() :]
        at = found.start()
    return "", line
