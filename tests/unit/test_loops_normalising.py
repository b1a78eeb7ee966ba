"""Texts are normalised as their patterns say, though patterns are tried only where something may begin."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from services.tool_loop.rules import error_class
from services.tool_loop.rules.mask import Mask
from services.tool_loop.rules.normalising import MASKS, normalise

TELLING = """
tmp temp_ /tmp/x1 /private/var/tmp/ /var/folders/ab /dev/shm/a 0x +0x1f 00x12345 pid ppid= [12] ]: [1]+ goroutine
goroutines --seed seed random request-id session error_id: etag abcDef aB1 deadbeef12 deadbeefcafe 12:34:56 1:02:03.5 AM
Nov Mon, 2026-12-01 T10:11 Z +02:00 1512345678 1712345678123 5 12 3 3h 14h30 4m 1.5 s ms min age d h m : - = # . , took
ELAPSED duration_x pts/0 ? 0.0 attempt retries 3/4 of line col ln Seq serial aaaaa run container sha256: task-id= of id
01ARZ3NDEKTSV4RRFFQ69G5FAV -abcdef0123-xyz12 123e4567-e89b-12d3-a456-426614174000 é ✓ --:-- 10kB/s bytes/s local port
45000 trace= csrf_token: abc123 x Z9 _ ( ) " ' (node:22) ==22== <time> UTC [22] FATAL #22] 22 23 E a.cc:44] 22#22: *4
22:M ! [ERROR] --- [a-exec-3] [22:22:0501/101000.123456:E [ 1.123456] read tcp 10.0.0.5:40037->10.0.0.9:443 Local
(a:40037) from a:40037 to a port 40037 app[22:23] <0.22.0> (LWP 22) hs_err_pid22 2024-05-01T10_03_00_103Z
Debugger PIN: 103-203-303 .Pool@1b2c3d4 thread 0x12345 thread 12x3
"""
PIECES = st.sampled_from(
    [*TELLING.split(), "0123456789abcdef" * 4, "\n", " ", "  ", "\t", "\r", "\v", "\u00a0", "\u0661"]
)
TEXTS = st.lists(PIECES, max_size=16).map("".join)


def plainly(text: str) -> str:
    """As the patterns say, each tried everywhere in a text that has its words, until nothing changes."""
    before = None
    while text != before:
        before = text
        for mask in [mask for mask in MASKS if not mask.words or any(word in text.lower() for word in mask.words)]:
            text = mask.pattern.sub(mask.masked, text)
        text = re.sub(r" ?\n\s*", "\n", re.sub(r"[ \t\r]+", " ", text)).strip()
    return text


@given(TEXTS)
@example("/tmp/page 3h\n")
def test_what_telling_pieces_make_is_normalised_as_the_patterns_say(text: str) -> None:
    assert normalise(text) == plainly(text)


@given(TEXTS)
def test_what_is_normalised_stays_as_it_is(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: f"{mask.name} {mask.pattern.pattern[:30]}")
@given(text=TEXTS)
def test_each_mask_finds_what_its_pattern_finds(mask: Mask, text: str) -> None:
    assert mask.applied(text) == mask.pattern.sub(mask.masked, text)


def test_real_texts_are_normalised_as_the_patterns_say() -> None:
    for file in sorted((Path(__file__).parents[2] / "docs").glob("*.md")):
        text = file.read_text()[:8000]
        assert normalise(text) == plainly(text)


COUNTS = st.lists(
    st.sampled_from(["3", "12", " ", "#", "failed", "Failures", "ERRORS", "error", "failing", "=", ":", "x", "\n"]),
    max_size=8,
).map("".join)


@given(COUNTS)
def test_failing_tests_are_counted_as_the_pattern_says(text: str) -> None:
    counts = [int(one or other) for one, other in error_class._FAILING.findall(text)]
    assert error_class.failing_tests(text) == (counts[-1] if counts else None)
