"""Which instructions changed between two prompts of a session, as far as their manifests tell."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from arreio_contracts.messages import InstructionChange

from shared.prompt import HEADING

from .instruction_files import OUT_OF_SCOPE, InstructionFiles

_LAYER = "instruction_files"


@dataclass(frozen=True, slots=True)
class Sources:
    """The instructions that a prompt knew, kept or cut: hash by id; and those left out because of the task's scope."""

    known: Mapping[str, str]
    out_of_scope: frozenset[str] = frozenset()


def sources_of(manifest: Mapping[str, Any]) -> Sources | None:
    """What a recorded manifest tells; None where it holds no prompt."""
    layer = next((layer for layer in manifest.get("layers", ()) if layer["name"] == _LAYER), None)
    if layer is None:
        return None
    hashed = (unit for unit in (*layer["units"], *layer["dropped"]) if unit.get("sha256"))
    known = {unit["id"]: unit["sha256"] for unit in hashed if unit["id"] != HEADING}
    left = frozenset(file["path"] for file in manifest.get("skipped", ()) if file["why"] == OUT_OF_SCOPE)
    return Sources(known, left)


def out_of_scope(files: InstructionFiles) -> frozenset[str]:
    """The files that the task's scope leaves out."""
    return frozenset(file.path for file in files.skipped if file.why == OUT_OF_SCOPE)


def changes(before: Sources | None, now: Sources) -> tuple[InstructionChange, ...]:
    """What was written, edited or taken away since; nothing where there was no prompt before.

    A file that only came into the task's scope, or left it, did not change.
    """
    if before is None:
        return ()
    moved = before.out_of_scope | now.out_of_scope
    paths: Iterable[str] = sorted((before.known.keys() | now.known.keys()) - moved)
    pairs = ((path, before.known.get(path), now.known.get(path)) for path in paths)
    return tuple(InstructionChange(path=path, old=old, new=new) for path, old, new in pairs if old != new)
