"""An event and its outbox row in the fewest steps that psycopg has: one prepared statement in autocommit."""

import json
import sys
import threading
import time
import uuid

import psycopg

from benchmarks.rivals.rounds import serve

_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    session_id text, seq bigint, event_id text UNIQUE, type text, data text, metadata text,
    recorded_at timestamptz DEFAULT now(), PRIMARY KEY (session_id, seq));
CREATE TABLE IF NOT EXISTS outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, session_id text, seq bigint, subject text,
    published_at timestamptz);
"""
_APPEND = (
    "WITH event AS (INSERT INTO events (session_id, seq, event_id, type, data, metadata) "
    "VALUES (%b, %b, %b, %b, %b, %b) RETURNING session_id, seq) "
    "INSERT INTO outbox (session_id, seq, subject) SELECT session_id, seq, %b FROM event"
)
DATA = json.dumps({"text": "x" * 1000})


class Writer:
    """One connection that appends to a session of its own."""

    def __init__(self, dsn: str) -> None:
        self._connection = psycopg.connect(dsn, autocommit=True, prepare_threshold=0)
        self._session = uuid.uuid4().hex
        self._seq = 0

    def append(self, amount: int) -> None:
        """Append so many events, one commit each."""
        with self._connection.cursor() as cursor:
            for _ in range(amount):
                self._seq += 1
                event = (self._session, self._seq, uuid.uuid4().hex, "tool.finished", DATA, '{"service":"tool_loop"}')
                cursor.execute(_APPEND, (*event, f"arreio.v1.events.{self._session}.tool-finished"))


def main(dsn: str, writers: int) -> None:
    """Answer each round with appends a second."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(_SCHEMA)
    all_writers = [Writer(dsn) for _ in range(writers)]

    def run(amount: int) -> float:
        began = time.perf_counter()
        threads = [threading.Thread(target=one.append, args=(amount // writers,)) for one in all_writers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return amount / (time.perf_counter() - began)

    serve(run)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
