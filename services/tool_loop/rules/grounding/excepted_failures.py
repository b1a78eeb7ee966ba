"""Whether what a final text excepts from all tests that pass covers the failures that the last run named."""

import re
from typing import Final

_EXCEPTS: Final = (
    r"(?:except(?: for)?|apart from|aside from|other than|besides|exceto|menos|salvo|tirando|fora|com exceção d\w+)"
)
_SOMETHING: Final = r"(?!nothing\b|none\b|nada\b|nenhum)(?=\S)"
_EXCEPTED: Final = re.compile(
    rf"\b(?:pass\w*|green|ok|verdes?),? {_EXCEPTS} {_SOMETHING}"
    rf"|\b(?:all|every|todos|todas)(?: \w+){{0,3}}? (?:tests?|testes|specs?|suites?) (?:but|{_EXCEPTS}) {_SOMETHING}",
    re.IGNORECASE,
)
"""What excepts something from all that pass: it did not."""
_CLAUSE: Final = re.compile(r"(?:[^.;\n]|\.(?=\w)){0,300}")
_FAILED_NAMES: Final = re.compile(
    r"^[^\S\n]*+(?:FAILED|FAIL:|ERROR:?|--- FAIL:|not ok \d+ -?|[✕✗✖×]) +"
    r"(?P<name>(?![(=\d])\S[^\n]{0,200}?)(?= - |\s*$|  )"
    r"|^(?:test )?(?P<before>\S{1,200}(?<!:)) (?:\.\.\. )?(?:FAILED|FAIL|ERROR)\b",
    re.MULTILINE,
)
_COUNTED: Final = re.compile(r"\b(?P<n>\d+) (?:tests? )?(?:failed|failing|errors?)\b|# fail (?P<m>\d+)")
_NAMES: Final = re.compile(
    r"`([^`\n]+)`|(\b\w{0,80}?test_\w+|\b\w{1,200}_test\b|\bTest[A-Z]\w*|(?<!\S)\S{1,200}::\S{0,200}\w|[\w/-]{1,200}\.\w{1,4}\b)"
)
_SEVERAL: Final = re.compile(
    r"\b(?:tests|ones|specs|suites?|files?|modules?|groups?|folders?|those|some|few|several|testes|alguns|algumas|"
    r"aqueles|os que|as que|os d[aeo]s?|arquivos?|módulos?|pasta)\b",
    re.IGNORECASE,
)
_NUMBERS: Final = {
    word: number
    for number, words in enumerate(("one um uma single", "two dois duas", "three três", "four quatro", "five cinco"), 1)
    for word in words.split()
}
_NUMBER: Final = re.compile(rf"\b(?:(\d+)|({'|'.join(_NUMBERS)}))\b", re.IGNORECASE)
_ONE: Final = re.compile(
    r"(?:the|a|o|um)\b [^.;,]{0,40}?\b(?:one|test|teste|spec)\b|(?:o|a) (?:de|d[oa])\b", re.IGNORECASE
)
_FAILURES: Final = re.compile(r"\b(\d+)(?: \w+){0,3} (?:fail\w*|falh\w+|quebr\w+|errors?|erros?)\b", re.IGNORECASE)


def excepts(text: str) -> bool:
    """Whether a text excepts something from all that pass."""
    return _EXCEPTED.search(text) is not None


def failed_in(printed: str) -> int:
    """How many tests failed by what a run printed: those that it names, or the number that it says."""
    return max([len(_failing(printed)), *(int(one["n"] or one["m"]) for one in _COUNTED.finditer(printed))])


def _failing(printed: str) -> list[str]:
    return list(dict.fromkeys(one["name"] or one["before"] for one in _FAILED_NAMES.finditer(printed)))


def excepts_too_few(text: str, printed: str) -> bool:
    """Whether a text excepts less from all that pass than failed by what the last run of tests printed.

    A test that is named anywhere in the text is owned up to, and so is a number of failures; of several that are told
    in other words (`the network tests`) nobody can say which they are.
    """
    found = _EXCEPTED.search(text)
    if found is None:
        return False
    failing = _failing(printed)
    count = failed_in(printed)
    if any(int(told) >= count for told in _FAILURES.findall(text) if len(told) < 9):
        return False
    clause = _CLAUSE.match(text, found.end())
    excepted = clause[0] if clause else ""
    if _SEVERAL.search(_NAMES.sub(" ", excepted)):
        return False
    names = [one.strip("()") for pair in _NAMES.findall(text) for one in pair if one]
    if _NAMES.search(excepted):
        left = [one for one in failing if not any(name in one or one in name for name in names)]
        return bool(left) or (not failing and count > len(names))
    number = _NUMBER.search(excepted)
    if number:
        return count > (int(number[1]) if number[1] and len(number[1]) < 9 else _NUMBERS.get(number[0].lower(), count))
    return count > 1 and _ONE.match(excepted) is not None
