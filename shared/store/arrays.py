"""Parameters that are arrays, in PostgreSQL's binary form.

psycopg looks at every element to find its type, which for an append costs as much as half of the statement itself; here
the type is known.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper
from psycopg.pq import Format

_TEXT, _INTEGER, _SMALLINT = 25, 23, 21
_HEAD: Final = struct.Struct("!iiIii")
_EMPTY: Final = struct.Struct("!iiI")
_LENGTH: Final = struct.Struct("!i")
_NULL: Final = _LENGTH.pack(-1)
_INTEGER_ELEMENT: Final = struct.Struct("!ii")
_SMALLINT_ELEMENT: Final = struct.Struct("!ih")


class TextArray(bytes):
    """A `text[]`."""


class IntegerArray(bytes):
    """An `integer[]`."""


class SmallintArray(bytes):
    """A `smallint[]`."""


def texts(values: Sequence[str | None]) -> TextArray:
    """Strings, or NULL for None.

    Raises:
        UnicodeEncodeError: one holds a lone surrogate (see `shared.canonical`).
    """
    parts = [_head(_TEXT, len(values), holds_null=None in values)]
    for value in values:
        if value is None:
            parts.append(_NULL)
        else:
            encoded = value.encode()
            parts += (_LENGTH.pack(len(encoded)), encoded)
    return TextArray(b"".join(parts))


def integers(values: Sequence[int]) -> IntegerArray:
    """Numbers of 32 bits."""
    pack = _INTEGER_ELEMENT.pack
    return IntegerArray(b"".join([_head(_INTEGER, len(values)), *(pack(4, value) for value in values)]))


def smallints(values: Sequence[int]) -> SmallintArray:
    """Numbers of 16 bits."""
    pack = _SMALLINT_ELEMENT.pack
    return SmallintArray(b"".join([_head(_SMALLINT, len(values)), *(pack(2, value) for value in values)]))


def _head(element: int, length: int, *, holds_null: bool = False) -> bytes:
    if not length:
        return _EMPTY.pack(0, 0, element)
    return _HEAD.pack(1, int(holds_null), element, length, 1)


class _Encoded(Dumper):
    """The value is its own binary form."""

    format = Format.BINARY

    def dump(self, obj: Buffer) -> Buffer:
        return obj


class _Texts(_Encoded):
    oid = 1009


class _Integers(_Encoded):
    oid = 1007


class _Smallints(_Encoded):
    oid = 1005


for _kind, _dumper in ((TextArray, _Texts), (IntegerArray, _Integers), (SmallintArray, _Smallints)):
    psycopg.adapters.register_dumper(_kind, _dumper)
