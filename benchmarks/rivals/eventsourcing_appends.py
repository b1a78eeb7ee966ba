"""The same events through eventsourcing's PostgreSQL recorder with database functions; its log is also its outbox."""

import sys
import threading
import time
from uuid import UUID, uuid4

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore
from psycopg.conninfo import conninfo_to_dict

from benchmarks.rivals.bare_appends import DATA
from benchmarks.rivals.rounds import serve


def main(dsn: str, writers: int) -> None:
    """Answer each round with appends a second."""
    found = conninfo_to_dict(dsn)
    named = {name: str(found[name]) for name in ("dbname", "host", "port", "user", "password")}
    datastore = PostgresDatastore(**named, pool_size=writers, enable_db_functions=True)
    recorder = PostgresApplicationRecorder(datastore)
    recorder.create_table()
    sessions = {uuid4(): 0 for _ in range(writers)}

    def append(session: UUID, amount: int) -> None:
        for _ in range(amount):
            sessions[session] += 1
            recorder.insert_events([StoredEvent(session, sessions[session], "tool.finished", DATA.encode())])

    def run(amount: int) -> float:
        began = time.perf_counter()
        threads = [threading.Thread(target=append, args=(one, amount // writers)) for one in sessions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return amount / (time.perf_counter() - began)

    serve(run)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
