"""Whether a screenshot is of one colour all over: then a person sees nothing, whatever the page is made of."""

import struct
import zlib
from collections.abc import Iterator
from typing import Final

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {2: 3, 6: 4}
"""Bytes of a pixel by PNG's type of colour; a browser writes no others."""
_MOST_BYTES: Final = 256 << 20


def is_uniform(png: bytes) -> bool:
    """Whether every pixel of a PNG (8 bits a channel, not interlaced) is the same; False for what is no such file."""
    if not png.startswith(_SIGNATURE):
        return False
    chunks = [*_chunks(png)]
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    size = _CHANNELS.get(colours, 0)
    if not size or depth != 8 or interlaced:
        return False
    packed = b"".join(content for kind, content in chunks if kind == b"IDAT")
    rows = zlib.decompressobj().decompress(packed, _MOST_BYTES)
    length = 1 + width * size
    pixel = rows[1 : 1 + size]
    return len(rows) == height * length and all(
        rows[at : at + length] == _row(rows[at], pixel, width, first=at == 0) for at in range(0, len(rows), length)
    )


def _row(kind: int, pixel: bytes, width: int, *, first: bool) -> bytes:
    """How a row of this pixel alone is written with a filter of PNG's (none, sub, up, average, Paeth)."""
    nothing, rest = bytes(len(pixel)), width - 1
    half = bytes(part - part // 2 for part in pixel)
    match kind, first:
        case (0, _) | (2, True):
            return bytes([kind]) + pixel * width
        case (1, _) | (4, True):
            return bytes([kind]) + pixel + nothing * rest
        case 3, True:
            return bytes([kind]) + pixel + half * rest
        case 3, False:
            return bytes([kind]) + half + nothing * rest
        case _:
            return bytes([kind]) + nothing * width


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(_SIGNATURE)
    while place + 8 <= len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        yield kind, png[place + 8 : place + 8 + length]
        place += length + 12
