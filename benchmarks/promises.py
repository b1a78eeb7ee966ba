"""How well the reconciler tells promises from other replies, and how long it takes a reply.

Which sentences the rule was written with and which were kept from it: `tests/data/promises/README.md`.
"""

import sys
import time
from pathlib import Path

from services.tool_loop.rules.reconciler import reconcile
from tests.support.promises import HELD_OUT, SHARED, TUNING, Confusion, confusion, labelled

_SHORT = "Não encontrei nada no cache, então vou procurar no diretório de backups e já te aviso."
_LONG = (
    "The handler reads the session from the cookie, checks its signature and, if that fails, answers 401. "
    "I looked at the three callers and found no other use of it. O teste cobre os dois caminhos, e o log confirma. "
    "- Item with `code` and “a quotation”, which is longer than the others (much longer, in fact).\n"
)


_FIRST_MEETING = {
    "en": (
        Confusion(96, 2, 1, 112),
        Confusion(70, 4, 3, 82),
        Confusion(56, 1, 3, 66),
        Confusion(25, 0, 1, 38),
        Confusion(33, 5, 0, 25),
        Confusion(10, 3, 3, 18),
        Confusion(28, 1, 1, 34),
        Confusion(17, 3, 0, 20),
        Confusion(21, 1, 0, 22),
        Confusion(17, 3, 0, 20),
        Confusion(16, 0, 0, 16),
        Confusion(17, 2, 0, 20),
        Confusion(58, 2, 0, 60),
    ),
    "pt": (
        Confusion(86, 1, 1, 95),
        Confusion(60, 3, 2, 67),
        Confusion(48, 1, 1, 47),
        Confusion(23, 1, 0, 33),
        Confusion(28, 0, 1, 20),
        Confusion(8, 4, 2, 12),
        Confusion(27, 3, 0, 30),
        Confusion(17, 3, 1, 19),
        Confusion(19, 3, 0, 22),
        Confusion(15, 5, 0, 20),
        Confusion(15, 1, 1, 15),
        Confusion(18, 2, 0, 20),
        Confusion(57, 3, 0, 60),
    ),
}
"""What the rule of its day made of each round of held-out sentences when it met them."""


def main() -> None:
    """Print both tables."""
    sys.stdout.write(
        f"{'sentences':<22} {'lang':<5} {'seen':>5} {'missed':>7} {'alarms':>7} {'passed':>7}   recall  alarms\n"
    )
    for name, path in (("tuning", TUNING), ("held out", HELD_OUT), ("shared", SHARED)):
        _accuracy(name, path)
    for lang, rounds in _FIRST_MEETING.items():
        for number, found in enumerate(rounds, 1):
            _row(f"round {number}, first meeting", lang, found)
        _row(f"rounds 1 to {len(rounds)} together", lang, Confusion(*map(sum, zip(*rounds, strict=True))))
    sys.stdout.write("\nreply            microseconds\n")
    for name, text in (
        ("1 sentence", _SHORT),
        ("2 KB", (_LONG * 8)[:2_000]),
        ("20 KB", (_LONG * 80)[:20_000]),
        ("20 KB, 1 line", (_LONG.replace("\n", " ") * 80)[:20_000]),
        ("20 KB of quotes", "“'\"«" * 5_000),
        ("200 KB", (_LONG * 800)[:200_000]),
    ):
        sys.stdout.write(f"{name:<16} {_microseconds(text):>12,.0f}\n")


def _accuracy(name: str, path: Path) -> None:
    if not path.exists():
        sys.stdout.write(f"{name:<22} not here: {path}\n")
        return
    sentences = labelled(path)
    for lang in ("en", "pt"):
        _row(name, lang, confusion(sentence for sentence in sentences if sentence.lang == lang))


def _row(name: str, lang: str, found: Confusion) -> None:
    sys.stdout.write(
        f"{name:<22} {lang:<5} {found.seen:>5} {found.missed:>7} {found.alarms:>7} {found.passed:>7}   "
        f"{found.recall:>6.1%}  {found.false_alarm_rate:>6.1%}\n"
    )


def _microseconds(text: str) -> float:
    """The best of three rounds, each of at least 0.1 s or one call."""
    best = float("inf")
    for _ in range(3):
        calls, begun = 0, time.perf_counter()
        while (spent := time.perf_counter() - begun) < 0.1 or not calls:
            reconcile(text)
            calls += 1
        best = min(best, spent / calls)
    return best * 1e6
