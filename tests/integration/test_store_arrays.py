"""Arrays that we encode ourselves arrive in PostgreSQL as what they are."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.settings import Settings
from shared.store import arrays
from tests.support.store import connect

texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)
LENIENT = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def connection(engine: Settings) -> Iterator[psycopg.Connection[Any]]:
    with connect(engine, "operator") as opened:
        yield opened


def arrived(connection: psycopg.Connection[Any], sent: object) -> tuple[str, list[Any]]:
    row = connection.execute("SELECT pg_typeof(a.sent)::text, a.sent FROM (SELECT %b AS sent) AS a", (sent,)).fetchone()
    assert row is not None
    return row[0], row[1]


@given(st.lists(st.none() | texts, max_size=5))
@LENIENT
def test_texts_arrive(connection: psycopg.Connection[Any], values: list[str | None]) -> None:
    assert arrived(connection, arrays.texts(values)) == ("text[]", values)


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=5))
@LENIENT
def test_integers_arrive(connection: psycopg.Connection[Any], values: list[int]) -> None:
    assert arrived(connection, arrays.integers(values)) == ("integer[]", values)


@given(st.lists(st.integers(-(2**15), 2**15 - 1), max_size=5))
@LENIENT
def test_small_integers_arrive(connection: psycopg.Connection[Any], values: list[int]) -> None:
    assert arrived(connection, arrays.smallints(values)) == ("smallint[]", values)
