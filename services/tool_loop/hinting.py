"""What the harness knows of a workspace beside the transcript, for call modes that enumerate choices."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from arreio_contracts.task import AnswerCriterion, TestsCriterion, criterion_text
from pathspec import GitIgnoreSpec

from shared.secrets import mask
from shared.workspace import PathRefused, confine, read_regular, sha256

from .claims import claims_by_itself
from .models.call_modes import Hints
from .state import LoopState
from .tools.tree import shown_tree

MOST_PATHS: Final = 200
LARGEST_FILE: Final = 8 * 1024
"""Bytes of a file whose text is handed to a mode."""

_TEST: Final = re.compile(r"(?:^|/)(?:tests?/|test_[^/]*$|conftest\.py$)|_test\.\w+$|\.(?:test|spec)\.\w+$")


async def hints(state: LoopState) -> Hints:
    """Goal, files, and the texts of those that the task has read and that are still as it read them."""
    profile, created = state.profile, state.created
    assert profile is not None and created is not None
    workspace = Path(profile.workspace) if profile.workspace else None
    paths, files = await asyncio.to_thread(_look, workspace, state.seen)
    answers = any(isinstance(criterion, AnswerCriterion) for criterion in profile.criteria)
    return Hints(
        goal=created.goal,
        paths=paths,
        files=files,
        protected=(*profile.verifiers, *_tests(state, paths)),
        unmet=tuple(
            criterion_text(criterion)
            for criterion, verdict in zip(profile.criteria, state.probe or (), strict=False)
            if verdict not in (None, "PASS")
        ),
        claims=claims_by_itself(state) and not answers,
        language=profile.language,
    )


def _tests(state: LoopState, paths: Sequence[str]) -> list[str]:
    """The tests that judge the task; changing them does not help it."""
    profile, created = state.profile, state.created
    assert profile is not None and created is not None
    judged = any(isinstance(criterion, TestsCriterion) for criterion in profile.criteria)
    if not judged or created.contract.allow_test_changes:
        return []
    editable = GitIgnoreSpec.from_lines(created.contract.editable)
    return [path for path in paths if _TEST.search(path) and not editable.match_file(path)]


def _look(workspace: Path | None, seen: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, str]]:
    if workspace is None:
        return tuple(seen), {}
    paths = tuple(path for entry in shown_tree(workspace) for path in entry.files)[:MOST_PATHS]
    texts = {path: _text(workspace, path, digest) for path, digest in seen.items()}
    return paths, {path: text for path, text in texts.items() if text is not None}


def _text(workspace: Path, path: str, digest: str) -> str | None:
    """A small text file, if it is as it was seen; none with a secret: what is masked could not be written back."""
    try:
        content = read_regular(confine(workspace, path).real, most_bytes=LARGEST_FILE)
    except (OSError, PathRefused):
        return None
    if content is None or sha256(content) != digest:
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if mask(text) == text else None
