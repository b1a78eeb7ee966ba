"""Results and errors without what differs each time: times, process ids, temporary paths, addresses, nonces, counters.

Only what says nothing is masked. Ports, statuses, counts of tests and percentages stay: ECONNREFUSED on 5432 is not
ECONNREFUSED on 5433, and `3 failed` is not `2 failed`. Arguments are never masked. Source: spec/tool-loop.md,
Anti-loop.
"""

import re

from .log_heads import HEADS
from .mask import Mask

_KEY = r"[\"']?\s*[-:=#]?\s*"
_CLOCK = re.compile(r":\d\d:\d\d")
MASKS = (
    Mask("time", re.compile(r"[12]\d{3}([-/])\d\d\1\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|\s?[+-]\d\d:?\d\d)?")),
    Mask(
        "time",
        re.compile(
            r"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,?\s+)?(?:\d{1,2}[ /])?"
            r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?:[ /]\d{4})?[ :]+(?:\d{1,4},?\s+){0,2}"
            r"\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s+[A-Z]{3,4}\b)?(?:\s+[+-]?\d{4}\b)?"
        ),
        needs=_CLOCK,
        sign=re.compile(r"[MTWFSJAOND\d](?=on|ue|ed|hu|ri|at|un|an|eb|ar|pr|ay|ul|ug|ep|ct|ov|ec|\d?[ /])"),
    ),
    Mask(
        "time",
        re.compile(r"(?<![\d:.])\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[AP]M\b)?(?![\d:])"),
        sign=re.compile(r"\d(?=\d?:\d\d:)"),
        needs=_CLOCK,
    ),
    Mask("time", re.compile(r"(?<![\d.])1[5-9]\d{8}(?:\d{3}|\.\d+)?(?![\d.])"), sign=re.compile(r"1(?=[5-9]\d{8})")),
    Mask(
        "span",
        re.compile(
            r"(?<![\w.,])(?:\d+h\s?)?(?:\d+m(?:in)?\s?)?\d+(?:[.,]\d+)?\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|minutes?|mins?)\b"
        ),
        sign=re.compile(r"\d(?<![\w.,]\d)(?=\d*(?:[.,]\d+)?\s?[hmnuµμs])"),
    ),
    # An age as tables of jobs show it; a word of digits and one letter elsewhere may be a size.
    Mask(
        "span",
        re.compile(r"(?<=\s)(?:\d{1,3}d)?(?:\d{1,2}h)?(?:\d{1,3}m)?(?<=\d[dhm])(?:\d{1,2}s)?(?=\s|\Z)"),
        ("age",),
        sign=re.compile(r"\d(?<=\s\d)(?=\d{0,2}[dhm])"),
    ),
    Mask(
        "span",
        re.compile(rf"(?i:took|elapsed|duration\w*|latency|uptime){_KEY}\d+(?:[.,]\d+)?"),
        begins=("took", "elapsed", "duration", "latency", "uptime"),
    ),
    Mask(
        "pid",
        re.compile(rf"(?i:\b(?:p?pid|tid|process(?:\s+id)?|thread(?:\s+id)?)){_KEY}\d++(?!x[0-9a-fA-F])"),
        begins=("pid", "ppid", "tid", "process", "thread"),
    ),
    Mask("pid", re.compile(r"^\[\d+\][ +-]+\d{2,7}\b", re.MULTILINE), begins=("[",)),
    Mask(
        "pid",
        re.compile(
            r"^[ \t]*(?:[a-z_][\w-]*[ \t]+)?\d{2,7}(?=[ \t]+(?:\?|pts/\d|tty\S*|\d+\.\d[ \t]+\d+\.\d)[ \t])",
            re.MULTILINE,
        ),
        ("?", "pts/", "tty", "."),
    ),
    Mask(
        "time",
        re.compile(r"(?<![\w:])(?:[01]?\d|2[0-3])h[0-5]\d(?:m(?:in)?)?\b"),
        sign=re.compile(r"\d(?=\d?h[0-5])"),
        needs=re.compile(r"h[0-5]"),
    ),
    Mask(
        "port",
        re.compile(r"(?i:\b(?:local|source|ephemeral|client)[ _-]port)[\"']?\s*[:= ]\s*(?:3[2-9]|[4-6]\d)\d{3}\b"),
        begins=("local", "source", "ephemeral", "client"),
    ),
    Mask(
        "nonce",
        re.compile(r"(?<=[a-z0-9]-)[0-9a-f]{8,10}-[a-z0-9]{5}\b"),
        sign=re.compile(r"-(?=[0-9a-f]{8,10}-)"),
        ahead=1,
    ),
    Mask(
        "nonce",
        re.compile(r"\b(?=[0-9A-HJKMNP-TV-Z]*[A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}\b"),
        sign=re.compile(r"[0-7](?<=\b[0-7])(?=[0-9A-HJKMNP-TV-Z]{25})"),
    ),
    Mask(
        "nonce",
        re.compile(r"(?i:\b(?:trace|csrf\w*|xsrf\w*))[\"']?\s*[:=]\s*[\"']?(?=[\w.+/=-]*\d)[\w.+/=-]{6,}"),
        begins=("trace", "csrf", "xsrf"),
    ),
    Mask("pid", re.compile(r"(?<=\w)\[\d{2,7}\](?=:)"), sign=re.compile(r"\[(?=\d{2,7}\]:)")),
    Mask(
        "temp",
        re.compile(r"(?:/private)?/(?:var/)?tmp/[^\s:'\"),\]]+|/var/folders/[^\s:'\"),\]]+|/dev/shm/[^\s:'\"),\]]+"),
        begins=("/private/", "/var/", "/tmp/", "/dev/shm/"),
    ),
    Mask("temp", re.compile(r"\b(?:tmp|temp)[-_]?(?=[a-z_]*\d)[a-z0-9_]{5,}\b"), begins=("tmp", "temp")),
    Mask("rate", re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?\s?[kKMG]?i?[Bb](?:ytes)?/s(?:ec)?\b"), ("b/s", "bytes/s")),
    Mask("meter", re.compile(r"^[ \d.kMG]*\d[ \d.kMG:-]*--:--[ \d.kMG:-]*$", re.MULTILINE), ("--:--",)),
    Mask("address", re.compile(r"\+0x[0-9a-fA-F]+\b|\b0x[0-9a-fA-F]{4,}\b"), begins=("0x", "+0x")),
    Mask("pid", re.compile(r"(?<=\bgoroutine )\d+|(?<=\bgoroutines )\d+"), ("goroutine",)),
    Mask(
        "nonce",
        re.compile(rf"(?i:\b(?:random[ _-]?)?seed(?:ed with)?(?: is| of)?){_KEY}\d+"),
        begins=("random", "seed"),
    ),
    Mask(
        "nonce",
        re.compile(
            rf"(?i:\b(?:container|image|task|job|instance|volume|network|vm|sandbox|deployment|run)(?:[ _-]?id)?{_KEY}"
            r"[\"']?(?:sha256:)?)[0-9a-f]{64}\b"
        ),
        begins=(
            "container",
            "image",
            "task",
            "job",
            "instance",
            "volume",
            "network",
            "vm",
            "sandbox",
            "deployment",
            "run",
        ),
    ),
    Mask(
        "nonce",
        re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"),
        sign=re.compile(r"-(?=[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-)"),
        ahead=-8,
    ),
    Mask(
        "nonce",
        re.compile(
            r"(?i:\b(?:nonce|(?:request|req|trace|span|correlation|transaction|session|event|error|log|build)[-_ ]?id"
            r"|etag))"
            rf"{_KEY}[\"']?(?:[A-Za-z0-9]*\d[\w.+/=-]*|(?:(?<=[:=\"'] )|(?<=[:=\"']))"
            r"(?=[\w-]{0,40}(?:\d|[a-z][\w-]{0,20}[A-Z]|[A-Z][\w-]{0,20}[a-z]{2}))[\w-]{6,})"
        ),
        ("nonce", "id", "etag"),
        begins=(
            *(
                "nonce",
                "req",
                "trace",
                "span",
                "correlation",
                "transaction",
                "session",
                "event",
                "error",
                "log",
                "build",
            ),
            "etag",
        ),
    ),
    # Hashes of content, SHA-1 and SHA-256, tell one content from another and stay.
    Mask(
        "nonce",
        re.compile(r"\b(?![0-9a-f]{40}\b|[0-9a-f]{64}\b)(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{12,}\b"),
        sign=re.compile(r"[0-9a-f](?<=\b[0-9a-f])(?=[0-9a-f]{11})"),
        needs=re.compile(r"[0-9](?:[a-f]|(?<=[a-f].))"),
    ),
    Mask(
        "counter",
        re.compile(rf"(?i:\b(?:attempt|retry|retries|try|tries|tentativa)s?){_KEY}\d+(?:\s*(?:/|of|de)\s*\d+)?"),
        begins=("attempt", "retr", "try", "tries", "tentativa"),
    ),
    Mask(
        "counter",
        re.compile(r"(?i:\b(?:seq|sequence|serial|counter)(?:\s*(?:number|no))?)[\"']?\s*[:=#]\s*\d+"),
        begins=("seq", "serial", "counter"),
    ),
    Mask(
        "line",
        re.compile(r"(?i:\b(?:lines?|linha|ln|col|column))\s*[:=#]?\s*\d+(?:\s*[-:,]\s*\d+)?"),
        begins=("lin", "ln", "col"),
    ),
    *HEADS,
)
_BLANK = re.compile(r"\n\s+")

_MOST_CHARS = 16 * 1024


def normalise(text: str) -> str:
    """The text without volatile parts and with even spacing. Idempotent."""
    kept = text
    while (after := _once(kept)) != kept:
        kept = after
    return kept


def _once(text: str) -> str:
    for mask in [mask for mask in MASKS if mask.concerns(text)]:
        text = mask.applied(text)
    text = text.replace("\t", " ").replace("\r", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return _BLANK.sub("\n", text.replace(" \n", "\n")).strip()


def shortened(text: str) -> str:
    """The beginning and the end of a long text, which is all that is compared."""
    half = _MOST_CHARS // 2
    return text if len(text) <= _MOST_CHARS else f"{text[:half]}\n{len(text)}\n{text[-half:]}"
