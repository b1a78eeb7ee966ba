"""What differs between two snapshots of a workspace."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["added", "deleted", "changed"]


@dataclass(frozen=True)
class Change:
    """A path that differs between two snapshots: blob ids (None: it is not there) and modes as in git."""

    path: str
    kind: Kind
    before: str | None
    after: str | None
    mode_before: int
    mode_after: int
