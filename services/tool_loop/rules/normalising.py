"""Results and errors without what differs each time: times, process ids, temporary paths, addresses, nonces, counters.

Only what says nothing is masked. Ports, statuses, counts of tests and percentages stay: ECONNREFUSED on 5432 is not
ECONNREFUSED on 5433, and `3 failed` is not `2 failed`. Arguments are never masked. Source: spec/tool-loop.md, Anti-loop.
"""

import re
from collections.abc import Collection

_MASKED = (
    ("time", r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|\s?[+-]\d\d:?\d\d)?"),
    (
        "time",
        r"\b(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?(?:\d{1,2}\s+)?"
        r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s+(?:\d{1,4}\s+)?\d{1,2}:\d\d:\d\d"
        r"(?:\s+[A-Z]{3,4})?(?:\s+\d{4})?",
    ),
    ("time", r"(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M)?(?![\d:])"),
    ("time", r"(?<![\d.])1[5-9]\d{8}(?:\d{3}|\.\d+)?(?![\d.])"),
    ("span", r"\b(?:\d+h\s?)?(?:\d+m(?:in)?\s?)?\d+(?:[.,]\d+)?\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|minutes?|mins?)\b"),
    ("span", r"(?:took|elapsed|duration\w*|latency|uptime)[\"']?\s*[:=]?\s*\d+(?:[.,]\d+)?"),
    ("pid", r"\b(?:p?pid|tid|process(?:\s+id)?|thread(?:\s+id)?)[\"']?\s*[:=#]?\s*\d+"),
    ("pid", r"(?<=\w)\[\d{2,7}\](?=:)"),
    ("temp", r"(?:/private)?/(?:var/)?tmp/[^\s:'\"),\]]+|/var/folders/[^\s:'\"),\]]+|/dev/shm/[^\s:'\"),\]]+"),
    ("temp", r"\b(?:tmp|temp)[-_]?(?=[a-z0-9_]*\d)[a-z0-9_]{5,}\b"),
    ("address", r"\b0x[0-9a-f]{4,}\b"),
    ("nonce", r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    (
        "nonce",
        r"\b(?:nonce|(?:request|req|trace|span|correlation|transaction|session|event|error|log|build)[-_ ]?id|etag|x-[a-z-]*id)"
        r"[\"']?\s*[:=]?\s*[\"']?[a-z0-9][\w.+/=-]*\d[\w.+/=-]*",
    ),
    # Hashes of content, SHA-1 and SHA-256, tell one content from another and stay.
    ("nonce", r"\b(?![0-9a-f]{40}\b|[0-9a-f]{64}\b)(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{12,}\b"),
    ("counter", r"\b(?:attempt|retry|retries|try|tries|tentativa)s?[\"']?\s*(?:n(?:o|r)\.?\s*)?[:=#]?\s*\d+(?:\s*(?:/|of|de)\s*\d+)?"),
    ("counter", r"\b(?:seq|sequence|serial|counter)(?:\s*(?:number|no))?[\"']?\s*[:=#]\s*\d+"),
    ("line", r"\b(?:lines?|linha|ln|col|column)\s*[:=#]?\s*\d+(?:\s*[-:,]\s*\d+)?"),
)
_NAMES = tuple(name for name, _ in _MASKED)
_VOLATILE = re.compile("|".join(f"({pattern})" for _, pattern in _MASKED), re.IGNORECASE)
_SPACES = re.compile(r"[ \t\r]+")
_BLANK = re.compile(r" ?\n\s*")

_EXCEPTION = re.compile(
    r"^(?:E\s+)?((?:\w+\.)*\w*(?:Error|Exception|Failure|Interrupt|Panic|Exit)\b(?::.*)?)$|^(panic: .*)$", re.MULTILINE
)
_FATAL = re.compile(r"^.*(?:\b(?:error|fatal|erro|failed|failure|denied|refused)\b|\bE[A-Z]{4,}\b).*$", re.MULTILINE | re.I)
_FAILING = re.compile(r"\b(\d+) (?:failed|failures?|failing|errors?)\b|\b(?:failures|errors)[=:] ?(\d+)", re.I)
_TOLD = re.compile(r"(?:\w+\.)*\w*(?:Error|Exception)\b|\bE[A-Z]{4,}\b|\bFAILED\b|\bpanicked\b|^error(?:\[|:)|^fatal:", re.MULTILINE)
_STATUS_LINE = re.compile(r"\A\s*(?:exit (?:status|code)|returncode|<returncode>)[ :=]*\d+\S*\s*", re.IGNORECASE)
_MEANT = re.compile(
    r"(?:(?<=HTTP )|(?<=HTTP/1\.1 )|(?<=status )|(?<=status: )|(?<=code )|(?<=code: )|(?<=errno )|(?<=port )|(?<=[\w\]]:)"
    r"|(?<=E))\d{1,5}\b|\b\d+(?= (?:failed|failures?|failing|passed|errors?)\b)|\b[45]\d\d\b"
)
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[\w@./:-]{2,}")
_NAMING = re.compile(r"[\d_./@A-Z]")
_MOST_CHARS = 16 * 1024


def normalise(text: str) -> str:
    """The text without volatile parts and with even spacing. Idempotent."""
    kept = text
    while (after := _once(kept)) != kept:
        kept = after
    return kept


def _once(text: str) -> str:
    masked = _VOLATILE.sub(lambda found: f"<{_NAMES[(found.lastindex or 1) - 1]}>", text)
    return _BLANK.sub("\n", _SPACES.sub(" ", masked)).strip()


def shortened(text: str) -> str:
    """The beginning and the end of a long text, which is all that is compared."""
    half = _MOST_CHARS // 2
    return text if len(text) <= _MOST_CHARS else f"{text[:half]}\n{len(text)}\n{text[-half:]}"


def failing_tests(text: str) -> int | None:
    """How many tests the text says fail, by its last count; None: it tells of none."""
    counts = [int(found[1] or found[2]) for found in _FAILING.finditer(text)]
    return counts[-1] if counts else None


def symptom(normal: str) -> str | None:
    """The sign of failure that a normalised text tells by itself: an exception, an error code, failing tests."""
    failing = failing_tests(normal)
    if failing:
        return f"{failing} failing"
    return _telling_line(normal) if _TOLD.search(normal) else None


def error_class(normal: str, words: Collection[str] = ()) -> str:
    """What kind of failure a normalised text tells of: its most telling line.

    `words` are the call's own arguments: where the line only repeats them, they are no part of the class. Of digits stay
    those that tell one failure from another: ports, statuses, codes, counts of tests.
    """
    line = _telling_line(normal)
    own = set(words)
    line = _WORD.sub(lambda found: "<own>" if found[0].rstrip(".:") in own else found[0], line)
    return _without_digits(line)[:200]


def words_of(text: str) -> list[str]:
    """The words of an argument that are names, which a message about it may repeat: ids, paths, numbers."""
    return [word for found in _WORD.findall(text[:2000]) if _NAMING.search(word := found.rstrip(".:"))]


def _telling_line(normal: str) -> str:
    body = _STATUS_LINE.sub("", normal)
    raised = list(_EXCEPTION.finditer(body))
    if raised:
        return raised[-1][1] or raised[-1][2]
    if fatal := _FATAL.search(body):
        return fatal[0].strip()
    return body.split("\n", 1)[0].strip() or normal.split("\n", 1)[0].strip()


def _without_digits(line: str) -> str:
    kept: list[str] = []
    end = 0
    for found in _MEANT.finditer(line):
        kept += [_DIGITS.sub("#", line[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*kept, _DIGITS.sub("#", line[end:])])
