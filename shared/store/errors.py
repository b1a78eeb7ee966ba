"""The exceptions of the event store, as a tree.

StoreError
├── Conflict            another writer was first: fold what is new and decide again
├── Fenced              the lease was lost: stop, another worker has the task
├── WrongTask           a projection patch names a task of another session
├── MissingBlob         no blob has this hash
├── SessionExists       a session that is to be added is here already
├── Tampered            a session that is to be added does not fit its hashes
└── StoreUnavailable    PostgreSQL cannot be reached now: wait and call again
"""

from shared.errors import ArreioError


class StoreError(ArreioError):
    """The event store could not do what was asked."""


class Conflict(StoreError):
    """The session's head is not at the expected seq, so the decision rests on an old state."""

    def __init__(self, session_id: str, expected_seq: int, detail: str = "") -> None:
        super().__init__(f"session {session_id} is no longer at seq {expected_seq} {detail}".rstrip())
        self.session_id = session_id
        self.expected_seq = expected_seq


class Fenced(StoreError):
    """The lease under which something was to be appended is held by another epoch or owner, or by nobody."""

    def __init__(self, kind: str, id: str, epoch: int) -> None:
        super().__init__(f"the lease of {kind} {id} is no longer held at epoch {epoch}")
        self.kind = kind
        self.id = id
        self.epoch = epoch


class WrongTask(StoreError):
    """A projection patch names a task that belongs to another session."""


class MissingBlob(StoreError):
    """No blob has this hash."""

    def __init__(self, sha256: str) -> None:
        super().__init__(f"no blob has the hash {sha256}")
        self.sha256 = sha256


class SessionExists(StoreError):
    """A session that is to be added, or an event or task of it, is here already."""


class Tampered(StoreError):
    """A session that is to be added is not what was recorded: an event does not fit its hash."""


class StoreUnavailable(StoreError):
    """PostgreSQL cannot be reached now; whether the last statement was carried out is unknown.

    Calling again is always right: an append of the same events is recognised by their ids.
    """
