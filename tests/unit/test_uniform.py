"""A screenshot of one colour is told from one that shows something, however its PNG is written."""

import struct
import zlib

from hypothesis import given
from hypothesis import strategies as st

from services.gate_runner.browser.uniform import is_uniform

PIXEL = st.binary(min_size=4, max_size=4)


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))


def png(rows: list[list[bytes]], filters: list[int]) -> bytes:
    """A PNG of rows of pixels (red, green, blue, alpha), each row written with its filter, by the PNG specification."""
    before = bytes(4 * len(rows[0]))
    body = b""
    for kind, row in zip(filters, rows, strict=True):
        now = b"".join(row)
        body += bytes([kind])
        for at, value in enumerate(now):
            left, up, corner = (now[at - 4], before[at], before[at - 4]) if at >= 4 else (0, before[at], 0)
            guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]
            body += bytes([(value - guess) % 256])
        before = now
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(body)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I4s", len(one), kind) + one + b"\0" * 4 for kind, one in chunks
    )


@given(PIXEL, st.integers(1, 4), st.lists(st.integers(0, 4), min_size=1, max_size=5))
def test_one_colour_is_always_seen_as_one(pixel: bytes, width: int, filters: list[int]) -> None:
    assert is_uniform(png([[pixel] * width] * len(filters), filters))


@given(PIXEL, PIXEL, st.data(), st.lists(st.integers(0, 4), min_size=2, max_size=5))
def test_another_pixel_anywhere_is_always_seen(
    one: bytes, other: bytes, data: st.DataObject, filters: list[int]
) -> None:
    rows = [[one] * 3 for _ in filters]
    rows[data.draw(st.integers(0, len(filters) - 1))][data.draw(st.integers(0, 2))] = other
    assert is_uniform(png(rows, filters)) == (one == other)


def test_what_is_no_png_is_not_of_one_colour() -> None:
    assert not is_uniform(b"") and not is_uniform(b"GIF89a")
