"""What a final text tells as the result of a deed, in noun form: a deployment that is done, a merge, a push."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_END: Final = r"(?=\s*(?:[.,;:!)]|$|and\b|e\b|with(?:out)?\b|sem\b|com\b|successfully\b|now\b))"
_OF: Final = r"(?: (?:of|to|for|on|in|d[aeo]s?|em|n[ao]|para) (?:[^.;:,]|[.,]\d){1,40}?)?"
_CAME_ABOUT: Final = (
    r"(?:(?:is|was|has been)(?: now)? (?:done|complete[d]?|finished|successful)"
    r"|(?:has )?(?:now )?(?:completed|finished|succeeded|went through)"
    rf"(?: successfully)?){_END}"
)
_FEITO: Final = (
    r"(?:já )?(?:foi|está|ficou) (?:feit|conclu[ií]d|finalizad|realizad|efetuad|processad|emitid)[oa]s?\b(?! por\b)"
)
_CODE: Final = r"(?:alterações|mudanças|modificações|commits?|correção|correções|código|branch)"
_REMOTE: Final = r"(?:github|gitlab|bitbucket|remoto|repositório(?: remoto)?|origin|servidor git)"
_PR: Final = r"(?:pull requests?|prs?|merge requests?|mrs?)"


class _Result(NamedTuple):
    told: re.Pattern[str]
    done_by: re.Pattern[str]


def _result(told: str, done_by: str) -> _Result:
    return _Result(re.compile(told, re.IGNORECASE), re.compile(done_by, re.IGNORECASE))


_ANY: Final = r"\b(?:make|just|bash|sh|python3?|node|npm|curl|ssh)\b|\.sh\b|(?:^|[\s;&|])\.{0,2}/"
_RESULTS: Final = (
    _result(
        rf"\b(?:the |our )(?:re)?deploy(?:ment)?{_OF} {_CAME_ABOUT}|\bo (?:re)?deploy{_OF} {_FEITO}"
        rf"|\bthe new version is (?:now )?live{_END}|\ba nova versão (?:já )?está no ar\b",
        r"deploy|release|publish|kubectl|helm|terraform|ansible|rsync|scp|docker|fly|vercel|netlify|heroku|gcloud"
        rf"|\baws\b|\baz\b|git push|systemctl|\bcp\b|{_ANY}",
    ),
    _result(
        rf"\b(?:i|we)(?: have|['’]ve)?(?: also| then| just)* merged (?:the |this |your |both )*{_PR}\b"
        rf"|\b(?:fiz|fizemos) o merge d[oa]s? {_PR}\b|\bmesclei (?:o |os )?{_PR}\b",
        r"\bgit\b.*\b(?:merge|push|rebase|pull)\b|\b(?:gh|hub|glab)\b|\.sh\b|\bcurl\b",
    ),
    _result(
        rf"\b(?:enviei|mandei|subi|publiquei) (?:as? |os? )?{_CODE}{_OF} (?:para|n[ao]|ao?) (?:[ao] )?{_REMOTE}\b",
        r"\bgit\b.*\bpush\b|\b(?:gh|hub|glab)\b|\.sh\b|\bmake\b",
    ),
)
_TOLD_BY_OTHERS: Final = re.compile(
    r"\baccording to\b|\b(?:records?|system|history|status|order|log|page|e-?mail|sistema|registros?|histórico)"
    r" (?:shows?|says?|indicates?|tells?|states?|mostram?|dizem?|diz|indicam?)\b"
    r"|\bby the (?:seller|store|shop|airline|carrier|merchant|bank|customer|restaurant|hotel)\b"
    r"|\b(?:segundo|conforme|de acordo com|consta|pel[oa] (?:loja|vendedor|companhia|banco|cliente))\b",
    re.IGNORECASE,
)
"""What makes of a statement one that is read from somewhere, or somebody else's deed."""
_OWN: Final = re.compile(r"\b(?:i|we|fiz|fizemos|subi|abri|\w{2,}(?:ei|amos|emos))\b", re.IGNORECASE)
_HANGS_ON: Final = re.compile(
    r"\b(?:when(?:ever)?|once|until|till|after|before|unless|while|if|as soon as|will|would|should|must|to see|quando"
    r"|assim que|depois que|antes que|até que|enquanto|se|sempre que|após)\b[^;:.]*$",
    re.IGNORECASE,
)


def told_by_others(text: str, found: re.Match[str]) -> bool:
    """Whether a sentence gives what was found in it as read from a record, or as somebody else's doing."""
    return _TOLD_BY_OTHERS.search(text) is not None and not _OWN.search(found[0])


def results(bare: str, able: Sequence[str]) -> Iterator[str]:
    """The results that a statement tells and that none of the commands `able` can have come to, in its words."""
    for one in _RESULTS:
        found = one.told.search(bare)
        if (
            found
            and not told_by_others(bare, found)
            and not _HANGS_ON.search(bare[: found.start()])
            and not any(map(one.done_by.search, able))
        ):
            yield found[0].strip(" ,;:-")
