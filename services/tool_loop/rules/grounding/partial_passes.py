"""What a final text tells of tests of which not all pass: `12 of 14 tests pass`, `all but two`, `most of them`."""

import re
from typing import Final

_OF: Final = r"(?: ?/ ?| (?:out )?of(?: the| our| these| all)? | (?:de|d[oa]s)(?: um total de)? )"
_TESTS: Final = r"(?:(?:unit|integration|existing|regression|new) )?(?:tests?|specs?|checks?|cases|testes?|casos)"
_SHARE: Final = re.compile(rf"(?<![\w./-])(?P<some>\d{{1,6}}){_OF}(?P<whole>\d{{1,6}})(?![\w/%]|[.,]\d)", re.IGNORECASE)
_PASS: Final = r"(?:pass\w*|passa\w*|green|ok|fail\w*|falha\w*)"
_THEN: Final = re.compile(rf"(?: of)?(?: \w+)? (?:{_TESTS}|{_PASS})\b|\)? ?{_PASS}\b", re.IGNORECASE)
_FIRST: Final = re.compile(rf"\b(?:{_TESTS}|{_PASS})\W{{1,3}}(?:\w+ )?\Z", re.IGNORECASE)
_BEFORE: Final = 40
"""Characters before a share in which it is looked for what it is of."""
_WORDS: Final = ["one um uma", "two dois duas", "three três", "four quatro", "five cinco", "six seis"]
_NUMBERS: Final = {word: number for number, words in enumerate(_WORDS, 1) for word in words.split()}
_ALL_BUT: Final = re.compile(
    rf"\b(?P<all>all|every|todos|todas) (?:but|except|exceto|menos)(?: for)? (?P<n>\d{{1,6}}|{'|'.join(_NUMBERS)})"
    rf"(?: of the| of our| d[oa]s)? (?P<tests>{_TESTS})\b",
    re.IGNORECASE,
)
_MOST: Final = re.compile(
    rf"\b(?:most|some|many|half|almost all|nearly all|a maioria|quase todos|alguns)(?: of(?: the| our)?| d[oa]s| os)?"
    rf" {_TESTS}\b",
    re.IGNORECASE,
)


def without_wholes(text: str) -> str:
    """The text with what is told apart left out: `12 of 14 tests pass` as `12 tests pass`, `all but two` as `all`."""
    text = _ALL_BUT.sub(r"\g<all> \g<tests>", text)
    return _SHARE.sub(lambda found: found["some"] if _is_part(found) else found[0], text)


def told_not_passing(text: str) -> int | None:
    """How many tests a text tells of as not passing, by a share or an exception; 0 for some, None for none."""
    shares = [int(one["whole"]) - int(one["some"]) for one in _SHARE.finditer(text) if _is_part(one)]
    but = [int(one["n"]) if one["n"].isdigit() else _NUMBERS[one["n"].lower()] for one in _ALL_BUT.finditer(text)]
    if shares or but:
        return max(shares + but)
    return 0 if _MOST.search(text) else None


def _is_part(found: re.Match[str]) -> bool:
    """Whether a share is of tests, by the words beside it, and less than the whole."""
    if int(found["some"]) >= int(found["whole"]):
        return False
    before = found.string[max(0, found.start() - _BEFORE) : found.start()]
    return bool(_THEN.match(found.string, found.end()) or _FIRST.search(before))
