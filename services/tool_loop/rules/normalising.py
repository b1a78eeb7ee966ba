"""Results and errors without what differs each time: times, process ids, temporary paths, addresses, nonces, counters.

Only what says nothing is masked. Ports, statuses, counts of tests and percentages stay: ECONNREFUSED on 5432 is not
ECONNREFUSED on 5433, and `3 failed` is not `2 failed`. Arguments are never masked. Source: spec/tool-loop.md,
Anti-loop.
"""

import re
from typing import NamedTuple


class _Mask(NamedTuple):
    """What is masked, and words of which one stands in every text that the pattern finds: cheap to look for first."""

    name: str
    pattern: re.Pattern[str]
    words: tuple[str, ...] = ()


_KEY = r"[\"']?\s*[-:=#]?\s*"
_MASKS = (
    _Mask(
        "time", re.compile(r"[12]\d{3}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|\s?[+-]\d\d:?\d\d)?"), ("-",)
    ),
    _Mask(
        "time",
        re.compile(
            r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?\s+)?(?:\d{1,2}[ /])?"
            r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?:[ /]\d{4})?[ :]+(?:\d{1,4},?\s+){0,2}"
            r"\d{1,2}:\d\d:\d\d(?:\s+[A-Z]{3,4}\b)?(?:\s+[+-]?\d{4}\b)?"
        ),
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
    ),
    _Mask("time", re.compile(r"(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M\b)?(?![\d:])"), (":",)),
    _Mask("time", re.compile(r"(?<![\d.])1[5-9]\d{8}(?:\d{3}|\.\d+)?(?![\d.])")),
    _Mask(
        "span",
        re.compile(
            r"(?<![\w.,])(?:\d+h\s?)?(?:\d+m(?:in)?\s?)?\d+(?:[.,]\d+)?\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|minutes?|mins?)\b"
        ),
    ),
    # An age as tables of jobs show it; a word of digits and one letter elsewhere may be a size.
    _Mask(
        "span",
        re.compile(r"(?<=\s)(?:\d{1,3}d)?(?:\d{1,2}h)?(?:\d{1,3}m)?(?<=\d[dhm])(?:\d{1,2}s)?(?=\s|\Z)"),
        ("age",),
    ),
    _Mask(
        "span",
        re.compile(rf"(?i:took|elapsed|duration\w*|latency|uptime){_KEY}\d+(?:[.,]\d+)?"),
        ("took", "elapsed", "duration", "latency", "uptime"),
    ),
    _Mask(
        "pid",
        re.compile(rf"(?i:\b(?:p?pid|tid|process(?:\s+id)?|thread(?:\s+id)?)){_KEY}\d+"),
        ("pid", "tid", "process", "thread"),
    ),
    _Mask("pid", re.compile(r"^\[\d+\][ +-]+\d{2,7}\b", re.MULTILINE), ("[",)),
    _Mask(
        "pid",
        re.compile(
            r"^[ \t]*(?:[a-z_][\w-]*[ \t]+)?\d{2,7}(?=[ \t]+(?:\?|pts/\d|tty\S*|\d+\.\d[ \t]+\d+\.\d)[ \t])",
            re.MULTILINE,
        ),
        ("?", "pts/", "tty", "."),
    ),
    _Mask("time", re.compile(r"(?<![\w:])(?:[01]?\d|2[0-3])h[0-5]\d(?:m(?:in)?)?\b"), ("h",)),
    _Mask(
        "port",
        re.compile(r"(?i:\b(?:local|source|ephemeral|client)[ _-]port)[\"']?\s*[:= ]\s*(?:3[2-9]|[4-6]\d)\d{3}\b"),
        ("port",),
    ),
    _Mask("nonce", re.compile(r"(?<=[a-z0-9]-)[0-9a-f]{8,10}-[a-z0-9]{5}\b"), ("-",)),
    _Mask("nonce", re.compile(r"\b(?=[0-9A-HJKMNP-TV-Z]*[A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}\b")),
    _Mask(
        "nonce",
        re.compile(r"(?i:\b(?:trace|csrf\w*|xsrf\w*))[\"']?\s*[:=]\s*[\"']?(?=[\w.+/=-]*\d)[\w.+/=-]{6,}"),
        ("trace", "csrf", "xsrf"),
    ),
    _Mask("pid", re.compile(r"(?<=\w)\[\d{2,7}\](?=:)"), ("]:",)),
    _Mask(
        "temp",
        re.compile(r"(?:/private)?/(?:var/)?tmp/[^\s:'\"),\]]+|/var/folders/[^\s:'\"),\]]+|/dev/shm/[^\s:'\"),\]]+"),
        ("/tmp/", "/var/folders/", "/dev/shm/"),
    ),
    _Mask("temp", re.compile(r"\b(?:tmp|temp)[-_]?(?=[a-z_]*\d)[a-z0-9_]{5,}\b"), ("tmp", "temp")),
    _Mask("rate", re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?\s?[kKMG]?i?[Bb](?:ytes)?/s(?:ec)?\b"), ("b/s", "bytes/s")),
    _Mask("meter", re.compile(r"^[ \d.kMG]*\d[ \d.kMG:-]*--:--[ \d.kMG:-]*$", re.MULTILINE), ("--:--",)),
    _Mask("address", re.compile(r"\+0x[0-9a-fA-F]+\b|\b0x[0-9a-fA-F]{4,}\b"), ("0x",)),
    _Mask("pid", re.compile(r"(?<=\bgoroutine )\d+|(?<=\bgoroutines )\d+"), ("goroutine",)),
    _Mask(
        "nonce",
        re.compile(rf"(?i:\b(?:random[ _-]?)?seed(?:ed with)?(?: is| of)?){_KEY}\d+|(?<=--seed )\d+"),
        ("seed",),
    ),
    _Mask(
        "nonce",
        re.compile(
            rf"(?i:\b(?:container|image|task|job|instance|volume|network|vm|sandbox|deployment|run)(?:[ _-]?id)?{_KEY}"
            r"[\"']?(?:sha256:)?)[0-9a-f]{64}\b"
        ),
        ("container", "image", "task", "job", "instance", "volume", "network", "vm", "sandbox", "deployment", "run"),
    ),
    _Mask("nonce", re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"), ("-",)),
    _Mask(
        "nonce",
        re.compile(
            r"(?i:\b(?:nonce|(?:request|req|trace|span|correlation|transaction|session|event|error|log|build)[-_ ]?id"
            r"|etag))"
            rf"{_KEY}[\"']?(?:[A-Za-z0-9]*\d[\w.+/=-]*|(?:(?<=[:=\"'] )|(?<=[:=\"']))"
            r"(?=[\w-]{0,40}(?:\d|[a-z][\w-]{0,20}[A-Z]|[A-Z][\w-]{0,20}[a-z]{2}))[\w-]{6,})"
        ),
        ("nonce", "id", "etag"),
    ),
    # Hashes of content, SHA-1 and SHA-256, tell one content from another and stay.
    _Mask("nonce", re.compile(r"\b(?![0-9a-f]{40}\b|[0-9a-f]{64}\b)(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{12,}\b")),
    _Mask(
        "counter",
        re.compile(rf"(?i:\b(?:attempt|retry|retries|try|tries|tentativa)s?){_KEY}\d+(?:\s*(?:/|of|de)\s*\d+)?"),
        ("attempt", "retry", "retries", "try", "tries", "tentativa"),
    ),
    _Mask(
        "counter",
        re.compile(r"(?i:\b(?:seq|sequence|serial|counter)(?:\s*(?:number|no))?)[\"']?\s*[:=#]\s*\d+"),
        ("seq", "serial", "counter"),
    ),
    _Mask(
        "line",
        re.compile(r"(?i:\b(?:lines?|linha|ln|col|column))\s*[:=#]?\s*\d+(?:\s*[-:,]\s*\d+)?"),
        ("line", "linha", "ln", "col"),
    ),
)
_SPACES = re.compile(r"[ \t\r]+")
_BLANK = re.compile(r" ?\n\s*")

_MOST_CHARS = 16 * 1024


def normalise(text: str) -> str:
    """The text without volatile parts and with even spacing. Idempotent."""
    kept = text
    while (after := _once(kept)) != kept:
        kept = after
    return kept


def _once(text: str) -> str:
    lower = text.lower()
    for mask in _MASKS:
        if not mask.words or any(word in lower for word in mask.words):
            text = mask.pattern.sub(f"<{mask.name}>", text)
    return _BLANK.sub("\n", _SPACES.sub(" ", text)).strip()


def shortened(text: str) -> str:
    """The beginning and the end of a long text, which is all that is compared."""
    half = _MOST_CHARS // 2
    return text if len(text) <= _MOST_CHARS else f"{text[:half]}\n{len(text)}\n{text[-half:]}"
