"""What kind of failure a text tells of: the same for two failures that differ only in what was tried.

The texts are normalised (`normalising.py`). Of digits stay those that tell one failure from another: ports, statuses,
codes, counts of tests.
"""

import re
from collections.abc import Collection

from . import failure_lines

_EXCEPTION = re.compile(
    r"^(?:E\s+)?((?:\w+\.)*\w*(?:Error|Exception|Failure|Interrupt|Panic|Exit)\b(?::.*)?)$|^(panic: .*)$", re.MULTILINE
)
_FATAL = re.compile(r"\b(?i:error|fatal|erro|failed|failure|denied|refused)\b|\bE[A-Z]{4,}\b")
_FAILING = re.compile(
    r"(?<![#\w])(\d+) (?:tests? |specs? )?(?:failed|failures?|failing|errors?)\b|\b(?:failures|errors)[=:] ?(\d+)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\d (?:tests? |specs? )?(?:[fF][aA][iI]|[eE][rR][rR])")
_COUNTING = ("failures=", "failures:", "errors=", "errors:")
_PASSED = re.compile(r"(?<![#\w])(\d{1,9}) (?:passed|passing|tests? ok)\b", re.IGNORECASE)
_TOLD = re.compile(r"(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bFAILED\b|\bpanicked\b|^error(?:\[|:)|^fatal:", re.MULTILINE)
_TOLD_BRIEFLY = re.compile(
    r"\b(?:error|failure|exception|failed|erro|falha|falhou|panic)\b[\"']?: (?!\W*(?:\d|none\b|null\b|false\b|no\b))"
    r"|\b(?:unavailable|timed out|refused|denied|unreachable|out of memory)\b|\A\W*(?:killed|aborted|core dumped)\W*\Z",
    re.IGNORECASE,
)
_WRITTEN_AS_JSON = re.compile(
    r"\"(?:error|message|msg|detail|reason|code|error_?message|title)\"\s*:\s*\"((?:\\.|[^\"\\]){1,200})\"",
    re.IGNORECASE,
)
_STATUS_LINE = re.compile(r"\A\s*<?(?:exit (?:status|code)|returncode)\b[ :=>]*\d+\S*\s*", re.IGNORECASE)
_QUOTED = re.compile(r"`[^`]*(?:`|\Z)|\"[^\"]*(?:\"|\Z)|(?<!\w)'[^']*'(?!\w)")
_WRONG_GUESS = re.compile(
    r"\b(?:wrong|incorrect|invalid|expired)(?: \w+){0,2} (?:password|passphrase|passcode|pin|code|coupon|voucher"
    r"|guess|key|senha)\b|\bbad (?:decrypt|password|passphrase)\b"
    r"|\b(?:password|passphrase|passcode|pin|coupon|voucher|promo code|gift card|senha|cupom)\b(?: \w+){0,4} "
    r"(?:wrong|incorrect|invalid|not valid|expired|rejected|inv[aá]lid[ao]|incorret[ao])\b",
    re.IGNORECASE,
)
_WRONG_ANSWER = re.compile(
    r"\A\W*(?:incorrect|wrong(?: answer)?|please try again|try again)\b[^\n]{0,40}\Z", re.IGNORECASE
)
_OTHER_CODE = re.compile(
    r"\b(?:user ?name|credentials?|(?:api|status|exit|error|zip|country) (?:code|key))\b", re.IGNORECASE
)
_MEANT = re.compile(
    r"(?:(?<=HTTP )|(?<=HTTP/1\.1 )|(?<=status )|(?<=status: )|(?<=code )|(?<=code: )|(?<=errno )|(?<=port )"
    r"|(?<=[\w\]]:)|(?<=\bE))\d{1,5}\b|\b\d+(?= (?:failed|failures?|failing|passed|errors?)\b)|\b[45]\d\d\b"
)
_RANDOM = re.compile(r"\b(?!E\d+\b)(?=\w*[A-Za-z])(?=\w*\d\w*\d)\w{6,}\b")
_FRESH_ID = re.compile(
    r"(?<=[a-z][_-])(?=[A-Za-z]+\d+[A-Za-z]|\d+[A-Za-z]+\d)[A-Za-z0-9]{6,}\b|(?<![0-9a-f])[0-9a-f]{64}\b"
)
_LINE_OF_FILE = re.compile(
    r"(?<=[\w-])(\.(?:pyi?|[cm]?[jt]sx?|go|rs|[ch](?:c|pp|xx|h)?|java|kt|rb|php|cs|swift|scala|lua|sh|sql|html?|s?css|vue"
    r"|json|ya?ml|toml|md|txt|tex|exs?|hs|ml|zig|dart|proto|cfg|ini|xml|lean)):\d+(?::\d+)?(?=[:\s]|\Z)"
)
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[\w@./:-]{2,}")
_NAMING = re.compile(r"[\d_./@A-Z]")
_SAYS = re.compile(r"\A(?!no output\W*\Z)(?=.*\w)", re.IGNORECASE | re.DOTALL)
_OPERAND = re.compile(r"(?<=\s)(?!-)[\w@./:+-]*\w")
_NAME = re.compile(r"[A-Za-z0-9_]+(?:-\w+)*")
_BRIEF_COMMAND = 300
_BRIEF_TEXT = 400
_MOST_JSON = 2000
_MOST_CHARS = 100
SILENT = "~"
"""Begins the class of a failure that says nothing but its status."""
NO_PROGRAM = "there is no such program"
"""The class of a failure to start a program that is not there."""
NOT_RUN = "the shell runs nothing"
"""The class of a failure of the shell itself."""
NOT_LET = "that file may not be read or written"
"""The class of a failure for want of leave, whatever program asks for the file."""
NO_TOOL = "there is no such tool"
"""The class of a call of a tool that is not there."""
NOTHING_DONE = "nothing happened"
"""The class of a call that was taken and led to nothing."""


def failing_tests(text: str) -> int | None:
    """How many failures and errors the last line that counts any counts; None: there is none."""
    lower = text.lower()
    if not any(word in lower for word in _COUNTING) and not _COUNTED.search(text):
        return None  # To try the pattern everywhere takes ten times as long.
    counts = list(_FAILING.finditer(text))
    if not counts:
        return None
    begun = text.rfind("\n", 0, counts[-1].start()) + 1
    return sum(int(found[1] or found[2]) for found in counts if found.start() >= begun)


def passed_tests(text: str) -> int | None:
    """How many tests the text says pass, by its last count; None: it tells of none."""
    counts = _PASSED.findall(text)
    return int(counts[-1]) if counts else None


def symptom(normal: str, words: Collection[str] = ()) -> str | None:
    """The sign of failure that a text shows: failing tests, or the class of an error; None: no such sign."""
    failing = failing_tests(normal)
    if failing:
        return f"{failing} failing"
    told = (
        _TOLD.search(normal)
        or (len(normal) <= _BRIEF_TEXT and _TOLD_BRIEFLY.search(normal))
        or failure_lines.told(normal)
    )
    return error_class(normal, words) if told else None


def error_class(normal: str, words: Collection[str] = ()) -> str:
    """The most telling line of a failure, without what it quotes and without the call's own `words`."""
    line = _QUOTED.sub(
        lambda found: found[0] if found[0].strip("`\"'").isdigit() else "<quoted>", _telling_line(normal)
    )
    own = set(words)
    line = _LINE_OF_FILE.sub(r"\1:#", line)
    line = _WORD.sub(lambda found: "<own>" if _is_of(found[0], own) else found[0], line)
    return _without_digits(line)[:_MOST_CHARS]


def wrong_guess(text: str) -> bool:
    """Whether a brief text says that a password, a code, a key or an answer was not the right one."""
    if len(text) > _BRIEF_TEXT or _OTHER_CODE.search(text):
        return False
    return bool(_WRONG_GUESS.search(text) or _WRONG_ANSWER.match(text))


def without_ids(normal: str) -> str:
    """A failure without what is made anew for each: `proj_ab12cd`. A success may well be told by its id."""
    return _FRESH_ID.sub("#", normal)


def operands_of(command: str) -> list[str]:
    """The names that a brief command line gives its program, which a message may repeat without quotes."""
    if len(command) > _BRIEF_COMMAND or "\n" in command:
        return []
    return [word for word in _OPERAND.findall(command) if len(word) > 1]


def words_of(text: str) -> list[str]:
    """The words of an argument that are names, which a message about it may repeat: ids, paths, numbers."""
    return [word for found in _WORD.findall(text[:2000]) if _NAMING.search(word := found.rstrip(".:"))]


def _is_of(word: str, own: set[str]) -> bool:
    """Whether a word is the call's own, with or without what is put behind a name: `foo.service` is of `foo`."""
    word = word.rstrip(".:")
    name = _NAME.match(word)
    return word in own or (name is not None and name[0] in own)


def _telling_line(normal: str) -> str:
    body = _STATUS_LINE.sub("", normal)
    if body[:1] in "{[" and (told := _WRITTEN_AS_JSON.findall(body[:_MOST_JSON])):
        return "; ".join(told)
    raised = list(_EXCEPTION.finditer(body))
    if raised:
        return raised[-1][1] or raised[-1][2]
    if line := failure_lines.told(body):
        return line
    if fatal := _FATAL.search(body):
        begun, ended = body.rfind("\n", 0, fatal.start()) + 1, body.find("\n", fatal.end())
        return body[begun : ended if ended >= 0 else None].strip()
    return body.split("\n", 1)[0].strip() if _SAYS.search(body) else f"{SILENT}{normal}"


def _without_digits(line: str) -> str:
    line = _RANDOM.sub("#", line)
    kept: list[str] = []
    end = 0
    for found in _MEANT.finditer(line):
        kept += [_DIGITS.sub("#", line[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*kept, _DIGITS.sub("#", line[end:])])
