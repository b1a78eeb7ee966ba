"""A task's workspace: paths that stay inside it, files named by content and written whole, and the lock on it."""

from shared.workspace.beneath import directory_beneath
from shared.workspace.files import file_sha256, read_regular, sha256, write_atomic
from shared.workspace.lock import WorkspaceBusy, WorkspaceLock, WorkspaceSuperseded, acquire
from shared.workspace.paths import Confined, PathRefused, confine, overlaps

__all__ = [
    "Confined",
    "PathRefused",
    "WorkspaceBusy",
    "WorkspaceLock",
    "WorkspaceSuperseded",
    "acquire",
    "confine",
    "directory_beneath",
    "file_sha256",
    "overlaps",
    "read_regular",
    "sha256",
    "write_atomic",
]
